"""Resolution against gold: ``python benchmarks/resolve.py DATA [--only er-kg-bench|dblp-acm|cora|scale]``.

DATA is a folder with ``er-kg-bench/records.csv``, ``er/dblp-acm`` and ``er/cora``. Pairwise figures: precision, recall and F1 over all
pairs of records in one cluster. Candidate recall counts pairs that blocking proposes, and pairs joined by a chain of them; 'a record' is
pairs divided by records. Where one thing stands in very many records, twenty a record can't hold all pairs: the most that they can is shown,
taken over all records, and if no record may be in more than twenty pairs.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import html
import math
import os
import random
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from kgraph.resolve import Comparison, Options, Record
from kgraph.resolve.records import POLICY_NAMES

PairSet = set[tuple[str, str]]


class Joined:
    """Groups that are made by joining two members at a time."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def top(self, id: str) -> str:
        while self._parent.setdefault(id, id) != id:
            self._parent[id] = self._parent[self._parent[id]]
            id = self._parent[id]
        return id

    def join(self, one: str, two: str) -> None:
        self._parent[self.top(one)] = self.top(two)

    def pairs(self) -> PairSet:
        groups: dict[str, list[str]] = defaultdict(list)
        for id in sorted(self._parent):
            groups[self.top(id)].append(id)
        return {
            (one, two)
            for group in groups.values()
            for at, one in enumerate(group)
            for two in group[at + 1 :]
        }


def closure(pairs: Iterable[tuple[str, str]]) -> PairSet:
    joined = Joined()
    for one, two in pairs:
        joined.join(one, two)
    return joined.pairs()


def er_kg_bench(
    folder: str, file: str = "records.csv"
) -> tuple[list[Record], PairSet, dict[str, str]]:
    """Each mention by its name alone. The ``context`` column is the same for all mentions of a thing, so it is its answer and no input."""
    records, groups, classes = [], defaultdict(list), {}
    with open(os.path.join(folder, "er-kg-bench", file), encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            id = f"r{int(row['record_id']):05d}"
            records.append(
                Record(
                    id,
                    "Entity",
                    row["mention"],
                )
            )
            groups[row["entity_id"]].append(id)
            classes[id] = row["failure_class"]
    return records, _gold(groups.values()), classes


def dblp_acm(folder: str) -> tuple[list[Record], PairSet]:
    base = os.path.join(folder, "er", "dblp-acm")
    records = []
    for prefix, file in (("d", "dblpclean.csv"), ("a", "acmclean.csv")):
        with open(os.path.join(base, file), encoding="utf-8") as lines:
            for row in csv.DictReader(lines, delimiter="%"):
                records.append(
                    _publication(
                        f"{prefix}{int(row['id']):05d}", row, ("id", "title"), "title", file
                    )
                )
    with open(os.path.join(base, "gtclean.csv"), encoding="utf-8") as lines:
        rows = list(csv.reader(lines, delimiter="%"))[1:]
    return records, {(f"a{int(acm):05d}", f"d{int(dblp):05d}") for dblp, acm in rows}


def cora(folder: str) -> tuple[list[Record], PairSet]:
    base = os.path.join(folder, "er", "cora")
    with open(os.path.join(base, "cora.csv"), encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="|", quoting=csv.QUOTE_NONE))
    records = [
        _publication(f"c{int(row['Entity Id']):05d}", row, ("Entity Id", "title", ""), "title", "")
        for row in rows
    ]
    joined = Joined()
    with open(os.path.join(base, "cora_gt.csv"), encoding="utf-8") as lines:
        for one, two in csv.reader(lines, delimiter="|"):
            joined.join(f"c{int(one):05d}", f"c{int(two):05d}")
    return records, joined.pairs()


def _publication(
    id: str, row: Mapping[str, str], left_out: Sequence[str], name: str, source: str
) -> Record:
    """The name's column is the name, every other filled column an attribute under its own heading."""
    attrs = {
        key: html.unescape(value)
        for key, value in row.items()
        if key not in left_out and value and value.strip()
    }
    return Record(
        id,
        "Entity",
        html.unescape(row[name]),
        qualifier=id,
        sources=frozenset([source] if source else []),
        attrs=attrs,
    )


def _gold(groups: Iterable[list[str]]) -> PairSet:
    return {
        (one, two)
        for group in groups
        for at, one in enumerate(sorted(group))
        for two in sorted(group)[at + 1 :]
    }


def figures(found: PairSet, gold: PairSet) -> str:
    right = len(found & gold)
    precision = right / len(found) if found else 1.0
    recall = right / len(gold) if gold else 1.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}  ({len(found) - right} wrong, {len(gold) - right} missed)"


def most_reachable(gold: PairSet, records: int, each: int = 20) -> tuple[float, float]:
    """The highest direct recall of ``each`` pairs a record, and of at most ``each`` pairs that any one record is in."""
    partners = Counter(id for pair in gold for id in pair)
    return min(1.0, each * records / len(gold)), sum(
        min(count, each) for count in partners.values()
    ) / 2 / len(gold)


def equal_names(records: Sequence[Record]) -> PairSet:
    """The trivial answer: names that are equal but for case and spaces."""
    groups: dict[str, list[str]] = defaultdict(list)
    for record in records:
        groups[" ".join(record.name.casefold().split())].append(record.id)
    return _gold(groups.values())


def equal_contexts(folder: str, file: str) -> PairSet:
    """What a leak gives: mentions whose ``context`` is equal."""
    groups: dict[str, list[str]] = defaultdict(list)
    with open(os.path.join(folder, "er-kg-bench", file), encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            groups[row["context"]].append(f"r{int(row['record_id']):05d}")
    return _gold(groups.values())


def tf_idf(records: Sequence[Record], each: int = 20) -> PairSet:
    """The nearest ``each`` of every name by the cosine of its character trigrams, rare ones counting more."""
    grams = [
        Counter(f"  {record.name.casefold()} "[at : at + 3] for at in range(len(record.name) + 1))
        for record in records
    ]
    seen: Counter[str] = Counter(gram for one in grams for gram in one)
    idf = {gram: math.log((1 + len(records)) / (1 + count)) + 1 for gram, count in seen.items()}
    vectors: list[dict[str, float]] = []
    holders: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(grams):
        vector = {gram: count * idf[gram] for gram, count in one.items()}
        length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
        vectors.append({gram: value / length for gram, value in vector.items()})
        for gram in vector:
            holders[gram].append(at)
    found: PairSet = set()
    for at, vector in enumerate(vectors):
        near: dict[int, float] = defaultdict(float)
        for gram, value in vector.items():
            for other in holders[gram]:
                near[other] += value * vectors[other][gram]
        near.pop(at, None)
        for other in heapq.nlargest(each, near, key=lambda other: (near[other], -other)):
            one, two = sorted((records[at].id, records[other].id))
            found.add((one, two))
    return found


def measure(
    title: str, records: list[Record], gold: PairSet, show: int, uses: str
) -> dict[str, PairSet]:
    begun = time.perf_counter()
    comparison = Comparison(records)
    blocked = set(comparison.blocked)
    ready = time.perf_counter()
    print(f"\n== {title}: {len(records)} records, {len(gold)} pairs in gold; used: {uses}")
    print(f"   equal names          {figures(equal_names(records), gold)}")
    if len(records) <= 2000:
        names_only = [Record(record.id, record.type, record.name) for record in records]
        by_name = set(Comparison(names_only).blocked)
        print(
            f"   candidates by names alone: recall {len(by_name & gold) / len(gold):.3f}, "
            f"TF-IDF of trigrams, 20 a record: {len(tf_idf(records) & gold) / len(gold):.3f}"
        )
    print(
        f"   candidates: recall {len(blocked & gold) / len(gold):.3f} ({len(closure(blocked) & gold) / len(gold):.3f} in chains), "
        f"{len(blocked) / len(records):.1f} pairs a record, {ready - begun:.1f} s; "
        "the most that 20 a record can reach: {:.3f}, and {:.3f} with no record in more than 20".format(
            *most_reachable(gold, len(records))
        )
    )
    answers = {}
    named = {record.id: record for record in records}
    for policy in POLICY_NAMES:
        begun = time.perf_counter()
        merges = comparison.merges(policy)
        answers[policy] = closure((merge.alias, merge.canonical) for merge in merges)
        print(
            f"   {policy:9} {figures(answers[policy], gold)}  {time.perf_counter() - begun:.1f} s"
        )
        for kind, pairs in (("wrong", answers[policy] - gold), ("missed", gold - answers[policy])):
            for one, two in random.Random(1).sample(sorted(pairs), min(show, len(pairs))):
                pair = comparison.pair(one, two)
                print(
                    f"      {kind} {pair.score:5.1f} {pair.features.relation} {named[one].name!r} | {named[two].name!r} "
                    f"{pair.features.attribute_evidence:.1f} {pair.features.attributes_agree} {pair.features.attributes_differ}"
                )
    return answers


def by_class(answers: Mapping[str, PairSet], gold: PairSet, classes: Mapping[str, str]) -> None:
    for policy, found in answers.items():
        print(f"   {policy}, by class (both mentions in it)")
        for name in sorted(set(classes.values())):
            mine, right = (
                {pair for pair in pairs if classes[pair[0]] == classes[pair[1]] == name}
                for pairs in (found, gold)
            )
            print(f"      {name:22} {figures(mine, right)}")


def scale(count: int) -> None:
    """Made-up names: a share of them is written again in another way."""
    chance = random.Random(7)
    syllables = [
        a + b + c for a in "bcdfglmnprstvz" for b in "aeiou" for c in ("", "n", "r", "s", "l")
    ]

    def word() -> str:
        return "".join(chance.choice(syllables) for _ in range(chance.choice((2, 2, 3, 3, 4))))

    vocabulary = [word() for _ in range(count // 3)]
    kinds = [
        "service",
        "group",
        "institute",
        "systems",
        "university",
        "module",
        "laboratory",
        "company",
    ]
    names: list[str] = []
    gold: PairSet = set()
    while len(names) < count:
        if names and chance.random() < 0.25:
            at = chance.randrange(len(names))
            gold.add((f"n{at:07d}", f"n{len(names):07d}"))
            names.append(_vary(names[at], chance))
        else:
            parts = [chance.choice(vocabulary).title() for _ in range(chance.choice((1, 2, 2, 3)))]
            names.append(
                " ".join(parts + ([chance.choice(kinds)] if chance.random() < 0.5 else []))
            )
    records = [
        Record(f"n{at:07d}", "Entity", name, sources=frozenset([f"s{at % 997}"]))
        for at, name in enumerate(names)
    ]
    begun = time.process_time()
    comparison = Comparison(records, Options(floor=0.5))
    blocked = set(comparison.blocked)
    ready = time.process_time()
    clusters = comparison.clusters()
    done = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024
    print(
        f"\n== {count} made-up names: blocking {ready - begun:.0f} s, in all {done - begun:.0f} s of one core, {memory:.2f} GiB at most; "
        f"{len(blocked) / count:.1f} pairs a record, recall {len(blocked & gold) / len(gold):.3f}, {len(clusters)} clusters"
    )


def _vary(name: str, chance: random.Random) -> str:
    kind = chance.randrange(5)
    if kind == 0:
        return name.upper()
    if kind == 1:
        return name + " Ltd"
    if kind == 2 and len(name) > 5:
        at = chance.randrange(2, len(name) - 1)
        return name[:at] + name[at + 1 :]
    if kind == 3:
        return name.replace(" ", "-").lower()
    return " ".join(reversed(name.split()))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data")
    options.add_argument(
        "--only", choices=("er-kg-bench", "dblp-acm", "cora", "scale"), action="append"
    )
    options.add_argument("--show", type=int, default=0, help="wrong and missed pairs to print")
    options.add_argument("--entities", type=int, default=100_000)
    given = options.parse_args()
    wanted = given.only or ["er-kg-bench", "dblp-acm", "cora", "scale"]
    sets: dict[str, Callable[[str], tuple[list[Record], PairSet]]] = {
        "dblp-acm": dblp_acm,
        "cora": cora,
    }
    if "er-kg-bench" in wanted:
        for file in ("records.csv", "records_ghsuite.csv"):
            records, gold, classes = er_kg_bench(given.data, file)
            print(
                f"\n   equal contexts, the leak: {figures(equal_contexts(given.data, file), gold)}"
            )
            by_class(
                measure(f"er-kg-bench {file}", records, gold, given.show, "names"), gold, classes
            )
            print("   mentions by class:", dict(Counter(classes.values())))
    for name, read in sets.items():
        if name in wanted:
            measure(name, *read(given.data), given.show, "title and every other column")
    if "scale" in wanted:
        scale(given.entities)


if __name__ == "__main__":
    main()
