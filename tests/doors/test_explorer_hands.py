"""The explorer in a real browser, for every hand and eye: keyboard, contrast, phone, paper, no WebGL; and the diagram in Mermaid's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from doors.conftest import Visit
from kgraph.views.mermaid import mermaid
from stages.views_graphs import awkward, every_kind, hostile, large

EXPLORER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "explorer"
)
MERMAID = os.path.join(EXPLORER, "node_modules", "mermaid", "dist", "mermaid.min.js")

UNNAMED = """[...document.querySelectorAll('button, input, summary, a[href], [tabindex="0"]')].filter(e => e.offsetParent !== null && !(
  e.getAttribute('aria-label')
  || e.textContent.trim() || (e.labels && [...e.labels].some(l => l.textContent.trim())))).map(e => e.outerHTML)"""

CONTROLS = """[...document.querySelectorAll('button, input, summary, a[href], canvas[tabindex]')]
  .filter(e => e.offsetParent !== null && !e.disabled)"""

POOR = """(() => {
  const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(part); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; } };
  const spoken = e => e.offsetParent !== null && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
  return [...document.querySelectorAll('body *')].filter(spoken).map(e => {
    const a = light(getComputedStyle(e).color), b = light(ground(e));
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 80)]; }).filter(([ratio]) => ratio < 4.5); })()"""

NO_WEBGL = """const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : get.call(this, kind, ...rest); }"""

COLOURS = """(() => { const c = document.getElementById('gl'), seen = new Set();
  const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; })()"""


OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


@pytest.mark.parametrize("picked", [True, False])
def test_every_control_has_a_name_a_visible_focus_and_is_reached_by_the_keyboard(
    small: Visit, picked: bool
) -> None:
    page = small.page
    if picked:
        small.pick("Vendor X")
    else:
        page.evaluate(OPEN_ALL)
        page.wait_for_selector("details li")
    unnamed = page.evaluate(UNNAMED)
    assert unnamed == []
    wanted = page.evaluate(CONTROLS + ".length")
    page.evaluate(
        "document.activeElement.blur(); document.body.focus(); window.reached = new Set(); window.unseen = new Set()"
    )
    for _ in range(wanted * 2 + 10):
        page.keyboard.press("Tab")
        page.evaluate("""() => { const e = document.activeElement, look = getComputedStyle(e); reached.add(e);
          if (e !== document.body && (look.outlineStyle !== 'solid' || parseFloat(look.outlineWidth) < 2)) unseen.add(e.outerHTML); }""")
    missed = page.evaluate(CONTROLS + ".filter(e => !reached.has(e)).map(e => e.outerHTML)")
    assert missed == []
    assert page.evaluate("[...unseen]") == []


def test_the_picture_is_walked_by_keyboard(small: Visit) -> None:
    page = small.page
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
    page.wait_for_function(
        "first => document.getElementById('picked').textContent !== first", arg=first
    )
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement?.id === 'picked'")
    page.keyboard.press("Escape")
    assert page.evaluate("kgraph.state.node") == -1


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_has_enough_contrast(visit: Callable[..., Visit], mode: str) -> None:
    seen = visit("small", mode=mode)
    seen.page.evaluate(OPEN_ALL)
    seen.page.wait_for_selector("details li")
    assert seen.page.evaluate(POOR) == []
    seen.page.keyboard.press("?")
    seen.pick("Vendor X supplied Component Z")
    assert seen.page.evaluate(POOR) == []
    assert seen.page.evaluate("document.documentElement.classList.contains('dark')") is (
        mode == "dark"
    )


def test_on_a_phone_nothing_is_wider_than_the_screen(visit: Callable[..., Visit]) -> None:
    seen = visit("hostile", viewport={"width": 360, "height": 700})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert seen.page.is_hidden("#filters")
    seen.page.click("#toggle-filters")
    assert seen.page.is_visible("#filters")


def test_picture_and_page_are_saved_and_printed(small: Visit, tmp_path: Path) -> None:
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<svg ")):
        with small.page.expect_download() as waiting:
            small.page.click(f"#{kind}")
        waiting.value.save_as(tmp_path / f"a.{kind}")
        content = (tmp_path / f"a.{kind}").read_bytes()
        assert content.startswith(start)
        assert len(content) > 2_000
        assert waiting.value.suggested_filename == f"Incident-of-March.{kind}"
    small.pick("Vendor X")
    (tmp_path / "a.pdf").write_bytes(small.page.pdf())
    assert (tmp_path / "a.pdf").stat().st_size > 10_000
    assert small.problems == []


def test_paper_is_light_even_where_the_screen_is_dark(visit: Callable[..., Visit]) -> None:
    page = visit("small", mode="dark").page
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(
        "[kgraph.theme.dark, document.getElementById('printed').src.startsWith('data:image/png')]"
    ) == [False, True]
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("kgraph.theme.dark") is True


def test_a_page_whose_graphics_memory_was_taken_away_comes_back_with_its_view(
    visit: Callable[..., Visit],
) -> None:
    seen = visit("small")
    seen.pick("Vendor X")
    seen.page.wait_for_function("() => location.hash.includes('entity-x')")
    lose = "document.getElementById('gl').getContext('webgl2').getExtension('WEBGL_lose_context')"
    with seen.page.expect_navigation():
        seen.page.evaluate(
            f"() => {{ window.lost = {lose}; lost.loseContext(); setTimeout(() => lost.restoreContext(), 50); }}"
        )
    seen.page.wait_for_selector("html[data-searchable]", state="attached")
    assert seen.page.inner_text("#picked") == "Vendor X"


def test_without_webgl_the_page_draws_on_a_plain_canvas(
    chromium: Any, explorer_pages: dict[str, str]
) -> None:
    context = chromium.new_context()
    context.add_init_script(NO_WEBGL)
    seen = Visit(context.new_page(), explorer_pages["small"])
    assert seen.page.evaluate("kgraph.stage.rendererName") == "canvas 2d"
    assert seen.page.evaluate(COLOURS) > 20
    context.close()


@pytest.fixture(scope="module")
def mermaid_page(chromium: Any) -> Iterator[Any]:
    if not os.path.exists(MERMAID) and not os.environ.get("CI"):
        pytest.skip("needs npm install in explorer/")
    page = chromium.new_page()
    page.add_script_tag(path=MERMAID)
    yield page
    page.close()


@pytest.mark.parametrize("name", ["every kind", "hostile", "awkward", "large"])
def test_mermaids_own_parser_reads_the_diagram(mermaid_page: Any, name: str) -> None:
    graph = {
        "every kind": every_kind,
        "hostile": hostile,
        "awkward": awkward,
        "large": lambda: large(300),
    }[name]()
    text = "".join(mermaid(graph))
    assert (
        mermaid_page.evaluate("async text => (await mermaid.parse(text)).diagramType", text)
        == "flowchart-v2"
    )
    if name == "hostile":
        drawn = mermaid_page.evaluate("async text => (await mermaid.render('x', text)).svg", text)
        assert "<script" not in drawn
        assert "<img" not in drawn
