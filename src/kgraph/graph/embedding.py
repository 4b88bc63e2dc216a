"""Vectors of a graph's nodes: made, kept up, and asked for what is near a text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from kgraph.errors import MissingExtra, NotAllowed
from kgraph.index import vectors
from kgraph.index.assertions import nodes_said_since
from kgraph.index.lines import last_seq, last_seq_of
from kgraph.index.read import NodeView, Reader
from kgraph.index.vectors import Stamp, Vectors, Writing
from kgraph.models.failures import CallFailed
from kgraph.retrieve.nearness import Near
from kgraph.trust import EMBEDDING_HOST, EMBEDDING_MODEL, Ask, Trust
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.models.embedding import Embedder

CLOSEST = 100  # nodes that are looked at for one question
LOCAL = "local/wordllama"  # it runs here and sends nothing
_BATCH = 256

Embedders = Callable[[str, str], "Embedder"]  # (provider/model, base URL)


class Embedding(NamedTuple):
    """Which model (``provider/model``; '' for the one that is in use, else the local one), where, and whether to begin anew."""

    model: str = ""
    base_url: str = ""
    anew: bool = False


def embed(
    reader: Reader, path: str, how: Embedding, embedders: Embedders, trust: Trust
) -> dict[str, Any]:
    """Give every live node a vector of its text; one whose text is as it was keeps what it has.

    A model and an address that ``how`` names are the user's choice, and remembered as such; those of the file count when they were.

    Raises NotAllowed where vectors of another model are there, CallFailed when the model fails: what was made until then is kept, with what
    was there. Nothing made, or of another length: the file stays as it was.
    """
    old = None if how.anew else vectors.read(path)
    if old is not None and how.model not in ("", old.stamp.model):
        raise NotAllowed(
            f"the vectors that are there were made by {old.stamp.model}; those of {how.model} don't go with them",
            "kgraph embed --rebuild makes all of them again, or leave --model out",
        )
    model = how.model or (old.stamp.model if old else LOCAL)
    base_url = how.base_url or (old.stamp.base_url if old else "")
    unconfirmed = not_confirmed(
        trust, LOCAL if how.model else model, "" if how.base_url else base_url
    )
    if unconfirmed:
        raise NotAllowed(f"nothing was sent: {unconfirmed}", how_to_confirm(model, base_url))
    embedder = embedders(model, base_url)
    if how.base_url:
        trust.confirm(EMBEDDING_HOST, how.base_url)
    if embedder.name != LOCAL:
        trust.confirm(EMBEDDING_MODEL, embedder.name)
    work = _Work(reader, old, embedder)
    try:
        with Writing(path) as writing:
            failure: CallFailed | None = None
            for batch in work.batches():
                if failure is None:
                    try:
                        writing.add(*work.of_batch(batch))
                    except CallFailed as raised:
                        failure = raised
                if failure is not None:
                    writing.add(*work.kept_of(batch))
            if failure is not None:
                if work.made:
                    writing.finish(_stamp(reader, embedder.name, base_url, work.total - work.done))
                    said = f"{work.done} of {work.total} nodes have vectors now; kgraph embed goes on from there"
                    failure.hint = f"{failure.hint}; {said}" if failure.hint else said
                raise failure
            writing.finish(_stamp(reader, embedder.name, base_url, 0))
    finally:
        embedder.close()
    gone = len(old.ids) - work.found if old else 0
    return {
        "model": embedder.name, "dimension": writing.dimension, "nodes": work.done, "embedded": work.made, "kept": work.kept,
        "dropped": gone, "file": path,
    }  # fmt: skip


def asks_of(path: str) -> list[Ask]:
    """What a file of vectors asks for. Raises NotAllowed for one that isn't whole."""
    if not os.path.exists(path):
        return []
    try:
        found = vectors.read(path)
    except MissingExtra:
        return []
    if found is None:
        return []
    asked = [Ask(EMBEDDING_MODEL, found.stamp.model)] if found.stamp.model != LOCAL else []
    return asked + ([Ask(EMBEDDING_HOST, found.stamp.base_url)] if found.stamp.base_url else [])


def not_confirmed(trust: Trust, model: str, base_url: str) -> str:
    """Which choice of the file of vectors the user has not made, as words; '' where nothing needs confirming."""
    if base_url and not trust.confirmed(EMBEDDING_HOST, base_url):
        return "the file of vectors names an address that you have not confirmed"
    if model != LOCAL and not trust.confirmed(EMBEDDING_MODEL, model):
        return "the file of vectors names a model that you have not confirmed"
    return ""


def how_to_confirm(model: str, base_url: str) -> str:
    import shlex

    address = f" --base-url {shlex.quote(base_url)}" if base_url else ""
    asked = f"kgraph embed --model {shlex.quote(model)}{address}"
    return f"if you know who made it, {asked} or kgraph trust confirms it"


class _Work:
    """The nodes in order, and for each the vector it has or a new one."""

    def __init__(self, reader: Reader, old: Vectors | None, embedder: Embedder) -> None:
        self._reader = reader
        self._old = old
        self._embedder = embedder
        self._place = {name: at for at, name in enumerate(old.ids)} if old else {}
        self.total = sum(1 for _ in reader.every_node())
        self.done = self.made = self.kept = self.found = 0

    def batches(self) -> Iterator[list[NodeView]]:
        nodes = self._reader.every_node()
        while batch := list(islice(nodes, _BATCH)):
            yield batch

    def of_batch(self, batch: Sequence[NodeView]) -> tuple[list[str], list[str], list[Any]]:
        """Ids, marks of the texts, vectors. Raises CallFailed."""
        texts = [vectors.node_text(node) for node in batch]
        marks = [vectors.text_mark(text) for text in texts]
        kept = [self._kept(node, mark) for node, mark in zip(batch, marks, strict=True)]
        wanted = [text for text, row in zip(texts, kept, strict=True) if row is None]
        new = iter(self._embedder.embed(wanted) if wanted else ())
        rows = [next(new) if row is None else row for row in kept]
        self.found += sum(node.id in self._place for node in batch)
        self.kept += len(batch) - len(wanted)
        self.made += len(wanted)
        self.done += len(batch)
        return [node.id for node in batch], marks, rows

    def kept_of(self, batch: Sequence[NodeView]) -> tuple[list[str], list[str], list[Any]]:
        """The same of those nodes whose vectors are there already."""
        marked = [(node, vectors.text_mark(vectors.node_text(node))) for node in batch]
        kept = [
            (node.id, mark, row)
            for node, mark in marked
            for row in [self._kept(node, mark)]
            if row is not None
        ]
        self.done += len(kept)
        return [one[0] for one in kept], [one[1] for one in kept], [one[2] for one in kept]

    def _kept(self, node: NodeView, mark: str) -> Any:
        """The vector that a node has of just this text, or None."""
        from array import array

        at = self._place.get(node.id, -1)
        if self._old is None or at < 0 or self._old.texts[at] != mark:
            return None
        return array("f", self._old.rows[at].tobytes())


def _stamp(reader: Reader, model: str, base_url: str, missing: int) -> Stamp:
    return Stamp(model, 0, base_url, tuple(reader.index.heads), last_seq(reader), missing)


class Neighbours:
    """What a query asks vectors through (see ``retrieve.nearness``). The model is opened when the first text comes."""

    def __init__(self, found: Vectors, embedders: Embedders) -> None:
        self._found = found
        self._embedders = embedders

    @property
    def mark(self) -> str:
        return self._found.mark

    def near(self, reader: Reader, text: str) -> Near:
        """Live nodes whose texts are as they were when they were embedded, nearest first; likeness from 0 (as all are) to 1 (the nearest).

        Raises NotAllowed where the model gives other vectors than it did, CallFailed where it can't be asked.
        """
        import numpy

        stamp = self._found.stamp
        if not self._found.ids:
            return Near([], self._told(reader, 0))
        embedder = self._embedders(stamp.model, stamp.base_url)
        try:
            asked = numpy.asarray(embedder.embed([text])[0], "<f4")
        finally:
            embedder.close()
        if embedder.name != stamp.model or asked.shape != (stamp.dimension,):
            raise NotAllowed(
                f"the vectors here were made by {stamp.model} with {stamp.dimension} numbers each; {embedder.name} gives {len(asked)} now",
                "kgraph embed --rebuild makes them again; --no-vectors asks without them",
            )
        likeness = self._found.rows @ asked
        count = min(CLOSEST, len(likeness))
        best = numpy.argpartition(-likeness, count - 1)[:count]
        best = best[numpy.lexsort((best, -likeness[best]))]
        middle, top = float(likeness.mean()), float(likeness.max())
        spread = (top - middle) or 1.0
        ids = [self._found.ids[at] for at in best]
        nids = reader.nids(ids)
        views = reader.nodes(nids.values())
        hits, stale = [], 0
        for at, name in zip(best, ids, strict=True):
            node = views.get(nids.get(name, -1))
            if node is None or not node.live:
                continue
            if vectors.text_mark(vectors.node_text(node)) != self._found.texts[at]:
                stale += 1
                continue
            hits.append((node.nid, max(0.0, (float(likeness[at]) - middle) / spread)))
        return Near(hits, self._told(reader, stale))

    def _told(self, reader: Reader, stale: int) -> dict[str, Any]:
        """What a reader of the answer must know of the vectors; nothing when they are as new as the graph."""
        stamp = self._found.stamp
        told: dict[str, Any] = {"missing": stamp.missing} if stamp.missing else {}
        if (
            list(stamp.heads) != sorted(reader.index.heads)
            and list(stamp.heads) != reader.index.heads
        ):
            if last_seq_of(reader, stamp.heads) == stamp.lines:
                told["written_since"] = nodes_said_since(reader, stamp.lines)
            else:
                told["of_another_state"] = True
        if stale:
            told["stale"] = stale
        return {"model": stamp.model, **told} if told else {}


class Unused:
    """Vectors are there and can't or may not be asked: nothing changes but that it is said why."""

    mark = ""

    def __init__(self, why: str) -> None:
        self._why = why

    def near(self, reader: Reader, text: str) -> Near:
        return Near([], {"unused": self._why})


def neighbours(path: str, embedders: Embedders, trust: Trust) -> Neighbours | Unused | None:
    """What is near, where there is a file of vectors. Raises NotAllowed for one that isn't whole.

    Asking sends the question, and a key, to whom the file names: that is not done before the user confirmed it.
    """
    if not os.path.exists(path):
        return None
    try:
        found = vectors.read(path)
    except MissingExtra:
        return Unused("the extra 'embed' is not installed (pip install 'karpathy-graph[embed]')")
    if found is None:
        return None
    stamp = found.stamp
    unconfirmed = not_confirmed(trust, stamp.model, stamp.base_url)
    if unconfirmed:
        return Unused(f"{unconfirmed}; {how_to_confirm(stamp.model, stamp.base_url)}")
    return Neighbours(found, embedders)
