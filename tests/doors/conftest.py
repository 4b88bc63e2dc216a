"""A real browser for the tests of the explorer, started once; one page a graph, opened anew for each test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest

from kgraph.views.explorer import graph_html
from stages.views_graphs import every_kind, hostile, large

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
WIDE = {"width": 1280, "height": 800}


class Visit:
    """A page, the requests that left it, and what went wrong in it."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.requests: list[str] = []
        self.problems: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        page.on(
            "console",
            lambda line: self.problems.append(line.text) if line.type == "error" else None,
        )
        page.on("dialog", lambda dialog: self.problems.append("dialog"))
        page.goto(address)
        page.wait_for_selector("html[data-searchable]", state="attached", timeout=60_000)

    def anew(self) -> Visit:
        """As it was when it opened."""
        self.page.fill("#query", "")
        self.page.evaluate(
            "async () => { kgraph.drop(); await kgraph.open(''); document.activeElement.blur(); }"
        )
        self.problems.clear()
        return self

    def panel(self) -> str:
        return str(self.page.inner_text("#panel"))

    def pick(self, name: str) -> None:
        self.page.evaluate("name => kgraph.pickNode(kgraph.graph.names.indexOf(name))", name)
        self.page.wait_for_function(
            "name => document.getElementById('picked')?.textContent === name", arg=name
        )

    def shown(self) -> list[str]:
        names: list[str] = self.page.evaluate("kgraph.seen.nodes.map(i => kgraph.graph.names[i])")
        return names

    def click(self, place: str) -> None:
        """Click on the picture, at a point of the plane that a script gives as [x, y]."""
        x, y = self.page.evaluate(
            f"(() => {{ const g = kgraph.graph; const [x, y] = {place}; return kgraph.stage.camera.toScreen(x, y); }})()"
        )
        box = self.page.locator("#ink").bounding_box()
        self.page.mouse.click(box["x"] + x, box["y"] + y)


@pytest.fixture(
    scope="module"
)  # not longer: its event loop would be in the way of tests that have one of their own
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the 'dev' extra")
    found = (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed, and the explorer can't go untested here")
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as play:
        launched = play.chromium.launch(executable_path=found, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def explorer_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Name → address of a page on disk."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name, graph in (
        ("small", every_kind()),
        ("hostile", hostile()),
        ("large", large(20_500, 1)),
    ):
        path = folder / f"{name}.html"
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.writelines(graph_html(graph, plain=True))
        made[name] = f"file://{quote(str(path))}"
    return made


@pytest.fixture
def visit(chromium: Any, explorer_pages: dict[str, str]) -> Iterator[Callable[..., Visit]]:
    """Open a page in a browser context of its own."""
    opened = []

    def go(
        name: str, after: str = "", viewport: dict[str, int] = WIDE, mode: str = "light"
    ) -> Visit:
        made = chromium.new_context(viewport=viewport, color_scheme=mode)
        opened.append(made)
        return Visit(made.new_page(), explorer_pages[name] + after)

    yield go
    for context in opened:
        context.close()


@pytest.fixture(scope="module")
def small_page(chromium: Any, explorer_pages: dict[str, str]) -> Iterator[Visit]:
    context = chromium.new_context(viewport=WIDE)
    yield Visit(context.new_page(), explorer_pages["small"])
    context.close()


@pytest.fixture
def small(small_page: Visit) -> Visit:
    return small_page.anew()


@pytest.fixture(scope="module")
def large_page(chromium: Any, explorer_pages: dict[str, str]) -> Iterator[Visit]:
    context = chromium.new_context(viewport=WIDE)
    yield Visit(context.new_page(), explorer_pages["large"])
    context.close()
