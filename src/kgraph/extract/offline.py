"""The extractor that needs no network, no key and no model: prose and code, each by its own part."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from kgraph import code
from kgraph import documents as prose
from kgraph.extract.gathering import Task
from kgraph.model import Document, Json, Unit, Unresolved
from kgraph.sources import read
from kgraph.tuples import NamedTuple
from kgraph.units.extraction import KnownSources


class Said(NamedTuple):
    """``remark`` is the extractor's own word on how little it could say; ``documents`` are what it read; ``notes`` stand in the unit's
    line of the answer."""

    payload: dict[str, Json]
    documents: tuple[Document, ...]
    remark: str = ""
    unresolved: Sequence[Unresolved] = ()
    notes: Mapping[str, Json] = {}


def say(task: Task, known: KnownSources, index: code.CodeIndex | None) -> Said:
    """What a unit says. Raises OSError and Unreadable for a file that went while the run was under way."""
    if task.code_unit is not None and index is not None:
        found = code.extract(task.code_unit, index)
        documents = tuple(read(file.path, file.uri) for file in task.code_unit.files)
        return Said(found.payload, documents, "; ".join(found.broken), found.unresolved)
    if task.unit is None:
        return Said({"nodes": [], "edges": []}, ())
    extraction = prose.extract(task.unit, known)
    coverage = extraction.coverage
    notes: dict[str, Json] = (
        {"sentences": coverage.sentences, "claims": coverage.claims} if coverage.sentences else {}
    )
    remark = coverage.reason if coverage.sentences else _malformed(task.unit) or coverage.reason
    remark = "; ".join(part for part in (_unread_pages(task.unit), remark) if part)
    return Said(extraction.payload, task.unit.documents, remark, notes=notes)


def _unread_pages(unit: Unit) -> str:
    """Pages that are only pictures, told by the document's first unit."""
    pages = unit.documents[0].metadata.get("pages_without_text") if unit.documents else None
    if not pages or (unit.spans and unit.spans[0].start):
        return ""
    shown = ", ".join(map(str, pages[:20])) + ("" if len(pages) <= 20 else " …")
    return f"without a text layer, so not read (needs OCR): page {shown}"


def _malformed(unit: Unit) -> str:
    """That a file is empty, or where a JSON file breaks off. It is read as text all the same, so that nothing of it is lost, but there are no sentences in it."""
    if not any(document.text.strip() for document in unit.documents):
        return "the file is empty"
    for document in unit.documents:
        if document.format == "json" and document.name.casefold().endswith(".json"):
            try:
                json.loads(document.text)
            except json.JSONDecodeError as error:
                return (
                    f"{document.uri}:{error.lineno}: not JSON: {error.msg} at column {error.colno}"
                )
            except RecursionError:
                return f"{document.uri}: JSON nested too deep to be read"
    return ""
