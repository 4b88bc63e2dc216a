"""Pairs of nodes that may be one, for a person: both texts, and what speaks for and against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgraph.cli.answering import one_line, problem_lines
from kgraph.plurals import counted

SHOWN = 20  # pairs that a person is shown; --json has them all
TEXT = 100  # characters of a node's text


Body = Mapping[str, Any]


def candidates(body: Body) -> str:
    """Pairs that may be one, best first, with what speaks for and against each."""
    pairs = [pair for cluster in body["clusters"] for pair in cluster["pairs"]]
    if not pairs:
        return "\n".join(["no two nodes look like one", *problem_lines(body)])
    lines = [
        f"{counted(body['pairs'], 'pair')} of nodes that may be one, in {counted(len(body['clusters']), 'cluster')}, best first"
    ]
    for pair in pairs[:SHOWN]:
        told = pair["features"]
        lines.append(
            f"{pair['probability']:6.2f}  {_short(pair['left_text'])} [{one_line(pair['left'])}]"
        )
        lines.append(f"        {_short(pair['right_text'])} [{one_line(pair['right'])}]")
        for title, said in (("for it", _for(told)), ("against it", _against(told))):
            lines += [f"        {title}: {one_line(', '.join(said))}"] if said else []
    if len(pairs) > SHOWN:
        lines.append(
            f"and {len(pairs) - SHOWN} more (--json lists them, --limit N takes fewer clusters, --type TYPE one kind)"
        )
    lines.append(
        "one thing: kgraph resolve --canonical ID --alias ID --rationale WHY; two: kgraph distinct ID ID --rationale WHY"
    )
    return "\n".join([*lines, *problem_lines(body)])


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= TEXT else line[: TEXT - 1] + "\u2026"


def _for(told: Body) -> list[str]:
    likeness, relation = told.get("name_likeness") or 0, told.get("relation") or "none"
    said = [
        (relation not in ("none", ""), f"names related ({relation})"),
        (likeness >= 0.5, f"names alike ({likeness:.2f})"),
        (bool(told.get("alias_overlap")), "an alias in common"),
        (bool(told.get("same_section")), "the same section"),
        (bool(told.get("same_source")) and not told.get("same_section"), "the same source"),
        (bool(told.get("neighbour_overlap")), "neighbours in common"),
        (
            bool(told.get("description_agreement")),
            f"descriptions agree ({told.get('description_agreement') or 0:.2f})",
        ),
        (
            bool(told.get("attributes_agree")),
            "attributes agree: " + " ".join(told.get("attributes_agree") or ()),
        ),
    ]
    return [text for holds, text in said if holds]


def _against(told: Body) -> list[str]:
    said = [
        (bool(told.get("numbers_differ")), "other numbers"),
        (bool(told.get("years_differ")), "other years"),
        (bool(told.get("neighbours_apart")), "several neighbours each, none in common"),
        (
            bool(told.get("attributes_differ")),
            "attributes differ: " + " ".join(told.get("attributes_differ") or ()),
        ),
    ]
    return [
        *(one["says"] for one in told.get("against") or ()),
        *(text for holds, text in said if holds),
    ]
