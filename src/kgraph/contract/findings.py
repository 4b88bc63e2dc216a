"""Where the checks put what they find."""

from __future__ import annotations

from collections.abc import Callable

from kgraph.contract.nearness import nearest
from kgraph.contract.paths import in_order
from kgraph.model import Problem
from kgraph.ontology import RULES

MAX_GUESSES = 200


class Findings:
    """The problems of one payload, by what they mean for it."""

    __slots__ = ("_near", "errors", "violations", "warnings")

    def __init__(self) -> None:
        self.errors: list[Problem] = []
        self.violations: list[Problem] = []
        self.warnings: list[Problem] = []
        self._near: dict[tuple[str, tuple[str, ...]], str] = {}

    def error(self, code: str, path: str, message: str, hint: str = "") -> None:
        self.errors.append(Problem(code, path, message, hint or RULES[code].hint))

    def warn(self, code: str, path: str, message: str, hint: str = "") -> None:
        self.warnings.append(Problem(code, path, message, hint or RULES[code].hint))

    def violate(self, problem: Problem) -> None:
        self.violations.append(problem)

    def nearest(self, word: str, known: tuple[str, ...]) -> str:
        """The nearest known word for a hint, or ''. After a few hundred different words none is near any more, so that hints stay cheap."""
        asked = (word, known)
        if asked not in self._near and len(self._near) < MAX_GUESSES:
            self._near[asked] = nearest(word, known)
        return self._near.get(asked, "")

    def mask(self, masked: Callable[[str], str]) -> None:
        """Let no word of what was found so far show what ``masked`` leaves out."""
        self.errors, self.violations, self.warnings = (
            [
                one._replace(
                    **{
                        field: masked(value)
                        for field, value in one._asdict().items()
                        if isinstance(value, str)
                    }
                )
                for one in found
            ]
            for found in (self.errors, self.violations, self.warnings)
        )

    def sort(self) -> None:
        self.errors, self.violations, self.warnings = (
            in_order(found) for found in (self.errors, self.violations, self.warnings)
        )
