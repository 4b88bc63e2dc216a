"""The price of decoding and checking a large payload against an empty graph, as a ratio to ``json.loads`` of the same bytes.

    python benchmarks/contract.py [NODES [EDGES]]

100,000 nodes and 180,000 edges if not given.
"""

from __future__ import annotations

import gc
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from kgraph.contract import MemoryView, check, decode

ROUNDS = 5


def main(arguments: list[str]) -> int:
    nodes, edges = (int(word) for word in (arguments + ["100000", "180000"][len(arguments) :])[:2])
    data = json.dumps(payload(nodes, edges)).encode()
    print(f"{nodes} nodes, {edges} edges, {len(data) / 1e6:.0f} MB")
    decoded, problems = decode(data)
    if decoded is None or problems:
        print(problems)
        return 1
    view = MemoryView()
    admission = check(decoded, view)
    print(
        f"{len(admission.errors)} errors, {len(admission.violations)} violations, {len(admission.warnings)} warnings"
    )
    jobs: dict[str, Callable[[], Any]] = {
        "json.loads": lambda: json.loads(data),
        "decode": lambda: decode(data),
        "check": lambda: check(decoded, view),
    }
    best = dict.fromkeys(jobs, float("inf"))
    gc.disable()
    for _ in range(
        ROUNDS
    ):  # in turn, so that a busy machine is busy for all of them; processor time, since others share it
        for name, job in jobs.items():
            start = time.process_time()
            result = job()
            best[name] = min(best[name], time.process_time() - start)
            del result
    base = best["json.loads"]
    print(f"json.loads {base:.3f} s")
    ratios = {name: best[name] / base for name in ("decode", "check")}
    print(
        ", ".join(f"{name} {ratio:.2f} x" for name, ratio in ratios.items()),
        f"together {sum(ratios.values()):.2f} x",
    )
    return 0


def payload(nodes: int, edges: int, seed: int = 1) -> dict[str, Any]:
    """A payload of distinct nodes: a twentieth Sources, half Entities, the rest Claims, each with its Source and its mentions."""
    chance = random.Random(seed)
    words = [f"w{number:04d}" for number in range(4000)]
    sources = [
        {"type": "Source", "name": f"doc-{n}.md", "uri": f"./docs/part{n % 50}/doc-{n}.md"}
        for n in range(nodes // 20)
    ]
    entities = [
        {
            "type": "Entity",
            "name": f"Service {n} {chance.choice(words)}",
            "description": f"the {' '.join(chance.choices(words, k=6))} component number {n}",
            "aliases": [f"svc-{n}", f"S{n}"],
        }
        for n in range(nodes // 2)
    ]
    claims = [
        {
            "type": "Claim",
            "name": f"Service {n} calls {' '.join(chance.choices(words, k=6))} in {n}",
            "description": f"stated in section {' '.join(chance.choices(words, k=3))}",
        }
        for n in range(nodes - len(sources) - len(entities))
    ]
    supports = [
        {
            "predicate": "SUPPORTS",
            "source": sources[n % len(sources)]["name"],
            "target": claim["name"],
            "source_doc": f"{sources[n % len(sources)]['uri']}#section-{n % 9}",
            "confidence": round(chance.uniform(0.5, 1), 2),
            "quote": f"{claim['name']} and more words of it",
        }
        for n, claim in enumerate(claims)
    ]
    mentions = [
        {
            "predicate": "MENTIONS",
            "source": claims[n % len(claims)]["name"],
            "target": entities[n * 7 % len(entities)]["name"],
        }
        for n in range(edges - len(supports))
    ]
    return {"nodes": sources + entities + claims, "edges": supports + mentions}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
