"""``ontology.toml`` as Python text. Reading TOML costs more than a command's start, so the program imports what this writes."""

from __future__ import annotations

from typing import Any

HEAD = '''# fmt: off
"""Generated from ontology.toml by ``python -m kgraph.ontology.generate``: change that file instead."""

from __future__ import annotations

from kgraph.ontology.kinds import Band, Field, NodeType, Predicate, Rule, Value, predicate

'''


VALUES = ("entity_kind", "claim_kind", "role")


def python_text(ontology: dict[str, Any]) -> str:
    """The module ``_tables`` for a parsed ``ontology.toml``."""
    types = tuple(item["name"] for item in ontology["node_type"])
    parts = [
        _mapping(
            "NODE_TYPES",
            "NodeType",
            [(item["name"], _node_type(item)) for item in ontology["node_type"]],
        ),
        _mapping(
            "PREDICATES",
            "Predicate",
            [(item["name"], _predicate(item, types)) for item in ontology["predicate"]],
        ),
        _mapping("RULES", "Rule", [(item["code"], _rule(item)) for item in ontology["rule"]]),
        *(
            _row(name, "Field", [_field(item) for item in ontology[key]])
            for name, key in (
                ("ENVELOPE_FIELDS", "envelope_field"),
                ("NODE_FIELDS", "node_field"),
                ("EDGE_FIELDS", "edge_field"),
            )
        ),
        "VALUES: dict[str, tuple[Value, ...]] = {\n"
        + "".join(f"    {_text(key)}: {_tuple(_values(ontology[key]))},\n" for key in VALUES)
        + "}\n",
        _row(
            "BANDS",
            "Band",
            [f"Band({_text(item['range'])}, {_text(item['means'])})" for item in ontology["band"]],
        ),
    ]
    return HEAD + "\n".join(parts)


def _mapping(name: str, kind: str, rows: list[tuple[str, str]]) -> str:
    return (
        f"{name}: dict[str, {kind}] = {{\n"
        + "".join(f"    {_text(key)}: {value},\n" for key, value in rows)
        + "}\n"
    )


def _row(name: str, kind: str, rows: list[str]) -> str:
    return (
        f"{name}: tuple[{kind}, ...] = (\n" + "".join(f"    {value},\n" for value in rows) + ")\n"
    )


def _node_type(item: dict[str, Any]) -> str:
    fields = [_field(field) for field in item.get("field", [])]
    parts = [
        _text(item["name"]),
        _text(item["prefix"]),
        _text(item["is"]),
        _text(item["is_not"]),
        _words(item["words"]),
        _tuple(fields),
    ]
    return _call("NodeType", parts)


def _field(item: dict[str, Any]) -> str:
    marks = [str(item.get("required", False)), str(item.get("by_model", True))]
    parts = [_text(item["name"]), _words(item["type"]), *marks, _text(item["means"])]
    if "values" in item:
        parts.append(_text(item["values"]))
    return f"Field({', '.join(parts)})"


def _values(items: list[dict[str, Any]]) -> list[str]:
    return [f"Value({_text(item['name'])}, {_text(item['means'])})" for item in items]


def _predicate(item: dict[str, Any], types: tuple[str, ...]) -> str:
    subjects, objects = item.get("subject", types), item.get("object", types)
    same = item.get("same_type", False)
    words = (
        item.get("subject_words", "X" if same else ", ".join(subjects)),
        item.get("object_words", "X (same type)" if same else ", ".join(objects)),
    )
    marks = ", ".join(
        _text(mark) for mark in ("same_type", "evidence", "reserved") if item.get(mark)
    )
    ends = f"({_words(subjects)}, {_words(objects)})"
    shown = f"frozenset({{{marks}}})" if marks else "frozenset()"
    return _call(
        "predicate", [_text(item["name"]), ends, _words(words), _text(item["means"]), shown]
    )


def _rule(item: dict[str, Any]) -> str:
    return _call("Rule", [_text(item[key]) for key in ("code", "name", "family", "breach", "hint")])


def _call(name: str, parts: list[str]) -> str:
    return f"{name}({', '.join(parts)})"


def _words(items: Any) -> str:
    return _tuple([_text(item) for item in items])


def _tuple(parts: list[str]) -> str:
    return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
