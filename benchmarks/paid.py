#!/usr/bin/env python3
"""Kill ``extract --model`` at random moments after its first call, and count what was paid for more than once.

    python benchmarks/paid.py [--kills 300] [--seed 1]

A provider on this machine answers every request well, after a random while, and notes when its answer was out. Half of the ends are
SIGKILL, half Ctrl-C, and the run is started again until every unit is done. A call counts as on its way at a SIGKILL when its answer
left less than --slack seconds before it, or didn't leave. Every other call of a unit beyond the first was paid for twice: none may be.
Afterwards the graph must be whole: each unit's claim is there once, and the log is valid. Exits 1 where either doesn't hold.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

UNITS = 12


class Provider:
    """``calls``: for each unit, when each was begun and when its answer was out, which is infinitely late for one that never was."""

    def __init__(self, chance: random.Random) -> None:
        self.calls: dict[str, list[tuple[float, float]]] = {}
        self._chance = chance
        self._lock = threading.Lock()

    def begun(self, unit: str) -> tuple[int, float]:
        with self._lock:
            self.calls.setdefault(unit, []).append((time.monotonic(), math.inf))
            return len(self.calls[unit]) - 1, self._chance.uniform(0.01, 0.3)

    def begun_calls(self) -> int:
        with self._lock:
            return sum(map(len, self.calls.values()))

    def out(self, unit: str, number: int) -> None:
        with self._lock:
            self.calls[unit][number] = (self.calls[unit][number][0], time.monotonic())

    @contextmanager
    def listening(self) -> Iterator[str]:
        provider = self

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = self.rfile.read(int(self.headers["content-length"])).decode()
                unit = re.search(r"Pump (\w+)", asked)
                name = unit[1] if unit else ""
                number, seconds = provider.begun(name)
                time.sleep(seconds)
                message = {"role": "assistant", "content": json.dumps(payload(name))}
                body = json.dumps(
                    {
                        "choices": [{"message": message, "finish_reason": "stop"}],
                        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
                    }
                ).encode()
                try:
                    self.send_response(200)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:  # who asked is dead
                    return
                provider.out(name, number)

            def log_message(self, *_: object) -> None:
                return None

        server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            server.server_close()


def payload(name: str) -> dict[str, Any]:
    claim = f"Pump {name} opens Lock {name}"
    source = {"type": "Source", "name": f"{name}.md", "uri": f"docs/{name}.md"}
    return {
        "nodes": [
            source,
            {"type": "Claim", "name": claim},
            {"type": "Entity", "name": f"Pump {name}", "description": "a pump"},
        ],
        "edges": [
            {
                "predicate": "SUPPORTS",
                "source": f"{name}.md",
                "target": claim,
                "quote": f"{claim}.",
                "confidence": 0.9,
            },
            {"predicate": "MENTIONS", "source": claim, "target": f"Pump {name}"},
        ],
    }


def one_graph(folder: Path, kills: int, chance: random.Random, slack: float) -> dict[str, int]:
    """Kill until ``kills`` were met or all is done, then finish; what was met."""
    (folder / "docs").mkdir(parents=True)
    units = [f"{word}{number}" for number, word in enumerate(["A", "B", "C"] * (UNITS // 3))]
    for name in units:
        (folder / "docs" / f"{name}.md").write_text(f"# {name}\n\nPump {name} opens Lock {name}.\n")
    provider = Provider(chance)
    killed: list[float] = []
    met = {
        "SIGKILL": 0,
        "Ctrl-C": 0,
        "whole runs": 0,
        "calls": 0,
        "again after SIGKILL": 0,
        "twice": 0,
    }
    with provider.listening() as address:
        while True:
            runs = ["-m", "kgraph", "--path", "g", "--quiet", "extract", "docs", "--jobs", "3"]
            child = subprocess.Popen(
                [sys.executable, *runs, "--model", "openai/m", "--base-url", address],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "OPENAI_API_KEY": "none"},
            )
            before = provider.begun_calls()
            while child.poll() is None and provider.begun_calls() == before:
                time.sleep(0.005)
            dies = met["SIGKILL"] + met["Ctrl-C"] < kills
            try:
                shown, told = child.communicate(timeout=chance.uniform(0.0, 0.8) if dies else 120)
            except subprocess.TimeoutExpired:
                hard = chance.random() < 0.5
                child.send_signal(signal.SIGKILL if hard else signal.SIGINT)
                if hard:
                    killed.append(time.monotonic())
                met["SIGKILL" if hard else "Ctrl-C"] += 1
                child.communicate()
                continue
            met["whole runs"] += 1
            if child.returncode != 0:
                raise SystemExit(
                    f"exit {child.returncode}: {told.decode()[-500:]}{shown.decode()[-500:]}"
                )
            break
    for unit, calls in provider.calls.items():
        met["calls"] += len(calls)
        lost = sum(any(begun <= moment < out + slack for moment in killed) for begun, out in calls)
        met["again after SIGKILL"] += min(lost, len(calls) - 1)
        beyond = len(calls) - lost - 1
        if beyond > 0:
            met["twice"] += beyond
            print(f"{folder.name} {unit}: {calls} {killed}", file=sys.stderr)
    _hold(folder, units)
    return met


def _hold(folder: Path, units: list[str]) -> None:
    import kgraph

    with kgraph.open(str(folder / "g")) as graph:
        checked = graph.validate()
        claims = sorted(node.name for node in graph.reader().every_node("Claim"))
    if checked.errors or checked.invariant_violations:
        raise SystemExit(f"the graph isn't whole: {checked.as_json()}")
    if claims != sorted(f"Pump {name} opens Lock {name}" for name in units):
        raise SystemExit(f"the claims are not those of the units: {claims}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slack", type=float, default=0.25, metavar="SECONDS")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    total: dict[str, int] = {}
    graphs = 0
    with tempfile.TemporaryDirectory(prefix="kgraph-paid-") as folder:
        while total.get("SIGKILL", 0) + total.get("Ctrl-C", 0) < options.kills:
            left = options.kills - total.get("SIGKILL", 0) - total.get("Ctrl-C", 0)
            graphs += 1
            place = Path(folder) / f"graph-{graphs}"
            met = one_graph(place, min(left, 8), chance, options.slack)
            total = {key: total.get(key, 0) + count for key, count in met.items()}
    print(", ".join(f"{count} {key}" for key, count in total.items()))
    sys.exit(1 if total["twice"] else 0)


if __name__ == "__main__":
    main()
