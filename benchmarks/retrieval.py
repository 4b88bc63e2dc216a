"""Retrieval against gold: ``python benchmarks/retrieval.py DATA [--only musique|2wiki] [--names title|number] [--work DIR] [--wrong] [--vectors]``.

DATA is a folder with ``musique`` (passages, recorded triples, questions) and ``2wiki`` (passages, questions). From musique the recorded
triples are taken in as claims, one Source a passage; 2wiki goes through the offline extractor, one Markdown file a passage. Each question
is asked as it stands, and the Sources of the answer are taken in their order:

* musique: recall@5, the share of gold passages among the first five Sources, averaged over questions;
* 2wiki: the share of questions whose gold titles are all among the first eight Sources.

``--names number`` calls the musique Sources by a number instead of their title, so that only what the claims say can find them.
With ``--vectors`` the same is asked again with vectors of this machine's own model (extra ``embed``). Questions are told apart by their place
too, even and odd, so that a figure chosen on one half can be held against the other. Graphs are kept in DIR (a temporary folder by default) and used again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import kgraph
from kgraph.graph import Graph
from kgraph.retrieve.question import Question

Json = dict[str, Any]
LARGE = 10**9


def read_lines(path: str) -> list[Json]:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def plain(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def triple_payload(number: int, row: Json, names: str) -> Json:
    """One passage: its Source, a claim a triple, and the things that the claims mention."""
    source = {
        "type": "Source",
        "name": plain(row["title"]) if names == "title" else f"passage {number}",
        "uri": f"passage-{number}.txt",
    }
    nodes: dict[tuple[str, str], Json] = {}
    edges: dict[tuple[str, str, str], Json] = {}
    for triple in row["triples"]:
        parts = [plain(str(part)) for part in triple]
        claim = plain(" ".join(parts))[:2000]
        if len(parts) < 2 or not claim or ("Claim", claim) in nodes:
            continue
        nodes[("Claim", claim)] = {
            "type": "Claim",
            "name": claim,
            "id": f"claim-{number}-{len(nodes)}",
            "qualifier": f"passage {number}",
        }
        key = nodes[("Claim", claim)]["id"]
        edges[("SUPPORTS", source["uri"], key)] = {
            "predicate": "SUPPORTS", "source": "the-source", "target": key, "source_doc": source["uri"], "confidence": 0.9,
        }  # fmt: skip
        for thing in {parts[0], parts[-1]} - {""}:
            nodes[("Entity", thing)] = {"type": "Entity", "name": thing[:2000]}
            edges[("MENTIONS", key, thing)] = {
                "predicate": "MENTIONS",
                "source": key,
                "target": thing[:2000],
            }
    return {
        "nodes": [source | {"id": "the-source"}, *nodes.values()],
        "edges": list(edges.values()),
    }


def musique_graph(folder: str, work: str, names: str) -> Graph:
    path = os.path.join(work, f"musique-{names}")
    if os.path.exists(path):
        return kgraph.open(path)
    graph = kgraph.create(path=path)
    began = time.perf_counter()
    rows = read_lines(os.path.join(folder, "recorded_triples.jsonl"))
    answer = graph.ingest_lines(_lines(rows, names))
    print(
        f"musique: {len(rows)} passages taken in, {answer.refused_count} refused, {time.perf_counter() - began:.0f} s",
        file=sys.stderr,
    )
    return graph


def _lines(rows: list[Json], names: str) -> Iterator[bytes]:
    for number, row in enumerate(rows):
        payload = triple_payload(number, row, names)
        for node in payload[
            "nodes"
        ]:  # ids of the payload only tie its edges; they must be unique in the graph
            if node.get("id") == "the-source":
                node["id"] = f"source-{number}"
        for edge in payload["edges"]:
            if edge["source"] == "the-source":
                edge["source"] = f"source-{number}"
        yield json.dumps(payload).encode() + b"\n"


def sources_of(graph: Graph, text: str, by_words: bool) -> list[str]:
    """The uris (or names) of the Sources that an answer rests on, best first."""
    body = graph.query(Question(text, max_tokens=LARGE), by_words=by_words).body
    return [row.get("uri") or row["name"] for row in body["sources"]]


def halves(values: list[float] | list[bool]) -> str:
    """The mean of all, and of the even and the odd places."""
    return f"{sum(values) / len(values):.3f} ({sum(values[::2]) / len(values[::2]):.3f}, {sum(values[1::2]) / len(values[1::2]):.3f})"


def musique(folder: str, work: str, names: str, shown: tuple[bool, bool]) -> None:
    wrong, by_words = shown
    graph = musique_graph(folder, work, names)
    if not by_words:
        graph.embed()
    rows = read_lines(os.path.join(folder, "recorded_triples.jsonl"))
    place: dict[str, set[str]] = {}
    for number, row in enumerate(rows):
        place.setdefault(row["text"], set()).add(f"passage-{number}.txt")
    recalls: dict[int, list[float]] = {2: [], 5: [], 10: [], 20: []}
    began = time.process_time()
    for question in read_lines(os.path.join(folder, "questions.jsonl")):
        ranked = sources_of(graph, question["question"], by_words)
        golds = [place.get(text, set()) for text in question["gold_texts"]]
        for depth, values in recalls.items():
            values.append(sum(bool(gold & set(ranked[:depth])) for gold in golds) / len(golds))
        if wrong and recalls[5][-1] < 1:
            places = [
                (text[:70], _place(ranked, gold))
                for text, gold in zip(question["gold_texts"], golds, strict=True)
            ]
            missed = [f"{text} @{place}" for text, place in places if not 0 < place <= 5]
            print(f"- {question['question']}\n    missed: {missed}")
    spent = time.process_time() - began
    found = ", ".join(f"recall@{depth} {halves(values)}" for depth, values in recalls.items())
    print(
        f"musique ({names}{'' if by_words else ', vectors'}): {found}; {len(recalls[5])} questions, {1000 * spent / len(recalls[5]):.0f} ms of CPU each"
    )


def _place(ranked: list[str], gold: set[str]) -> int:
    return next((at for at, uri in enumerate(ranked, 1) if uri in gold), 0)


def two_wiki_graph(folder: str, work: str) -> Graph:
    path = os.path.join(work, "2wiki")
    texts = os.path.join(work, "2wiki-texts")
    if not os.path.exists(path):
        os.makedirs(texts, exist_ok=True)
        with open(os.path.join(folder, "corpus.json"), encoding="utf-8") as file:
            for number, row in enumerate(json.load(file)):
                with open(os.path.join(texts, f"{number:04d}.md"), "w", encoding="utf-8") as out:
                    out.write(f"# {row['title']}\n\n{row['text']}\n")
        begin = f"{sys.executable} -m kgraph --path {path}"
        if os.system(
            f"{begin} init --source-root {texts} >/dev/null && {begin} extract {texts} > {work}/2wiki-extract.json"
        ):
            print(
                f"extract did not finish everything, see {work}/2wiki-extract.json", file=sys.stderr
            )
    return kgraph.open(path)


def two_wiki(folder: str, work: str, shown: tuple[bool, bool]) -> None:
    wrong, by_words = shown
    graph = two_wiki_graph(folder, work)
    if not by_words:
        graph.embed()
    with open(os.path.join(folder, "corpus.json"), encoding="utf-8") as file:
        number = {row["title"]: f"{at:04d}.md" for at, row in enumerate(json.load(file))}
    with open(os.path.join(folder, "questions.json"), encoding="utf-8") as file:
        questions = json.load(file)
    hits: dict[int, list[bool]] = {2: [], 4: [], 8: [], 16: []}
    began = time.process_time()
    for question in questions:
        ranked = [
            re.sub(r".*/", "", uri) for uri in sources_of(graph, question["question"], by_words)
        ]
        gold = {number[title] for title in question["gold_titles"]}
        for depth, values in hits.items():
            values.append(gold <= set(ranked[:depth]))
        if wrong and not hits[8][-1]:
            places = {title: _place(ranked, {number[title]}) for title in question["gold_titles"]}
            print(f"- {question['question']}\n    {places}")
    spent = time.process_time() - began
    found = ", ".join(f"all in {depth}: {halves(values)}" for depth, values in hits.items())
    several = [
        hit for hit, question in zip(hits[8], questions, strict=True) if question["multihop"]
    ]
    print(
        f"2wiki{'' if by_words else ' (vectors)'}: {found}; in 8 where several hops are needed {sum(several) / len(several):.3f}; {1000 * spent / len(questions):.0f} ms each"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data")
    parser.add_argument("--only", choices=["musique", "2wiki"])
    parser.add_argument("--names", choices=["title", "number"], default="title")
    parser.add_argument("--work", default="")
    parser.add_argument(
        "--wrong", action="store_true", help="print the questions that were not answered in full"
    )
    parser.add_argument("--vectors", action="store_true", help="and again with vectors")
    options = parser.parse_args()
    work = options.work or tempfile.mkdtemp(prefix="kgraph-retrieval-")
    for by_words in (True, False) if options.vectors else (True,):
        if options.only != "2wiki":
            musique(
                os.path.join(options.data, "musique"),
                work,
                options.names,
                (options.wrong, by_words),
            )
        if options.only != "musique":
            two_wiki(os.path.join(options.data, "2wiki"), work, (options.wrong, by_words))


if __name__ == "__main__":
    main()
