"""How many facts of an essay can be found again in the claims that the offline extractor makes of it (MINE, kg-gen).

    python benchmarks/mine.py FOLDER        FOLDER holds essays.jsonl and recorded_graphs.jsonl

The judge is lexical: a fact counts as found where one statement holds enough of the fact's words (stems, rarer ones weighing more). Its
threshold is set on the recorded verdicts of a model for another system's graphs, on half of the essays, and its agreement is shown on the
other half. Ratios are printed, no times.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kgraph.units.extraction import KnownSource, KnownSources
from kgraph.documents import extract
from kgraph.model import Document, Unit
from kgraph.sources import read_bytes

_STOP = frozenset(
    """a an the of in on at by for with from to into as and or but is are was were be been being has have had do does did can could may
    might will
    would should must it its this that these those their there they them he she his her who which what when where how such also not no
    more most
    many some other various through during between among over under about than very often usually typically""".split()
)
_ENDINGS = (
    "izations", "ization", "ational", "fulness", "iveness", "ations", "ation", "ments", "ment", "ings", "ing", "ness", "ities", "ity",
    "ies",
    "edly", "ously", "ively", "ally", "ors", "ers", "ion", "ions", "ives", "ive", "ous", "ed", "es", "er", "or", "ly", "al", "s", "e", "y",
)  # fmt: skip


class Judge(NamedTuple):
    """``weights`` are the inverse document frequencies of stems; a fact is found where ``threshold`` of its weight is covered."""

    weights: dict[str, float]
    threshold: float

    def coverage(self, fact: str, statement: str) -> float:
        wanted = set(stems(fact))
        total = sum(self.weight(stem) for stem in wanted)
        held = set(stems(statement))
        return sum(self.weight(stem) for stem in wanted if stem in held) / total if total else 0.0

    def weight(self, stem: str) -> float:
        return self.weights.get(stem, max(self.weights.values(), default=1.0))

    def finds(self, fact: str, statements: Iterable[str]) -> bool:
        return any(self.coverage(fact, statement) >= self.threshold for statement in statements)


def stems(text: str) -> Iterator[str]:
    """The words of weight in a text, cut to a stem."""
    word = ""
    for letter in text.lower() + " ":
        if letter.isalnum():
            word += letter
            continue
        if word and word not in _STOP:
            yield stem(word)
        word = ""


def stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def weights_of(essays: Sequence[dict[str, Any]]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for essay in essays:
        counts.update(set(stems(essay["text"])))
    return {stem: math.log(1 + len(essays) / count) for stem, count in counts.items()}


def calibrate(
    graphs: Sequence[dict[str, Any]], weights: dict[str, float]
) -> tuple[Judge, dict[str, float]]:
    """The threshold that agrees best with the verdicts of every second graph, and how it does on the others."""
    half = [verdict for graph in graphs[::2] for verdict in graph["verdicts"]]
    best = max(
        (step / 100 for step in range(20, 101)),
        key=lambda value: _agreement(Judge(weights, value), half)["agreement"],
    )
    judge = Judge(weights, best)
    return judge, _agreement(
        judge, [verdict for graph in graphs[1::2] for verdict in graph["verdicts"]]
    )


def _agreement(judge: Judge, verdicts: Sequence[dict[str, Any]]) -> dict[str, float]:
    table: Counter[tuple[bool, bool]] = Counter()
    for verdict in verdicts:
        table[
            judge.coverage(verdict["fact"], verdict["context"]) >= judge.threshold,
            bool(verdict["evaluation"]),
        ] += 1
    both, only_judge, only_model = table[True, True], table[True, False], table[False, True]
    size = max(1, sum(table.values()))
    observed = (both + table[False, False]) / size
    chance = (
        (both + only_judge) * (both + only_model)
        + (size - both - only_judge) * (size - both - only_model)
    ) / size**2
    return {
        "agreement": observed,
        "kappa": (observed - chance) / (1 - chance) if chance < 1 else 0.0,
        "precision": both / max(1, both + only_judge),
        "recall": both / max(1, both + only_model),
        "model says found": (both + only_model) / size,
        "judge says found": (both + only_judge) / size,
    }


def document_of(essay: dict[str, Any]) -> Document:
    """An essay as a document: the fence that it is wrapped in taken off, its topic as title."""
    text = f"# {essay['topic']}\n\n" + essay["text"].replace("```", "").strip() + "\n"
    return read_bytes(text.encode(), f"essay-{essay['id']}.md")


def claims_of(document: Document) -> list[str]:
    unit = Unit(document.uri, "document", (document,), (), (), "")
    payload = extract(unit, KnownSources([KnownSource(document.uri, document.name)])).payload
    flat = " ".join(document.text.split())
    claims = [node["name"] for node in payload["nodes"] if node["type"] == "Claim"]
    strays = [claim for claim in claims if claim not in flat]
    if strays:
        raise SystemExit(f"{document.uri}: not in the text: {strays[0]!r}")
    return claims


def load(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main(folder: str) -> None:
    essays, graphs = (
        load(os.path.join(folder, "essays.jsonl")),
        load(os.path.join(folder, "recorded_graphs.jsonl")),
    )
    judge, agreement = calibrate(graphs, weights_of(essays))
    print(
        f"judge: threshold {judge.threshold:.2f}; on verdicts not used to set it: "
        + ", ".join(f"{name} {value:.3f}" for name, value in agreement.items())
    )
    found = ceiling = chance = facts = claims_made = words = 0
    dice = random.Random(0)
    missed: list[tuple[str, str]] = []
    for essay in essays:
        document = document_of(essay)
        claims = claims_of(document)
        sentences = [
            sentence
            for sentence in document.text.replace("\n", " ").split(". ")
            if sentence.strip()
        ]
        some = dice.sample(sentences, min(len(claims), len(sentences)))
        claims_made += len(claims)
        words += len(document.text.split())
        for fact in essay["facts"]:
            facts += 1
            ceiling += judge.finds(fact, sentences)
            chance += judge.finds(fact, some)
            hit = judge.finds(fact, claims)
            found += hit
            if not hit:
                missed.append((essay["topic"], fact))
    print(
        f"facts found in one claim: {found / facts:.3f} ({found} of {facts}); as many random sentences: {chance / facts:.3f}; all sentences: "
        f"{ceiling / facts:.3f}"
    )
    print(f"claims per 100 words: {100 * claims_made / words:.2f}; every claim verbatim")
    if "--missed" in sys.argv:
        for topic, fact in missed:
            print(f"  {topic}: {fact}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
