"""Questions that people ask of a folder of documents: how many does an answer within the budget hold, beside plain text search?

    python benchmarks/questions.py FOLDER QUESTIONS [--tokens 2000] [--wrong]

QUESTIONS is a file of JSON lines, {"question": …, "answer": [regular expressions that all have to stand in the answer]}. FOLDER is
extracted offline. The same questions go, in the same run, to: the graph with passages, the graph alone, and BM25 over the paragraphs of
the same files, each within the same number of tokens (bytes / 3). An answer counts when every expression is found in its text.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence

import kgraph
from kgraph.cli.door import main as command
from kgraph.retrieve.question import Asked, Question

K, B = 1.2, 0.75


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def paragraphs(folder: str) -> list[str]:
    found: list[str] = []
    for root, _, names in os.walk(folder):
        for name in sorted(names):
            if ".karpathy-graphs" in root:
                continue
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
                found += [
                    part.strip() for part in re.split(r"\n\s*\n", file.read()) if part.strip()
                ]
    return found


class Bm25:
    """Okapi BM25 over texts, words as they are."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.counts = [Counter(words(text)) for text in texts]
        self.lengths = [sum(count.values()) for count in self.counts]
        self.mean = sum(self.lengths) / max(1, len(texts))
        self.frequency = Counter(word for count in self.counts for word in count)

    def best(self, question: str) -> list[str]:
        wanted = set(words(question))
        size = len(self.texts)
        scores = []
        for number, count in enumerate(self.counts):
            score = 0.0
            for word in wanted & set(count):
                rarity = math.log(
                    1 + (size - self.frequency[word] + 0.5) / (self.frequency[word] + 0.5)
                )
                times = count[word]
                score += (
                    rarity
                    * times
                    * (K + 1)
                    / (times + K * (1 - B + B * self.lengths[number] / self.mean))
                )
            scores.append((score, number))
        return [
            self.texts[number]
            for score, number in sorted(scores, key=lambda one: (-one[0], one[1]))
            if score > 0
        ]


def within(texts: Iterable[str], tokens: int) -> str:
    shown: list[str] = []
    left = tokens * 3
    for text in texts:
        left -= len(text.encode()) + 2
        if left < 0:
            break
        shown.append(text)
    return "\n\n".join(shown)


def holds(answer: str, expressions: Sequence[str]) -> bool:
    flat = " ".join(answer.replace("\\", "").split())
    return all(re.search(one, flat, re.IGNORECASE) for one in expressions)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder")
    parser.add_argument("questions")
    parser.add_argument("--tokens", type=int, default=2000)
    parser.add_argument(
        "--wrong", action="store_true", help="print the questions that were not answered"
    )
    options = parser.parse_args()
    with open(options.questions, encoding="utf-8") as file:
        asked = [json.loads(line) for line in file if line.strip()]
    work = tempfile.mkdtemp(prefix="kgraph-questions-")
    shutil.copytree(
        options.folder,
        os.path.join(work, "docs"),
        ignore=shutil.ignore_patterns(".karpathy-graphs"),
    )
    search = Bm25(paragraphs(os.path.join(work, "docs")))
    os.chdir(work)
    command(["extract", "docs"])
    graph = kgraph.open(path=os.path.join(work, ".karpathy-graphs", "main"))
    right: Counter[str] = Counter()
    for one in asked:
        question = Question(one["question"], max_tokens=options.tokens)
        answers = {
            "graph with passages": str(graph.query(question, Asked("context")).text),
            "graph alone": str(
                graph.query(question._replace(passages=False), Asked("context")).text
            ),
            "BM25 over paragraphs": within(search.best(one["question"]), options.tokens),
        }
        for name, text in answers.items():
            good = holds(text, one["answer"])
            right[name] += good
            if options.wrong and not good:
                print(f"- {name}: {one['question']}")
    for name in ("graph with passages", "graph alone", "BM25 over paragraphs"):
        print(f"{name}: {right[name]} of {len(asked)}")
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
