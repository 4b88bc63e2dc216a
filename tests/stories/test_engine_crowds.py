"""Short versions of benchmarks/crash.py and benchmarks/parallel.py."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import kgraph
from kgraph.graph import Ingestion
from stories.incident import ROOT, payload


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"benchmark_{name}", ROOT / "benchmarks" / f"{name}.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_killed_writers_lose_nothing_that_was_acknowledged_and_leave_nothing_in_part(
    tmp_path: Path,
) -> None:
    met = benchmark("crash").run(tmp_path, 8, random.Random(3))
    assert met["kills"] >= 8


@pytest.mark.parametrize(
    "new", [True, False], ids=["a graph that all of them make", "a graph that is there"]
)
def test_processes_that_write_at_once_all_succeed(tmp_path: Path, new: bool) -> None:
    benchmark("parallel").run(tmp_path, 4, 3, new)


def test_a_reader_sees_one_state_while_others_write(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps(payload(f"note-{number}.md", f"Pump {number} had run dry")) + "\n"
        for number in range(700)
    )
    (tmp_path / "stream").write_text(lines, encoding="utf-8")
    with kgraph.create(path=str(tmp_path / "g")) as graph:
        writer = subprocess.Popen(
            [sys.executable, "-m", "kgraph", "--path", "g", "ingest", "--lines", "@stream"], cwd=tmp_path, stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )  # fmt: skip
        looks = set()
        while writer.poll() is None:
            reader = graph.reader()
            ends = {node.nid for node in reader.every_node()}
            edges = [(edge.src, edge.dst, edge.quote) for edge in reader.every_edge()]
            assert all({source, target} <= ends for source, target, _ in edges)
            claims = reader.counters()["type"].get("Claim", 0)
            assert (len(ends), len(edges)) == (2 * claims + (1 if claims else 0), 2 * claims)
            looks.add(claims)
        assert writer.returncode == 0
        assert graph.stats()["by_node_type"]["Claim"] == 700
        assert graph.validate().errors == []


def test_an_open_graph_follows_an_index_that_another_process_made_again(tmp_path: Path) -> None:
    with (
        kgraph.create(path=str(tmp_path / "g")) as graph,
        kgraph.open(path=str(tmp_path / "g")) as other,
    ):
        for number in range(3):
            graph.ingest(
                payload(f"{number}.md", f"Pump {number} had run dry"),
                Ingestion(run_id=f"r{number}"),
            )
        before = {edge.id: edge.quote for edge in graph.reader().every_edge()}
        log = tmp_path / "g" / "log.jsonl"
        lines = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(reversed(lines)))
        other.rebuild()
        assert {edge.id: edge.quote for edge in graph.reader().every_edge()} == before
