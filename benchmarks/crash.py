#!/usr/bin/env python3
"""Kill ``ingest`` and ``ingest --lines`` at random moments, and hold the graph against what was acknowledged.

    python benchmarks/crash.py [--kills 300] [--seed 1]

A payload is three nodes and two edges that stand or fall together. Kills go to single writes and to streams in turn, and a new graph begins
every few kills, so that its making is hit as well. Held against the graph: it opens, no line but the last is damaged, every acknowledged
payload is there, none is there in part, and the invariants hold. Half of the time the next writer finds what the kill left before a reader
does. Prints what the kills met; exits 1 at the first loss.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

STREAM = 1100  # payloads in one stream: more than two batches
KILLS_A_GRAPH = 20
UNFINISHED = "unfinished last line"


def payload(number: int) -> dict[str, Any]:
    source, pump, claim = names(number)
    return {
        "nodes": [
            {"type": "Source", "name": source},
            {"type": "Entity", "name": pump, "description": f"in note {number}"},
            {"type": "Claim", "name": claim},
        ],
        "edges": [
            {
                "predicate": "SUPPORTS",
                "source": source,
                "target": claim,
                "source_doc": source,
                "confidence": 0.9,
            },
            {"predicate": "MENTIONS", "source": claim, "target": pump},
        ],
    }


def names(number: int) -> tuple[str, str, str]:
    return f"note-{number}.md", f"Pump {number}", f"Note {number} says that its pump failed"


class Trial:
    """One graph, the payloads that were sent to it, and those that were acknowledged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent = 0
        self.acknowledged: set[int] = set()
        self.met = dict.fromkeys(("kills", "answers", "kills after the flush", "torn ends"), 0)

    def write(self, stream: bool, patience_seconds: float) -> float:
        """Send one payload or a stream of them and kill the writer when it takes longer; how long it lived."""
        some = range(self.sent, self.sent + (STREAM if stream else 1))
        self.sent = some.stop
        if stream:
            (self.folder / "stream").write_text(
                "".join(json.dumps(payload(number)) + "\n" for number in some), encoding="utf-8"
            )
        what = ["--lines", "@stream"] if stream else [json.dumps(payload(some.start))]
        before = self._size()
        began = time.monotonic()
        writer = subprocess.Popen(
            [sys.executable, "-m", "kgraph", "--path", "g", "--run-id", "r1", "ingest", *what],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )
        try:
            shown, _ = writer.communicate(timeout=patience_seconds)
        except subprocess.TimeoutExpired:
            writer.send_signal(signal.SIGKILL)
            shown, _ = writer.communicate()
        lived = time.monotonic() - began
        if shown.endswith(b"\n"):  # what was printed whole was acknowledged, whatever happened next
            if not json.loads(shown)["ok"]:
                raise SystemExit(f"refused: {shown.decode()[:500]}")
            self.acknowledged.update(some)
        answered = shown.endswith(b"\n")
        self.met["answers" if answered else "kills"] += 1
        self.met["kills after the flush"] += not answered and self._size() > before
        return lived

    def _size(self) -> int:
        log = self.folder / "g" / "log.jsonl"
        return log.stat().st_size if log.exists() else 0

    def losses(self) -> list[str]:
        """Everything that is wrong with the graph as it lies there."""
        import kgraph
        from kgraph.errors import NoGraph

        try:
            graph = kgraph.open(path=str(self.folder / "g"))
        except NoGraph:
            return (
                [f"no graph, and {len(self.acknowledged)} payloads were acknowledged"]
                if self.acknowledged
                else []
            )
        with graph:
            checked = graph.validate()
            reader = graph.reader()
            held = {node.name for node in reader.every_node()}
            edges = reader.counters()["predicate"]
        torn = [problem for problem in checked.errors if UNFINISHED in problem.message]
        self.met["torn ends"] += len(torn)
        wrong = [
            problem.message
            for problem in (*checked.errors, *checked.invariant_violations)
            if problem not in torn
        ]
        whole = {number for number in range(self.sent) if held.issuperset(names(number))}
        wrong += [
            f"payload {number} is there in part"
            for number in range(self.sent)
            if number not in whole and held.intersection(names(number))
        ]
        wrong += [
            f"payload {number} was acknowledged and is lost" for number in self.acknowledged - whole
        ]
        if whole and {edges.get("SUPPORTS"), edges.get("MENTIONS")} != {len(whole)}:
            wrong.append(f"{len(whole)} payloads, but edges {edges}")
        return wrong


def run(folder: Path, kills: int, chance: random.Random) -> dict[str, int]:
    """So many kills, a new graph every twenty; what they met. Raises SystemExit with what was lost."""
    lasts = {False: 1.0, True: 2.0}  # how long a write takes when nobody kills it, as last seen
    total: dict[str, int] = {}
    while total.get("kills", 0) < kills:
        place = folder / f"graph-{total.get('kills', 0)}"
        place.mkdir()
        trial = Trial(place)
        while trial.met["kills"] < min(KILLS_A_GRAPH, kills - total.get("kills", 0)):
            stream = chance.random() < 0.5
            answers = trial.met["answers"]
            lived = trial.write(
                stream, chance.uniform(0.25, 1.0) * lasts[stream]
            )  # the start of the interpreter is not what is tried
            lasts[stream] = lived if trial.met["answers"] > answers else lasts[stream] * 1.02
            wrong = trial.losses() if chance.random() < 0.5 else []
            if wrong:
                raise SystemExit("\n".join(wrong[:20]))
        wrong = trial.losses()
        if wrong:
            raise SystemExit("\n".join(wrong[:20]))
        total = {key: total.get(key, 0) + count for key, count in trial.met.items()}
    return total


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kgraph-crash-") as folder:
        met = run(Path(folder), options.kills, random.Random(options.seed))
    print(
        ", ".join(f"{count} {key}" for key, count in met.items())
        + "; nothing acknowledged was lost, nothing is there in part"
    )


if __name__ == "__main__":
    main()
