"""Keys come from the environment, and leave no trace: everything that is saved or shown goes through a ``Mask`` first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

MASKED = "[masked]"
SHORTEST = 6  # a shorter key ("none", "test") is a local server's placeholder, and masking it would eat ordinary words

# What the field's keys look like, for one that a document or a provider's error holds though it isn't ours.
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|gsk_[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,})"
)
_BEARER = re.compile(r"(?i)\b(bearer\s+|x-api-key:\s*|x-goog-api-key:\s*|[?&]key=)[A-Za-z0-9._~+/=-]{8,}")

KEY_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OLLAMA_API_KEY",
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


def mask_of(environ: Mapping[str, str]) -> Mask:
    """A mask for every model key in the environment, used or not."""
    return Mask(environ.get(name, "").strip() for name in KEY_VARIABLES)
