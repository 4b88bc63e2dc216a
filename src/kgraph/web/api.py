"""Which commands the page may call, how a request becomes a command line, and the OpenAPI description of it all. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kgraph.errors import UsageError
from kgraph.version import __version__
from kgraph.web import Call, Commands, Parameter

# Each command with the arguments that a browser may give. What reads files of this machine, asks a paid model or names another graph
# isn't among them.
READS: dict[str, tuple[str, ...]] = {
    "query": ("text", "hops", "max_nodes", "max_tokens", "types", "edge_types", "source", "run", "since", "until", "at", "as_of",
              "min_confidence", "surface", "format", "cursor", "no_vectors", "no_passages"),
    "path": ("start", "end", "k", "max_depth", "edge_types", "directed", "min_confidence", "as_of", "at"),
    "ground": ("claim", "subject", "predicate_words", "object", "at", "require", "as_of"),
    "ask": ("question", "max_tokens", "hops", "at"),
    "show": ("ref", "history", "surface", "as_of", "at"),
    "history": ("ref", "limit"),
    "runs": ("units", "unresolved"),
    "stats": ("as_of",),
    "validate": ("has",),
    "verify": (),
    "candidates": ("type", "limit"),
    "timeline": ("ref",),
}  # fmt: skip
WRITES: dict[str, tuple[str, ...]] = {
    "ingest": ("payloads", "payload", "dry_run", "strict", "repair", "run_id"),
    "resolve": ("canonical", "alias", "rationale", "confidence", "force", "override", "run_id"),
    "unresolve": ("ref", "reason", "run_id"),
    "distinct": ("one", "other", "rationale", "run_id"),
    "split": ("ref", "run", "source", "edges", "qualifier", "rationale", "run_id"),
    "retract": ("node", "edge", "run", "source", "tx", "reason", "cascade", "dry_run", "run_id"),
    "restore": ("tx", "reason", "run_id"),
    "rename": ("ref", "to", "reason", "run_id"),
    "edit": ("ref", "description", "kind", "event_time", "valid_from", "valid_to", "rubric", "result", "alias", "reason", "run_id"),
}  # fmt: skip

HTTP_STATUS = {0: 200, 1: 200, 2: 400, 3: 500, 4: 503}


def allowed(commands: Commands, name: str, writing: bool) -> dict[str, Parameter]:
    """What a browser may say to a command: those of its arguments that are listed here."""
    listed = (WRITES if writing else READS).get(name, ())
    return {key: one for key, one in commands.parameters(name).items() if key in listed}


def call_of(commands: Commands, name: str, given: Mapping[str, Any], writing: bool) -> Call:
    """What a request asks for. Raises UsageError for a member that the command doesn't take from a browser, or of a wrong kind."""
    known = allowed(commands, name, writing)
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise UsageError(
            f"'{unknown[0]}' isn't taken here", f"{name} takes: {', '.join(known) or 'nothing'}"
        )
    options: list[str] = []
    positional: dict[str, str | list[str]] = {}
    for key, parameter in known.items():
        if key not in given:
            if parameter.required:
                raise UsageError(f"'{key}' is missing", f"{name} needs it")
            continue
        values = list(_values(parameter, given[key]))
        if not parameter.option:
            positional[key] = values if parameter.many else values[0]
        elif parameter.kind == "flag":
            options += [parameter.option] * len(values)
        else:
            options += [f"{parameter.option}={value}" for value in values]
    return Call(name, options, positional)


def _values(parameter: Parameter, given: Any) -> Iterable[str]:
    if parameter.kind == "flag":
        if given not in (True, False, "true", "false", "1", "0"):
            raise UsageError(f"'{parameter.name}' should be true or false", "")
        return ["1"] if given in (True, "true", "1") else []
    values = given if isinstance(given, list) else [given]
    if len(values) > 1 and not parameter.many:
        raise UsageError(f"'{parameter.name}' is given more than once", "give it once")
    return [_text(parameter, value) for value in values]


def _text(parameter: Parameter, value: Any) -> str:
    if isinstance(value, dict):
        return json.dumps(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError(f"'{parameter.name}' should be a text", "")
    text = str(value)
    if text.startswith("@"):
        raise UsageError(f"'{parameter.name}' names a file, and files aren't read for a browser", "send the text itself")  # fmt: skip
    return text


def openapi(commands: Commands, writing: bool) -> dict[str, Any]:
    """The description of ``/api/v1`` (OpenAPI 3.1), made from the commands' own parsers."""
    paths: dict[str, Any] = {}
    for name in READS:
        known = allowed(commands, name, False)
        if commands.summary(name):
            paths[f"/api/v1/{name}"] = {
                "get": _operation(commands, name, [_query(one) for one in known.values()])
            }
    if writing:
        for name in WRITES:
            if commands.summary(name):
                body = {
                    "content": {
                        "application/json": {"schema": _object(allowed(commands, name, True))}
                    }
                }
                paths[f"/api/v1/{name}"] = {
                    "post": _operation(commands, name, []) | {"requestBody": body}
                }
    return {
        "openapi": "3.1.0",
        "info": {"title": "kgraph", "version": __version__, "description": "Each answer is the command's own: one JSON object whose first key is ok."},
        "paths": paths,
    }  # fmt: skip


def _operation(commands: Commands, name: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    answer = {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["ok"],
                "properties": {"ok": {"type": "boolean"}},
            }
        }
    }
    return {
        "operationId": name,
        "summary": commands.summary(name),
        "parameters": parameters,
        "responses": {
            "200": {"description": "the answer", "content": answer},
            "400": {"description": "it can't be carried out; errors says why", "content": answer},
        },
    }


def _query(one: Parameter) -> dict[str, Any]:
    return {"name": one.name, "in": "query", "required": one.required, "description": one.help, "schema": _schema(one)}  # fmt: skip


def _object(known: Mapping[str, Parameter]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {key: _schema(one) | {"description": one.help} for key, one in known.items()},
        "required": [key for key, one in known.items() if one.required],
        "additionalProperties": False,
    }


def _schema(one: Parameter) -> dict[str, Any]:
    kinds = {"flag": "boolean", "number": "number", "text": "string"}
    plain: dict[str, Any] = {"type": kinds[one.kind]}
    if one.choices:
        plain["enum"] = list(one.choices)
    return {"type": "array", "items": plain} if one.many else plain
