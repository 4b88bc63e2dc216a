"""A graph's own kinds, roles and rules of naming, mapped onto the fixed types: read from a small TOML file, joined to one vocabulary.

A profile adds to the nine types and eleven predicates and never replaces them. What it says reaches the schema, the prompt and the checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kgraph import resources
from kgraph.ontology.kinds import Ends, Naming, Value, Vocabulary
from kgraph.tuples import NamedTuple

READY = ("decisions", "incidents")
LONGEST = 300  # characters of a text in a profile
MOST = 100  # kinds or roles of one profile
_LISTS = ("entity_kind", "claim_kind", "role")
_MEMBERS = {
    "entity_kind": {"name", "description", "examples", "naming"},
    "claim_kind": {"name", "description", "examples"},
    "role": {"name", "description", "examples", "of", "to"},
}


class Profile(NamedTuple):
    """``naming``: patterns that names of a kind must fit; ``ends``: for a role the kinds of claims that have it, and of things that play it."""

    name: str
    description: str
    entity_kind: tuple[Value, ...]
    claim_kind: tuple[Value, ...]
    role: tuple[Value, ...]
    naming: tuple[Naming, ...]
    ends: tuple[Ends, ...]


def ready(name: str) -> dict[str, Any]:
    """One of the profiles that come with kgraph, as its table. Raises KeyError for another name."""
    if name not in READY:
        raise KeyError(name)
    from kgraph.parsing import toml_table

    return toml_table(resources.text("kgraph.ontology.profiles", f"{name}.toml"))


def profile_of(table: Mapping[str, Any]) -> Profile:
    """A profile from its table. Raises ValueError, which says where and what is wrong."""
    unknown = set(table) - {"name", "description", *_LISTS}
    if unknown:
        raise ValueError(
            f"it has no use for {_listed(unknown)}; known: name, description, {', '.join(_LISTS)}"
        )
    rows = {key: _rows(table, key) for key in _LISTS}
    values = {
        key: tuple(_value(row, f"{key} {at}") for at, row in enumerate(some, 1))
        for key, some in rows.items()
    }
    for key, some in values.items():
        names = [value.name for value in some]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"{key} {_listed(twice)} is given twice")
    naming = tuple(
        Naming(value.name, _text(row, "naming", f"entity_kind '{value.name}'"))
        for row, value in zip(rows["entity_kind"], values["entity_kind"], strict=True)
        if "naming" in row
    )
    for rule in naming:
        if rule.pattern.count("*") > 4 or "[" in rule.pattern:
            raise ValueError(
                f"the naming of '{rule.kind}' may hold at most four '*', and '?'; no brackets"
            )
    ends = tuple(
        Ends(value.name, _texts(row, "of", value.name), _texts(row, "to", value.name))
        for row, value in zip(rows["role"], values["role"], strict=True)
        if "of" in row or "to" in row
    )
    return Profile(
        _text(table, "name", "the profile"), _text(table, "description", "the profile"),
        values["entity_kind"], values["claim_kind"], values["role"], naming, ends,
    )  # fmt: skip


def joined(standard: Vocabulary, profiles: Iterable[Profile]) -> Vocabulary:
    """All that is recommended. A profile's word for a value that is known already takes its place."""
    found = standard
    for profile in profiles:
        own = {one.role for one in profile.ends}
        found = Vocabulary(
            _added(found.entity_kind, profile.entity_kind),
            _added(found.claim_kind, profile.claim_kind),
            _added(found.role, profile.role),
            (*found.naming, *profile.naming),
            (*(one for one in found.ends if one.role not in own), *profile.ends),
        )
    return found


def _added(known: tuple[Value, ...], more: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple({value.name: value for value in (*known, *more)}.values())


def _rows(table: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    rows = table.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"'{key}' must be a list of tables: [[{key}]]")
    if len(rows) > MOST:
        raise ValueError(f"'{key}' has {len(rows)} entries, more than {MOST}")
    for at, row in enumerate(rows, 1):
        unknown = set(row) - _MEMBERS[key]
        if unknown:
            raise ValueError(
                f"{key} {at} has no use for {_listed(unknown)}; known: {', '.join(sorted(_MEMBERS[key]))}"
            )
    return rows


def _value(row: Mapping[str, Any], where: str) -> Value:
    name = _text(row, "name", where)
    means = _text(row, "description", where)
    examples = _texts(row, "examples", where)
    return Value(name, means + (f" (as in: {'; '.join(examples)})" if examples else ""))


def _text(row: Mapping[str, Any], key: str, where: str) -> str:
    value = row.get(key)
    if (
        not isinstance(value, str)
        or not value.strip()
        or not value.isprintable()
        or len(value) > LONGEST
    ):
        raise ValueError(f"{where} needs '{key}': one line of text, at most {LONGEST} characters")
    return value.strip()


def _texts(row: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    values = row.get(key, [])
    if not isinstance(values, list) or len(values) > MOST:
        raise ValueError(f"'{key}' of {where} must be a list of texts")
    return tuple(_text({key: value}, key, where) for value in values)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))
