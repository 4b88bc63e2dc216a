"""Keys come from the environment or the system's keyring, and leave no trace: all that is saved or shown goes through a ``Mask`` first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from kgraph.errors import UsageError

MASKED = "[masked]"
SHORTEST = 6  # a shorter key ("none", "test") is a local server's placeholder, and masking it would eat ordinary words

# What the field's keys look like, for one that a document or a provider's error holds though it isn't ours.
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,})"
)
_BEARER = re.compile(
    r"(?i)\b(bearer\s+|x-api-key:\s*|x-goog-api-key:\s*|[?&]key=)[A-Za-z0-9._~+/=-]{8,}"
)

KEY_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OLLAMA_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "DEEPSEEK_API_KEY",
    "TOGETHER_API_KEY",
    "FIREWORKS_API_KEY",
    "XAI_API_KEY",
    "CEREBRAS_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_BEARER_TOKEN_BEDROCK",
)


class Mask:
    """``mask(text)`` puts ``[masked]`` for every known key and for everything that looks like one."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        # Longest first, so that a key which begins with another is hidden whole.
        self._keys = sorted({key for key in keys if len(key) >= SHORTEST}, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        for key in self._keys:
            text = text.replace(key, MASKED)
        text = _LOOKS_LIKE_A_KEY.sub(MASKED, text)
        return _BEARER.sub(lambda found: found[1] + MASKED, text)


SERVICE = "kgraph"  # under which a keyring holds the keys: ``keyring set kgraph OPENAI_API_KEY``


def with_stored_key(
    environ: Mapping[str, str], names: tuple[str, ...], ask: Callable[[str], str] | None = None
) -> Mapping[str, str]:
    """The environment, with the first key that the keyring has under one of ``names`` where the environment has none of them."""
    if any(environ.get(name, "").strip() for name in names):
        return environ
    for name in names:
        key = (ask or in_keyring)(name).strip()
        if key:
            return {**environ, name: key}
    return environ


def in_keyring(name: str) -> str:
    """What the system's keyring holds under ``kgraph`` and this name; '' where it holds nothing, or the package isn't installed.

    Raises UsageError for a keyring that is there and can't be read.
    """
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return ""
    try:
        return str(keyring.get_password(SERVICE, name) or "")
    except keyring.errors.NoKeyringError:
        return ""
    except keyring.errors.KeyringError as error:
        raise UsageError(
            f"the keyring can't be read: {error}", f"unlock it, or set {name} in the environment"
        ) from None


def mask_of(environ: Mapping[str, str]) -> Mask:
    """A mask for every model key in the environment, used or not."""
    return Mask(environ.get(name, "").strip() for name in KEY_VARIABLES)
