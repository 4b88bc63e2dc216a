"""What a client may read beside the tools: the ontology, the schema, the extraction prompt, the report, and one unit ready to be read."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS
from pydantic import Field

from kgraph.errors import KgraphError
from kgraph.graph import describing
from kgraph.mcp.paging import text_of
from kgraph.mcp.session import Session

UnitId = Annotated[
    str,
    Field(
        description="the unit's id, as `kgraph units` lists it: a file below the source root, with #part where it is one of many"
    ),
]
GraphName = Annotated[
    str, Field(description="the graph's name; empty for the one this server was started for")
]


def add_resources(server: Any, session: Session) -> None:
    """``server`` is an MCPServer. The report is made anew each time it is read."""

    def report() -> str:
        return _report(session, "")

    def report_of(graph: str) -> str:
        return _report(session, graph)

    for name, title, does, kind, read in (
        (
            "ontology",
            "Ontology",
            "node types, predicates and their fields",
            "application/json",
            _ontology,
        ),
        (
            "schema",
            "Payload schema",
            "the JSON Schema of a payload for ingest",
            "application/schema+json",
            _schema,
        ),
        (
            "prompt",
            "Extraction prompt",
            "how a unit of context is read into a payload",
            "text/markdown",
            _prompt,
        ),
        (
            "report",
            "Report",
            "what to look at first in the graph, and what it does not know",
            "text/markdown",
            report,
        ),
        (
            "report/{graph}",
            "Report of a graph",
            "the report of the graph of this name",
            "text/markdown",
            report_of,
        ),
    ):
        server.resource(
            f"kgraph://{name}",
            name=name.partition("/")[0],
            title=title,
            description=does,
            mime_type=kind,
        )(read)


def add_prompt(server: Any, session: Session) -> None:
    """``server`` is an MCPServer."""

    def extract_unit(unit: UnitId, graph: GraphName = "") -> str:
        try:
            return _unit_prompt(session, unit, graph)
        except KgraphError as error:
            raise _protocol_error(error) from None

    server.prompt(
        "extract_unit",
        "Extract a unit",
        "How to read one unit of context into a payload, and the unit itself.",
    )(extract_unit)


def _ontology() -> str:
    return text_of(describing.ontology())


def _prompt() -> str:
    return describing.prompt()


def _schema() -> str:
    return text_of(describing.schema())


def _report(session: Session, name: str) -> str:
    try:
        with session.open(name) as graph:
            return "".join(graph.report())
    except KgraphError as error:
        raise _protocol_error(error) from None


def _unit_prompt(session: Session, name: str, graph_name: str) -> str:
    from kgraph.extract import prompt
    from kgraph.extract.agent import unit_called

    with session.open(graph_name) as graph:
        session.hold_below_root(graph, name)
        return f"{prompt.current(graph.vocabulary()).instructions}\n{prompt.prompt_for(unit_called(graph.store(), name))}\n"


def _protocol_error(error: KgraphError) -> MCPError:
    """Resources and prompts have no answer that could hold an error: it is the protocol's, with ours as its data."""
    said = error.message + (f"; {error.hint}" if error.hint else "")
    data = {"code": error.code, "message": error.message, "hint": error.hint}
    return MCPError(code=INVALID_PARAMS, message=f"{error.code}: {said}", data=data)
