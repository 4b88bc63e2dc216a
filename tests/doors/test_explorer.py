"""The explorer in a real browser: what a click shows, what a hostile text can't do, what filters and links do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from doors.conftest import Visit


def test_no_request_leaves_the_page_and_nothing_goes_wrong(small: Visit) -> None:
    small.pick("Vendor X")
    assert {url.split("#")[0] for url in small.requests} == {small.page.url.split("#")[0]}
    assert small.problems == []


def test_a_click_on_a_node_shows_who_said_what_of_it(small: Visit) -> None:
    small.click("[g.x[g.names.indexOf('Vendor X')], g.y[g.names.indexOf('Vendor X')]]")
    small.page.wait_for_selector("#picked")
    shown = small.panel()
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


def test_a_click_on_an_edge_shows_the_quote_the_file_and_the_line(small: Visit) -> None:
    small.click(
        "['x', 'y'].map(axis => (g[axis][g.names.indexOf('a.md')] + g[axis][g.names.indexOf('Vendor X supplied Component Z')]) / 2)"
    )
    small.page.wait_for_selector("#picked")
    shown = small.panel()
    assert "SUPPORTS" in shown
    assert "Component Z was supplied by Vendor X" in shown
    assert "docs/a.md:12–13" in shown
    assert "verified" in shown
    assert "Z came from X" in shown, "the second run's words are shown as well"
    assert small.page.locator(".citation a").first.get_attribute("href").startswith("../docs/a.md")


def test_a_node_lists_its_edges_with_the_words_beside_them_and_contradictions_first(
    small: Visit,
) -> None:
    small.pick("Vendor X supplied Component Z")
    headings = small.page.locator("#panel h3").all_inner_texts()
    assert headings[0].startswith("← CONTRADICTS")
    assert small.page.locator("#panel li.against blockquote").inner_text() == "not X but Y"


@pytest.mark.parametrize(
    ("heading", "count", "words"),
    [
        ("The graph breaks its own rules", 1, "claim-c has no source"),
        (
            "Contradictions are open",
            1,
            "Vendor Y supplied Component Z CONTRADICTS Vendor X supplied Component Z",
        ),
        ("Quotes that are not in their source", 1, "b.md SUPPORTS Vendor Y supplied Component Z"),
        ("Quotes whose source has changed", 1, "CONTRADICTS"),
        ("Quotes that stand in several places", 1, "VENDOR X"),
        ("Parts not read: unsupported", 1, "docs/c.pdf: no reader for it"),
        ("Inferences", 1, "Component Z is at risk"),
        ("Nodes without any edge", 2, "latency"),
    ],
)
def test_the_overview_says_what_to_look_at_first_and_what_the_graph_does_not_know(
    small: Visit, heading: str, count: int, words: str
) -> None:
    fold = small.page.locator("details.weak", has_text=heading)
    assert fold.locator("summary .count").inner_text() == str(count)
    assert fold.locator("li").count() == 0, "examples are made when they are asked for"
    fold.locator("summary").click()
    fold.locator("li").first.wait_for()
    assert words in fold.inner_text().replace("\u00a0", " ")


def test_a_contradiction_in_the_overview_leads_to_its_quote(small: Visit) -> None:
    small.page.locator("details.weak summary", has_text="Contradictions are open").click()
    small.page.locator("details.weak li button", has_text="CONTRADICTS").first.click()
    small.page.wait_for_selector("#picked")
    assert "not X but Y" in small.panel()
    assert "docs/b.md" in small.panel()


def test_a_contradiction_shows_the_words_that_each_side_rests_on(small: Visit) -> None:
    small.page.evaluate(
        "kgraph.pickEdge([...kgraph.graph.predicate].findIndex((_, e) => kgraph.graph.predicateName(e) === 'CONTRADICTS'))"
    )
    small.page.wait_for_function("document.getElementById('picked')?.textContent === 'CONTRADICTS'")
    shown = small.panel()
    for words in (
        "What “Vendor Y supplied Component Z” rests on (1)",
        "Y made it",
        "Component Z was supplied by Vendor X",
        "docs/a.md:12–13",
    ):
        assert words in shown


def test_a_button_leads_back_to_the_overview(small: Visit) -> None:
    small.pick("Vendor X")
    small.page.get_by_role("button", name="Overview").click()
    small.page.wait_for_selector("details.weak")
    assert small.page.evaluate("kgraph.state.node") == -1


def test_a_long_list_of_weak_places_is_shown_piece_by_piece(large_page: Visit) -> None:
    fold = large_page.page.locator("details.weak", has_text="Citations that nobody checked")
    fold.locator("summary").click()
    fold.locator("li").first.wait_for()
    first = fold.locator("li").count()
    fold.get_by_role("button", name="more").click()
    assert fold.locator("li").count() > first


def test_hostile_texts_execute_nothing_and_become_no_links(visit: Callable[..., Visit]) -> None:
    seen = visit("hostile")
    page = seen.page
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.wait_for_selector("details li")
    for node in range(page.evaluate("kgraph.graph.n")):
        page.evaluate("i => kgraph.pickNode(i)", node)
        page.wait_for_timeout(60)
        assert (
            page.evaluate(
                "document.querySelectorAll('#panel img, #panel script, #panel svg[onload], [onclick], [onerror]').length"
            )
            == 0
        )
        links = page.evaluate("[...document.querySelectorAll('#panel a')].map(a => a.href)")
        assert all(link.startswith("https://example.org/") for link in links), links
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
def test_only_some_addresses_become_links(small: Visit, address: str, kept: bool) -> None:
    found = small.page.evaluate("address => kgraph.safeAddress(address)", address)
    assert (found is not None) is kept


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
def test_search_finds_names_aliases_and_descriptions(small: Visit, query: str, first: str) -> None:
    page = small.page
    page.fill("#query", query)
    assert page.locator("#hits li .name").first.inner_text() == first


def test_search_by_keyboard_leads_to_what_is_known(small: Visit) -> None:
    small.page.wait_for_timeout(
        500
    )  # the page opens what its link names, and moves the focus there
    small.page.keyboard.press("/")
    small.page.keyboard.type("vendor")
    small.page.wait_for_timeout(
        400
    )  # a letter that is still being looked for would begin the list again
    active = (
        "name => document.querySelector('#query').getAttribute('aria-activedescendant') === name"
    )
    small.page.wait_for_function(active, arg="hit-0")
    small.page.keyboard.press("ArrowDown")
    small.page.wait_for_function(active, arg="hit-1")
    small.page.keyboard.press("ArrowUp")
    small.page.wait_for_function(active, arg="hit-0")
    small.page.keyboard.press("Enter")
    small.page.wait_for_function("() => document.activeElement?.id === 'picked'")
    assert small.page.inner_text("#picked") == "Vendor X"
    assert "Vendor X" in small.page.inner_text("#spoken")


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
def test_filters_take_away_what_does_not_match(
    small: Visit, act: str, gone: str, kept: str
) -> None:
    page = small.page
    if act == "types":
        page.uncheck("#filters input[data-name='Source']")
    elif act == "statuses":
        for status in ("missing", "no citation"):
            page.uncheck(f"#filters input[data-name='{status}']")
    elif act == "confidence":
        page.evaluate(
            "(() => { const s = document.getElementById('confidence'); s.value = 190; s.dispatchEvent(new Event('input')); })()"
        )
        assert page.evaluate("kgraph.seen.edges.length") < 14
    elif act in ("run", "source"):
        page.fill(f"#choose-{act}s", "run-2" if act == "run" else "b.md")
        page.locator(f"#choose-{act}s").blur()
    else:
        page.check("#forms")
        page.fill(f"#{act}", "2026-03-12" if act == "since" else "2030-01-01")
        page.locator(f"#{act}").blur()
    names = small.shown()
    assert kept in names
    assert gone not in names
    assert " of " in page.inner_text("#counts")
    page.click("#reset")
    assert "a.md" in small.shown()


def test_merged_forms_are_folded_until_asked_for(small: Visit) -> None:
    assert "VENDOR X" not in small.shown()
    assert "1 merged form folded in" in small.page.inner_text("#counts")
    small.page.check("#forms")
    assert "VENDOR X" in small.shown()


def test_contradictions_and_inferences_are_drawn_differently(small: Visit) -> None:
    styles = small.page.evaluate(
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


def test_a_path_between_two_nodes_is_shown_step_by_step(small: Visit) -> None:
    small.pick("a.md")
    small.page.click("#route-from")
    small.pick("Component Z")
    small.page.click("#route-to")
    small.page.wait_for_selector("ol.route")
    assert small.page.inner_text("#picked") == "2 hops"
    assert "Component Z was supplied by Vendor X" in small.panel()
    small.page.evaluate(
        "kgraph.startRoute(kgraph.graph.names.indexOf('latency')); kgraph.endRoute(kgraph.graph.names.indexOf('a.md'))"
    )
    small.page.wait_for_function(
        "() => document.getElementById('picked').textContent === 'No path'"
    )


def test_a_link_reopens_the_same_view(visit: Callable[..., Visit]) -> None:
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


def test_a_link_of_nonsense_opens_the_whole_graph(visit: Callable[..., Visit]) -> None:
    seen = visit(
        "small",
        "#node=%3Cimg%3E&type=Nothing&view=a+b+c&open=99999999999+-1&confidence=NaN&since=x&edge=1&of=2&from=__proto__",
    )
    assert len(seen.shown()) == 14
    assert seen.problems == []


def test_a_large_graph_opens_on_communities_that_expand(large_page: Visit) -> None:
    page = large_page.anew().page
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
    assert page.evaluate("[kgraph.seen.nodes.length, kgraph.seen.bubbles.length]") == [
        count,
        bubbles - 1,
    ]
    page.fill("#query", "number 20411")
    page.keyboard.press("Enter")
    page.wait_for_selector("#picked")
    assert "20411" in page.inner_text("#picked")
    assert page.evaluate("kgraph.seen.shown[kgraph.state.node]") == 1, (
        "what is picked is never hidden in a bubble"
    )


@pytest.mark.parametrize("scale", [0.2, 0.5, 1, 3])
def test_names_never_lie_over_each_other(large_page: Visit, scale: float) -> None:
    boxes = large_page.anew().page.evaluate(
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
