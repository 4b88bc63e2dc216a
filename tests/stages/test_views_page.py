"""Layout, communities and the explorer's page: laws over small graphs, and what may not stand in the page."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.views.explorer import graph_html
from kgraph.views.explorer.columns import ALWAYS, days, seconds
from kgraph.views.explorer.communities import MOST_COMMUNITIES, communities
from kgraph.views.explorer.layout import SPACING, layout
from kgraph.views.explorer.network import Network, network
from kgraph.views.snapshot import GraphMeta, Snapshot
from stages.views_graphs import HOSTILE, every_kind, hostile, large

EXPLORER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "explorer"
)


# -- layout ------------------------------------------------------------------------------------------------------------------------

pairs = st.lists(
    st.tuples(st.integers(0, 29), st.integers(0, 29)).filter(lambda pair: pair[0] != pair[1]),
    max_size=60,
)


def tied(edges: list[tuple[int, int]], size: int = 30) -> Network:
    return network(size, [one for one, _ in edges], [other for _, other in edges])


@settings(deadline=None, max_examples=30)
@given(pairs)
def test_every_node_has_a_place_of_its_own(edges: list[tuple[int, int]]) -> None:
    graph = tied(edges)
    groups = communities(graph, plain=True)
    placed = layout(graph, groups, plain=True)
    assert sum(groups.sizes) == 30
    spots = list(zip(placed.x, placed.y, strict=True))
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in spots)
    assert (
        min(math.dist(one, other) for k, one in enumerate(spots) for other in spots[:k])
        > SPACING / 20
    )


def test_what_is_tied_stands_together() -> None:
    cliques = [(a + k * 10, b + k * 10) for k in range(3) for a in range(10) for b in range(a)]
    graph = tied([*cliques, (0, 10), (10, 20)])
    for plain in (True, False):
        groups = communities(graph, plain)
        assert [len(set(groups.of[k * 10 : k * 10 + 10])) for k in range(3)] == [1, 1, 1]
        assert len(groups.sizes) == 3
        placed = layout(graph, groups, plain)

        def apart(one: int, other: int, placed=placed) -> float:  # type: ignore[no-untyped-def]
            return math.dist((placed.x[one], placed.y[one]), (placed.x[other], placed.y[other]))

        assert max(apart(1, k) for k in range(2, 10)) < min(apart(1, k) for k in range(11, 30))


def test_small_communities_are_shown_as_one_when_there_are_too_many() -> None:
    graph = network(
        2 * MOST_COMMUNITIES * 2,
        list(range(0, 4 * MOST_COMMUNITIES, 2)),
        list(range(1, 4 * MOST_COMMUNITIES, 2)),
    )
    groups = communities(graph, plain=True)
    assert len(groups.sizes) == MOST_COMMUNITIES
    assert groups.rest == MOST_COMMUNITIES - 1
    assert sum(groups.sizes) == graph.size


def test_the_page_is_the_same_for_the_same_graph_in_every_process() -> None:
    code = (
        "import sys, hashlib; sys.path[:0] = sys.argv[1].split(';'); from stages.views_graphs import large; "
        "from kgraph.views.explorer import graph_html; print(hashlib.sha256(''.join(graph_html(large(300), True)).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code, ";".join(sys.path)],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


# -- the page ----------------------------------------------------------------------------------------------------------------------


def block(page: str, name: str) -> bytes:
    found = re.search(rf'<script type="text/plain" id="k-{name}">([A-Za-z0-9+/=]*)</script>', page)
    assert found
    return zlib.decompress(base64.b64decode(found[1]))


def test_the_page_allows_its_own_script_and_style_and_nothing_else() -> None:
    page = "".join(graph_html(every_kind(), plain=True))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src &#x27;none&#x27;" in policy[1]
    assert "unsafe" not in policy[1]
    script, style = (
        re.findall(r"<script>(.*?)</script>", page, re.DOTALL)[-1],
        re.findall(r"<style>(.*?)</style>", page, re.DOTALL)[0],
    )
    for part in (script, style):
        assert base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() in policy[1]
    assert not re.search(r"\son\w+=|javascript:|\beval\(|new Function|innerHTML|<link|src=\"", page)


def test_no_text_of_the_graph_stands_in_the_page_as_markup() -> None:
    page = "".join(graph_html(hostile(), plain=True))
    assert HOSTILE not in page
    assert "<img src=x" not in page
    assert page.count("</script>") == len(re.findall(r"<script[ >]", page))


def test_the_page_holds_quotes_descriptions_and_who_said_them() -> None:
    page = "".join(graph_html(every_kind(), plain=True))
    nodes, edges = json.loads(block(page, "n0")), json.loads(block(page, "e0"))
    (vendor,) = [node for node in nodes if node[0] == "entity-x"]
    assert [said[0] for said in vendor[3]] == [
        "a supplier of valves and seals",
        "component supplier",
    ]
    assert next(one for one in edges if one[0] == "edge-01")[2][0][3:8] == [
        "docs/a.md#parts",
        "Component Z was supplied by Vendor X",
        0.92,
        "verified",
        [12, 13],
    ]


def test_a_page_of_too_many_nodes_keeps_the_best_connected_and_says_so() -> None:
    page = "".join(graph_html(large(300), plain=True, most_nodes=100))
    head = json.loads(re.search(r'id="k-head">(.*?)</script>', page)[1])  # type: ignore[index]
    assert (head["n"], head["leftOut"][0]) == (100, 200)
    assert head["m"] + head["leftOut"][1] == 900
    degree = {node.name: node.degree for node in large(300).nodes}
    kept = json.loads(block(page, "names"))
    assert min(degree[name] for name in kept) >= max(
        count for name, count in degree.items() if name not in kept
    )


def test_the_page_says_which_layout_it_has() -> None:
    assert '"layout":"communities as discs, relaxed by forces (plain)"' in "".join(
        graph_html(every_kind(), plain=True)
    )
    assert "Louvain (plain)" in "".join(graph_html(every_kind(), plain=True))


def test_a_page_of_nothing_is_whole() -> None:
    assert '"n":0' in "".join(graph_html(Snapshot(GraphMeta("empty"), (), ()), plain=True))


@pytest.mark.parametrize(
    ("instant", "expected"),
    [
        ("1970-01-02", 1),
        ("1970-01-02T23:00:00-02:00", 2),
        ("2026-03-11T00:00:00Z", 20523),
        ("", ALWAYS),
        ("some day", ALWAYS),
    ],
)
def test_days_are_counted_in_universal_time(instant: str, expected: int) -> None:
    assert days(instant, ALWAYS) == expected


@pytest.mark.parametrize(
    ("instant", "expected"),
    [("1970-01-01T00:01:00Z", 60), ("1970-01-01T00:01:00+00:01", 0), ("", 0), ("soon", 0)],
)
def test_seconds_are_counted_in_universal_time(instant: str, expected: int) -> None:
    assert seconds(instant) == expected


def content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def test_the_bundle_was_made_from_the_source_beside_it() -> None:
    import kgraph.views

    assets = os.path.join(os.path.dirname(kgraph.views.__file__), "assets")
    with open(os.path.join(assets, "explorer.stamp.json")) as file:
        stamp = json.load(file)
    sources = sorted(
        os.path.relpath(os.path.join(folder, name), EXPLORER).replace(os.sep, "/")
        for folder, _, names in os.walk(os.path.join(EXPLORER, "src"))
        for name in names
    )
    whole = hashlib.sha256()
    for name in [
        *sources,
        "build.mjs",
        "package.json",
        "package-lock.json",
    ]:
        whole.update(name.encode() + b"\0")
        whole.update(content(os.path.join(EXPLORER, *name.split("/"))) + b"\0")
    assert stamp["source"] == whole.hexdigest(), "rebuild it: npm run build in explorer/"
    for part, name in (("script", "explorer.js"), ("style", "explorer.css")):
        raw = content(os.path.join(assets, name))
        assert stamp[part] == hashlib.sha256(raw).hexdigest()
        assert len(raw) < 400_000


def test_render_needs_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; sys.path[:0] = sys.argv[1].split(';'); before = set(sys.modules); import kgraph.views.report, kgraph.views.mermaid, "
        "kgraph.views.graph_json, kgraph.views.explorer, kgraph.views.files; "
        "new = {name.split('.')[0] for name in set(sys.modules) - before}; print(sorted(new - set(sys.stdlib_module_names) - {'kgraph'}), "
        "sorted(new & {'dataclasses', 'inspect', 'asyncio', 'email', 'pathlib'}))"
    )
    found = subprocess.run(
        [sys.executable, "-I", "-c", code, ";".join(sys.path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert found.strip() == "[] []"


# -- colours -----------------------------------------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes (2009), severity 1: protanopia, deuteranopia, tritanopia
VISIONS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(colour: str) -> tuple[float, ...]:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )


def seen(colour: str, vision: str) -> tuple[float, float, float]:
    """In OKLab × 100, where 2 is about the least difference that is seen side by side."""
    r, g, b = (
        min(1.0, max(0.0, sum(f * c for f, c in zip(row, linear(colour), strict=True))))
        for row in VISIONS[vision]
    )
    cone = [
        (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
        (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
        (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b),
    ]
    long, middle, short = (part ** (1 / 3) for part in cone)
    return (
        100 * (0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short),
        100 * (1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short),
        100 * (0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short),
    )


def contrast(one: str, other: str) -> float:
    bright = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other))]
    return (max(bright) + 0.05) / (min(bright) + 0.05)


GROUNDS = {
    "light": ("#ffffff", "#f4f6f9"),
    "dark": ("#12161c", "#1a2028"),
}  # of the picture and of the filters


@pytest.mark.parametrize("mode", GROUNDS)
def test_what_is_drawn_stands_out_from_the_ground(mode: str) -> None:
    with open(os.path.join(EXPLORER, "src", "shapes.ts"), encoding="utf-8") as file:
        theme = file.read().split(f"export const {mode.upper()}: Theme")[1].split("};")[0]
    with open(os.path.join(EXPLORER, "src", "explorer.css"), encoding="utf-8") as file:
        style = file.read()
    colours = dict(re.findall(r'(\w+): "(#[0-9a-f]{6})"', theme))
    assert colours["background"] == GROUNDS[mode][0]
    assert all(
        f"--ground: {ground}" in style or f"--raised: {ground}" in style for ground in GROUNDS[mode]
    )
    assert all(
        contrast(colours[part], colours["background"]) >= 3
        for part in ("edge", "against", "accent")
    )
    assert contrast(colours["text"], colours["background"]) >= 7


@pytest.mark.parametrize("mode", GROUNDS)
def test_nine_colours_are_told_apart_with_every_colour_vision_and_stand_out_from_the_ground(
    mode: str,
) -> None:
    with open(os.path.join(EXPLORER, "src", "shapes.ts"), encoding="utf-8") as file:
        table = file.read().split("export const STYLES")[1].split("};")[0]
    colours = re.findall(rf'{mode}: "(#[0-9a-f]{{6}})"', table)
    assert len(colours) == 9
    assert all(contrast(colour, ground) >= 3 for colour in colours for ground in GROUNDS[mode])
    for vision in VISIONS:
        shown = [seen(colour, vision) for colour in colours]
        assert (
            min(math.dist(one, other) for k, one in enumerate(shown) for other in shown[:k]) > 6
        ), vision


def test_every_type_has_a_shape_of_its_own() -> None:
    from kgraph.ontology import NODE_TYPES

    with open(os.path.join(EXPLORER, "src", "shapes.ts"), encoding="utf-8") as file:
        table = file.read().split("export const STYLES")[1].split("};")[0]
    shapes = dict(re.findall(r'(\w+): \{ outline: .*?word: "([^"]+)"', table))
    assert set(shapes) == set(NODE_TYPES)
    assert len(set(shapes.values())) == 9
