"""The explorer in a real browser: what a click shows, what a hostile text can't do, what the keyboard reaches."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from kgraph.views.explorer import graph_html
from stages.views_graphs import every_kind, hostile, large

playwright = pytest.importorskip("playwright.sync_api", reason="needs the 'dev' extra")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="needs Chromium")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for name, graph in (("small", every_kind()), ("hostile", hostile()), ("large", large(20_500, 1))):
        path = folder / f"{name}.html"
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.writelines(graph_html(graph, plain=True))
        made[name] = f"file://{quote(str(path))}"
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as play:
        launched = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


class Visit:
    """A page, the requests that left it, and what went wrong in it."""

    def __init__(self, page, address: str) -> None:  # type: ignore[no-untyped-def]
        self.page = page
        self.requests: list[str] = []
        self.problems: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        page.on("console", lambda line: self.problems.append(line.text) if line.type == "error" else None)
        page.on("dialog", lambda dialog: self.problems.append("dialog"))
        page.goto(address)
        page.wait_for_selector("html[data-searchable]", state="attached", timeout=60_000)

    def panel(self) -> str:
        return str(self.page.inner_text("#panel"))

    def pick(self, name: str) -> None:
        self.page.evaluate("name => kgraph.pickNode(kgraph.graph.names.indexOf(name))", name)
        self.page.wait_for_function("name => document.getElementById('picked')?.textContent === name", arg=name)

    def shown(self) -> list[str]:
        return self.page.evaluate("kgraph.seen.nodes.map(i => kgraph.graph.names[i])")  # type: ignore[no-any-return]


@pytest.fixture
def visit(browser, pages: dict[str, str]):  # type: ignore[no-untyped-def]
    opened = []

    def go(name: str, after: str = "", **context) -> Visit:  # type: ignore[no-untyped-def]
        made = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | context))
        opened.append(made)
        return Visit(made.new_page(), pages[name] + after)

    yield go
    for context in opened:
        context.close()


def test_no_request_leaves_the_page_and_nothing_goes_wrong(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    seen.pick("Vendor X")
    assert {url.split("#")[0] for url in seen.requests} == {seen.page.url.split("#")[0]}
    assert seen.problems == []


def test_a_click_on_a_node_shows_who_said_what_of_it(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    x, y = seen.page.evaluate(
        "(() => { const i = kgraph.graph.names.indexOf('Vendor X'); return kgraph.stage.camera.toScreen(kgraph.graph.x[i], kgraph.graph.y[i]); })()"
    )
    box = seen.page.locator("#ink").bounding_box()
    seen.page.mouse.click(box["x"] + x, box["y"] + y)
    seen.page.wait_for_selector("#picked")
    shown = seen.panel()
    for words in (
        "Entity",
        "entity-x",
        "Lisbon",
        "VendorX Ltd",
        "a supplier of valves and seals",
        "component supplier",
        "run-1",
        "run-2",
        "b.md",
        "2020-01-01 to 2027-01-01",
        "VENDOR X",
    ):
        assert words in shown


def test_a_click_on_an_edge_shows_the_quote_the_file_and_the_line(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    x, y = seen.page.evaluate(
        """(() => { const g = kgraph.graph, a = g.names.indexOf('a.md'), b = g.names.indexOf('Vendor X supplied Component Z');
        return kgraph.stage.camera.toScreen((g.x[a] + g.x[b]) / 2, (g.y[a] + g.y[b]) / 2); })()"""
    )
    box = seen.page.locator("#ink").bounding_box()
    seen.page.mouse.click(box["x"] + x, box["y"] + y)
    seen.page.wait_for_selector("#picked")
    shown = seen.panel()
    assert "SUPPORTS" in shown
    assert "Component Z was supplied by Vendor X" in shown
    assert "docs/a.md:12–13" in shown
    assert "verified" in shown
    assert "Z came from X" in shown, "the second run's words are shown as well"
    assert seen.page.locator(".citation a").first.get_attribute("href").startswith("../docs/a.md")


def test_a_node_lists_its_edges_with_the_words_beside_them_and_contradictions_first(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    seen.pick("Vendor X supplied Component Z")
    headings = seen.page.locator("#panel h3").all_inner_texts()
    assert headings[0].startswith("← CONTRADICTS")
    assert seen.page.locator("#panel li.against blockquote").inner_text() == "not X but Y"


def test_hostile_texts_execute_nothing_and_become_no_links(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("hostile")
    page = seen.page
    for node in range(page.evaluate("kgraph.graph.n")):
        page.evaluate("i => kgraph.pickNode(i)", node)
        page.wait_for_timeout(60)
        assert page.evaluate("document.querySelectorAll('#panel img, #panel script, #panel svg[onload], [onclick], [onerror]').length") == 0
        links = page.evaluate("[...document.querySelectorAll('#panel a')].map(a => a.href)")
        assert all(link.startswith(("https://example.org/", "file://", "http://", "mailto:")) for link in links), links
    for edge in range(page.evaluate("kgraph.graph.m")):
        page.evaluate("e => kgraph.pickEdge(e)", edge)
        page.wait_for_timeout(60)
        assert "window.hacked=5" in seen.panel()
    page.fill("#query", "script")
    page.wait_for_selector("#hits li")
    page.locator("#choose-runs").focus()
    svg = page.evaluate("kgraph.svg()")
    assert (
        page.evaluate(
            "text => new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror, script, img, [onload]').length",
            svg,
        )
        == 0
    )
    assert page.evaluate("window.hacked") is None
    assert seen.problems == []


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://a.b/c", True),
        ("http://a.b", True),
        ("mailto:a@b.c", True),
        ("../docs/a.md#x", True),
        ("a.md", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        (" javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("//evil.example", False),
        ("\\\\evil", False),
        ("file:///etc/passwd", False),
        ("vbscript:x", False),
        ("blob:x", False),
        ("http:evil", False),
        ("", False),
    ],
)
def test_only_some_addresses_become_links(visit_once, address: str, kept: bool) -> None:  # type: ignore[no-untyped-def]
    found = visit_once.page.evaluate("address => kgraph.safeAddress(address)", address)
    assert (found is not None) is kept


@pytest.fixture(scope="module")
def visit_once(browser, pages: dict[str, str]) -> Iterator[Visit]:  # type: ignore[no-untyped-def]
    context = browser.new_context()
    yield Visit(context.new_page(), pages["small"])
    context.close()


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("vendor x", "Vendor X"),
        ("VendorX Ltd", "Vendor X"),
        ("valves seals", "Vendor X"),
        ("component", "Component Z"),
        ("日本", "Component Z"),
        ("abc", "abc123"),
    ],
)
def test_search_finds_names_aliases_and_descriptions(visit_once, query: str, first: str) -> None:  # type: ignore[no-untyped-def]
    page = visit_once.page
    page.fill("#query", query)
    assert page.locator("#hits li .name").first.inner_text() == first


def test_search_by_keyboard_leads_to_what_is_known(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    seen.page.keyboard.press("/")
    seen.page.keyboard.type("vendor")
    assert seen.page.get_attribute("#query", "aria-activedescendant") == "hit-0"
    seen.page.keyboard.press("ArrowDown")
    assert seen.page.get_attribute("#query", "aria-activedescendant") == "hit-1"
    seen.page.keyboard.press("ArrowUp")
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_function("() => document.activeElement?.id === 'picked'")
    assert seen.page.inner_text("#picked") == "Vendor X"
    assert "Vendor X" in seen.page.inner_text("#spoken")


@pytest.mark.parametrize(
    ("act", "gone", "kept"),
    [
        ("types", "a.md", "Vendor X"),
        ("statuses", "b.md", "a.md"),
        ("confidence", "", "a.md"),
        ("run", "run-1", "Vendor X"),
        ("source", "run-1", "Vendor X"),
        ("since", "abc123", "Vendor X"),
        ("at", "Vendor X", "VENDOR X"),
    ],
)
def test_filters_take_away_what_does_not_match(visit, act: str, gone: str, kept: str) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    page = seen.page
    if act == "types":
        page.uncheck("#filters input[data-name='Source']")
    elif act == "statuses":
        for status in ("missing", "no citation"):
            page.uncheck(f"#filters input[data-name='{status}']")
    elif act == "confidence":
        page.evaluate("(() => { const s = document.getElementById('confidence'); s.value = 190; s.dispatchEvent(new Event('input')); })()")
        assert page.evaluate("kgraph.seen.edges.length") < 14
    elif act in ("run", "source"):
        page.fill(f"#choose-{act}s", "run-2" if act == "run" else "b.md")
        page.locator(f"#choose-{act}s").blur()
    else:
        page.check("#forms")
        page.fill(f"#{act}", "2026-03-12" if act == "since" else "2030-01-01")
        page.locator(f"#{act}").blur()
    names = seen.shown()
    assert kept in names
    assert gone not in names
    assert " of " in page.inner_text("#counts")
    page.click("#reset")
    assert "a.md" in seen.shown()


def test_merged_forms_are_folded_until_asked_for(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    assert "VENDOR X" not in seen.shown()
    assert "1 merged form folded in" in seen.page.inner_text("#counts")
    seen.page.check("#forms")
    assert "VENDOR X" in seen.shown()


def test_contradictions_and_inferences_are_drawn_differently(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    styles = seen.page.evaluate(
        """(() => { const g = kgraph.graph, s = kgraph.stage.drawn, found = {};
        kgraph.seen.edges.forEach((e, k) => { found[g.predicateName(e)] = [s.thickStyle[3 * k], s.thickStyle[3 * k + 1], s.thickColour[4 * k]]; });
        found.hollow = s.nodes.filter((i, k) => s.nodeHollow[k]).map(i => g.names[i]); found.marks = s.marks.length / 2; return found; })()"""
    )
    assert styles["hollow"] == ["Component Z is at risk"]
    assert styles["marks"] == 1
    assert styles["CONTRADICTS"] != styles["SUPPORTS"]
    assert styles["CONTRADICTS"][1] > 0
    assert styles["DERIVED_FROM"][1] > 0
    assert styles["SUPPORTS"][1] == 0


def test_a_path_between_two_nodes_is_shown_step_by_step(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    seen.pick("a.md")
    seen.page.click("#route-from")
    seen.pick("Component Z")
    seen.page.click("#route-to")
    seen.page.wait_for_selector("ol.route")
    assert seen.page.inner_text("#picked") == "2 hops"
    assert "Component Z was supplied by Vendor X" in seen.panel()
    seen.page.evaluate("kgraph.startRoute(kgraph.graph.names.indexOf('latency')); kgraph.endRoute(kgraph.graph.names.indexOf('a.md'))")
    seen.page.wait_for_function("() => document.getElementById('picked').textContent === 'No path'")


def test_a_link_reopens_the_same_view(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    seen.page.uncheck("#filters input[data-name='Task']")
    seen.page.check("#by-community")
    seen.page.fill("#choose-runs", "run-1")
    seen.page.locator("#choose-runs").blur()
    seen.pick("Vendor X")
    seen.page.evaluate("kgraph.stage.camera.zoom(1.7); kgraph.stage.camera.pan(33, -21)")
    seen.page.click("#link")
    seen.page.wait_for_selector("#saved:not([hidden])")
    address = seen.page.input_value("#address")
    state = "[[...kgraph.seen.nodes], kgraph.state.node, kgraph.state.byCommunity, [kgraph.stage.camera.x, kgraph.stage.camera.y, kgraph.stage.camera.scale].map(v => +v.toPrecision(5))]"
    other = visit("small", "#" + address.split("#")[1])
    other.page.wait_for_selector("#picked")
    assert other.page.evaluate(state) == seen.page.evaluate(state)
    edge = visit("small", "#edge=edge-03&of=claim-b")
    edge.page.wait_for_selector("#picked")
    assert edge.page.inner_text("#picked") == "CONTRADICTS"


def test_a_link_of_nonsense_opens_the_whole_graph(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small", "#node=%3Cimg%3E&type=Nothing&view=a+b+c&open=99999999999+-1&confidence=NaN&since=x&edge=1&of=2&from=__proto__")
    assert len(seen.shown()) == 14
    assert seen.problems == []


def test_a_large_graph_opens_on_communities_that_expand(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("large")
    page = seen.page
    assert page.evaluate("kgraph.seen.nodes.length") == 0
    bubbles = page.evaluate("kgraph.seen.bubbles.length")
    assert 1 < bubbles <= 240
    assert "closed: click one to open it" in page.inner_text("#note")
    x, y, count = page.evaluate(
        "(() => { const b = kgraph.seen.bubbles[0]; return [...kgraph.stage.camera.toScreen(b.x, b.y), b.count]; })()"
    )
    box = page.locator("#ink").bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.wait_for_function("() => kgraph.seen.nodes.length > 0")
    assert page.evaluate("[kgraph.seen.nodes.length, kgraph.seen.bubbles.length]") == [count, bubbles - 1]
    page.fill("#query", "number 20411")
    page.keyboard.press("Enter")
    page.wait_for_selector("#picked")
    assert "20411" in page.inner_text("#picked")
    assert page.evaluate("kgraph.seen.shown[kgraph.state.node]") == 1, "what is picked is never hidden in a bubble"


@pytest.mark.parametrize("scale", [0.2, 0.5, 1, 3])
def test_names_never_lie_over_each_other(visit_large, scale: float) -> None:  # type: ignore[no-untyped-def]
    boxes = visit_large.page.evaluate(
        """async scale => { kgraph.state.overview = scale > 0.4 ? false : true; kgraph.changed(); kgraph.fit(); kgraph.stage.camera.zoom(scale * 4);
        kgraph.stage.draw(); await new Promise(done => setTimeout(done, 250)); return kgraph.stage.labels.map(l => [l.left, l.top, l.right, l.bottom]); }""",
        scale,
    )
    assert boxes
    for k, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        for other in boxes[:k]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


@pytest.fixture(scope="module")
def visit_large(browser, pages: dict[str, str]) -> Iterator[Visit]:  # type: ignore[no-untyped-def]
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield Visit(context.new_page(), pages["large"])
    context.close()


def test_every_control_has_a_name_and_is_reached_by_the_keyboard(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    seen.pick("Vendor X")
    page = seen.page
    unnamed = page.evaluate(
        """[...document.querySelectorAll('button, input, a[href], [tabindex="0"]')].filter(e => e.offsetParent !== null && !(
        e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && [...e.labels].some(l => l.textContent.trim())))).map(e => e.outerHTML)"""
    )
    assert unnamed == []
    wanted = page.evaluate(
        "[...document.querySelectorAll('button, input, canvas[tabindex]')].filter(e => e.offsetParent !== null && !e.disabled).length"
    )
    page.evaluate("document.activeElement.blur(); document.body.focus(); window.reached = new Set()")
    for _ in range(wanted * 2 + 10):
        page.keyboard.press("Tab")
        page.evaluate("window.reached.add(document.activeElement)")
    missed = page.evaluate(
        "[...document.querySelectorAll('button, input, canvas[tabindex]')].filter(e => e.offsetParent !== null && !e.disabled && !reached.has(e)).map(e => e.outerHTML)"
    )
    assert missed == []


def test_focus_is_visible(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    seen.page.keyboard.press("Tab")
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_the_picture_is_walked_by_keyboard(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    page = seen.page
    page.focus("#ink")
    before = page.evaluate("[kgraph.stage.camera.x, kgraph.stage.camera.scale]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    after = page.evaluate("[kgraph.stage.camera.x, kgraph.stage.camera.scale]")
    assert after[0] > before[0]
    assert after[1] > before[1]
    page.keyboard.press("n")
    page.wait_for_selector("#picked")
    first = page.inner_text("#picked")
    page.keyboard.press("n")
    page.wait_for_function("first => document.getElementById('picked').textContent !== first", arg=first)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement?.id === 'picked'")
    page.keyboard.press("Escape")
    assert page.evaluate("kgraph.state.node") == -1


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_has_enough_contrast(visit, mode: str) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small", color_scheme=mode)
    seen.pick("Vendor X supplied Component Z")
    poor = seen.page.evaluate(
        """(() => { const lum = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; } };
        return [...document.querySelectorAll('body *')].filter(e => e.offsetParent !== null && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
        const a = lum(getComputedStyle(e).color), b = lum(ground(e)); return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 80)]; })
        .filter(([ratio]) => ratio < 4.5); })()"""
    )
    assert poor == []
    assert seen.page.evaluate("document.documentElement.classList.contains('dark')") is (mode == "dark")


def test_on_a_phone_nothing_is_wider_than_the_screen(visit) -> None:  # type: ignore[no-untyped-def]
    seen = visit("hostile", viewport={"width": 360, "height": 700})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert seen.page.is_hidden("#filters")
    seen.page.click("#toggle-filters")
    assert seen.page.is_visible("#filters")


def test_picture_and_page_are_saved_and_printed(visit, tmp_path) -> None:  # type: ignore[no-untyped-def]
    seen = visit("small")
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<svg ")):
        with seen.page.expect_download() as waiting:
            seen.page.click(f"#{kind}")
        waiting.value.save_as(tmp_path / f"a.{kind}")
        content = (tmp_path / f"a.{kind}").read_bytes()
        assert content.startswith(start)
        assert len(content) > 2_000
        assert waiting.value.suggested_filename == f"Incident-of-March.{kind}"
    seen.pick("Vendor X")
    (tmp_path / "a.pdf").write_bytes(seen.page.pdf())
    assert (tmp_path / "a.pdf").stat().st_size > 10_000
    assert seen.problems == []


def test_without_webgl_the_page_draws_on_a_plain_canvas(browser, pages) -> None:  # type: ignore[no-untyped-def]
    context = browser.new_context()
    context.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : get.call(this, kind, ...rest); }"
    )
    seen = Visit(context.new_page(), pages["small"])
    assert seen.page.evaluate("kgraph.stage.rendererName") == "canvas 2d"
    colours = seen.page.evaluate(
        "(() => { const c = document.getElementById('gl'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, s = new Set(); for (let i = 0; i < d.length; i += 4) s.add(d[i] << 16 | d[i+1] << 8 | d[i+2]); return s.size; })()"
    )
    assert colours > 20
    context.close()


MERMAID = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
    "explorer",
    "node_modules",
    "mermaid",
    "dist",
    "mermaid.min.js",
)


@pytest.mark.skipif(not os.path.exists(MERMAID) and not os.environ.get("CI"), reason="needs npm install in explorer/")
@pytest.mark.parametrize("name", ["every kind", "hostile", "awkward", "large"])
def test_mermaids_own_parser_reads_the_diagram(browser, name: str) -> None:  # type: ignore[no-untyped-def]
    from kgraph.views.mermaid import mermaid
    from stages.test_views_exchange import awkward

    graph = {"every kind": every_kind, "hostile": hostile, "awkward": awkward, "large": lambda: large(300)}[name]()
    page = browser.new_page()
    page.add_script_tag(path=MERMAID)
    found = page.evaluate(
        "async text => { const it = await mermaid.parse(text); const { svg } = await mermaid.render('x', text); return [it.diagramType, svg.includes('<script')]; }",
        "".join(mermaid(graph)),
    )
    assert found == ["flowchart-v2", False]
    page.close()
