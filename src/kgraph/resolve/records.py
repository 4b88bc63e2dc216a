"""What resolution is given and what it gives back: plain records, signals and objections as data, pairs, decisions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from kgraph.model import Json
from kgraph.tuples import NamedTuple

PolicyName = Literal["strict", "balanced", "probabilistic"]
POLICY_NAMES: tuple[PolicyName, ...] = ("strict", "balanced", "probabilistic")


class Record(NamedTuple):
    """A node as resolution sees it: one live, not yet merged node (or the canonical view of a cluster).

    ``sources`` are ids of Source nodes, ``sections`` ``uri#anchor`` texts, ``neighbours`` ids of nodes at the other end of an edge,
    Sources left out. ``statements``: those neighbours that are Claims, so what the node is named in. ``kind``: what kind of thing it is
    said to be, '' where nothing is said. ``since`` orders by age: the smaller, the longer in the graph.
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
    kind: str = ""
    statements: frozenset[str] = frozenset()


class Options(NamedTuple):
    """``distinct``: pairs of ids that were judged to be two things. ``pairs_each``: candidates kept per record, best first.

    ``floor``: pairs that are less probable are not proposed. ``block_size``: a key that more records share is too common to block by.
    """

    type: str = ""
    limit: int = 0
    distinct: frozenset[frozenset[str]] = frozenset()
    pairs_each: int = 20
    floor: float = 0.5
    block_size: int = 40


class Likeness(StrEnum):
    """How the two closest names are related, from the closest to the loosest. A pair has exactly one."""

    SAME = "same"
    FORM = "form"
    CODE = "code"
    AFFIX = "affix"
    ORDER = "order"
    ACRONYM = "acronym"
    PERSON = "initials"
    SPELLING = "spelling"
    SOUND = "romanised"
    PART = "part"
    NEAR = "near"
    EDITION = "edition"
    SHARED = "shared"
    NONE = "none"


class Signal(StrEnum):
    """What else may speak for or against two records being one thing. A pair has any number of them."""

    IDENTIFIER = "identifier"
    STATED_ALIAS = "stated alias"
    WRITTEN_ALIKE = "written alike"
    SAME_DESCRIPTION = "same description"
    DESCRIPTIONS_AGREE = "descriptions agree"
    DESCRIPTIONS_LEAN = "descriptions lean"
    DESCRIPTIONS_DIFFER = "descriptions differ"
    NEIGHBOUR = "telling neighbour"
    NEIGHBOURS_APART = "neighbours apart"


class Reason(StrEnum):
    """Why two records are held to be two things."""

    DISTINCT = "judged distinct"
    KINDS = "kinds"
    QUALIFIERS = "qualifiers"
    IDENTIFIERS = "identifiers"
    NUMBERS = "numbers"
    YEARS = "years"
    CODES = "codes"
    LETTERS = "letters"
    EDITIONS = "editions"
    EXCLUSIVE = "exclusive words"
    REMARKS = "remarks"
    PEOPLE = "names of people"
    GENERATIONS = "generations"
    WORDS = "words"
    SHARED_ALIAS = "shared alias"
    TOGETHER = "one sentence"
    LINKED = "an edge"
    DATED = "dated"
    FIGURES = "figures"


class Objection(NamedTuple):
    """A reason, and what each side has where the reason is a difference."""

    reason: Reason
    left: str = ""
    right: str = ""


class Features(NamedTuple):
    """What speaks for and against a pair. Shares are from 0 to 1; the first ten are the table that users see, the rest explains it.

    ``description_agreement`` is None where one side has no description, ``neighbour_overlap`` where one has no neighbours.
    ``attribute_evidence``: natural logarithm of how much likelier the attributes are if both are one thing; 0 where they say nothing.
    ``part_of_name``: all words of one shown name are among those of the other.
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
    relation: Likeness = Likeness.NONE
    closest: tuple[str, str] = ("", "")
    signals: tuple[Signal, ...] = ()
    against: tuple[Objection, ...] = ()
    identifiers: tuple[str, ...] = ()
    shared_words: tuple[str, ...] = ()
    attribute_evidence: float = 0.0
    attributes_agree: tuple[str, ...] = ()
    attributes_differ: tuple[str, ...] = ()
    attributes_refuse: tuple[str, ...] = ()
    long_names: bool = False
    part_of_name: bool = False

    def as_json(self) -> dict[str, Json]:
        from kgraph.resolve.wording import objection

        found: dict[str, Json] = {
            key: round(value, 3)
            if isinstance(value, float)
            else list(value)
            if isinstance(value, tuple)
            else value
            for key, value in self._asdict().items()
        }
        found["relation"] = self.relation.value
        found["signals"] = [signal.value for signal in self.signals]
        found["against"] = [
            {
                "reason": one.reason.value,
                "left": one.left,
                "right": one.right,
                "says": objection(one),
            }
            for one in self.against
        ]
        return found

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
    """Two ids in order, their features, the evidence as log-odds (``weights.score``), and a short text for each side."""

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
