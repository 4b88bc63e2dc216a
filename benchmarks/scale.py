"""How much the engine costs, and how little that grows: ratios to a bare interpreter start and to ``json.loads`` of the same payload.

    python benchmarks/scale.py [--documents 10000] [--keep FOLDER]

Processor seconds of whole processes (user and system) are compared, the least of eleven runs each, so that another load on the machine
weighs little.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence

KGRAPH = [sys.executable, "-m", "kgraph"]
REPEATS = 11


def document(number: int) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Ten nodes and eighteen edges of a made-up document."""
    name = f"doc-{number}.md"
    region = number % 50
    nodes: list[dict[str, object]] = [
        {"type": "Source", "name": name, "uri": f"docs/{number % 97}/{name}"}
    ]
    edges: list[dict[str, object]] = []
    services = [f"Service {number}-{at} of region {region}" for at in range(4)]
    for at, service in enumerate(services):
        description = f"service {at} of document {number}, for orders of region {region}"
        nodes.append({"type": "Entity", "name": service, "description": description})
    for at in range(5):
        claim = (
            f"{services[at % 4]} depends on store {at} and was restarted at {number % 24}:{at:02d}"
        )
        nodes.append(
            {"type": "Claim", "name": claim, "description": f"section {at} of document {number}"}
        )
        quote = f"depends on store {at} and was restarted"
        citation = {
            "source_doc": f"{name}#section-{at}",
            "confidence": 0.9 - 0.05 * (at % 3),
            "quote": quote,
        }
        edges.append({"predicate": "SUPPORTS", "source": name, "target": claim, **citation})
        edges.append({"predicate": "MENTIONS", "source": claim, "target": services[at % 4]})
        edges.append({"predicate": "MENTIONS", "source": claim, "target": services[(at + 1) % 4]})
    for at in range(3):
        needs = {
            "source": services[at],
            "target": services[at + 1],
            "source_doc": f"{name}#needs",
            "confidence": 0.8,
        }
        edges.append({"predicate": "DEPENDS_ON", **needs})
    return nodes, edges


def seconds(command: Sequence[str], cwd: str) -> tuple[float, int]:
    """Processor seconds and peak memory (KiB) of a command. Raises when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command} failed: {done.stdout[-300:]!r} {done.stderr[-300:]!r}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss


def least(command: Sequence[str], cwd: str) -> float:
    return min(seconds(command, cwd)[0] for _ in range(REPEATS))


def once_each(command: Sequence[str], cwd: str) -> float:
    """The least of a command that writes: each time another document, so that none is known already."""
    costs = []
    for number in range(REPEATS):
        nodes, edges = document(10_000_000 + number + os.getpid() * 1000)
        with open(os.path.join(cwd, "one.json"), "w", encoding="utf-8") as handle:
            json.dump({"nodes": nodes, "edges": edges}, handle)
        costs.append(seconds(command, cwd)[0])
    return min(costs)


BARE = [sys.executable, "-c", "pass"]
FSYNC = [
    sys.executable,
    "-c",
    "import os;f=os.open('probe',os.O_WRONLY|os.O_CREAT|os.O_APPEND);os.write(f,b'x'*4000);os.fsync(f)",
]
PEAK = (
    "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,capture_output=True);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
LOADS = "import json,time,gc;d=open('all.json','rb').read();t=time.process_time();json.loads(d);print(time.process_time()-t)"


def small_commands(folder: str, graph: str, floor: float) -> dict[str, float]:
    """One-item commands as multiples of the floor (a bare start and one append with fsync)."""
    at = [*KGRAPH, "--path", graph, "--json"]
    found = {
        "ingest of one document": once_each([*at, "ingest", "@one.json"], folder),
        "add-node": least(
            [
                *at,
                "add-node",
                "--type",
                "Entity",
                "--name",
                "Extra",
                "--description",
                "one more thing",
            ],
            folder,
        ),
        "show": least([*at, "show", "Service 7-1 of region 7"], folder),
        "two-hop query": least([*at, "query", "Service 7-1 of region 7"], folder),
    }
    for name, cost in found.items():
        print(f"  {name:<24} {cost / floor:6.2f} x floor")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="kgraph-scale-")
    os.makedirs(folder, exist_ok=True)
    for count, stem in ((options.documents, "all"), (100, "few")):
        everything: tuple[list[object], list[object]] = ([], [])
        with open(os.path.join(folder, f"{stem}.jsonl"), "w", encoding="utf-8") as lines:
            for number in range(count):
                nodes, edges = document(number)
                everything[0].extend(nodes)
                everything[1].extend(edges)
                lines.write(json.dumps({"nodes": nodes, "edges": edges}) + "\n")
        with open(os.path.join(folder, f"{stem}.json"), "w", encoding="utf-8") as handle:
            json.dump({"nodes": everything[0], "edges": everything[1]}, handle)
    bare = least(BARE, folder)
    floor = bare if least(FSYNC, folder) < bare else least(FSYNC, folder)
    print(
        f"a bare start: {bare * 1000:.1f} ms of processor; with one append and fsync: {floor * 1000:.1f} ms"
    )
    print(f"--help: {least([*KGRAPH, '--help'], folder) / bare:.2f} x a bare start")
    loads = min(
        float(
            subprocess.run(
                [sys.executable, "-c", LOADS], cwd=folder, capture_output=True, check=True
            ).stdout
        )
        for _ in range(5)
    )
    size = os.path.getsize(os.path.join(folder, "all.json")) / 1e6
    print(f"json.loads of the {size:.0f} MB payload: {loads:.2f} s")
    whole, _ = seconds([*KGRAPH, "--path", "whole", "--json", "ingest", "@all.json"], folder)
    print(f"ingest in one call: {whole / loads:.1f} x json.loads")
    streamed, _ = seconds(
        [*KGRAPH, "--path", "lines", "--json", "ingest", "--lines", "@all.jsonl"], folder
    )
    print(f"ingest --lines: {streamed / whole:.2f} x the one call")
    lines_memory = int(
        subprocess.run(
            [sys.executable, "-c", PEAK, *KGRAPH, "--path", "again", "--json", "ingest", "--lines", "@all.jsonl"],
            cwd=folder, capture_output=True, check=True,
        ).stdout
    )  # fmt: skip
    print(f"ingest --lines: {lines_memory / 1024:.0f} MiB at most")
    seconds([*KGRAPH, "--path", "small", "--json", "ingest", "--lines", "@few.jsonl"], folder)
    print("at 1,000 nodes:")
    small = small_commands(folder, "small", floor)
    print("at 100,000 nodes:")
    large = small_commands(folder, "lines", floor)
    for name in small:
        print(f"  {name:<24} grows by {large[name] / small[name]:.2f} x")
    for command in ("validate", "stats"):
        print(
            f"{command}: {least([*KGRAPH, '--path', 'lines', '--json', command], folder):.2f} s of processor"
        )
    if not options.keep:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
