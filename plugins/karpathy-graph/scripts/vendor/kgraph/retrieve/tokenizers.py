"""How many tokens a text costs: the estimate, or an installed tokenizer's own count."""

from __future__ import annotations

from collections.abc import Callable

from kgraph.errors import MissingExtra, UsageError
from kgraph.retrieve.printing import count_tokens


def cost_function(name: str) -> Callable[[str], int]:
    """The count of a tiktoken encoding or model by name, or of bytes / 3 for ''. Raises MissingExtra or UsageError."""
    if not name:
        return count_tokens
    try:
        import tiktoken
    except ImportError:
        raise MissingExtra(f"counting with the tokenizer '{name}'", "models") from None
    try:
        encoding = tiktoken.get_encoding(name)
    except ValueError:
        try:
            encoding = tiktoken.encoding_for_model(name)
        except KeyError:
            raise UsageError(f"there is no tokenizer '{name}'", "leave --tokenizer out to count bytes / 3") from None
    return lambda text: len(encoding.encode(text, disallowed_special=()))
