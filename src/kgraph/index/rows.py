"""What an event means: the one place. Pure functions from events to states; every index agrees with them by law.

A node's state is a fold of ``absorb`` over its live assertions in the log's order; an edge shows the best of its live assertions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kgraph.events import Event, node_id
from kgraph.events.hashing import hex_of
from kgraph.language.scripts import is_paired
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

# what a node carries, each with its name on the line: an event's own ``kind`` says what event it is
OWN_FIELDS = tuple(
    (key, "of_kind" if key == "kind" else key)
    for key in (
        "uri", "qualifier", "sha256", "version", "rubric", "result", "valid_from", "valid_to", "kind", "event_time",
    )
)  # fmt: skip
FIRST_FIELDS = ("uri", "qualifier")  # the earliest one stays; of the others the latest counts
LONGEST_KEY = 64

STATUSES = ("verified", "moved", "located", "unchecked", "none", "ambiguous", "missing", "stale")
STATUS_RANK = {name: rank for rank, name in enumerate(STATUSES)}


class NodeState(NamedTuple):
    """A node as its live assertions make it. ``fields`` holds the type's own fields, ``aliases`` the spellings that aren't the name."""

    type: str
    name: str
    aliases: tuple[str, ...]
    description: str
    fields: dict[str, Any]
    attrs: dict[str, Any]
    inference: bool
    sayings: int


def absorb(state: NodeState | None, event: Event) -> NodeState:
    """The state after one more assertion, later than all before.

    The name is that of the earliest one, the description the fullest, each attribute the latest; nothing empty erases anything. What a
    person corrected (``corrects`` lists the members) holds against all that is said later, until it is corrected again.
    """
    corrects = event.get("corrects")
    if corrects:
        return _corrected(state, event, corrects)
    if state is not None and "corrected" in state.fields:
        wires = dict(OWN_FIELDS)
        held = [wires.get(key, key) for key in state.fields["corrected"] if key != "name"]
        event = {**event, **dict.fromkeys(held)}
    if state is None:
        name = event["name"]
        aliases = tuple(
            dict.fromkeys(alias for alias in event.get("aliases") or () if alias != name)
        )
        fields = {key: event[wire] for key, wire in OWN_FIELDS if event.get(wire) not in (None, "")}
        return NodeState(
            event["type"], name, aliases, event.get("description") or "", fields, dict(event.get("attrs") or {}),
            event.get("inference") is True, 1,
        )  # fmt: skip
    spellings = dict.fromkeys(state.aliases)
    for spelling in (event["name"], *(event.get("aliases") or ())):
        if spelling != state.name:
            spellings.setdefault(spelling)
    description = event.get("description") or ""
    fields = state.fields
    for key, wire in OWN_FIELDS:
        given = event.get(wire)
        if given not in (None, "") and (key not in FIRST_FIELDS or key not in fields):
            fields = {**fields, key: given}
    attrs = event.get("attrs")
    return NodeState(
        state.type, state.name, tuple(spellings), description if len(description) > len(state.description) else state.description,
        fields, {**state.attrs, **attrs} if attrs else state.attrs, state.inference or event.get("inference") is True, state.sayings + 1,
    )  # fmt: skip


def _corrected(state: NodeState | None, event: Event, corrects: Sequence[str]) -> NodeState:
    """The state with the members that a correction sets, whatever stood there before."""
    free = {key: value for key, value in event.items() if key != "corrects"}
    before = state or absorb(None, free)
    fixed = sorted({*before.fields.get("corrected", ()), *corrects})
    wires = dict(OWN_FIELDS)
    fields = {**before.fields, "corrected": fixed}
    for key in corrects:
        if key in wires:
            fields[key] = event[wires[key]]
    name = event["name"] if "name" in corrects else before.name
    spellings = dict.fromkeys((*before.aliases, before.name, *(event.get("aliases") or ())))
    spellings.pop(name, None)
    description = event.get("description") or ""
    return before._replace(
        name=name, aliases=tuple(spellings), fields=fields, attrs={**before.attrs, **(event.get("attrs") or {})},
        description=description if "description" in corrects else before.description,
        sayings=before.sayings + (state is not None),
    )  # fmt: skip


def fold_node(events: Iterable[Event]) -> NodeState | None:
    state = None
    for event in events:
        state = absorb(state, event)
    return state


def identity_id(state: NodeState, folded: str = "") -> str:
    """The id that this node's identity key would make. ``folded``: its folded name, where that is known already."""
    uri = state.fields.get("uri") if state.type == "Source" else None
    return node_id(
        state.type,
        f"uri:{uri}" if uri else f"name:{folded or fold(state.name)}",
        state.fields.get("qualifier", ""),
    )


def name_key(folded: str) -> str:
    """The key under which a folded name is looked up: itself, or for long ones a prefix and a hash."""
    if len(folded) <= LONGEST_KEY:
        return folded
    return f"{folded[:24]}#{hex_of(folded.encode('utf-8', 'surrogatepass'))[:24]}"


def name_rows(state: NodeState, folded: str = "") -> list[tuple[str, int]]:
    """Every key that this node answers to, with its kind: 0 shown name, 1 other spelling, 2 uri."""
    shown = name_key(folded or fold(state.name))
    if not state.aliases and "uri" not in state.fields:
        return [(shown, 0)]
    rows = {(shown, 0)} | {(name_key(fold(alias)), 1) for alias in state.aliases}
    uri = state.fields.get("uri")
    if uri:
        rows.add((name_key(fold(str(uri))), 2))
    return sorted(rows)


def status_of(event: Event) -> int:
    """How well an edge assertion is evidenced: smaller is better."""
    evidence = event.get("evidence")
    if evidence:
        return STATUS_RANK.get(evidence.get("status", ""), STATUS_RANK["unchecked"])
    return (
        STATUS_RANK["unchecked"]
        if event.get("quote") or event.get("source_doc")
        else STATUS_RANK["none"]
    )


class Place(NamedTuple):
    """Where an assertion stands: the number of its transaction, and its position in it."""

    line: int
    pos: int


class Rank(NamedTuple):
    """By what the shown assertion of an edge is chosen: how its words were found, how sure it is, and where it stands."""

    status: int
    confidence: float | None
    line: int
    pos: int

    @property
    def order(self) -> tuple[int, float, int, int]:
        """Smaller is shown first."""
        return self.status, -(self.confidence or 0.0), self.line, self.pos


def better(one: Rank, other: Rank) -> bool:
    """Whether an edge's assertion is shown before another: by evidence, confidence, then age."""
    return one.order < other.order


def search_text(text: str) -> str:
    """A text as the full-text index takes it: runs of scripts without spaces become single characters and pairs."""
    if text.isascii():
        return text
    out: list[str] = []
    run = ""
    for char in text:
        if is_paired(char):
            run += char
            continue
        if run:
            out.append(_pairs(run))
            run = ""
        out.append(char)
    if run:
        out.append(_pairs(run))
    return "".join(out)


def _pairs(run: str) -> str:
    return " " + " ".join((*run, *(run[at : at + 2] for at in range(len(run) - 1)))) + " "
