"""``Graph``: everything that kgraph can do, as plain calls. The command line, MCP and the web page only translate to it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.errors import NotAllowed, UsageError
from kgraph.events import Draft
from kgraph.graph import folder
from kgraph.graph.answers import Checkup, Ingestion, LinesAnswer, Receipt, Withdrawal
from kgraph.graph.engine import Engine
from kgraph.graph.folder import Manifest
from kgraph.graph.healing import heals
from kgraph.index.read import Reader
from kgraph.model import Document, Problem
from kgraph.trust import EXTRACTOR, SOURCE_ROOT, Ask, Trust, within

if TYPE_CHECKING:
    from types import TracebackType

    from kgraph.evaluate import Score
    from kgraph.evaluate.ratchet import Trial
    from kgraph.extract.request import RunAnswer, RunRequest
    from kgraph.extract.run import Tools
    from kgraph.graph.answering import AskAnswer, AskOptions, Judged
    from kgraph.graph.citing import SourceCache
    from kgraph.graph.correcting import Edited, EditOptions
    from kgraph.graph.embedding import Embedders, Embedding
    from kgraph.graph.evaluating import EvalOptions
    from kgraph.graph.exchanging import Target
    from kgraph.graph.extracting import GraphStore
    from kgraph.graph.listing import Listing, ListOptions
    from kgraph.graph.merging import Merged, MergeOptions
    from kgraph.graph.parting import SplitOptions
    from kgraph.graph.profiles import Change as ProfileChange
    from kgraph.graph.pushing import Pushed, Server
    from kgraph.graph.ratcheting import Loop, Ratcheted
    from kgraph.graph.states import Open
    from kgraph.graph.texts import GraphTexts
    from kgraph.graph.viewing import About
    from kgraph.graph.weighing import Weighing
    from kgraph.graph.withdrawing import Selector
    from kgraph.index.tables import Rows
    from kgraph.models import Model
    from kgraph.ontology import Vocabulary
    from kgraph.retrieve.ground import GroundOptions
    from kgraph.retrieve.nearness import Nearness
    from kgraph.retrieve.paths import PathOptions
    from kgraph.retrieve.query import QueryAnswer
    from kgraph.retrieve.question import Asked, Question
    from kgraph.retrieve.verdict import Verdict
    from kgraph.views.difference import Difference
    from kgraph.views.files import Written

__all__ = ["Checkup", "Graph", "Ingestion", "LinesAnswer", "Receipt", "Withdrawal"]


def _quoted(word: str) -> str:
    """A word as a shell takes it."""
    import shlex

    return shlex.quote(word)


Payload = bytes | str | Mapping[str, Any]


@heals
class Graph:
    """One graph in its folder. Open it with ``kgraph.open`` or make it with ``kgraph.create``; it is a context manager.

    References (``ref``) are an id, else a name (exact, then folded), else an alias, else a Source's uri; ``Type:name`` narrows.
    Methods raise ``kgraph.errors.KgraphError``; what a payload breaks is in the receipt, not an exception.
    """

    def __init__(
        self,
        path: str,
        manifest: Manifest,
        engine: Engine,
        roots: tuple[str, ...] = (),
        embedders: Embedders | None = None,
        home: str = "",
    ) -> None:
        """``home`` is the folder that the call itself stands for: sources below it are read though the graph's folder lies elsewhere."""
        self.path = path
        self.manifest = manifest
        self.engine = engine
        self.created = False
        self._roots = roots
        self._embedders = embedders
        self._texts: GraphTexts | None = None
        self.trust = Trust(path)
        self.notices = engine.notices  # what a person must be told of the graph, a line each
        wanted = folder.source_root(path, manifest, os.path.dirname(os.path.abspath(path)))
        self.wanted_root = wanted
        known = [one for one in (path, home, folder.beside_graphs(path), *roots) if one]
        if within(wanted, known) or self.trust.confirmed(SOURCE_ROOT, wanted):
            self.source_root = wanted
        else:
            self.source_root = os.path.abspath(path)
            self._unconfirmed = (
                f"the graph's folder says that its sources are in {wanted}, outside of it; nothing is read there until you confirm it: "
                f"kgraph trust --path {_quoted(path)}"
            )
            self.notices.append(self._unconfirmed)

    @property
    def is_confirmed(self) -> bool:
        """Whether sources are read where the graph's folder says they are."""
        return self.source_root == self.wanted_root

    def refuse_unconfirmed_root(self) -> None:
        """Raise NotAllowed where uris would count from another folder than the one that the graph's statements count from."""
        if not self.is_confirmed:
            raise NotAllowed(f"nothing was read: {self._unconfirmed}")

    def asks_for(self) -> list[Ask]:
        """What the graph's folder asks for and only the user may grant, granted or not."""
        from kgraph.graph import embedding

        asked = []
        if not within(self.wanted_root, (self.path, folder.beside_graphs(self.path) or self.path)):
            asked.append(Ask(SOURCE_ROOT, self.wanted_root))
        if "/" in self.manifest.extractor:
            asked.append(Ask(EXTRACTOR, self.manifest.extractor))
        return asked + embedding.asks_of(os.path.join(self.path, folder.VECTORS))

    def __enter__(self) -> Graph:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._texts is not None:
            self._texts.close()
        self.engine.index.close()

    @property
    def texts(self) -> GraphTexts:
        """The passages of its sources, beside the index."""
        if self._texts is None:
            from kgraph.graph.texts import GraphTexts

            self._texts = GraphTexts(self.path, (self.source_root, *self._roots))
        return self._texts

    @property
    def name(self) -> str:
        return self.manifest.name

    def reader(self, as_of: str = "") -> Reader:
        """The graph as it is now, or as it was: ``as_of`` is a transaction (what its writer saw) or an instant."""
        from kgraph.graph import checking

        return checking.as_of(self.engine, as_of) if as_of else self.engine.reader()

    def shelf(self, documents: Mapping[str, Document] | None = None) -> SourceCache:
        """The sources that may be read: those given, else files below the source root and the further roots."""
        from kgraph.graph.citing import SourceCache

        return SourceCache(self.source_root, self._roots, documents)

    def begin(self) -> None:
        """Write the first line of a new graph, then what lies beside it. Of several processes that make the same graph one does, the others
        raise Exists. The first line says what the manifest says, so a beginning that is cut off in between is a graph all the same."""
        event = {"kind": "meta", "what": "graph", "key": "", **self.manifest._asdict()}
        with self.engine.writing() as writer:
            folder.refuse_existing(self.path)
            writer.record(Draft("init", [event]))
            folder.furnish(self.path, self.manifest)
        self.created = True

    # -- writing --------------------------------------------------------------------------------------------------------------------

    def ingest(
        self,
        payload: Payload,
        options: Ingestion = Ingestion(),
        documents: Mapping[str, Document] | None = None,
    ) -> Receipt:
        """Ingest one payload atomically: one transaction, flushed to disk when this returns, or nothing.

        Args:
            payload: The object, or its JSON as text or bytes: ``{"nodes": [...], "edges": [...]}``.
            options: Run id, agent, reason; ``strict`` refuses for warnings too, ``repair`` mends small faults, ``dry_run`` writes nothing.
            documents: Sources by uri that are held in memory already; others are read from the source root.

        Returns:
            The receipt. ``exit_status`` is 0 written or unchanged, 1 refused for invariants, 2 refused for anything else; ``errors``,
            ``invariant_violations`` and ``warnings`` hold a ``Problem`` each; ``tx`` is the transaction, empty when refused.

        Raises:
            RunConflict: The run id belongs to another agent.
            Locked: Another process is writing, longer than ``wait_seconds``.
            LogDamaged, NewerLog, TryAgain: The log or the disk doesn't allow it.
        """
        from kgraph.graph import writing

        shelf = self.shelf(documents)
        if options.dry_run:
            return writing.judge(self.engine, payload, options, shelf)
        receipt = writing.ingest(self.engine, payload, options, shelf)
        if receipt.tx:
            self.texts.keep(shelf.read)
        return receipt

    def ingest_lines(self, lines: Iterable[bytes], options: Ingestion = Ingestion()) -> LinesAnswer:
        """Ingest NDJSON payloads, one transaction each, in constant memory. A refused line doesn't stop the rest.

        Args:
            lines: Payloads as bytes, one a line.
            options: As for ``ingest``, for every line.

        Returns:
            Counts over all lines, and the first hundred refused ones as ``{line, errors, …}``.

        Raises:
            Locked, LogDamaged, NewerLog, TryAgain: As ``ingest``.
        """
        from kgraph.graph import writing

        shelf = self.shelf()
        answer = writing.ingest_lines(self.engine, lines, options, shelf)
        self.texts.keep(shelf.read)
        return answer

    def judge(self, payload: Payload, options: Ingestion = Ingestion()) -> Receipt:
        """Say what ``ingest`` would answer to a payload. Nothing is written.

        Returns:
            The receipt that ``ingest`` would give, with ``tx`` empty.
        """
        from kgraph.graph import writing

        return writing.judge(self.engine, payload, options, self.shelf())

    def add_node(
        self,
        node: Mapping[str, Any],
        edges: Sequence[Mapping[str, Any]] = (),
        options: Ingestion = Ingestion(),
    ) -> Receipt:
        """Write one node, with the edges that it needs, in one transaction.

        Args:
            node: Its members: ``type``, ``name`` and what its type takes.
            edges: ``{"predicate": …, "target": REF}`` or ``{…, "source": REF}``; the end that is left out is this node.
            options: As for ``ingest``.

        Returns:
            The receipt, as of ``ingest``.
        """
        from kgraph.graph.references import addressed

        if not isinstance(node, Mapping):
            return self.ingest({"nodes": [node], "edges": []}, options._replace(op="add"))
        own = (node.get("id"), node.get("name"))
        ends = [
            addressed(self.reader(), edge, own) if isinstance(edge, Mapping) else edge
            for edge in edges
        ]
        return self.ingest({"nodes": [dict(node)], "edges": ends}, options._replace(op="add"))

    def add_edge(self, edge: Mapping[str, Any], options: Ingestion = Ingestion()) -> Receipt:
        """Write one edge between nodes that are there.

        Args:
            edge: ``{"predicate", "source", "target"}`` with references, and optionally ``source_doc``, ``quote``, ``confidence`` …
            options: As for ``ingest``.

        Returns:
            The receipt, as of ``ingest``.
        """
        from kgraph.graph.references import addressed

        return self.ingest(
            {
                "nodes": [],
                "edges": [addressed(self.reader(), edge) if isinstance(edge, Mapping) else edge],
            },
            options._replace(op="add"),
        )

    def edit(self, ref: str, changes: Mapping[str, Any], how: EditOptions) -> Edited:
        """Correct members of a node for good: ``name``, ``description``, ``kind`` and the other fields of ``correcting.MEMBERS``.

        A later reading of the sources doesn't bring back what stood there before. ``restore`` with the answer's ``tx`` does.
        Raises UnknownReference, NotAllowed where the contract refuses the new value or another node has the name.
        """
        from kgraph.graph.correcting import edit

        return edit(self.engine, ref, changes, how)

    def retract(
        self,
        selector: Selector | tuple[str, str],
        reason: str,
        cascade: bool = False,
        run_id: str = "",
        dry_run: bool = False,
    ) -> Withdrawal:
        """Withdraw assertions: one transaction, undone by ``restore``.

        Args:
            selector: ``(kind, reference)``; kind is ``node``, ``edge``, ``run``, ``source`` or ``tx``.
            reason: Why; it is kept in the log.
            cascade: Withdraw as well what would break an invariant without it.
            run_id: The run that this belongs to.
            dry_run: Write nothing: ``tx`` is empty, the rest says what would go.

        Returns:
            ``withdrawn`` lists the assertions, ``gone`` and ``back`` the nodes and edges that are no longer, or again, in the graph. Refused where
            an invariant would break (``invariant_violations``, ``tx`` empty).

        Raises:
            UnknownReference, AmbiguousReference: Nothing, or several things, are called so.
            UsageError: No such kind of selector.
        """
        from kgraph.graph import withdrawing

        options = withdrawing.RetractOptions(cascade, run_id, dry_run)
        reason = reason if dry_run else _said(reason)
        return withdrawing.retract(self.engine, withdrawing.Selector(*selector), reason, options)

    def forget(self, selector: tuple[str, str], reason: str, run_id: str = "") -> dict[str, Any]:
        """Make texts unrecoverable: of a node (with all that quotes it), of a source and what stands on it alone, or of a transaction.

        ``selector``: (node | source | tx, reference). What it names is retracted first. {tx, lines, texts, withdrawn, removed}: the
        record's transaction, how many lines and texts were taken out, and which derived files went. Versions of the log elsewhere (version
        control, backups, other copies) keep them; a copy that is merged loses them. Raises NotAllowed for a log of the 1.0.0 layout.
        """
        from kgraph.graph import checking, forgetting

        if self._texts is not None:
            self._texts.close()
        found = forgetting.forget(self.engine, selector, _said(reason), run_id)
        self.manifest = folder.read_manifest(self.path) or self.manifest
        self.texts.make_again(checking.read_sources(self.reader()), self.shelf())
        return found

    def recover(self) -> dict[str, Any]:
        """Salvage a damaged log: lines that are whole and whose parents are stay; the file as it was is kept as ``log.damaged``.

        {lines, left_out: [{position, tx, reason}], aside}: how many lines stay, what was left out (``position`` in bytes, in the file kept
        aside) and where that file is. A log that is whole is left alone. Raises Exists where a file was kept aside before.
        """
        from kgraph.graph.recovering import recover

        return recover(self.engine)

    def restore(self, tx: str, reason: str = "", run_id: str = "") -> Withdrawal:
        """Undo a retraction, merge, split or distinction. Doing it twice does nothing.

        Args:
            tx: Its transaction's id, or a unique prefix.
            reason: Why; it is kept in the log.
            run_id: The run that this belongs to.

        Returns:
            What came back, as of ``retract``.

        Raises:
            UnknownReference, AmbiguousReference: No, or several, transactions.
            NotAllowed: The transaction wrote statements: there is nothing to undo.
        """
        from kgraph.graph import withdrawing

        return withdrawing.restore(self.engine, tx, reason, run_id)

    # -- extracting -----------------------------------------------------------------------------------------------------------------

    def store(self) -> GraphStore:
        """The graph as a run writes to it. Raises NotAllowed where its sources lie in a folder that the user hasn't confirmed."""
        self.refuse_unconfirmed_root()
        from kgraph.graph.extracting import GraphStore

        return GraphStore(self.engine, self.path, self.source_root, self.shelf, self.texts)

    def run_id(self, given: str = "") -> str:
        """The run that a call belongs to: the one given, or a new one."""
        from kgraph.graph import writing

        return given or writing.made_run_id(self.engine)

    def extract(self, request: RunRequest, tools: Tools) -> RunAnswer:
        """Read documents and code into the graph, each unit checked against its own text. Idempotent: what is unchanged is not read again.

        Args:
            request: Which files, which extractor, which limits.
            tools: Reporter, stop signal, model and price; ``kgraph.compose.extraction_tools`` makes them.

        Returns:
            Outcomes of all units (``done``, ``empty``, ``refused``, ``failed`` …), what was skipped and why, and the costs. A unit that fails costs
            only itself; ``exit_status`` says whether any did.

        Raises:
            NotAllowed: The sources lie in a folder that the user hasn't confirmed.
        """
        from kgraph.graph.extracting import extract
        from kgraph.graph.unresolved import keep

        answer = extract(self.store(), self.manifest.budget, request, tools)
        keep(self.path, answer)
        if not request.dry_run:
            read = (uri for one in answer.units for uri in one.sources if one.outcome != "failed")
            self.texts.fill(read, self.shelf())
        return answer

    def unresolved(self) -> list[dict[str, Any]]:
        """Names in code that the last extraction of their file could not tie to anything: {uri, line, name, reason}."""
        from kgraph.graph.unresolved import unresolved

        return unresolved(self.path)

    # -- merging --------------------------------------------------------------------------------------------------------------------

    def candidates(self, kind: str = "", limit: int = 50) -> dict[str, Any]:
        """List nodes that may be one thing, most likely first. Nothing is written.

        Args:
            kind: Only nodes of this type.
            limit: Clusters at the most.

        Returns:
            ``{"clusters": [{"ids", "score", "pairs": [{"left", "right", "score", "probability", "left_text", "right_text", "features"}]}], "pairs": n}``;
            scores run from 0 to 1.
        """
        from kgraph.graph.comparing import known_distinct, records
        from kgraph.resolve import Comparison, Options, probability

        reader = self.reader()
        comparison = Comparison(
            records(reader, kind), Options(type=kind, limit=limit, distinct=known_distinct(reader))
        )
        clusters: list[dict[str, Any]] = [
            {"ids": list(cluster.ids), "score": round(cluster.score, 4), "pairs": [
                {"left": pair.left, "right": pair.right, "score": round(pair.score, 4),
                 "probability": probability(pair.score),
                 "left_text": pair.left_text, "right_text": pair.right_text,
                 "features": pair.features.told()} for pair in cluster.pairs
            ]} for cluster in comparison.clusters()
        ]  # fmt: skip
        return {"clusters": clusters, "pairs": sum(len(cluster["pairs"]) for cluster in clusters)}

    def resolve(self, canonical: str, aliases: Sequence[str], how: MergeOptions) -> Merged:
        """Merge aliases into their canonical node: all in one transaction, or none.

        Args:
            canonical: A reference to the node that stays.
            aliases: References to those that become its aliases.
            how: Rationale (it must say what shows that they are one), ``force``, run id.

        Returns:
            The transaction, the merges, and what spoke against them.

        Raises:
            NotAllowed: Something speaks against it, and ``force`` isn't given.
            UnknownReference, AmbiguousReference: As ``retract``.
        """
        from kgraph.graph import merging

        return merging.resolve(self.engine, canonical, aliases, how)

    def resolve_auto(self, policy: str = "strict", run_id: str = "") -> Merged:
        """Merge what a policy can decide without a person.

        Args:
            policy: ``strict`` merges what is proved (an identifier, a stated name, one name in two ways of writing it); ``balanced`` also
                strong likeness; ``probabilistic`` rows of a table, by a model learned from them.
            run_id: The run that this belongs to.

        Returns:
            The transaction and the merges, each with its features.
        """
        from kgraph.graph import merging

        return merging.automatic(self.engine, policy, run_id)

    def resolve_by_model(self, model: Model, limit: int = 50, run_id: str = "") -> Merged:
        """Ask a language model about the best candidate pairs. Its 'unsure' merges nothing.

        Args:
            model: The port to ask.
            limit: Pairs at the most.
            run_id: The run that this belongs to.

        Returns:
            The transaction, the merges, and the pairs that were judged distinct.
        """
        from kgraph.graph.adjudicating import by_model

        return by_model(self.engine, model, limit, run_id)

    def unresolve(self, ref: str, reason: str = "", run_id: str = "") -> dict[str, Any]:
        """Undo a node's merge.

        Returns:
            ``{tx, unchanged, node, edges}``; ``unchanged`` where it wasn't merged.
        """
        from kgraph.graph import merging

        return merging.unresolve(self.engine, ref, reason, run_id)

    def distinct(self, pair: tuple[str, str], rationale: str, run_id: str = "") -> dict[str, Any]:
        """Record that two nodes are two things: no policy and no model merges them afterwards.

        Returns:
            ``{tx, unchanged, pair, evaluation}``.
        """
        from kgraph.graph import merging

        return merging.distinct(self.engine, pair, rationale, run_id)

    def split(self, ref: str, how: SplitOptions) -> dict[str, Any]:
        """Move assertions that only shared a name to a node of their own.

        Args:
            ref: The node that they are at.
            how: Which assertions (by source or run), and the new node's qualifier.

        Returns:
            ``{tx, node, new, qualifier, moved}``.
        """
        from kgraph.graph.parting import split

        return split(self.engine, ref, how)

    # -- listing --------------------------------------------------------------------------------------------------------------------

    def places(self, ids: Sequence[str], as_of: str = "") -> dict[str, tuple[str, str]]:
        """For edges and Claims by id: (the words that say it, ``file:line``); nothing for what has neither."""
        from kgraph.graph.naming import places

        return places(self.reader(as_of), ids)

    def list_rows(self, table: str, options: ListOptions) -> Listing:
        """Rows of ``nodes``, ``claims``, ``edges``, ``sources`` or ``transactions``, filtered, sorted, grouped or counted."""
        from kgraph.graph.listing import listing

        return listing(self.reader(), table, options)

    def sql(self, query: str, limit: int = 1000, seconds: float = 30.0) -> Rows:
        """One SELECT over the documented tables (``kgraph.index.tables.TABLES``), read-only. Raises UsageError."""
        from kgraph.index.tables import select

        return select(self.reader(), query, (), limit, seconds)

    # -- asking ---------------------------------------------------------------------------------------------------------------------

    def show(
        self, ref: str, history: bool = False, surface: bool = False, as_of: str = "", at: str = ""
    ) -> dict[str, Any]:
        """Show a node or an edge with everything that is said of it.

        Args:
            ref: A node's or an edge's reference.
            history: Withdrawn assertions too.
            surface: The node itself, not the canonical one that it was merged into.
            as_of: The graph as it was at a transaction or an instant.
            at: Only edges that held then (a year, a month, a date or an instant); without it what doesn't hold now is marked ``held``.

        Returns:
            ``{"node": {...}, "edges": [...]}`` or ``{"edge": {...}}``.

        Raises:
            UnknownReference: Nothing is called so; where it was retracted, the error says by which transaction.
            AmbiguousReference: Several are; ``candidates`` lists them.
        """
        from kgraph.graph import asking

        return asking.show(self.reader(as_of), ref, asking.Showing(history, surface, at, self.now))

    @property
    def now(self) -> str:
        """The present, by the graph's own clock."""
        return self.engine.clock()

    def history(self, ref: str = "", limit: int = 100) -> list[dict[str, Any]]:
        """List transactions, newest first.

        Args:
            ref: Only what was said of this node or edge, withdrawn assertions marked.
            limit: At the most so many; 0 for all.

        Returns:
            ``{tx, ts, op, run_id, agent, unit, reason, nodes, edges, withdrawn}`` each; with ``ref`` an assertion each, ``event`` holds its words.
        """
        from kgraph.graph import asking

        return asking.history(self.reader(), ref, limit)

    def called(self, ids: Sequence[str]) -> dict[str, str]:
        """What ids of nodes and edges stand for, in words; also of those that were taken back."""
        from kgraph.graph.naming import called

        return called(self.reader(), ids)

    def runs(self) -> list[dict[str, Any]]:
        """List the runs that wrote to the graph, in the order in which they began.

        Returns:
            ``{run_id, first, last, transactions, nodes, edges, cost}`` each: times, counts of what lives, US dollars.
        """
        from kgraph.graph import asking

        return asking.runs(self.reader())

    def stats(self, as_of: str = "", support: bool = False) -> dict[str, Any]:
        """Count nodes, edges, evidence and merges.

        Args:
            as_of: The graph as it was at a transaction or an instant.
            support: Judge every citation as well, which reads every quote: ``support`` then counts claims and typed edges by level.

        Returns:
            ``{nodes, edges, by_node_type, by_edge_type, density, components, isolated_nodes, largest_component, surface_forms, canonical_nodes,
            compression, evidence, inferences, contradictions, transactions}``; ``evidence`` counts citations by status.
        """
        from kgraph.graph import checking

        reader = self.reader(as_of)
        found = checking.stats(reader)
        return found | {"support": checking.support_counts(reader)} if support else found

    def query(
        self,
        question: Question | str,
        asked: Asked | None = None,
        as_of: str = "",
        by_words: bool = False,
    ) -> QueryAnswer:
        """Find what the graph says about a text, ranked, cited and within a budget.

        Args:
            question: A ``Question``, or a text with its defaults (budget in tokens, filters, hops).
            asked: The form of the answer: ``json``, ``context`` or ``triples``, and the tokenizer that counts.
            as_of: The graph as it was at a transaction or an instant.
            by_words: Leave vectors out, where the graph has them.

        Returns:
            ``body`` (``nodes``, ``edges``, ``passages``, ``tokens`` …; each edge with id, place and quote) and, for text formats, ``text``.

        Raises:
            UsageError: A filter or a cursor that can't be.
        """
        from kgraph.retrieve.query import query
        from kgraph.retrieve.question import Asked, Question

        question = Question(question) if isinstance(question, str) else question
        reader = self.reader(as_of)
        texts = None if as_of else self.texts.asked_by(reader)  # they are of now
        near = None if by_words else self._nearness()
        return query(reader, question, asked or Asked(), near, self.now, texts)

    def _nearness(self) -> Nearness | None:
        """What answers for the meaning of a text, where there are vectors."""
        path = os.path.join(self.path, folder.VECTORS)
        if self._embedders is None or not os.path.exists(path):
            return None
        from kgraph.graph.embedding import neighbours

        return neighbours(path, self._embedders, self.trust)

    def embed(self, how: Embedding | None = None) -> dict[str, Any]:
        """Give every node a vector of its text, by a model; those whose text is as it was keep theirs.

        {model, dimension, nodes, embedded, kept, dropped, file}. Raises MissingExtra, NotAllowed for vectors of another model, CallFailed.
        """
        from kgraph.graph import embedding

        if self._embedders is None:
            raise UsageError(
                "this graph was opened without a way to embedding models",
                "open it with kgraph.open",
            )
        folder.tell_git(self.path)
        return embedding.embed(
            self.reader(),
            os.path.join(self.path, folder.VECTORS),
            how or embedding.Embedding(),
            self._embedders,
            self.trust,
        )

    def path_between(
        self, start: str, end: str, walk: PathOptions | None = None, as_of: str = ""
    ) -> dict[str, Any]:
        """Find how two nodes are connected, with a citation for each step.

        Args:
            start: A reference.
            end: A reference.
            walk: Which edges may be walked, in which direction, how far.
            as_of: The graph as it was at a transaction or an instant.

        Returns:
            ``{found, hops, route, citations, weakest, alternatives, exhausted}``; ``exhausted`` is false where the search stopped at its bound, so that
            there may be a path all the same.

        Raises:
            UnknownReference, AmbiguousReference: As ``show``.
        """
        from kgraph.graph.references import node_of
        from kgraph.retrieve.paths import PathOptions, path

        reader = self.reader(as_of)
        ends = node_of(reader, start), node_of(reader, end)
        return path(reader, ends, walk or PathOptions(), self.now)

    def code(
        self,
        question: str,
        *refs: str,
        limit: int = 100,
        cursor: str = "",
        depth: int = 0,
        diff: str | None = None,
        as_of: str = "",
    ) -> dict[str, Any]:
        """A question about code, answered in full: ``graph.code("callers", "Cart.total")``.

        ``{question, of, certain, possible, counts, truncated, cursor}``, each row with file and line. ``limit`` 0: all rows at once;
        ``diff``: impact of what differs from that git revision. Raises UsageError, UnknownReference, AmbiguousReference.
        """
        from kgraph.code.navigate import Inquiry
        from kgraph.graph import navigating

        changed = None if diff is None else navigating.changed_lines(self.source_root, diff)
        inquiry = Inquiry(question, refs, limit, cursor, depth, changed)
        return navigating.code(self.reader(as_of), self.source_root, inquiry)

    def ground(self, inquiry: GroundOptions | str, as_of: str = "") -> Verdict:
        """Check whether the graph carries a statement. No model is asked.

        Args:
            inquiry: A bare claim, or ``GroundOptions`` with sources, time and strictness.
            as_of: The graph as it was at a transaction or an instant.

        Returns:
            ``decision`` is ``approve``, ``revise`` or ``reject``, with ``reason``, the claims for and against, their citations and the passages
            nearby. It is about the present unless ``at`` says otherwise; a file that changed since makes its citation stale.
        """
        from kgraph.graph.freshness import status_now
        from kgraph.retrieve.ground import GroundOptions, ground

        asked = GroundOptions(inquiry) if isinstance(inquiry, str) else inquiry
        reader = self.reader(as_of)
        now = None if as_of else status_now(reader, self.shelf())
        verdict = ground(reader, asked, self.now, now)
        if verdict.decision == "approve" or as_of:
            return verdict
        from kgraph.retrieve.quoting import passages_near

        near = passages_near(reader, verdict.claim, self.texts.asked_by(reader))
        return verdict._replace(passages=near)

    def profiles(self) -> dict[str, Mapping[str, Any]]:
        """The graph's profiles by name, each as its table."""
        from kgraph.graph.profiles import tables

        return tables(self.reader())

    def vocabulary(self) -> Vocabulary:
        """The kinds and roles that the graph knows: the ontology's, and those of its profiles."""
        from kgraph.graph.profiles import vocabulary

        return vocabulary(self.reader())

    def add_profile(self, table: Mapping[str, Any], run_id: str = "") -> ProfileChange:
        """Give the graph kinds, roles and rules of naming of its own. Raises UsageError for a table that is no profile."""
        from kgraph.graph.profiles import add

        return add(self.engine, table, run_id)

    def remove_profile(self, name: str, run_id: str = "") -> ProfileChange:
        """Take a profile out; what was written with it stays. Raises UnknownReference."""
        from kgraph.graph.profiles import remove

        return remove(self.engine, name, run_id)

    def timeline(
        self, ref: str = "", period: tuple[str, str] = ("", ""), kind: str = "", as_of: str = ""
    ) -> list[dict[str, Any]]:
        """Claims with an event time in the order of the world: {time, id, name, kind, source_doc, quote}.

        ``ref``: only of this thing or Source; ``period``: since and until, each a date or instant or ''; ``kind``: of this kind of claim.
        """
        from kgraph.graph.references import node_of
        from kgraph.retrieve.chronicle import Span, chronicle, entry_json
        from kgraph.retrieve.times import moment

        reader = self.reader(as_of)
        span = Span(moment(period[0], "--since"), moment(period[1], "--until"), kind)
        of = node_of(reader, ref) if ref else None
        return [entry_json(one) for one in chronicle(reader, of, span)]

    def ask(
        self,
        question: str,
        model: Model | None = None,
        options: AskOptions | None = None,
        told: Callable[[Judged], None] | None = None,
    ) -> AskAnswer:
        """An answer in statements, each carried by the graph; what isn't carried is in ``dropped``, with the reason.

        With a model the excerpt that ``query`` gives within the budget is all it sees, and every statement of its reply is judged as
        ``ground`` judges; ``told`` hears of each as soon as it is judged. Without one the graph's own sourced claims answer. Raises NotAllowed for a call that could exceed
        ``max_cost``, TryAgain when the model can't be reached.
        """
        from kgraph.graph.answering import AskOptions, ask

        return ask(self, question, model, options or AskOptions(), told)

    def record_verdict(self, verdict: Verdict, run_id: str = "") -> Receipt:
        """Write a verdict as an Evaluation of the claims that it is about."""
        from kgraph.graph.judging import verdict_payload

        return self.ingest(
            verdict_payload(verdict), Ingestion(run_id=run_id, op="ground", reason=verdict.reason)
        )

    def unit_outcomes(self) -> list[dict[str, Any]]:
        """The last word on each unit of context that was extracted into this graph."""
        from kgraph.graph.viewing import unit_outcomes

        return [outcome._asdict() for outcome in unit_outcomes(self.reader())]

    def render(self, plain: bool = False) -> Mapping[str, Any]:
        """Write REPORT.md, graph.json, graph.mmd and graph.html into the graph's folder.

        Args:
            plain: With the standard library alone: no communities.

        Returns:
            ``{name: {path, size_bytes}}`` for each file.
        """
        from kgraph.graph.viewing import render

        return render(self.engine, self._about(), plain)

    def _about(self) -> About:
        from kgraph.graph.viewing import About

        return About(self.manifest, self.path, self.source_root)

    def report(self) -> Iterable[str]:
        """What REPORT.md would hold now, in pieces; nothing is written."""
        from kgraph.graph.viewing import report_now

        return report_now(self.engine, self._about())

    def export(
        self, form: str, target: Target | tuple[str, bool], question: Question | None = None
    ) -> list[Written]:
        """Write the graph, or what a question reaches, in another format.

        Args:
            form: ``json``, ``graphml``, ``prov``, ``parquet`` … (``kgraph export --help`` lists them).
            target: ``(path, force)``; force writes over files that kgraph didn't write.
            question: Only what its answer holds.

        Returns:
            The files that were written.

        Raises:
            UsageError: No such format.
            Exists: A file is there that isn't kgraph's.
            MissingExtra: The format needs an optional library.
        """
        from kgraph.graph import exchanging

        return exchanging.write_out(self, form, exchanging.Target(*target), question)

    def export_chunks(
        self, form: str, question: Question | None = None
    ) -> Iterable[str] | Iterable[bytes]:
        """A one-file format in pieces."""
        from kgraph.graph.exchanging import chunks_of

        return chunks_of(self, form, question)

    def push(self, server: Server, question: Question | None = None) -> Pushed:
        """Merge the graph, or what a question reaches, into a running Neo4j or FalkorDB. Raises MissingExtra, TryAgain, UsageError."""
        from kgraph.graph.exchanging import push

        return push(self, server, question)

    def diff(self, before: str, after: str, opened: Open) -> Difference:
        """What this graph says differently at two moments, in two runs, or than another graph.

        Each side is ``now``, a transaction, an instant, ``run:ID``, ``path:DIR`` or ``git:REVISION`` (the log as git holds it there).
        ``opened`` opens the folder of another graph (``kgraph.open``). Raises UsageError for a side that is nothing.
        """
        from kgraph.graph.states import compare, read_state

        return compare(self, read_state(before), read_state(after), opened)

    # -- measuring ------------------------------------------------------------------------------------------------------------------

    def evaluate(
        self, stage: str, gold: Sequence[Mapping[str, Any]] = (), options: EvalOptions | None = None
    ) -> Score:
        """Score a stage (extraction, resolution, retrieval, grounding, support, answer, structure) against gold.

        ``gold`` holds items as ``kgraph eval schema STAGE`` describes them; ``structure`` needs none. Every figure comes with a 95 %
        interval, what misleads about it and, where there is one, a trivial rival on the same items. Nothing is written.
        Raises UsageError for a stage that isn't known.
        """
        from kgraph.graph.evaluating import EvalOptions, evaluate

        return evaluate(self, stage, gold, options or EvalOptions())

    def decided_identities(self) -> list[Mapping[str, Any]]:
        """Merges and distinctions that people and models decided, as gold items for ``evaluate("resolution", …)``."""
        from kgraph.graph.evaluating import decided_identities

        return decided_identities(self)

    def ratchet(
        self,
        gold: Sequence[Mapping[str, Any]],
        loop: Loop,
        opened: Callable[[str, str], Graph],
        told: Callable[[Trial], None] = lambda _: None,
    ) -> Ratcheted:
        """Try changes one after the other; keep what raises a figure on held-out gold and breaks no constraint.

        Every trial is one transaction (Commit, Evaluation, Metric); a call that was cut off goes on after its last one. ``opened`` opens
        (folder, source root). ``told`` hears of each new trial. Raises UsageError for gold or changes that can't be used.
        """
        from kgraph.graph.ratcheting import ratchet

        return ratchet(self, gold, loop, opened, told)

    # -- health ---------------------------------------------------------------------------------------------------------------------

    def validate(self, has: str = "") -> Checkup:
        """Check the invariants and the log's integrity, all of it.

        Args:
            has: A transaction that must be in the log.

        Returns:
            Violations, damage of the log as ``errors``, and health. ``exit_status`` is 2 for errors, 1 for violations, else 0.
        """
        from kgraph.graph import checking

        return checking.validate(self.engine, has)

    def verify_support(
        self, model: Model | None = None, how: Weighing | None = None
    ) -> dict[str, Any]:
        """Tell whether quotes carry their claims, and let a model judge it. What was judged in the same words is not asked again.

        Args:
            model: Judges each open question; every judgement is recorded as an Evaluation. None: nothing is asked and nothing written.
            how: Bounds and price.

        Returns:
            ``{support: {level: n}, doubtful: [{edge, claim, quote, doubt}], todo: n, judged_before: n}``; with a model also ``{estimate,
            verdicts: {verdict: n}, judged, cost, stopped, left}``.

        Raises:
            UsageError: A cap is set and no price is known.
            NotAllowed: The first call could cost more than the cap.
            TryAgain: The model can't be reached.
        """
        from kgraph.graph.weighing import Weighing, weigh

        return weigh(self, model, how or Weighing())

    def support_units(self, most: int = 0) -> dict[str, Any]:
        """List the judgements that nobody has given yet, for an agent that is the model.

        Args:
            most: So many at most, 0 for all.

        Returns:
            ``{rubric, instructions, verdicts, judged: n, todo: n, units: [{unit, edge, claim, quote, source_doc, support, payload}]}``; the
            payload is completed and handed over with ``ingest``.
        """
        from kgraph.graph.weighing import units

        return units(self.reader(), most)

    def verify(self, record: bool = False, run_id: str = "") -> dict[str, Any]:
        """Hold every citation against the sources as they are now.

        Args:
            record: Write what changed, as one transaction.
            run_id: The run that this belongs to.

        Returns:
            ``{evidence: {status: n}, problems: [{edge, predicate, status, source_doc, quote}], unread: [uri], recorded: n}``, with ``tx`` where
            something was written.
        """
        from kgraph.graph import checking

        return checking.verify(self.engine, self.shelf(), record, run_id)

    def rebuild(self) -> Checkup:
        """Check every line and make the index again from the log, and the passages from the files that are as they were read.

        Losses are told once and then accepted.
        """
        from kgraph.graph import checking

        found = checking.rebuild(self.engine)
        self.texts.make_again(checking.read_sources(self.reader()), self.shelf())
        return found

    def check_index(self) -> list[str]:
        """What in the index is not as the log has it: names of tables, [] when all is well. It is made again where there is any.

        It costs as much as ``rebuild``, and finds what nothing else does: a bit that flipped in the middle of a text.
        """
        return self.engine.check_index()

    def damage(self) -> list[Problem]:
        """What is wrong with the log, as far as it has been read."""
        return self.engine.damage()


def _said(reason: str) -> str:
    if not reason.strip():
        raise UsageError(
            "a retraction needs a reason",
            "give --reason TEXT: it is what people will read in the history",
        )
    return reason
