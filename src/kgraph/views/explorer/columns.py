"""A graph as the page reads it: numbers in columns, texts in blocks that are unpacked when somebody looks at them.

A block is compressed and written in base64, so nothing in it can close a script tag or be taken for markup. Everything that the
page needs to draw, filter and search is in ``core``, ``names`` and ``words``; quotes, descriptions and attributes come in chunks.
"""

from __future__ import annotations

import base64
import datetime
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence

from kgraph.model import Json
from kgraph.tuples import NamedTuple
from kgraph.views.explorer.communities import Communities
from kgraph.views.explorer.layout import Layout
from kgraph.views.records import as_line
from kgraph.views.snapshot import Edge, EdgeAssertion, Node

NODE_CHUNK = 256
EDGE_CHUNK = 512
INFERENCE, REPLACED = 1, 2  # flags of a node
STATUSES = (
    "verified",
    "moved",
    "located",
    "ambiguous",
    "missing",
    "stale",
    "unchecked",
    "doubtful",
    "",
)
_STATUS = {status: number for number, status in enumerate(STATUSES)}
ALWAYS, NEVER = -(2**31), 2**31 - 1  # open ends of validity, in days since 1970
LEVEL = 6
_EPOCH = datetime.date(1970, 1, 1)


class Block(NamedTuple):
    id: str
    text: str  # base64 of a zlib stream


class Columns(NamedTuple):
    """``head`` is small and plain; ``blocks`` are in the order in which the page wants them."""

    head: dict[str, Json]
    blocks: list[Block]


class Names:
    """Numbers for texts that recur: types, predicates, runs, sources."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.number: dict[str, int] = {}
        for name in first:
            self.of(name)

    def of(self, name: str) -> int:
        return self.number.setdefault(name, len(self.number))

    def all(self) -> list[str]:
        return list(self.number)


class Lists:
    """Lists of small numbers, one after the other, with where each begins."""

    def __init__(self) -> None:
        self.starts = array("I", [0])
        self.values = array("I")

    def add(self, values: Sequence[int]) -> None:
        self.values.extend(values if len(values) < 2 else sorted(set(values)))
        self.starts.append(len(self.values))


class Instants:
    """Seconds of instants, each read once: what one transaction says, it says at one time."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {"": 0}

    def of(self, instant: str) -> int:
        found = self.known.get(instant)
        if found is None:
            found = self.known[instant] = seconds(instant)
        return found


def columns(
    nodes: Sequence[Node], edges: Iterable[Edge], groups: Communities, places: Layout
) -> Columns:
    """``edges`` must have both ends among ``nodes``; they are sorted here by the first end, so that a node's edges lie together."""
    number = {node.id: position for position, node in enumerate(nodes)}
    ordered = sorted(
        edges, key=lambda edge: (number[edge.source], number[edge.target], edge.predicate, edge.id)
    )
    replaced = {
        number[edge.target] for edge in ordered if edge.predicate in ("SUPERSEDES", "REVISES")
    }
    types, predicates, runs = Names(), Names(), Names()
    sources = Names(node.id for node in nodes if node.type == "Source")
    packed: dict[str, array[float] | array[int]] = {
        "x": array("f", places.x),
        "y": array("f", places.y),
    }
    packed["community"] = array("H", groups.of)
    packed |= _node_columns(nodes, number, replaced, types, (runs, sources))
    packed |= _edge_columns(ordered, number, predicates, (runs, sources))
    head: dict[str, Json] = {
        "n": len(nodes),
        "m": len(ordered),
        "types": types.all(),
        "predicates": predicates.all(),
        "statuses": list(STATUSES),
        "sources": [[identifier, number.get(identifier, -1)] for identifier in sources.all()],
        "nodeChunk": NODE_CHUNK,
        "edgeChunk": EDGE_CHUNK,
        "rest": groups.rest,
        "communities": len(groups.sizes),
    }
    blocks = [_numbers("core", packed, head), _json("names", [node.name for node in nodes])]
    details = [*_node_chunks(nodes, runs, sources), *_edge_chunks(ordered, runs, sources)]
    head["runs"] = runs.all()
    return Columns(head, [*blocks, _json("words", [_words(node) for node in nodes]), *details])


def _node_columns(
    nodes: Sequence[Node],
    number: dict[str, int],
    replaced: set[int],
    types: Names,
    said_by: tuple[Names, Names],
) -> dict[str, array[float] | array[int]]:
    kind, flags = array("B"), array("B")
    stands, first, last = array("I"), array("I"), array("I")
    begins, ends = array("i"), array("i")
    run_lists, source_lists, instants = Lists(), Lists(), Instants()
    runs, sources = said_by
    for position, node in enumerate(nodes):
        kind.append(types.of(node.type))
        flags.append(
            (INFERENCE if node.inferred else 0) | (REPLACED if position in replaced else 0)
        )
        stands.append(number.get(node.canonical, position))
        times = [instants.of(said.ts) for said in node.assertions] or [0]
        first.append(min(times))
        last.append(max(times))
        begins.append(days(node.valid_from, ALWAYS))
        ends.append(days(node.valid_to, NEVER))
        run_lists.add([runs.of(said.run_id) for said in node.assertions if said.run_id])
        named = [sources.of(source) for said in node.assertions for source in said.sources]
        source_lists.add([*named, sources.of(node.id)] if node.type == "Source" else named)
    return {
        "type": kind, "flags": flags, "stands": stands, "nodeFirst": first, "nodeLast": last, "nodeFrom": begins, "nodeTo": ends,
        "nodeRunStarts": run_lists.starts, "nodeRuns": run_lists.values,
        "nodeSourceStarts": source_lists.starts, "nodeSources": source_lists.values,
    }  # fmt: skip


_BROKEN = ("missing", "stale", "ambiguous")


def _standing(shown: EdgeAssertion) -> str:
    """The status of a citation; 'doubtful' where its words stand and don't carry what they are cited for."""
    return (
        "doubtful" if shown.support == "doubtful" and shown.status not in _BROKEN else shown.status
    )


def _edge_columns(
    edges: Sequence[Edge], number: dict[str, int], predicates: Names, said_by: tuple[Names, Names]
) -> dict[str, array[float] | array[int]]:
    source, target = array("I"), array("I")
    predicate, status, confidence = array("B"), array("B"), array("B")
    first, last, begins, ends = array("I"), array("I"), array("i"), array("i")
    run_lists, source_lists, instants = Lists(), Lists(), Instants()
    runs, sources = said_by
    for edge in edges:
        source.append(number[edge.source])
        target.append(number[edge.target])
        predicate.append(predicates.of(edge.predicate))
        shown, said = edge.shown, edge.assertions
        status.append(_STATUS.get(_standing(shown), _STATUS["unchecked"]))
        confidence.append(
            255 if shown.confidence is None else max(0, min(200, round(shown.confidence * 200)))
        )
        times = [instants.of(one.ts) for one in said] or [0]
        first.append(min(times) if len(times) > 1 else times[0])
        last.append(max(times) if len(times) > 1 else times[0])
        begins.append(days(shown.valid_from, ALWAYS) if shown.valid_from else ALWAYS)
        ends.append(days(shown.valid_to, NEVER) if shown.valid_to else NEVER)
        run_lists.add([runs.of(one.run_id) for one in said if one.run_id])
        named = [sources.of(name) for one in said for name in one.sources]
        named += [
            sources.number[end] for end in (edge.source, edge.target) if end in sources.number
        ]
        source_lists.add(named)
    return {
        "source": source, "target": target, "predicate": predicate, "status": status, "confidence": confidence,
        "edgeFirst": first, "edgeLast": last, "edgeFrom": begins, "edgeTo": ends,
        "edgeRunStarts": run_lists.starts, "edgeRuns": run_lists.values,
        "edgeSourceStarts": source_lists.starts, "edgeSources": source_lists.values,
    }  # fmt: skip


def _numbers(
    identifier: str, packed: dict[str, array[float] | array[int]], head: dict[str, Json]
) -> Block:
    """All columns in one block, each aligned to four bytes, little-endian; the head says where each is."""
    directory: dict[str, Json] = {}
    raw = bytearray()
    for name, column in packed.items():
        directory[name] = [column.typecode, len(raw), len(column)]
        raw += _little_endian(column)
        raw += bytes(-len(raw) % 4)
    head["columns"] = directory
    return Block(identifier, _packed(bytes(raw)))


def _little_endian(column: array[float] | array[int]) -> bytes:
    import sys

    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def _node_chunks(nodes: Sequence[Node], runs: Names, sources: Names) -> Iterator[Block]:
    for start in range(0, len(nodes), NODE_CHUNK):
        yield _json(
            f"n{start // NODE_CHUNK}",
            [_node(node, runs, sources) for node in nodes[start : start + NODE_CHUNK]],
        )


def _node(node: Node, runs: Names, sources: Names) -> list[Json]:
    said = [
        [one.text, _number(runs, one.run_id), _number(sources, one.source), one.ts]
        for one in node.descriptions
    ]
    return [
        node.id, node.qualifier, list(node.aliases), said, dict(node.attrs), node.valid_from, node.valid_to, max(1, len(node.assertions)),
        sorted({_number(runs, one.run_id) for one in node.assertions if one.run_id}),
        sorted({sources.of(source) for one in node.assertions for source in one.sources}), dict(node.fields),
    ]  # fmt: skip


def _edge_chunks(edges: Sequence[Edge], runs: Names, sources: Names) -> Iterator[Block]:
    for start in range(0, len(edges), EDGE_CHUNK):
        yield _json(
            f"e{start // EDGE_CHUNK}",
            [_edge(edge, runs, sources) for edge in edges[start : start + EDGE_CHUNK]],
        )


def _edge(edge: Edge, runs: Names, sources: Names) -> list[Json]:
    said: list[Json] = []
    for one in edge.assertions:
        found, place = (
            one.evidence.get("lines"),
            one.evidence.get("page") or one.evidence.get("part") or "",
        )
        lines = [line for line in found if isinstance(line, int)] if isinstance(found, list) else []
        said.append([
            _number(runs, one.run_id), [sources.of(source) for source in one.sources], one.ts, one.source_doc, one.quote, one.confidence,
            one.status, lines, place, one.valid_from, one.valid_to, dict(one.attrs), one.support, one.doubt,
        ])  # fmt: skip
    return [edge.id, edge.kind, said]


def _number(names: Names, name: str) -> int:
    return names.of(name) if name else -1


def _words(node: Node) -> list[str]:
    """What search reads beside the name: aliases, and descriptions as one text."""
    return ["\n".join(node.aliases), "\n".join(said.text for said in node.descriptions)]


def _json(identifier: str, value: Json) -> Block:
    return Block(identifier, _packed(as_line(value).encode("utf-8", "replace")))


def _packed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, LEVEL)).decode("ascii")


def seconds(instant: str) -> int:
    """Seconds since 1970 of an ISO 8601 instant or date; 0 where there is none."""
    if not instant:
        return 0
    try:
        read = datetime.datetime.fromisoformat(instant)
    except ValueError:
        return 0
    if read.tzinfo is None:
        read = read.replace(tzinfo=datetime.UTC)
    return max(0, min(2**32 - 1, int(read.timestamp())))


def days(instant: str, otherwise: int) -> int:
    """Days since 1970 of an ISO 8601 date or instant (UTC); ``otherwise`` where the interval is open or unreadable."""
    if not instant:
        return otherwise
    try:
        read = datetime.datetime.fromisoformat(instant)
    except ValueError:
        return otherwise
    if read.tzinfo is not None:
        read = read.astimezone(datetime.UTC)
    return (read.date() - _EPOCH).days
