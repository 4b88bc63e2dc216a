"""List prices in US dollars per million tokens. An estimate and a cap need them; a bill is the provider's.

Discounts for cached input are left out, so a figure made from this table is never too low for that reason. Long-context surcharges
don't arise: a unit and its prompt stay far below where they begin.
"""

from __future__ import annotations

from kgraph.errors import UsageError
from kgraph.model import Usage
from kgraph.tuples import NamedTuple

AS_OF = "2026-11"
BATCH_FACTOR = 0.5  # what the batch interfaces of all three providers charge


class Price(NamedTuple):
    """US dollars per million tokens."""

    input: float
    output: float

    def cost(self, usage: Usage) -> float:
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000

    def times(self, factor: float) -> Price:
        return Price(self.input * factor, self.output * factor)


# The longest name that the model's own begins with decides, so dated versions (…-20250929) are found too.
_LIST = {
    "anthropic/claude-haiku-4-5": Price(1.0, 5.0),
    "anthropic/claude-sonnet-4": Price(3.0, 15.0),
    "anthropic/claude-sonnet-4-5": Price(3.0, 15.0),
    "anthropic/claude-sonnet-4-6": Price(3.0, 15.0),
    "anthropic/claude-sonnet-5": Price(2.0, 10.0),
    "anthropic/claude-opus-4-5": Price(5.0, 25.0),
    "anthropic/claude-opus-4-6": Price(5.0, 25.0),
    "anthropic/claude-opus-4-7": Price(5.0, 25.0),
    "anthropic/claude-opus-4-8": Price(5.0, 25.0),
    "anthropic/claude-opus-4-1": Price(15.0, 75.0),
    "anthropic/claude-opus-5": Price(5.0, 25.0),
    "openai/gpt-4o": Price(2.5, 10.0),
    "openai/gpt-4o-mini": Price(0.15, 0.6),
    "openai/gpt-4.1": Price(2.0, 8.0),
    "openai/gpt-4.1-mini": Price(0.4, 1.6),
    "openai/gpt-4.1-nano": Price(0.1, 0.4),
    "openai/gpt-5": Price(1.25, 10.0),
    "openai/gpt-5-mini": Price(0.25, 2.0),
    "openai/gpt-5-nano": Price(0.05, 0.4),
    "openai/gpt-5.4": Price(2.5, 15.0),
    "openai/gpt-5.4-mini": Price(0.75, 4.5),
    "openai/gpt-5.4-nano": Price(0.2, 1.25),
    "openai/gpt-5.5": Price(5.0, 30.0),
    "gemini/gemini-2.5-pro": Price(1.25, 10.0),
    "gemini/gemini-2.5-flash": Price(0.3, 2.5),
    "gemini/gemini-2.5-flash-lite": Price(0.1, 0.4),
    "gemini/gemini-3.1-pro": Price(2.0, 12.0),
    "gemini/gemini-3.5-flash": Price(1.5, 9.0),
}


def price_of(model: str, override: str = "") -> Price | None:
    """The price of ``provider/model``; None where none is known. A local model costs nothing. ``override`` is ``IN,OUT``."""
    if override:
        return _given(override)
    if model.startswith("ollama/"):
        return Price(0.0, 0.0)
    known = [name for name in _LIST if _is_version_of(model, name)]
    return _LIST[max(known, key=len)] if known else None


def _is_version_of(model: str, name: str) -> bool:
    """``gpt-5-2025-08-07`` is a ``gpt-5``; ``gpt-5.9``, ``gpt-5-1`` and ``gpt-5-ultra`` are not, and may cost anything."""
    if not model.startswith(name):
        return False
    rest = model[len(name) :]
    if not rest:
        return True
    tag = rest[1:].replace("-", "").removeprefix("preview")
    return rest[0] in "-@" and (tag in ("", "latest") or (tag.isdigit() and len(tag) >= 3))


def _given(text: str) -> Price:
    parts = text.split(",")
    try:
        given = [float(part) for part in parts]
    except ValueError:
        given = []
    if len(given) != 2 or not all(0 <= value < float("inf") for value in given):
        raise UsageError(
            f"'{text}' is not a price",
            "give two numbers, US dollars per million tokens: --price 3,15",
        )
    return Price(given[0], given[1])
