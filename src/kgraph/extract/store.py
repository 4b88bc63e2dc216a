"""What a run asks of the graph it writes to. ``graph`` fulfils it; the run knows nothing else of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from kgraph.extract.ledger import DocumentEntry, Note, Place
from kgraph.model import Document, Json, Problem
from kgraph.ontology import Vocabulary
from kgraph.tuples import NamedTuple


class Statement(NamedTuple):
    """What one unit says. ``documents`` are the texts that its citations are held against, already read; ``note`` is its ledger event.

    ``own_uris``: the Sources that it may name; None for kgraph's own extractors, which may end a link at another document.
    """

    payload: Mapping[str, Json]
    documents: tuple[Document, ...]
    note: Mapping[str, Json]
    own_uris: frozenset[str] | None = None


class Batch(NamedTuple):
    """One transaction: units that begin to speak, assertions that end, and notes that belong to no unit's words.

    ``kept`` are assertions that stand although the file around them changed: their citations are found again in ``read``.
    """

    run_id: str
    unit: str
    statements: tuple[Statement, ...] = ()
    withdraw: tuple[Place, ...] = ()
    notes: tuple[Mapping[str, Json], ...] = ()
    reason: str = ""
    kept: tuple[Place, ...] = ()
    read: Document | None = None


class Judged(NamedTuple):
    """What the contract says of one statement. ``problems`` is empty if it may be written; ``warnings`` never stand in the way."""

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()
    nodes: int = 0
    edges: int = 0
    ids: tuple[str, ...] = ()  # of the payload's nodes, in its order
    evidence: Mapping[str, int] = {}  # citations by status
    held: tuple[str, ...] = ()  # what was left out since a person took it back, in words


class Written(NamedTuple):
    """``tx`` is empty when anything was refused, and then nothing was written."""

    tx: str
    judged: tuple[Judged, ...]


class Mended(NamedTuple):
    """What was read out of a reply's text. ``payload`` is None if there is no object in it that can be used.

    ``as_sent`` gives problems of the payload the paths that they have in the text, which counts edges that were left out.
    """

    payload: Mapping[str, Json] | None
    problems: tuple[Problem, ...]
    repairs: tuple[Mapping[str, Json], ...]
    as_sent: Callable[[list[Problem]], list[Problem]]


class Store(Protocol):
    """``folder`` is the graph's, ``source_root`` the absolute folder that uris count from."""

    @property
    def folder(self) -> str: ...

    @property
    def source_root(self) -> str: ...

    @property
    def vocabulary(self) -> Vocabulary:
        """The kinds and roles that the graph knows: the ontology's, and those of its profiles."""
        ...

    def notes_of(self, what: str, first: str, last: str) -> Sequence[Note]:
        """Meta events with keys from ``first`` to ``last``, both included, oldest first."""
        ...

    def lives(self, place: Place) -> bool:
        """Whether any of these assertions is still in effect."""
        ...

    def withheld(self, place: Place) -> bool:
        """Whether something that was asserted there was taken back by hand and is not said again unless that is asked for."""
        ...

    def renewing(self) -> Store:
        """The same graph, where what was taken back by hand may be said again."""
        ...

    def rename(self, old: DocumentEntry, now: DocumentEntry, run_id: str) -> Place:
        """Give a document's Source another name and address; where that is asserted."""
        ...

    def mend(self, text: str, own_uris: frozenset[str]) -> Mended:
        """Read a model's reply, with the few repairs that are allowed."""
        ...

    def judge(self, statement: Statement, without: Sequence[Place]) -> Judged:
        """What would become of it if it were written now and ``without`` were withdrawn. Writes nothing."""
        ...

    def write(self, batches: Sequence[Batch]) -> list[Written]:
        """Judge and write, one transaction a batch, each whole or not at all; acknowledged when all that was written is on the disk."""
        ...

    def already(self, statement: Statement, places: Sequence[Place], run_id: str) -> str:
        """The transaction of this run that says just this, if what lives of ``places`` is it and nothing else; '' if there is none."""
        ...

    def rehearsal(self) -> Store:
        """The same graph, where ``write`` does everything but keep it."""
        ...

    def growth(self, batch: Batch) -> int:
        """How many more nodes and edges the graph would show after this batch; negative if fewer. Writes nothing."""
        ...

    def size(self) -> int:
        """Nodes and edges that the graph shows, together."""
        ...
