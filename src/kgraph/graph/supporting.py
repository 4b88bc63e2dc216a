"""The warning W216: statements of an admitted payload that their quotes don't carry. Judged by the code that judges them ever after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgraph.index.read import Reader
from kgraph.model import Problem
from kgraph.ontology import fold
from kgraph.retrieve.carrying import names_in
from kgraph.support import Ends, Support, judge, judge_relation
from kgraph.support.reading import Names
from kgraph.support.wording import in_words

Event = dict[str, Any]
HINT = "quote the words that say it, or say what the quote says"


def doubtful_support(
    reader: Reader, nodes: Sequence[Event], edges: Sequence[Event]
) -> list[Problem]:
    """One warning for each citing edge whose words don't carry what it says, sorted by position."""
    by_id = {node["id"]: node for node in nodes}
    names: Names | None = None
    found = []
    for number, edge in enumerate(edges):
        if not edge.get("quote") or (edge.get("evidence") or {}).get("status") == "missing":
            continue
        names = names if names is not None else _names(reader, nodes, edges)
        support = _judged(edge, by_id, names)
        if support is not None and support.doubtful:
            what = by_id[_spoken_of(edge)]["name"]
            message = f"the quote doesn't carry {what!r}: {in_words(support)}"
            found.append(Problem("W216", f"$.edges[{number}].quote", message, HINT))
    return found


def _spoken_of(edge: Event) -> str:
    return str(edge["source"] if edge["predicate"] == "DERIVED_FROM" else edge["target"])


def _judged(edge: Event, by_id: dict[str, Event], names: Names) -> Support | None:
    source, target = by_id[edge["source"]], by_id[edge["target"]]
    quote, predicate = str(edge["quote"]), edge["predicate"]
    place = str(edge.get("source_doc") or "")
    if predicate == "SUPPORTS" and target["type"] == "Claim":
        return judge(target["name"], quote, names, place)
    if predicate == "DERIVED_FROM" and source["type"] == "Claim":
        return judge(source["name"], quote, names, place)
    if "Claim" in (source["type"], target["type"]) or "Source" in (source["type"], target["type"]):
        return None
    ends = Ends(predicate, str(edge.get("kind") or ""), spellings(source), spellings(target))
    return judge_relation(ends, quote, names)


def spellings(node: Event) -> list[str]:
    return [str(node["name"]), *(str(alias) for alias in node.get("aliases") or ())]


def _names(reader: Reader, nodes: Sequence[Event], edges: Sequence[Event]) -> Names:
    """The names of the payload's things, and of those of the graph that its statements and quotes name."""
    found: dict[str, set[int]] = {}
    number = -1
    for node in nodes:
        if node["type"] not in ("Claim", "Source"):
            number -= 1
            for name in spellings(node):
                found.setdefault(fold(name), set()).add(number)
    texts = [node["name"] for node in nodes if node["type"] == "Claim"]
    texts += [str(edge["quote"]) for edge in edges if edge.get("quote")]
    for name, nids in names_in(reader, texts).items():
        if name not in found:
            found[name] = set(nids)
    return {name: frozenset(some) for name, some in found.items()}
