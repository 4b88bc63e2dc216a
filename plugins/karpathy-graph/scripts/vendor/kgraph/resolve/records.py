"""What resolution is given and what it gives back: plain records, pairs with their features, decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from kgraph.model import Json
from kgraph.tuples import NamedTuple

PolicyName = Literal["strict", "balanced"]


class Record(NamedTuple):
    """A node as resolution sees it: one live, not yet merged node (or the canonical view of a cluster).

    ``sources`` are ids of Source nodes, ``sections`` ``uri#anchor`` texts, ``neighbours`` ids of nodes at the other end of an edge,
    Sources left out. ``since`` orders by age: the smaller, the longer in the graph.
    """

    id: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    qualifier: str = ""
    sources: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()
    neighbours: frozenset[str] = frozenset()
    attrs: Mapping[str, Json] = {}
    assertions: int = 1
    since: int = 0


class Options(NamedTuple):
    """``distinct``: pairs of ids that were judged to be two things. ``pairs_each``: candidates kept per record, best first.

    ``floor``: pairs whose score is lower are not proposed. ``block_size``: a key that more records share is too common to block by.
    """

    type: str = ""
    limit: int = 0
    distinct: frozenset[frozenset[str]] = frozenset()
    pairs_each: int = 20
    floor: float = 0.0
    block_size: int = 40


class Features(NamedTuple):
    """What speaks for and against a pair. Shares are from 0 to 1; the first ten are the table that users see, the rest explains it.

    ``description_agreement`` is None where one side has no description, ``neighbour_overlap`` where one has no neighbours.
    ``neighbours_telling``: 1 if a shared neighbour is nobody else's, less the more have it.
    ``neighbours_apart``: several each, none shared.
    ``relation``: how the two closest names are related, one of ``names.RELATIONS``. ``attribute_evidence``: natural logarithm of how
    much likelier the attributes are if both are one thing; 0 where they say nothing. ``description_common``: many unlike names have the
    very same description, as 'function in app.py', so that it says of what kind a thing is, not which one.
    """

    alias_overlap: float
    same_source: bool
    same_section: bool
    neighbour_overlap: float | None
    description_agreement: float | None
    name_likeness: float
    type_words: bool
    numbers_differ: bool
    years_differ: bool
    known_distinct: bool
    relation: str = "none"
    closest: tuple[str, str] = ("", "")
    against: tuple[str, ...] = ()
    description_same: bool = False
    description_specific: bool = False
    description_common: bool = False
    description_declares: bool = False
    description_names_other: bool = False
    shared_words: tuple[str, ...] = ()
    words_telling: bool = False
    neighbours_telling: float = 0.0
    neighbours_apart: bool = False
    attribute_evidence: float = 0.0
    attributes_agree: tuple[str, ...] = ()
    attributes_differ: tuple[str, ...] = ()
    attributes_refuse: tuple[str, ...] = ()
    years_outweighed: bool = False
    long_names: bool = False

    def as_json(self) -> dict[str, Json]:
        found: dict[str, Json] = self._asdict()
        for key in (
            "closest",
            "against",
            "shared_words",
            "attributes_agree",
            "attributes_differ",
            "attributes_refuse",
        ):
            found[key] = list(found[key])
        return {
            key: round(value, 3) if isinstance(value, float) else value
            for key, value in found.items()
        }

    def told(self) -> dict[str, Json]:
        """Those that say something of the pair. That descriptions or neighbours have nothing in common (0) does, that there are none
        (None) does not."""
        shares = ("neighbour_overlap", "description_agreement")
        return {
            key: value
            for key, value in self.as_json().items()
            if value or (key in shares and value is not None)
        }


class Pair(NamedTuple):
    """Two ids in order, their features, the evidence as one number (see ``policies.score``), and a short text for each side."""

    left: str
    right: str
    features: Features
    score: float
    left_text: str
    right_text: str


class Cluster(NamedTuple):
    """Records that may be one thing: their ids and the pairs among them, best first. ``score`` is that of the best pair."""

    ids: tuple[str, ...]
    pairs: tuple[Pair, ...]
    score: float


class Decision(NamedTuple):
    """``verdict``: same or left (a candidate still). ``rationale`` says in words which features decided."""

    verdict: Literal["same", "left"]
    rationale: str
    score: float


class Merge(NamedTuple):
    """A merge to be written: ``alias`` RESOLVED_TO ``canonical``, for the reason of the pair that joined them."""

    canonical: str
    alias: str
    pair: Pair
    decision: Decision
