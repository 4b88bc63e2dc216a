"""The ontology in words: the section of the extraction prompt, and the reference pages."""

from __future__ import annotations

import json

from kgraph.ontology._tables import (
    BANDS,
    EDGE_FIELDS,
    ENVELOPE_FIELDS,
    NODE_FIELDS,
    NODE_TYPES,
    PREDICATES,
    RULES,
    VALUES,
)
from kgraph.ontology.kinds import Ends, Field, Predicate, Value, Vocabulary
from kgraph.ontology.schema import payload_schema, strict_schema

GENERATED = (
    "<!-- made from src/kgraph/ontology/ontology.toml by python -m kgraph.ontology.generate -->\n\n"
)

_FAMILIES = (
    ("error", "Errors", "An error refuses the whole payload (exit status 2)."),
    (
        "invariant",
        "Write invariants",
        "Judged on the graph as it would be after the write; a breach refuses the payload (exit status 1).",
    ),
    (
        "warning",
        "Warnings",
        "A warning refuses nothing, unless `--strict` is given (W303 never does).",
    ),
    (
        "command",
        "Command errors",
        "A request that can't be carried out (exit status 2; E208 and E211: 4, try again).",
    ),
)


_STANDARD = Vocabulary(VALUES["entity_kind"], VALUES["claim_kind"], VALUES["role"])


def prompt_section(vocabulary: Vocabulary = _STANDARD) -> str:
    """What a language model is told of the ontology: types, predicates, members, bands of confidence, and what is refused."""
    own = [field for kind in NODE_TYPES.values() for field in kind.fields]
    lines = ["Node types (no others):"]
    lines += [f"- {kind.name}: {kind.is_}. Not {kind.is_not}." for kind in NODE_TYPES.values()]
    lines += ["", "Predicates, from subject to object (no others):"]
    lines += [
        f"- {item.name}: {_signature(item)}. {item.means}."
        for item in PREDICATES.values()
        if not item.reserved
    ]
    lines += [
        "",
        "Members of a node:",
        *_members([*NODE_FIELDS, *own]),
        "",
        "Members of an edge:",
        *_members(list(EDGE_FIELDS)),
    ]
    for title, values in (
        ("Kinds of Entity", vocabulary.entity_kind),
        ("Kinds of Claim", vocabulary.claim_kind),
        ("Roles on MENTIONS", vocabulary.role),
    ):
        lines += ["", f"{title}:", *(f"- {value.name}: {value.means}" for value in values)]
    rules = [
        *(f"- A {one.kind} is called like {one.pattern}" for one in vocabulary.naming),
        *(f"- {_ends_words(one)}" for one in vocabulary.ends),
    ]
    if rules:
        lines += ["", "Rules of this graph:", *rules]
    lines += ["", "Confidence:", *(f"- {band.range}: {band.means}" for band in BANDS)]
    lines += ["", "Refused:"]
    lines += [
        f"- {rule.breach}."
        for rule in RULES.values()
        if rule.code in ("E104", "E105", "E106", "E109", "I1", "I2", "I3")
    ]
    return "\n".join(lines) + "\n"


def _ends_words(ends: Ends) -> str:
    of = f" of a claim of kind {', '.join(ends.claims)}" if ends.claims else ""
    to = f" is played by a {', '.join(ends.entities)}" if ends.entities else ""
    return f"The role {ends.role}{of}{to}"


def ontology_page() -> str:
    """The reference page, Markdown."""
    types: list[tuple[str, ...]] = [
        (f"`{kind.name}`", kind.is_, kind.is_not, _fields(kind.fields), f"`{kind.prefix}_`")
        for kind in NODE_TYPES.values()
    ]
    predicates: list[tuple[str, ...]] = [
        (
            f"`{item.name}`",
            f"{item.subject_words} → {item.object_words}",
            item.means,
            "yes" if item.evidence else "",
        )
        for item in PREDICATES.values()
    ]
    return "".join(
        (
            GENERATED,
            "# Ontology\n\n## Node types\n\n",
            _table(("type", "is", "is not", "own members", "ids begin with"), types),
            "\nAnything else that a node carries goes into `attrs`.\n\n## Predicates\n\n",
            _table(("predicate", "subject → object", "means", "carries evidence"), predicates),
            "\nAn edge never joins a node to itself.\n\n## Members of a payload\n\n",
            _table(("member", "type", "means"), _rows(ENVELOPE_FIELDS)),
            "\n### Of a node\n\n",
            _table(("member", "type", "means"), _rows(NODE_FIELDS)),
            "\n### Of an edge\n\n",
            _table(("member", "type", "means"), _rows(EDGE_FIELDS)),
            "\n## Kinds and roles\n\nRecommended values; another one is the warning W220, unless a profile of the graph lists it.\n",
            *(
                f"\n### {title}\n\n{_table(('value', 'means'), _value_rows(VALUES[key]))}"
                for title, key in (
                    ("`kind` of an Entity", "entity_kind"),
                    ("`kind` of a Claim", "claim_kind"),
                    ("`role` of a MENTIONS", "role"),
                )
            ),
            "\n## Confidence\n\n",
            _table(("confidence", "means"), [tuple(band) for band in BANDS]),
        )
    )


def rules_page() -> str:
    """The table of rule codes, Markdown."""
    parts = [
        GENERATED,
        "# Rules\n\nEvery breach is reported with its code, a JSON path, what was found, and a hint.\n",
    ]
    for family, title, words in _FAMILIES:
        rows: list[tuple[str, ...]] = [
            (rule.code, rule.name, rule.breach) for rule in RULES.values() if rule.family == family
        ]
        parts.append(f"\n## {title}\n\n{words}\n\n{_table(('code', 'name', 'breach'), rows)}")
    return "".join(parts)


def schema_text() -> str:
    """``payload_schema`` as the file that is shipped."""
    return json.dumps(payload_schema(), indent=2, ensure_ascii=False) + "\n"


def strict_schema_text() -> str:
    """``strict_schema`` as the file that is shipped."""
    return json.dumps(strict_schema(), indent=2, ensure_ascii=False) + "\n"


def _signature(item: Predicate) -> str:
    return f"{item.subject_words} → {item.object_words}"


def _members(fields: list[Field]) -> list[str]:
    return [
        f"- {field.name}{' (required)' if field.required else ''}: {field.means}"
        for field in fields
        if field.by_model
    ]


def _fields(fields: tuple[Field, ...]) -> str:
    return "; ".join(f"`{field.name}`: {field.means}" for field in fields)


def _rows(fields: tuple[Field, ...]) -> list[tuple[str, ...]]:
    return [
        (
            f"`{field.name}`",
            " or ".join(field.types) + (", required" if field.required else ""),
            field.means,
        )
        for field in fields
    ]


def _value_rows(values: tuple[Value, ...]) -> list[tuple[str, ...]]:
    return [(value.name, value.means) for value in values]


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [
        head,
        tuple("---" for _ in head),
        *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
