"""The nouns of the ontology. Their values stand in ``ontology.toml`` and reach the program through the generated ``_tables``."""

from __future__ import annotations

from kgraph.tuples import NamedTuple


class Field(NamedTuple):
    """A member of a payload object. ``types``: string, number, boolean, object, array, strings, time, moment, any.

    A time is a date or an instant; a moment may be an interval ``A/B`` as well. ``by_model`` is false for what a language model has
    no business to fill in. ``values`` names the list of recommended values (``VALUES``), '' where there is none.
    """

    name: str
    types: tuple[str, ...]
    required: bool
    by_model: bool
    means: str
    values: str = ""


class Value(NamedTuple):
    """A recommended value of an open field."""

    name: str
    means: str


class Naming(NamedTuple):
    """How Entities of a kind are called: ``*`` stands for any characters, ``?`` for one."""

    kind: str
    pattern: str


class Ends(NamedTuple):
    """Which kinds of Claims have a role, and which kinds of Entities play it; empty for any."""

    role: str
    claims: tuple[str, ...]
    entities: tuple[str, ...]


class Vocabulary(NamedTuple):
    """The values that a graph recommends for its open fields: those of the ontology, and those that its profiles add, with their rules."""

    entity_kind: tuple[Value, ...]
    claim_kind: tuple[Value, ...]
    role: tuple[Value, ...]
    naming: tuple[Naming, ...] = ()
    ends: tuple[Ends, ...] = ()

    def of(self, values: str) -> tuple[Value, ...]:
        """The list of that name, as ``Field.values`` gives it."""
        return getattr(self, values)  # type: ignore[no-any-return]

    def names(self, values: str) -> tuple[str, ...]:
        return tuple(value.name for value in self.of(values))


class NodeType(NamedTuple):
    """``prefix`` begins the ids of such nodes; ``words`` are those that say no more than the type does."""

    name: str
    prefix: str
    is_: str
    is_not: str
    words: tuple[str, ...]
    fields: tuple[Field, ...]


class Predicate(NamedTuple):
    """An edge type. ``allowed`` holds every (subject type, object type) that its signature lets pass."""

    name: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    subject_words: str
    object_words: str
    same_type: bool
    means: str
    evidence: bool
    reserved: bool
    allowed: frozenset[tuple[str, str]]


class Rule(NamedTuple):
    """A rule that can be broken. ``family``: error, invariant, warning, command. ``hint`` is a ``str.format`` template."""

    code: str
    name: str
    family: str
    breach: str
    hint: str


class Band(NamedTuple):
    """A range of confidence and what it stands for."""

    range: str
    means: str


def predicate(
    name: str,
    ends: tuple[tuple[str, ...], tuple[str, ...]],
    words: tuple[str, str],
    means: str,
    marks: frozenset[str],
) -> Predicate:
    """A predicate with its signature multiplied out. ``marks``: same_type, evidence, reserved."""
    subjects, objects = ends
    same = "same_type" in marks
    allowed = frozenset((s, o) for s in subjects for o in objects if s == o or not same)
    return Predicate(
        name,
        subjects,
        objects,
        *words,
        same,
        means,
        "evidence" in marks,
        "reserved" in marks,
        allowed,
    )
