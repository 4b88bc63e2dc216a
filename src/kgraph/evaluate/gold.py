"""Gold files: JSON lines with one right answer each. What each stage's lines hold, how they are read, and templates to begin with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kgraph.errors import UsageError
from kgraph.tuples import NamedTuple

Item = Mapping[str, Any]
MOST_TOLD = 20  # problems of a gold file that one refusal lists


class GoldField(NamedTuple):
    """A member of a gold line. ``types`` are JSON Schema's names; ``values`` are all it may hold, where that is closed."""

    name: str
    types: tuple[str, ...]
    means: str
    required: bool = False
    values: tuple[str, ...] = ()


DECISIONS = ("approve", "revise", "reject")
LABELS = ("entails", "contradicts", "neutral")
_ID = GoldField(
    "id", ("string", "integer"), "a stable key; the line's own text where it is left out"
)

FORMATS: dict[str, tuple[GoldField, ...]] = {
    "extraction": (
        _ID,
        GoldField("source", ("string",), "the Source's uri or name", True),
        GoldField("entities", ("array",), "all things the source speaks of: names, or {name, aliases, type}"),
        GoldField("relations", ("array",), "all relations it states: {subject, predicate, object}; a missing predicate matches any"),
        GoldField("facts", ("array",), "sentences that one claim of the graph should cover: texts, or {text, recorded: {system: bool}}"),
        GoldField("complete", ("boolean",), "whether entities and relations are all there are (true): else precision isn't measured"),
    ),
    "resolution": (
        _ID,
        GoldField("node", ("string",), "a node's id, or a name that one node has", True),
        GoldField("entity", ("string", "integer"), "what it stands for: nodes of one entity should be merged", True),
    ),
    "retrieval": (
        _ID,
        GoldField("question", ("string",), "what is asked", True),
        GoldField("sources", ("array",), "uris or names of all Sources that an answer needs", True),
        GoldField("answers", ("array",), "texts of which one should stand in the answer"),
    ),
    "grounding": (
        _ID,
        GoldField("claim", ("string",), "a statement", True),
        GoldField("decision", ("string",), "what ground should say", True, DECISIONS),
        GoldField("sources", ("array",), "uris or names of Sources that may carry an approval"),
        GoldField("kind", ("string",), "what makes it hard (negation, number, reworded …): figures are also given by kind"),
    ),
    "support": (
        _ID,
        GoldField("claim", ("string",), "a statement", True),
        GoldField("quote", ("string",), "the words that are to carry it", True),
        GoldField("label", ("string",), "what the words say of it", True, LABELS),
        GoldField("kind", ("string",), "what makes it hard: figures are also given by kind"),
    ),
    "answer": (
        _ID,
        GoldField("question", ("string",), "what is asked", True),
        GoldField("answers", ("array",), "right answers; [] where the graph holds none and silence is right", True),
    ),
}  # fmt: skip

TEMPLATES: dict[str, tuple[Item, ...]] = {
    "extraction": (
        {
            "source": "docs/incident.md",
            "entities": ["Checkout", {"name": "Token Vault", "aliases": ["TV"]}],
            "relations": [{"subject": "Checkout", "predicate": "DEPENDS_ON", "object": "Token Vault"}],
            "facts": ["The Token Vault ran out of disk on 11 March 2026."],
        },
    ),
    "resolution": (
        {"id": "one service under two names", "node": "Token Vault", "entity": "vault"},
        {"id": "its letters", "node": "TV", "entity": "vault"},
        {"id": "a misleading alias: another TV", "node": "Entity:tv-remote", "entity": "remote"},
        {"id": "a namesake: two people called Jordan", "node": "Jordan Lee (ops)", "entity": "jordan-1"},
        {"id": "the other Jordan", "node": "Jordan Lee (legal)", "entity": "jordan-2"},
    ),
    "retrieval": (
        {"question": "Why did checkouts fail on 11 March?", "sources": ["docs/incident.md"], "answers": ["out of disk"]},
        {"id": "two hops", "question": "Who is on call for what Checkout depends on?", "sources": ["docs/incident.md", "docs/oncall.md"]},
    ),
    "grounding": (
        {"claim": "The Token Vault ran out of disk.", "decision": "approve", "kind": "as written"},
        {"claim": "Disk ran out on the Token Vault.", "decision": "approve", "kind": "reworded"},
        {"claim": "The Token Vault never ran out of disk.", "decision": "reject", "kind": "negation"},
        {"claim": "The Token Vault ran out of disk twice.", "decision": "revise", "kind": "another number"},
        {"claim": "Checkout ran out of disk.", "decision": "revise", "kind": "another actor"},
        {"claim": "The Token Vault ran out of disk in 2019.", "decision": "revise", "kind": "contradictory date"},
        {"claim": "The Token Vault will be replaced.", "decision": "revise", "kind": "unsupported"},
        {"claim": "Ida Moe caused the outage.", "decision": "revise", "kind": "a path that only looks connected"},
    ),
    "support": (
        {"claim": "Latency fell to 78 ms.", "quote": "latency fell to 78 ms", "label": "entails"},
        {"claim": "Latency fell to 95 ms.", "quote": "latency fell to 78 ms", "label": "contradicts", "kind": "number"},
        {"claim": "Latency did not fall.", "quote": "latency fell to 78 ms", "label": "contradicts", "kind": "negation"},
        {"claim": "Billing was slow.", "quote": "latency fell to 78 ms", "label": "neutral", "kind": "unrelated"},
    ),
    "answer": (
        {"question": "What ran out of disk?", "answers": ["Token Vault"]},
        {"id": "nothing says it", "question": "Who designed the Token Vault?", "answers": []},
    ),
}  # fmt: skip


def gold_schema(stage: str) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one line of a stage's gold."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"kgraph gold: {stage}",
        "type": "object",
        "required": [field.name for field in FORMATS[stage] if field.required],
        "properties": {field.name: _member(field) for field in FORMATS[stage]},
    }


def _member(field: GoldField) -> dict[str, Any]:
    types: Any = field.types[0] if len(field.types) == 1 else list(field.types)
    closed: dict[str, Any] = {"enum": list(field.values)} if field.values else {}
    return {"type": types, "description": field.means, **closed}


def template(stage: str) -> str:
    """A gold file to begin with: cases of the kind that hurt, to be replaced by one's own."""
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in TEMPLATES[stage])


def read_gold(stage: str, files: Iterable[tuple[str, Iterable[str]]]) -> list[Item]:
    """The items of (name, lines) files, blank lines left out. Raises UsageError with every breach, each at its file and line."""
    items: list[Item] = []
    problems: list[str] = []
    for name, lines in files:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            found = _problems(stage, line)
            problems += [f"{name}:{number}: {problem}" for problem in found]
            if not found:
                items.append(json.loads(line))
    if problems:
        more = f"; and {len(problems) - MOST_TOLD} more" if len(problems) > MOST_TOLD else ""
        raise UsageError(
            f"the gold can't be read: {'; '.join(problems[:MOST_TOLD])}{more}",
            f"kgraph eval schema {stage} prints what a line holds, kgraph eval init {stage} writes an example",
        )
    if not items:
        raise UsageError(
            "the gold is empty", f"kgraph eval init {stage} FILE writes a file to begin with"
        )
    return items


def key_of(item: Item) -> str:
    """What an item is called in answers and comparisons: its id, else the text that it is about."""
    named = item.get("id")
    if named is not None:
        return str(named)
    about = (item.get(name) for name in ("question", "claim", "node", "source"))
    return str(next((text for text in about if text), ""))


def _problems(stage: str, line: str) -> list[str]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        return [f"not JSON ({error})"]
    if not isinstance(item, dict):
        return ["not an object"]
    known = {field.name: field for field in FORMATS[stage]}
    found = [f"'{name}' is unknown" for name in item if name not in known]
    for field in FORMATS[stage]:
        found += _breaches(field, item)
    return found


def _breaches(field: GoldField, item: Item) -> list[str]:
    if field.name not in item:
        return [f"'{field.name}' is missing"] if field.required else []
    value = item[field.name]
    if _type_of(value) not in field.types:
        return [f"'{field.name}' should be {' or '.join(field.types)}"]
    if field.values and value not in field.values:
        return [f"'{field.name}' should be one of {', '.join(field.values)}, not '{value}'"]
    return []


def _type_of(value: object) -> str:
    names: Sequence[tuple[type, str]] = (
        (bool, "boolean"), (str, "string"), (int, "integer"), (float, "number"), (list, "array"), (dict, "object"),
    )  # fmt: skip
    return next((name for kind, name in names if isinstance(value, kind)), "null")
