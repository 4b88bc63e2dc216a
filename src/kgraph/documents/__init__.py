"""The offline extractor of prose: no model, no network, the same payload each time, and not a word that the document doesn't hold."""

from __future__ import annotations

from kgraph.documents.assembly import Payload
from kgraph.documents.survey import survey
from kgraph.documents.writing import Counts, write
from kgraph.model import Unit
from kgraph.units.extraction import Coverage, Extraction, KnownSources

__all__ = ["extract"]


def extract(unit: Unit, known: KnownSources) -> Extraction:
    """The payload of a unit of prose. Every edge ends at a node of the payload or at one of ``known``; every quote is a slice of the
    text."""
    payload = Payload()
    counts = Counts()
    language = "und"
    for number, document in enumerate(unit.documents):
        spans = unit.spans if number == 0 else ()
        found = survey(document, spans, known)
        language = found.language if number == 0 else language
        counts += write(payload, found, spans, known)
    entities = sum(node["type"] == "Entity" for node in payload.nodes)
    coverage = Coverage(
        language, counts.sentences, counts.claims, entities, _reason(language, counts)
    )
    return Extraction(payload.as_json(), coverage)


def _reason(language: str, counts: Counts) -> str:
    """How much was passed over, in words for the report; '' where every sentence became a claim."""
    if counts.sentences == 0:
        return "no sentences: only headings, code, links or data"
    if counts.claims >= counts.sentences:
        return ""
    share = f"{counts.claims} of {counts.sentences} sentences became claims"
    if counts.claims == 0:
        return f"{share}: none states something of two things that the text marks as terms"
    return (
        share
        if language in ("en", "und")
        else f"{share}; in '{language}' only marked terms and names are read"
    )
