"""The profiles of a graph: added and taken out by a line of its log, so that whoever has the log has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgraph.errors import UnknownReference, UsageError
from kgraph.ontology import STANDARD, Vocabulary
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph.engine import Engine
    from kgraph.index.read import Reader

PROFILE = "profile"


class Change(NamedTuple):
    """``unchanged``: the graph had this profile just so, and nothing was written."""

    name: str
    tx: str
    unchanged: bool


def tables(reader: Reader) -> dict[str, Mapping[str, Any]]:
    """The profiles that are in effect, by name, each as the table that it was added as."""
    found: dict[str, Mapping[str, Any]] = {}
    for _, event in reader.notes(PROFILE):
        name, table = str(event.get("key", "")), event.get("table")
        found.pop(name, None)
        if isinstance(table, dict):
            found[name] = table
    return found


def vocabulary(reader: Reader) -> Vocabulary:
    """What the graph recommends for its open fields. A profile in a log that can't be read is left out: it only ever adds."""
    held = tables(reader)
    if not held:
        return STANDARD
    from kgraph.ontology.profiles import Profile, joined, profile_of

    profiles: list[Profile] = []
    for table in held.values():
        try:
            profiles.append(profile_of(table))
        except ValueError:
            continue
    return joined(STANDARD, profiles)


def add(engine: Engine, table: Mapping[str, Any], run_id: str = "") -> Change:
    """Let a graph have a profile, in place of one of the same name. Raises UsageError for one that is not well made."""
    from kgraph.ontology.profiles import profile_of

    try:
        name = profile_of(table).name
    except ValueError as problem:
        raise UsageError(
            f"this is no profile: {problem}", "kgraph profile show incidents prints one"
        ) from None
    return _write(engine, name, dict(table), run_id)


def remove(engine: Engine, name: str, run_id: str = "") -> Change:
    """Take a profile out; what was written with it stays. Raises UnknownReference."""
    if name not in tables(engine.reader()):
        raise UnknownReference(
            f"this graph has no profile '{name}'", "kgraph profile list shows those that it has"
        )
    return _write(engine, name, None, run_id)


def _write(engine: Engine, name: str, table: dict[str, Any] | None, run_id: str) -> Change:
    from kgraph.events import Draft

    with engine.writing() as writer:
        if tables(writer.reader).get(name) == table:
            return Change(name, "", True)
        event: dict[str, Any] = {"kind": "meta", "what": PROFILE, "key": name}
        if table is not None:
            event["table"] = table
        return Change(name, writer.record(Draft("profile", [event], run_id)).id, False)
