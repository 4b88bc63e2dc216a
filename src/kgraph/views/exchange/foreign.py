"""Graphs of others as payloads (spec 1.3): entities become Entity, relations Claims that MENTION both, text units Sources.

Pure: what was read from files comes in as values. What can't be taken over as it is stands in ``notes``; nothing is left out in silence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from kgraph.model import Json
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple
from kgraph.views.exchange.xml_graphs import plain_graphml
from kgraph.views.records import NotARecord

LONGEST_NAME = 2000  # characters, by the contract
SENTENCE = 300  # characters up to which a relation's description is itself the claim
SEPARATOR = "<SEP>"  # LightRAG's, between what several chunks said
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")
_END_OF_SENTENCE = re.compile(r"(?<=[.!?。！？])\s")


class Foreign(NamedTuple):
    """``payload`` holds ``nodes`` and ``edges``; ``notes`` say in words what was changed or left out on the way."""

    payload: dict[str, Json]
    notes: tuple[str, ...]


class _Payload:
    """Gathers nodes and edges once each, under names that the contract admits."""

    def __init__(self) -> None:
        self.nodes: dict[tuple[str, str], dict[str, Json]] = {}
        self.edges: dict[tuple[str, str, str], dict[str, Json]] = {}
        self.notes: list[str] = []

    def name(self, raw: str) -> str:
        flat = " ".join(_CONTROL.sub(" ", raw).split())
        if len(flat) > LONGEST_NAME:
            self.notes.append(
                f"a name of {len(flat)} characters is cut to {LONGEST_NAME}: {flat[:60]}…"
            )
            return flat[: LONGEST_NAME - 1] + "…"
        return flat

    def add(self, kind: str, name: str, **members: Json) -> str:
        kept = {
            member: value for member, value in members.items() if value not in ("", None, [], {})
        }
        known = self.nodes.setdefault((kind, name), {"type": kind, "name": name})
        for member, value in kept.items():
            known.setdefault(member, value)
        return name

    def tie(self, predicate: str, source: str, target: str) -> None:
        self.edges.setdefault(
            (predicate, source, target),
            {"predicate": predicate, "source": source, "target": target},
        )

    def claim(
        self, words: str, about: Sequence[str], sources: Sequence[str], attrs: dict[str, Json]
    ) -> None:
        """A statement. Longer than a sentence: its first sentence names it and the whole describes it."""
        flat = self.name(words)
        short = flat if len(flat) <= SENTENCE else _END_OF_SENTENCE.split(flat, maxsplit=1)[0]
        kept: dict[str, Json] = {
            name: value for name, value in attrs.items() if value not in ("", None, [], {})
        }
        name = self.add(
            "Claim",
            short,
            description=flat if flat != short else "",
            attrs=kept,
            inference=None if sources else True,
        )
        for source in sources:
            self.tie("SUPPORTS", source, name)
        for entity in about:
            self.tie("MENTIONS", name, entity)

    def done(self) -> Foreign:
        return Foreign(
            {"nodes": list(self.nodes.values()), "edges": list(self.edges.values())},
            tuple(self.notes),
        )


# -- the MCP memory server ---------------------------------------------------------------------------------------------------------


def memory_server(raw: bytes, file_name: str) -> Foreign:
    """Its JSONL: entities with observations, relations between them. The file is the Source of all. Raises ``NotARecord``."""
    made = _Payload()
    source = made.add("Source", made.name(file_name), sha256=hashlib.sha256(raw).hexdigest())
    relations: list[tuple[int, dict[str, Json]]] = []
    known: set[str] = set()
    for number, line in enumerate(raw.decode("utf-8-sig").split("\n"), 1):
        if not line.strip():
            continue
        record = _record(line, number)
        if record.get("type") == "relation":
            relations.append((number, record))
        elif record.get("type") == "entity":
            name = made.name(_text(record, "name", number))
            known.add(name)
            observations = [made.name(str(one)) for one in record.get("observations") or []]
            attrs = {"entity_type": record.get("entityType", "")}
            made.add(
                "Entity",
                name,
                description="; ".join(observations),
                attrs={key: value for key, value in attrs.items() if value},
            )
            made.tie("MENTIONS", source, name)
            for words in observations:
                made.claim(f"{name}: {words}", [name], [source], {})
        else:
            made.notes.append(
                f"line {number}: a record of type {record.get('type')!r} is neither entity nor relation and is left out"
            )
    for number, record in relations:
        one, other = (made.name(_text(record, end, number)) for end in ("from", "to"))
        for end in (one, other):
            if end not in known:
                made.notes.append(
                    f"line {number}: '{end}' is in a relation but is no entity of the file; it is made one"
                )
                known.add(end)
                made.add("Entity", end)
        kind = _text(record, "relationType", number)
        made.claim(
            f"{one} {kind.replace('_', ' ')} {other}",
            [one, other],
            [source],
            {"relation": kind, "from": one, "to": other},
        )
    return made.done()


def _record(line: str, number: int) -> dict[str, Json]:
    try:
        record = json_value(line)
    except ValueError as problem:
        raise NotARecord(f"line {number}: not JSON: {problem}") from problem
    if not isinstance(record, dict):
        raise NotARecord(f"line {number}: not an object")
    return record


def _text(record: Mapping[str, Json], member: str, number: int) -> str:
    value = record.get(member)
    if not isinstance(value, str) or not value.strip():
        raise NotARecord(f"line {number}: '{member}' is missing or no text")
    return value


# -- GraphRAG ----------------------------------------------------------------------------------------------------------------------


def graphrag(tables: Mapping[str, Iterable[Mapping[str, Json]]]) -> Foreign:
    """Its tables by name (entities, relationships, text_units, documents; the last may lack), as rows."""
    made = _Payload()
    titles = {
        str(row.get("id", "")): str(row.get("title") or "") for row in tables.get("documents", ())
    }
    units: dict[str, str] = {}
    for position, row in enumerate(tables.get("text_units", ()), 1):
        documents = _list(row.get("document_ids") or row.get("document_id"))
        title = titles.get(documents[0], documents[0]) if documents else ""
        name = made.name(f"{title or 'text unit'} [{row.get('human_readable_id', position)}]")
        digest = hashlib.sha256(str(row.get("text", "")).encode("utf-8", "replace")).hexdigest()
        units[str(row["id"])] = made.add(
            "Source",
            name,
            sha256=digest,
            attrs={"text_unit": str(row["id"]), "documents": documents},
        )
    known: set[str] = set()
    for row in tables.get("entities", ()):
        name = made.name(str(row.get("title") or row.get("name") or ""))
        known.add(name)
        kind = str(row.get("type") or "")
        made.add(
            "Entity",
            name,
            description=str(row.get("description") or ""),
            attrs={"entity_type": kind} if kind else {},
        )
        for source in _units(made, units, row, f"entity '{name}'"):
            made.tie("MENTIONS", source, name)
    for row in tables.get("relationships", ()):
        one, other = (made.name(str(row.get(end) or "")) for end in ("source", "target"))
        _missing(made, known, (one, other))
        words = str(row.get("description") or "") or f"{one} is related to {other}"
        made.claim(
            words,
            [one, other],
            _units(made, units, row, f"relation '{words[:40]}'"),
            {"weight": row.get("weight"), "from": one, "to": other},
        )
    return made.done()


def _units(
    made: _Payload, units: Mapping[str, str], row: Mapping[str, Json], what: str
) -> list[str]:
    found = []
    for unit in _list(row.get("text_unit_ids")):
        if unit in units:
            found.append(units[unit])
        else:
            made.notes.append(f"{what}: its text unit {unit[:40]} is in no table and is left out")
    return list(dict.fromkeys(found))


def _list(value: Json) -> list[str]:
    """A list as tables give it: a list, JSON text of one, or one value."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        if value.startswith("["):
            try:
                value = json_value(value.replace("'", '"'))
            except ValueError:
                return [value]
        else:
            return [part.strip() for part in value.split(",") if part.strip()]
    return [str(one) for one in value] if isinstance(value, (list, tuple)) else [str(value)]


def _missing(made: _Payload, known: set[str], ends: Iterable[str]) -> None:
    for end in ends:
        if end not in known:
            made.notes.append(
                f"'{end}' is in a relation but in no table of entities; it is made one"
            )
            known.add(end)
            made.add("Entity", end)


# -- LightRAG ----------------------------------------------------------------------------------------------------------------------


def lightrag(graph: bytes, chunks: Mapping[str, Mapping[str, Json]]) -> Foreign:
    """Its GraphML (graph_chunk_entity_relation) and its text chunks by id (kv_store_text_chunks). Raises ``NotARecord``."""
    made = _Payload()
    sources: dict[str, str] = {}
    for identifier, chunk in chunks.items():
        file = str(chunk.get("file_path") or chunk.get("full_doc_id") or "chunk")
        name = made.name(f"{file} [{chunk.get('chunk_order_index', identifier)}]")
        digest = hashlib.sha256(
            str(chunk.get("content", "")).encode("utf-8", "replace")
        ).hexdigest()
        sources[identifier] = made.add(
            "Source",
            name,
            sha256=digest,
            attrs={"chunk": identifier, "document": str(chunk.get("full_doc_id") or "")},
        )
    nodes, edges = plain_graphml(graph)
    for identifier, cells in nodes.items():
        name = made.name(cells.get("entity_id") or identifier)
        kind = cells.get("entity_type", "")
        made.add(
            "Entity", name, description=_said(cells), attrs={"entity_type": kind} if kind else {}
        )
        for source in _chunks(made, sources, cells, f"entity '{name}'"):
            made.tie("MENTIONS", source, name)
    for one_id, other_id, cells in edges:
        one, other = (
            made.name(nodes.get(end, {}).get("entity_id") or end) for end in (one_id, other_id)
        )
        words = _said(cells) or f"{one} is related to {other}"
        attrs: dict[str, Json] = {
            "weight": cells.get("weight"),
            "keywords": cells.get("keywords"),
            "from": one,
            "to": other,
        }
        made.claim(
            words, [one, other], _chunks(made, sources, cells, f"relation '{words[:40]}'"), attrs
        )
    return made.done()


def _said(cells: Mapping[str, str]) -> str:
    return "\n".join(
        part.strip() for part in cells.get("description", "").split(SEPARATOR) if part.strip()
    )


def _chunks(
    made: _Payload, sources: Mapping[str, str], cells: Mapping[str, str], what: str
) -> list[str]:
    found = []
    for chunk in filter(None, cells.get("source_id", "").split(SEPARATOR)):
        if chunk in sources:
            found.append(sources[chunk])
        else:
            made.notes.append(
                f"{what}: its chunk {chunk[:40]} is not among the text chunks and is left out"
            )
    return list(dict.fromkeys(found))
