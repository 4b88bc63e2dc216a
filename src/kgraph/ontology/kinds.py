"""The nouns of the ontology. Their values stand in ``ontology.toml`` and reach the program through the generated ``_tables``."""

from __future__ import annotations

from kgraph.tuples import NamedTuple


class Field(NamedTuple):
    """A member of a payload object. ``types``: string, number, boolean, object, array, strings, time, any.

    ``by_model`` is false for what a language model has no business to fill in.
    """

    name: str
    types: tuple[str, ...]
    required: bool
    by_model: bool
    means: str


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
