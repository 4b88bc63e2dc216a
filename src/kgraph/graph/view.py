"""The graph as the contract's checks see it: surface nodes, live ties, whole batches at a time."""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.contract.view import Held
from kgraph.index import surface
from kgraph.index.read import Reader
from kgraph.index.surface import Quality, SurfaceNode


class IndexView:
    """``contract.view.GraphView`` from an index."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def by_ids(self, ids: Sequence[str]) -> dict[str, Held]:
        return {node.id: _held(node) for node in surface.by_ids(self._reader, ids)}

    def by_key_ids(self, key_ids: Sequence[str]) -> dict[str, list[Held]]:
        found: dict[str, list[Held]] = {}
        for node in surface.by_key_ids(self._reader, key_ids):
            found.setdefault(node.key_id, []).append(_held(node))
        return found

    def by_names(self, folded: Sequence[str]) -> dict[str, list[Held]]:
        found = surface.by_names(self._reader, folded)
        return {text: [_held(node) for node in nodes] for text, nodes in found.items()}

    def tied_claims(self, ids: Sequence[str]) -> set[str]:
        return surface.having(self._reader, Quality.TIED, ids)

    def produced(self, ids: Sequence[str]) -> set[str]:
        return surface.having(self._reader, Quality.PRODUCED, ids)

    def mentioning(self, ids: Sequence[str]) -> set[str]:
        return surface.having(self._reader, Quality.MENTIONING, ids)

    def carried_by(self, source: str) -> set[str]:
        return surface.carried_by(self._reader, source)

    def has_edges(self, ids: Sequence[str]) -> set[str]:
        return surface.having(self._reader, Quality.TOUCHED, ids)


def _held(node: SurfaceNode) -> Held:
    state, fields = node.state, node.state.fields
    return Held(
        node.id, state.type, state.name, state.aliases, state.description,
        str(fields.get("uri", "")), str(fields.get("qualifier", "")),
        node.live, node.key_id, fields.get("version"), str(fields.get("rubric", "")), state.inference, 0,
    )  # fmt: skip
