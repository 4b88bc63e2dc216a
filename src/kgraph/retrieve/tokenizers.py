"""How many tokens a text costs: the estimate, or an installed tokenizer's own count."""

from __future__ import annotations

from collections.abc import Callable

from kgraph.errors import MissingExtra, UsageError
from kgraph.retrieve.printing import count_tokens


def cost_function(name: str) -> Callable[[str], int]:
    """The count of a public encoding (o200k_base, cl100k_base, ...) or of a model's, or of the estimate for ''.

    The vocabulary comes with the package: nothing is fetched. Raises MissingExtra or UsageError.
    """
    if not name:
        return count_tokens
    try:
        import bpe_openai
    except ImportError:
        raise MissingExtra(f"counting with the tokenizer '{name}'", "models") from None
    known = bpe_openai.list_encoding_names()
    try:
        encoding = (
            bpe_openai.get_encoding(name) if name in known else bpe_openai.encoding_for_model(name)
        )
    except (KeyError, ValueError, bpe_openai.TokenizerError):
        hint = f"one of {', '.join(sorted(known))}; leave --tokenizer out for the estimate"
        raise UsageError(f"there is no tokenizer '{name}'", hint) from None
    return lambda text: len(encoding.encode(text, disallowed_special=()))
