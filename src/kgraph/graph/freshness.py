"""How a citation stands as its file is now. A file whose hash is the recorded one is not read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kgraph.graph.supports import cited_source
from kgraph.index.read import EdgeView, Reader
from kgraph.model import Citation, Evidence, RawSpan

if TYPE_CHECKING:
    from kgraph.graph.citing import SourceCache

_LOOKED_AT = ("verified", "moved", "located")


def status_now(reader: Reader, shelf: SourceCache) -> Callable[[EdgeView], str]:
    """A function that looks at the cited file of an edge: its recorded status while the file is the same, else what became of the words.

    A citation whose file can't be read here is ``unchecked``. What never was found in a file isn't looked for.
    """
    known: dict[int, str] = {}

    def status(edge: EdgeView) -> str:
        if edge.status not in _LOOKED_AT or not (edge.evidence or {}).get("sha256"):
            return edge.status
        if edge.eid not in known:
            known[edge.eid] = _looked_up(edge, cited_uri(reader, edge), shelf)
        return known[edge.eid]

    return status


def _looked_up(edge: EdgeView, uri: str, shelf: SourceCache) -> str:
    hash_now = shelf.sha256(uri)
    if not hash_now:
        return "unchecked"
    if hash_now == (edge.evidence or {}).get("sha256"):
        return edge.status
    return check_edge(edge, uri, shelf)


def cited_uri(reader: Reader, edge: EdgeView) -> str:
    """The uri of the Source that an edge cites: that of its ``source_doc``, else of the Source at one of its ends; '' for none."""
    cited = cited_source(edge.source_doc)
    named = {node.fields.get("uri") for node in reader.look_up(cited, "Source")} if cited else set()
    if cited and (len(named) != 1 or cited in named):
        return cited
    if named:
        return str(named.pop() or "")
    for node in reader.nodes((edge.src, edge.dst)).values():
        if node.type == "Source" and node.fields.get("uri"):
            return str(node.fields["uri"])
    return ""


def check_edge(edge: EdgeView, uri: str, shelf: SourceCache) -> str:
    """The status of an edge's citation against the document as it is now, which is read."""
    from kgraph.evidence import check_again, locate

    document = shelf.document(uri)
    if document is None:
        return "unchecked"
    stored = edge.evidence or {}
    if not stored:
        return locate(document, [Citation(edge.quote, edge.source_doc)])[0].status
    place, lines = stored.get("bytes") or [-1, -1], stored.get("lines") or [0, 0]
    span = RawSpan(
        place[0], place[1], lines[0], lines[1], stored.get("page", 0), stored.get("part", "")
    )
    words = stored.get("text") or edge.quote
    kept = Evidence(edge.status, edge.source_doc, words, stored.get("sha256", ""), span)
    return check_again(kept, document)
