"""W209: the source spells an entity another way, and the alias is missing. W219: an alias that no source spells. One pass over each source,
whatever the number of entities."""

from __future__ import annotations

import re
from collections.abc import Callable

from kgraph.contract.findings import Findings
from kgraph.contract.nodes import Nodes
from kgraph.ontology import fold

_TOKEN = re.compile(r"[\w][\w.'\u2019&+/-]*")
_ACRONYM = re.compile(r"\s{0,2}\(([A-Z][A-Za-z0-9&.-]{1,9})\)")
_MAX_WORDS = 8


def check_spellings(
    nodes: Nodes, read_source: Callable[[str], str | None], findings: Findings
) -> None:
    """Report each spelling once. Sources that can't be read are passed over: the evidence check speaks of them (W303)."""
    entities = _entities(nodes)
    if not entities:
        return
    by_first: dict[str, set[int]] = {}
    for folded in entities:
        words = folded.split()
        if len(words) <= _MAX_WORDS:
            by_first.setdefault(words[0], set()).add(len(words))
    reported: set[tuple[int, str]] = set()
    uris = [
        (event or {}).get("uri", "")
        for event, type_ in zip(nodes.events, nodes.types, strict=True)
        if type_ == "Source"
    ]
    for uri in dict.fromkeys(uris):
        text = read_source(uri) if uri else None
        for folded, spelling, what in _spellings(text or "", entities, by_first):
            number, known = entities[folded]
            if spelling not in known and (number, spelling) not in reported:
                reported.add((number, spelling))
                message = f"{uri} {what} the Entity {nodes.names[number]!r} {spelling!r}"
                findings.warn(
                    "W209", f"$.nodes[{number}].aliases", message, f"add {spelling!r} to `aliases`"
                )
    _check_aliases(
        nodes, [read_source(uri) if uri else None for uri in dict.fromkeys(uris)], findings
    )


def _check_aliases(nodes: Nodes, texts: list[str | None], findings: Findings) -> None:
    """W219, where every Source of the payload can be read: what can't be looked at isn't doubted."""
    if not texts or any(text is None for text in texts):
        return
    whole = ""
    for number, event in enumerate(nodes.events):
        if event is None or event["type"] in ("Claim", "Source"):
            continue
        for alias in event.get("aliases", ()):
            whole = whole or _letters(" ".join(text or "" for text in texts))
            if _letters(alias) not in whole:
                findings.warn(
                    "W219",
                    f"$.nodes[{number}].aliases",
                    f"no Source of the payload calls {event['name']!r} {alias!r}",
                )


def _letters(text: str) -> str:
    """A text without what typesetting changes: 'Vendor-X' and 'VendorX' are spelt alike."""
    return "".join(char for char in fold(text) if char.isalnum())


def _entities(nodes: Nodes) -> dict[str, tuple[int, set[str]]]:
    """By folded name: the first node of that name, and the spellings it has (exact, and folded where a fold hides nothing)."""
    found: dict[str, tuple[int, set[str]]] = {}
    for number, event in enumerate(nodes.events):
        if event is not None and event["type"] == "Entity":
            _, known = found.setdefault(nodes.folds[number], (number, set()))
            known.update((event["name"], *event.get("aliases", ())))
    return found


def _spellings(
    text: str, entities: dict[str, tuple[int, set[str]]], by_first: dict[str, set[int]]
) -> list[tuple[str, str, str]]:
    """(folded name, spelling, what the source does) for each other way in which the text writes an entity."""
    tokens = [(found.start(), found.end()) for found in _TOKEN.finditer(text)]
    found: list[tuple[str, str, str]] = []
    for position, (start, _) in enumerate(tokens):
        first = fold(text[start : tokens[position][1]].rstrip(".'\u2019"))
        for length in by_first.get(first, ()):
            if position + length > len(tokens):
                continue
            written = text[start : tokens[position + length - 1][1]].rstrip(".'\u2019")
            folded = fold(written)
            if folded not in entities:
                continue
            spelling = " ".join(written.split())
            if not any(_same_but_for_initials(spelling, known) for known in entities[folded][1]):
                found.append((folded, spelling, "spells"))
            acronym = _ACRONYM.match(text, start + len(written))
            if (
                acronym
                and _stands_for(acronym[1], written)
                and fold(acronym[1]) not in {fold(known) for known in entities[folded][1]}
            ):
                found.append((folded, acronym[1], "abbreviates"))
    return found


def _stands_for(short: str, name: str) -> bool:
    """Whether the letters are the name's, in order and from its first: PGW of 'Payment Gateway', and not NTU of 'Ida Moe'."""
    letters = iter(fold(name))
    wanted = [char for char in fold(short) if char.isalnum()]
    return fold(name)[:1] == wanted[0] and all(char in letters for char in wanted)


def _same_but_for_initials(one: str, other: str) -> bool:
    """Whether two spellings differ at most in the case of the letters that begin words, as headings and sentences make them."""
    if len(one) != len(other):
        return " ".join(one.split()) == " ".join(other.split())
    pairs = zip(" " + one, one, other, strict=False)
    return all(
        a == b or (a.lower() == b.lower() and not before.isalnum()) for before, a, b in pairs
    )
