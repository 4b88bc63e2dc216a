"""What was worked out a moment ago, and a bounded number of it: a run over many files must not hold all that it once knew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """The ``most`` values that were asked for last."""

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        self._make, self._most = make, most
        self._values: OrderedDict[K, V] = OrderedDict()

    def __call__(self, key: K) -> V:
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        found = self._make(key)
        self._values[key] = found
        if len(self._values) > self._most:
            self._values.popitem(last=False)
        return found
