"""How the explorer fares in headless Chromium: opening, panning, zooming, search, by size of graph. Run by hand:

    python benchmarks/explorer.py [SIZE …]

Headless Chromium draws with software, so frames measure the processor; the renderer's name stands beside them. Times are from the
start of navigation, as the page itself sees them, with a blank page's as the measure of the machine.
"""

from __future__ import annotations

import gc
import os
import shutil
import statistics
import sys
import tempfile
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests")]

from playwright.sync_api import Page, sync_playwright
from stages.views_graphs import large

from kgraph.views.explorer import graph_html

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
WORDS = ("entity 7", "source", "part 12", "what number 99 is", "e", "zzz not there")

PAN = """async (steps) => {
  const { stage } = kgraph; const ink = document.getElementById('ink'); const begun = performance.now(); const frames = stage.frames;
  for (let i = 0; i < steps; i++) {
    stage.camera.pan(6 * Math.cos(i / 9), 6 * Math.sin(i / 9)); kgraph.moved();
    await new Promise(requestAnimationFrame);
  }
  return (stage.frames - frames) / (performance.now() - begun) * 1000;
}"""
ZOOM = """async (steps) => {
  const { stage } = kgraph; const begun = performance.now(); const frames = stage.frames;
  for (let i = 0; i < steps; i++) { stage.camera.zoom(i < steps / 2 ? 1.06 : 1 / 1.06); kgraph.moved(); await new Promise(requestAnimationFrame); }
  return (stage.frames - frames) / (performance.now() - begun) * 1000;
}"""
SEARCH = """(word) => { const box = document.getElementById('query'); box.value = word; kgraph.finder.look(); return kgraph.finder.lastSearchMs; }"""


def main(sizes: list[int]) -> None:
    gc.disable()  # as `render` does while it makes the page
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium") or "/usr/bin/chromium", args=FLAGS
        )
        for size in sizes:
            path = os.path.join(folder, f"{size}.html")
            begun = time.process_time()
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(graph_html(large(size)))
            print(
                f"{size} nodes: rendered in {time.process_time() - begun:.1f} s of processor, {os.path.getsize(path) / 1e6:.1f} MB"
            )
            blank = statistics.median(
                opened(browser.new_page(), "data:text/html,<html data-ready>", "html[data-ready]")
                for _ in range(3)
            )
            page = browser.new_page(viewport={"width": 1360, "height": 840})
            ready = opened(page, f"file://{path}", "html[data-ready]")
            page.wait_for_selector("html[data-searchable]", timeout=120_000)
            print(
                f"  opens in {ready:.2f} s (a blank page: {blank:.2f} s), whole search after {page.evaluate('performance.now()') / 1000:.2f} s"
            )
            print(f"  renderer: {page.evaluate('kgraph.stage.rendererName')}")
            frames(page, "as opened")
            if page.evaluate("kgraph.state.overview"):
                page.evaluate("kgraph.state.overview = false; kgraph.changed(); kgraph.fit()")
                frames(page, "all communities open")
            print(
                "  search, ms: "
                + ", ".join(f"{word!r} {page.evaluate(SEARCH, word):.0f}" for word in WORDS)
            )
            page.close()
        browser.close()


def opened(page: Page, address: str, mark: str) -> float:
    """Seconds until the page says it is ready, by the wall."""
    begun = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(mark, state="attached", timeout=120_000)
    return time.perf_counter() - begun


def frames(page: Page, what: str) -> None:
    print(
        f"  {what}: panning {page.evaluate(PAN, 40):.0f}, zooming {page.evaluate(ZOOM, 30):.0f} frames a second"
    )


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1_000, 20_000, 100_000])
