"""Names that differ only in their letters' case: the graph folds names, so without a qualifier they would be one thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from kgraph.code.facts import CodeEntity
from kgraph.ontology import fold

K = TypeVar("K")


def told_apart(
    entities: Mapping[K, CodeEntity], others: Iterable[CodeEntity] = ()
) -> dict[K, CodeEntity]:
    """The same entities; the second and later of one folded identity get their kind, and if need be a number, as qualifier.

    ``others`` have their names already.
    """
    taken = {(fold(other.name), fold(other.qualifier)) for other in others}
    found: dict[K, CodeEntity] = {}
    for name, entity in entities.items():
        chosen, number = entity, 1
        while (fold(chosen.name), fold(chosen.qualifier)) in taken:
            words = (entity.qualifier, entity.kind, str(number) if number > 1 else "")
            chosen, number = entity._replace(qualifier=" ".join(filter(None, words))), number + 1
        taken.add((fold(chosen.name), fold(chosen.qualifier)))
        found[name] = chosen
    return found
