"""How soon the served page answers: ``python benchmarks/serve.py [NODES]`` (100,000 by default; needs Chromium, Playwright and the extra serve).

Makes a graph of NODES things in claims of two, serves it, and prints times beside a bare interpreter start in the same run: the first
view, a search, the surroundings of the best connected thing, and the memory of the page.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator


def payloads(nodes: int) -> Iterator[str]:
    chance = random.Random(7)
    words = [
        a + b
        for a in ("har", "fer", "tok", "quo", "ber", "lan")
        for b in ("bour", "ry", "en", "rum", "th", "tern", "mast")
    ]
    batch = 1000
    for start in range(0, nodes, batch):
        things = [
            f"{chance.choice(words)} {chance.choice(words)} {at}"
            for at in range(start, min(start + batch, nodes))
        ]
        rows = [{"type": "Source", "name": f"file-{start}.md", "uri": f"file-{start}.md"}]
        rows += [
            {"type": "Entity", "name": thing, "description": f"thing number {thing}"}
            for thing in things
        ]
        edges = [
            {"predicate": "MENTIONS", "source": f"file-{start}.md", "target": thing}
            for thing in things
        ]
        edges += [
            {
                "predicate": "DEPENDS_ON",
                "source": thing,
                "target": things[int(len(things) * chance.random() ** 3)],
            }
            for thing in things
        ]
        edges = [edge for edge in edges if edge["source"] != edge["target"]]
        unique = {(edge["predicate"], edge["source"], edge["target"]): edge for edge in edges}
        yield json.dumps({"nodes": rows, "edges": list(unique.values())})


def timed(action: object, times: int = 5) -> float:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        action()  # type: ignore[operator]
        found.append(time.perf_counter() - began)
    return min(found)


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    work = tempfile.mkdtemp(prefix="kgraph-serve-")
    call = [sys.executable, "-m", "kgraph", "--path", os.path.join(work, "graph"), "--quiet"]
    subprocess.run([*call, "init"], check=True, stdout=subprocess.DEVNULL)
    fed = subprocess.Popen(
        [*call, "ingest", "--lines", "@-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert fed.stdin is not None
    for payload in payloads(nodes):
        fed.stdin.write(payload + "\n")
    fed.stdin.close()
    fed.wait()
    bare = timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    server = subprocess.Popen([*call, "serve"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        base, token = address.split("?token=")

        def get(path: str) -> bytes:
            asked = urllib.request.Request(
                base + path, headers={"Authorization": f"Bearer {token}"}
            )
            with urllib.request.urlopen(asked, timeout=120) as response:
                return bytes(response.read())

        get("api/v1/session")
        first = json.loads(get("api/v1/beginnings"))
        hub = urllib.parse.quote(first["nodes"][0]["id"])
        rows = {
            "first view, on the server": timed(lambda: get("api/v1/beginnings")),
            "search": timed(lambda: get("api/v1/query?text=harbour+lantern&max_tokens=6000")),
            "surroundings of the largest hub": timed(lambda: get(f"api/v1/neighbours?ref={hub}")),
        }
        print(f"{nodes:,} nodes; a bare interpreter start is {1000 * bare:.0f} ms")
        for name, seconds in rows.items():
            print(f"  {name}: {1000 * seconds:.0f} ms ({seconds / bare:.1f} x)")
        in_browser(address, base, bare)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(work, ignore_errors=True)


def in_browser(address: str, base: str, bare: float) -> None:
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=found,
            args=["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
        )
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#main:not([aria-busy])")
        began = time.perf_counter()
        page.goto(base + "?view=explore")
        page.wait_for_selector(".things li")
        seconds = time.perf_counter() - began
        print(f"  first view, in the browser: {1000 * seconds:.0f} ms ({seconds / bare:.1f} x)")
        page.click(".things li a")
        page.wait_for_selector(".picture")
        print(
            f"  memory of the page: {page.evaluate('performance.memory.usedJSHeapSize') / 1e6:.1f} MB of script heap"
        )
        browser.close()


if __name__ == "__main__":
    main()
