"""Cold answers from a large graph, as a multiple of a bare interpreter start: ``python benchmarks/cold.py DIR [--nodes N]``.

The index of a graph of N nodes (1,000,000 by default) and 2 N edges is written straight into its tables, without a log behind it: twenty
hubs of 50,000 edges, two of them neighbours, the rest at random. Each command then runs in a process of its own. The ratio is by processor
time of the process (user and system), the best of five, so that what else the machine does counts little; by the clock it is shown beside.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sqlite3
import subprocess
import sys
import time

import kgraph
from kgraph.index.rows import STATUS_RANK

HUBS = 20
HUB_EDGES = 50_000
ADJECTIVES = "amber brisk calm deep early faint green hollow iron jade keen lunar mellow north olive pale quick rapid solar tidal".split()
NOUNS = "anchor basin cable depot engine filter gateway harbor island junction kernel ledger module node office panel queue".split()


def build(folder: str, nodes: int) -> None:
    """A graph whose index holds ``nodes`` nodes and twice as many edges."""
    kgraph.create(path=folder).close()
    chance = random.Random(7)
    db = sqlite3.connect(os.path.join(folder, "index.sqlite"))
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=OFF")
    claims = nodes // 2
    names = [_name(chance, number, number < claims) for number in range(nodes)]
    db.executemany(
        "INSERT INTO node (nid, id, type, name, description, extra, live) VALUES (?, ?, ?, ?, '', '1', 1)",
        (
            (number + 1, f"n{number}", "Claim" if number < claims else "Entity", names[number])
            for number in range(nodes)
        ),
    )
    db.executemany(
        "INSERT OR IGNORE INTO name VALUES (?, ?, 0)",
        ((name, number + 1) for number, name in enumerate(names)),
    )
    db.executemany(
        "INSERT INTO words (rowid, name, aliases, description) VALUES (?, ?, '', '')",
        ((number + 1, name) for number, name in enumerate(names)),
    )
    status = STATUS_RANK["unchecked"]
    rows = []
    for number in range(2 * nodes):
        source = chance.randrange(claims) + 1
        if number < HUBS * HUB_EDGES and nodes >= 1_000_000:
            target = claims + 1 + number // HUB_EDGES
        else:
            target = claims + 1 + chance.randrange(nodes - claims)
        rows.append((number + 1, f"e{number}", "MENTIONS", source, target, status))
        if len(rows) == 100_000:
            _insert(db, rows)
            rows = []
    _insert(db, rows)
    db.execute(
        "INSERT OR REPLACE INTO counter VALUES ('type', 'Claim', ?), ('type', 'Entity', ?)",
        (claims, nodes - claims),
    )
    db.commit()
    db.close()


def _name(chance: random.Random, number: int, claim: bool) -> str:
    thing = f"{chance.choice(ADJECTIVES)} {chance.choice(NOUNS)} {number}"
    return (
        f"{thing} feeds the {chance.choice(ADJECTIVES)} {chance.choice(NOUNS)}" if claim else thing
    )


def _insert(db: sqlite3.Connection, rows: list[tuple[int, str, str, int, int, int]]) -> None:
    db.executemany(
        "INSERT INTO edge (eid, id, predicate, src, dst, rel, live, visible, confidence, status, line, start, length) "
        "VALUES (?, ?, ?, ?, ?, '', 1, 1, NULL, ?, 0, 0, 0)", rows,
    )  # fmt: skip


def measured(command: list[str], times: int = 5) -> tuple[float, float, bytes]:
    """The least processor time and the least clock time of a command, and what it printed."""
    best, clock, out = 1e9, 1e9, b""
    for _ in range(times):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(command, capture_output=True, check=True)
        clock = min(clock, time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        out = done.stdout
    return best, clock, out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    options = parser.parse_args()
    if not os.path.exists(options.folder):
        build(options.folder, options.nodes)
    db = sqlite3.connect(os.path.join(options.folder, "index.sqlite"))
    claims = options.nodes // 2
    name = dict(
        db.execute(
            "SELECT nid, name FROM node WHERE nid IN (?, ?, ?, ?)",
            (claims + 1, claims + 2, claims + 999, 77),
        )
    )
    joined = "SELECT a.dst, c.dst FROM edge a JOIN edge c ON c.src=a.src WHERE a.dst > ? AND a.dst < c.dst LIMIT 1"
    pair = db.execute(joined, (claims + 1000,)).fetchone()
    near = [
        row[0] for nid in pair for row in db.execute("SELECT name FROM node WHERE nid=?", (nid,))
    ]
    kgraph_of = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {os.path.dirname(kgraph.__path__[0])!r}); "
                 "from kgraph.cli import main; sys.exit(main())", "--path", options.folder]  # fmt: skip
    bare = measured([sys.executable, "-I", "-c", "pass"], 9)
    print(f"bare interpreter: {1000 * bare[0]:.0f} ms of CPU, {1000 * bare[1]:.0f} ms by the clock")
    for title, arguments in (
        ("query, a name", ["query", name[claims + 999]]),
        ("query, a hub", ["query", name[claims + 1]]),
        ("query, common words", ["query", "which amber anchor feeds the deep basin"]),
        ("query, a misspelt word", ["query", "gatewya harbor"]),
        ("query, words of a claim", ["query", name[77]]),
        ("path, connected", ["path", *near]),
        ("path, hub to hub", ["path", name[claims + 1], name[claims + 2]]),
        ("path, far apart", ["path", name[claims + 999], name[claims + 1], "--max-depth", "12"]),
        ("ground", ["ground", f"{name[claims + 999]} is connected to {name[claims + 1]}"]),
    ):
        cpu, clock, out = measured([*kgraph_of, *arguments])
        print(
            f"{title}: {cpu / bare[0]:.1f} x by CPU, {clock / bare[1]:.1f} x by the clock; {1000 * cpu:.0f} ms; {len(out)} bytes"
        )


if __name__ == "__main__":
    main()
