"""A graph in memory, as far as the checks can see it: for payloads judged without a graph, and for tests."""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.contract.identity import key_id
from kgraph.contract.view import Admission, Held
from kgraph.ontology import fold


class MemoryView:
    """A ``View`` that holds what it was given. An empty one is the graph before its first write."""

    def __init__(self, held: Sequence[Held] = ()) -> None:
        self._nodes: dict[str, Held] = {}
        self._edges: dict[str, tuple[str, str, str]] = {}
        for item in held:
            self.hold(item)

    def hold(self, item: Held) -> None:
        """Add or replace a node; its ``key_id`` is worked out if it has none."""
        made = key_id(item.type, item.name, item.uri, item.qualifier)
        self._nodes[item.id] = item if item.key_id else item._replace(key_id=made)

    def write(self, admission: Admission) -> None:
        """Hold what was admitted: names, descriptions and fields add up, as in a real graph."""
        for event in admission.nodes:
            old = self._nodes.get(event["id"])
            new = Held(
                id=event["id"],
                type=event["type"],
                name=old.name if old else event["name"],
                aliases=(old.aliases if old else ()) + (event["name"], *event.get("aliases", ())),
                description=max(
                    (old.description if old else "", event.get("description", "")), key=len
                ),
                uri=event.get("uri", old.uri if old else ""),
                qualifier=event.get("qualifier", old.qualifier if old else ""),
                version=event.get("version", old.version if old else None),
                rubric=event.get("rubric", old.rubric if old else ""),
                inference=bool(event.get("inference")) or bool(old and old.inference),
                key_id=old.key_id if old else "",
            )
            self.hold(new)
        for event in admission.edges:
            self._edges[event["id"]] = (event["predicate"], event["source"], event["target"])

    def by_ids(self, ids: Sequence[str]) -> dict[str, Held]:
        return {id_: self._nodes[id_] for id_ in ids if id_ in self._nodes}

    def by_key_ids(self, key_ids: Sequence[str]) -> dict[str, list[Held]]:
        return self._grouped(set(key_ids), {item.id: {item.key_id} for item in self._live()})

    def by_names(self, folded: Sequence[str]) -> dict[str, list[Held]]:
        return self._grouped(
            set(folded),
            {item.id: {fold(item.name), *map(fold, item.aliases)} for item in self._live()},
        )

    def tied_claims(self, ids: Sequence[str]) -> set[str]:
        asked = set(ids)
        tied = {
            target
            for predicate, source, target in self._edges.values()
            if predicate == "SUPPORTS" and self._is(source, "Source")
        }
        tied |= {
            source
            for predicate, source, target in self._edges.values()
            if predicate == "DERIVED_FROM" and self._is(target, "Source")
        }
        return tied & asked

    def produced(self, ids: Sequence[str]) -> set[str]:
        asked = set(ids)
        return {
            target
            for predicate, source, target in self._edges.values()
            if predicate == "PRODUCED" and target in asked
        }

    def mentioning(self, ids: Sequence[str]) -> set[str]:
        return self._sources_of("MENTIONS") & set(ids)

    def carried_by(self, source: str) -> set[str]:
        return {
            target for predicate, one, target in self._edges.values()
            if predicate == "SUPPORTS" and one == source and self._is(target, "Claim")
        }  # fmt: skip

    def _sources_of(self, wanted: str) -> set[str]:
        return {source for predicate, source, _ in self._edges.values() if predicate == wanted}

    def has_edges(self, ids: Sequence[str]) -> set[str]:
        return {
            end for _, source, target in self._edges.values() for end in (source, target)
        } & set(ids)

    def _live(self) -> list[Held]:
        return [item for item in self._nodes.values() if item.live]

    def _is(self, id_: str, type_: str) -> bool:
        return id_ in self._nodes and self._nodes[id_].type == type_

    def _grouped(self, asked: set[str], keys: dict[str, set[str]]) -> dict[str, list[Held]]:
        found: dict[str, list[Held]] = {}
        for id_, own in keys.items():
            for key in own & asked:
                found.setdefault(key, []).append(self._nodes[id_])
        return found
