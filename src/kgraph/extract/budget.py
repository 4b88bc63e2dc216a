"""Hard caps. Before a request goes out the most that it can cost is set aside; what it did cost is settled afterwards.

A request that doesn't fit beside those on their way waits for them. One that fits only with a shorter answer is given the shorter limit.
So a cap is kept to the request: the provider itself is told where to stop.
"""

from __future__ import annotations

from kgraph.model import Usage
from kgraph.models.prices import Price
from kgraph.plurals import counted
from kgraph.tuples import NamedTuple

LEAST_OUTPUT_TOKENS = 256
UNLIMITED = float("inf")


class Caps(NamedTuple):
    """US dollars, tokens in and out together, and units that are begun. Infinite where none is set."""

    cost: float = UNLIMITED
    tokens: float = UNLIMITED
    units: float = UNLIMITED

    def within(self, other: Caps) -> Caps:
        """The narrower of each."""
        return Caps(
            min(self.cost, other.cost), min(self.tokens, other.tokens), min(self.units, other.units)
        )

    def less(self, spent: Caps) -> Caps:
        return Caps(
            max(0.0, self.cost - spent.cost),
            max(0.0, self.tokens - spent.tokens),
            max(0.0, self.units - spent.units),
        )


class Grant(NamedTuple):
    """``max_output_tokens`` is what the request may ask for; ``tokens`` and ``cost`` are what is set aside for it."""

    max_output_tokens: int
    tokens: int
    cost: float
    lowered: bool


class Budget:
    """The caps of one run. Not for several threads: the one that hands out work asks it.

    Where there is a cap and requests are answered one by one, the first one goes alone: how a provider counts is known from its answer,
    and what it counts above our estimate or above the limit it was given is set aside for all that follow.
    """

    def __init__(self, caps: Caps, price: Price | None, probes: bool = True) -> None:
        self._caps = caps
        self._price = price or Price(0.0, 0.0)
        self._granted: list[Grant] = []
        self._tokens_per_estimated = 1.0
        self._output_per_allowed = 1.0
        self._counted = False  # whether a provider has counted a request of ours yet
        self._unmeasured = probes and min(caps.cost, caps.tokens) < UNLIMITED
        self.spent = Caps(0.0, 0.0, 0.0)

    def begin_unit(self) -> str:
        """Count one more unit; or why it may not be begun."""
        if self.spent.units + 1 > self._caps.units:
            return f"no more than {counted(int(self._caps.units), 'unit')} may be begun"
        self.spent = self.spent._replace(units=self.spent.units + 1)
        return ""

    def ask(self, estimated_input_tokens: int, max_output_tokens: int) -> Grant | str:
        """A grant; or why there is none. The reason is empty while requests on their way may still give something back."""
        if self._unmeasured and self._granted:
            return ""
        input_tokens = int(estimated_input_tokens * self._tokens_per_estimated) + 1
        free_tokens = (
            self._caps.tokens
            - self.spent.tokens
            - sum(grant.tokens for grant in self._granted)
            - input_tokens
        )
        free_cost = self._caps.cost - self.spent.cost - sum(grant.cost for grant in self._granted)
        left = free_cost - input_tokens * self._price.input / 1_000_000
        affordable = free_tokens
        if self._price.output > 0:
            affordable = min(affordable, left * 1_000_000 / self._price.output)
        elif left < 0:
            affordable = -1.0
        least = min(LEAST_OUTPUT_TOKENS, max_output_tokens)
        if affordable < least:
            return "" if self._granted else self._why(input_tokens)
        allowed = int(min(max_output_tokens, affordable / self._output_per_allowed))
        if allowed < least:
            return "" if self._granted else self._why(input_tokens)
        written = int(allowed * self._output_per_allowed)
        cost = self._price.cost(Usage(input_tokens, written))
        grant = Grant(allowed, input_tokens + written, cost, allowed < max_output_tokens)
        self._granted.append(grant)
        return grant

    def settle(self, grant: Grant, usage: Usage, estimated_input_tokens: int) -> float:
        """Book what a request did use (nothing, if it failed); its cost in US dollars."""
        self._granted.remove(grant)
        cost = self._price.cost(usage)
        used = usage.input_tokens + usage.output_tokens
        self.spent = self.spent._replace(
            cost=self.spent.cost + cost, tokens=self.spent.tokens + used
        )
        self._unmeasured = self._unmeasured and not used
        if grant.max_output_tokens:
            over = usage.output_tokens / grant.max_output_tokens
            self._output_per_allowed = max(self._output_per_allowed, over)
        if usage.input_tokens and estimated_input_tokens:
            # The provider's own count is better than our estimate, as soon as there is one. The highest ratio seen counts.
            seen = usage.input_tokens / estimated_input_tokens
            self._tokens_per_estimated = (
                max(seen, self._tokens_per_estimated) if self._counted else seen
            )
            self._counted = True
        return cost

    def _why(self, input_tokens: int) -> str:
        if self.spent.tokens + input_tokens + LEAST_OUTPUT_TOKENS > self._caps.tokens:
            return f"{int(self.spent.tokens)} of {int(self._caps.tokens)} tokens are used, and this unit needs more than is left"
        return f"${self.spent.cost:.4f} of ${self._caps.cost:g} is spent, and this unit needs more than is left"
