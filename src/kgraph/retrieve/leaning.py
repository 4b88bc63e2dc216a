"""What a question wants to know of the thing it names: which relations, and from which side. English; other questions lean nowhere.

"What depends on X" and "where is X tested" ask for what points at X, "what does X import" for what X points at. It is a preference for the
ranking, never a filter.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from kgraph.tuples import NamedTuple

# Predicate, verbs of the one who does it, participles of what it is done to, nouns for the one and for the other.
_TABLE = (
    (
        "DEPENDS_ON",
        "depend depends depending use uses import imports call calls require requires need needs inherit inherits extend extends",
        "used imported called required needed inherited extended",
        "caller callers user users dependent dependents importer importers subclass subclasses client clients consumer consumers",
        "dependency dependencies requirement requirements callee callees base bases superclass superclasses",
    ),
    ("EVALUATES", "test tests cover covers evaluate evaluates benchmark benchmarks", "tested covered evaluated benchmarked",
     "test tests evaluation evaluations benchmark benchmarks", ""),
    ("PRODUCED", "produce produces build builds generate generates make makes", "produced built generated made", "producer builder", ""),
    ("SUPERSEDES", "supersede supersedes replace replaces", "superseded replaced", "successor successors", "predecessor predecessors"),
)  # fmt: skip
_RELATIONS = [
    (predicate, [frozenset(words.split()) for words in forms]) for predicate, *forms in _TABLE
]
_BE = frozenset("is are was were be been being get gets got".split())
_WORD = re.compile(r"\w+")


class Leaning(NamedTuple):
    """``forward``: edges that the named thing is the source of; else those that lead to it."""

    predicate: str
    forward: bool


def leaning(text: str, name: str) -> Leaning | None:
    """How a question (both texts folded) leans towards one side of the thing that it calls ``name``."""
    said, named = _WORD.findall(text), _WORD.findall(name)
    at = next(
        (
            place
            for place in range(len(said))
            if named and said[place : place + len(named)] == named
        ),
        -1,
    )
    if at < 0:
        return None
    before, after = said[:at], said[at + len(named) :]
    words = [*before, *after]
    for predicate, (verbs, participles, doers, done_to) in _RELATIONS:
        for nouns, forward in ((doers, False), (done_to, True)):
            if _of(before, nouns):
                return Leaning(predicate, forward)
        for number, word in enumerate(words):
            by = words[number + 1 : number + 2] == ["by"]
            if word in participles and (by or _BE & set(words[:number])):
                return Leaning(predicate, by and number < at)
            if word in verbs | participles and not (number < at and _of(before, (word,))):
                return Leaning(predicate, at <= number)
    return None


def _of(before: list[str], nouns: Collection[str]) -> bool:
    """Whether the name stands behind one of some nouns: 'callers of', 'tests for the'."""
    left = [
        word
        for word in before
        if word not in ("the", "a", "an", "module", "function", "class", "service", "package")
    ]
    return len(left) > 1 and left[-1] in ("of", "for") and left[-2] in nouns
