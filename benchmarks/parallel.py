#!/usr/bin/env python3
"""Many processes write to one graph at once: every write is there, none failed.

    python benchmarks/parallel.py [--processes 8] [--writes 50] [--new]

Each process runs ``ingest`` so many times, one after the other, as an agent would. With ``--new`` the graph doesn't exist yet and all of
them try to make it. Prints how much longer it took than the same writes by one process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))


def kgraph(folder: Path, *arguments: str) -> dict[str, Any]:
    """One command; its answer. Raises SystemExit when it failed."""
    done = subprocess.run(
        [sys.executable, "-m", "kgraph", "--path", "g", "--wait", "300", *arguments],
        cwd=folder,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    if done.returncode != 0:
        raise SystemExit(
            f"exit {done.returncode}: {done.stdout.decode()[:500]} {done.stderr.decode()[:500]}"
        )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def write(folder: Path, writer: int, writes: int) -> list[str]:
    """The transactions of one process after the other."""
    found = []
    for number in range(writes):
        node = {
            "type": "Entity",
            "name": f"Pump {writer}-{number}",
            "description": "a pump of its own",
        }
        shared = {"type": "Entity", "name": "The plant", "description": "where all pumps are"}
        edge = {"predicate": "DEPENDS_ON", "source": node["name"], "target": shared["name"]}
        found.append(
            kgraph(
                folder,
                "--run-id",
                f"w{writer}",
                "ingest",
                json.dumps({"nodes": [node, shared], "edges": [edge]}),
            )["tx"]
        )
    return found


def run(folder: Path, processes: int, writes: int, new: bool) -> float:
    """All at once; how many seconds it took. Raises SystemExit when a write failed or is missing."""
    import kgraph as package

    if not new:
        kgraph(folder, "init")
    began = time.monotonic()
    with ThreadPoolExecutor(processes) as pool:
        written = [
            tx
            for found in pool.map(lambda writer: write(folder, writer, writes), range(processes))
            for tx in found
        ]
    took = time.monotonic() - began
    with package.open(path=str(folder / "g")) as graph:
        reader = graph.reader()
        there = [row[0] for row in reader.db.execute("SELECT id FROM line WHERE op='ingest'")]
        counts = graph.stats()
        expected = {
            "nodes": processes * writes + 1,
            "edges": processes * writes,
            "transactions": processes * writes + 1,
        }
        found = {key: counts[key] for key in expected}
        if (
            sorted(there) != sorted(written)
            or found != expected
            or graph.validate().errors
            or len(graph.engine.index.heads) != 1
        ):
            raise SystemExit(
                f"{len(set(written) - set(there))} of {len(written)} writes are missing; expected {expected}, found {found}"
            )
    return took


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--writes", type=int, default=50)
    parser.add_argument("--new", action="store_true", help="begin without a graph")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="kgraph-parallel-") as folder,
        tempfile.TemporaryDirectory(prefix="kgraph-alone-") as alone,
    ):
        took = run(Path(folder), options.processes, options.writes, options.new)
        single = run(Path(alone), 1, options.writes, options.new) * options.processes
    total = options.processes * options.writes
    print(
        f"{total} writes by {options.processes} processes at once: {total} there, 0 failed; {took / single:.2f} x the time of one alone"
    )


if __name__ == "__main__":
    main()
