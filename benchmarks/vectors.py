"""Exact search among vectors: ``python benchmarks/vectors.py [--nodes 10000 100000] [--dimension 256]``.

Vectors of random directions are written and read as ``kgraph embed`` does; then the nearest 100 of ten texts are looked for, once with the
file just opened (what one command costs) and again. Times as a multiple of a bare interpreter start.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from array import array

import numpy

from kgraph.index import vectors
from kgraph.index.vectors import Stamp, Writing


def fill(path: str, nodes: int, dimension: int) -> None:
    chance = numpy.random.default_rng(7)
    with Writing(path) as writing:
        for start in range(0, nodes, 1000):
            count = min(1000, nodes - start)
            rows = chance.standard_normal((count, dimension)).astype("f4")
            names = [f"ent_{number:020d}" for number in range(start, start + count)]
            writing.add(names, ["0" * 16] * count, [array("f", row.tobytes()) for row in rows])
        writing.finish(Stamp("made/up", dimension, "", ("head",), 1, 0))


def search(path: str, asked: numpy.ndarray) -> float:
    began = time.perf_counter()
    found = vectors.read(path)
    assert found is not None
    likeness = found.rows @ asked
    best = numpy.argpartition(-likeness, 99)[:100]
    assert len(best) == 100
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--dimension", type=int, default=256)
    options = parser.parse_args()
    bare = 1e9
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-c", "pass"], check=True)
        bare = min(bare, time.perf_counter() - began)
    chance = numpy.random.default_rng(8)
    for nodes in options.nodes:
        with tempfile.TemporaryDirectory(prefix="kgraph-vectors-") as folder:
            path = os.path.join(folder, "vectors.bin")
            began = time.perf_counter()
            fill(path, nodes, options.dimension)
            filled = time.perf_counter() - began
            times = [
                search(path, chance.standard_normal(options.dimension).astype("f4"))
                for _ in range(10)
            ]
            size = os.path.getsize(path) / 1e6
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{nodes} vectors of {options.dimension} numbers: written in {filled:.1f} s, {size:.0f} MB; opened and searched in "
                f"{1000 * times[0]:.0f} ms, then {1000 * min(times):.0f} ms ({min(times) / bare:.1f} x a bare start); {memory:.0f} MiB at most"
            )


if __name__ == "__main__":
    main()
