"""Report, figures, diagram, graph.json, layout and the page, as tables of cases and laws over small graphs."""

from __future__ import annotations

import json
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kgraph.errors import Exists, NotAllowed
from kgraph.views import figures
from kgraph.views.files import previous_figures, write
from kgraph.views.graph_json import graph_json
from kgraph.views.mermaid import MOST_EDGES, READABLE, mermaid
from kgraph.views.report import report, text
from kgraph.views.snapshot import Edge, EdgeAssertion, GraphMeta, Node, Snapshot, UnitOutcome
from stages.views_graphs import cited, every_kind, hostile, large, said, snapshot

EXPLORER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "explorer"
)


def reported(graph: Snapshot) -> str:
    return "".join(report(graph, figures(graph)))


def content(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def chain(size: int, *more: Edge) -> Snapshot:
    nodes = [Node(f"n{i:04}", "Entity", f"name {i}", (said(f"name {i}"),)) for i in range(size)]
    edges = [
        Edge(f"e{i:04}", "DEPENDS_ON", f"n{i:04}", f"n{i + 1:04}", "", (EdgeAssertion(),))
        for i in range(size - 1)
    ]
    return snapshot(GraphMeta("chain"), nodes, [*edges, *more])


# -- figures -----------------------------------------------------------------------------------------------------------------------


def test_figures_count_what_the_graph_holds() -> None:
    found = figures(every_kind())
    assert (found.nodes, found.edges, found.isolated_nodes) == (15, 15, 2)
    assert found.components == 5
    assert found.largest_component == 9
    assert (found.surface_forms, found.canonical_entities, found.compression) == (15, 14, 2.0)
    assert found.claims_by_support == {0: 1, 1: 2}
    assert (
        found.inferences,
        found.contradictions_open,
        found.superseded,
        found.distinct_pairs,
    ) == (1, 1, 2, 1)
    assert found.evidence == {"ambiguous": 1, "located": 1, "missing": 1, "stale": 1, "verified": 1}
    assert found.losses == {"dropped": 2}
    assert found.merges_by_run == {"run-2": 1}


def test_figures_of_an_empty_graph_are_zero() -> None:
    found = figures(Snapshot(GraphMeta("g"), (), ()))
    assert (
        found.nodes,
        found.density,
        found.components,
        found.largest_component,
        found.compression,
    ) == (0, 0.0, 0, 0, 1.0)


def test_a_contradiction_is_settled_when_one_side_is_superseded() -> None:
    nodes = [Node(i, "Claim", i, (said(i),)) for i in ("a", "b", "c")]
    edges = [
        Edge("1", "CONTRADICTS", "a", "b", "", (cited("x"),)),
        Edge("2", "SUPERSEDES", "c", "b", "", (EdgeAssertion(),)),
    ]
    found = figures(snapshot(GraphMeta("g"), nodes, edges))
    assert (found.contradictions_open, found.contradictions_settled) == (0, 1)


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20))
def test_components_agree_with_a_walk(size: int, pairs: list[tuple[int, int]]) -> None:
    nodes = [Node(f"{i:02}", "Entity", f"{i}", (said("x"),)) for i in range(size)]
    ties = [(a, b) for a, b in pairs if a < size and b < size and a != b]
    edges = [
        Edge(f"{k:02}", "DEPENDS_ON", f"{a:02}", f"{b:02}", "", (EdgeAssertion(),))
        for k, (a, b) in enumerate(ties)
    ]
    near: dict[int, set[int]] = {i: set() for i in range(size)}
    for a, b in ties:
        near[a].add(b)
        near[b].add(a)
    unseen, parts = set(range(size)), []
    while unseen:
        part, rim = set(), [min(unseen)]
        while rim:
            at = rim.pop()
            if at not in part:
                part.add(at)
                rim.extend(near[at])
        parts.append(len(part))
        unseen -= part
    found = figures(snapshot(GraphMeta("g"), nodes, edges))
    assert (found.components, found.largest_component) == (len(parts), max(parts))


@pytest.mark.parametrize(
    ("figure", "before", "moves"),
    [
        ("isolated_nodes", 0, False),
        ("isolated_nodes", 6, False),
        ("components", 1, True),
        ("components", 30, True),
        ("density", 4.0, True),
        ("density", 1.05, False),
        ("nodes", 100, True),
        ("contradictions_open", 0, True),
        ("contradictions_open", 1, False),
    ],
)
def test_a_figure_that_moved_far_is_told_with_what_it_usually_means(
    figure: str, before: float, moves: bool
) -> None:
    graph = every_kind()
    graph = graph._replace(
        meta=graph.meta._replace(previous=figures(graph).as_json() | {figure: before})
    )
    moved = {movement.figure: movement for movement in figures(graph).trends}
    assert (figure in moved) is moves
    assert all(movement.meaning for movement in moved.values())


def test_the_figures_of_the_last_render_are_read_from_the_head_of_graph_json(
    tmp_path: object,
) -> None:
    path = os.path.join(str(tmp_path), "graph.json")
    assert previous_figures(path) is None
    found = figures(every_kind())
    write(path, graph_json(every_kind(), found))
    assert previous_figures(path) == json.loads(json.dumps(found.as_json()))
    write(path, ["kgraph {broken"], force=True)
    assert previous_figures(path) is None


# -- the report --------------------------------------------------------------------------------------------------------------------


def test_the_report_says_first_what_to_look_at() -> None:
    lines = reported(every_kind()).split("\n")
    headings = [line for line in lines if line.startswith("## ")]
    assert headings[:2] == ["## Look at this first", "## What the graph does not know"]
    numbered = [line for line in lines if re.match(r"\d\. \*\*", line)]
    assert [re.sub(r"\d\. \*\*(.*?)\*\*.*", r"\1", line) for line in numbered] == [
        "The graph breaks its own rules",
        "Contradictions are open",
        "Citations are missing",
        "Citations are stale",
        "Citations are ambiguous",
        "Parts of the context were not read",
        "Nodes without any edge",
    ]
    assert all("Next: `kgraph " in line for line in numbered)


def test_what_a_source_denies_of_a_guess_is_no_open_contradiction() -> None:
    """A document's denial is written as two claims: what it says, and what it denies, which nobody says."""
    nodes = [
        Node("s", "Source", "s.md"),
        Node("no", "Claim", "it was not at fault"),
        Node("yes", "Claim", "it was at fault", fields={"inference": True}),
    ]
    edges = [
        Edge("e1", "SUPPORTS", "s", "no", "", (EdgeAssertion(),)),
        Edge("e2", "CONTRADICTS", "no", "yes", "", (EdgeAssertion(),)),
    ]
    denied = Snapshot(GraphMeta("g"), nodes, edges)
    assert "Contradictions are open" not in reported(denied)
    said_too = Snapshot(
        GraphMeta("g"), nodes, [*edges, Edge("e3", "SUPPORTS", "s", "yes", "", (EdgeAssertion(),))]
    )
    assert "Contradictions are open" in reported(said_too)


def test_the_report_lists_what_no_longer_holds_and_what_took_its_place() -> None:
    names = {node.id: node.name for node in every_kind().nodes}
    listed = (
        reported(every_kind())
        .partition("### No longer holds\n\n")[2]
        .split("\n## ")[0]
        .splitlines()
    )
    plain = [line.replace("\\", "") for line in listed if line]
    assert plain[0].startswith(f"- {names['commit-1']}: revised by {names['commit-2']}")
    assert plain[1].startswith(f"- {names['source-a']}: superseded by {names['source-b']}")


def test_the_report_shows_both_sides_of_a_contradiction_with_the_words() -> None:
    assert (
        "Vendor Y supplied Component Z — CONTRADICTS → Vendor X supplied Component Z: “not X but Y” in docs/b.md#y `edge-03`"
        in reported(every_kind())
    )


def test_the_report_names_what_was_not_read_and_why() -> None:
    unknown = reported(every_kind()).split("## What the graph does not know")[1].split("\n## ")[0]
    for words in (
        "1 unit unsupported: docs/c.pdf (no reader for it)",
        "2 dropped",
        "1 citation of sources that changed",
        "1 merge declined",
        "1 violation",
    ):
        assert words in unknown


def test_a_sound_graph_asks_for_no_look() -> None:
    graph = chain(3)
    sound = graph._replace(meta=graph.meta._replace(units=(UnitOutcome("a.md", "done"),)))
    assert "Nothing that asks for a look" in reported(sound)
    assert "nothing that it knows of" in reported(sound)


def test_a_unit_that_states_nothing_was_read_all_the_same() -> None:
    graph = chain(2)
    made = reported(
        graph._replace(
            meta=graph.meta._replace(
                units=(UnitOutcome("a.md", "done"), UnitOutcome("b.json", "empty", "only data"))
            )
        )
    )
    assert "were not read" not in made
    assert "1 unit read, in which nothing was found: b.json (only data)" in made


def test_what_a_reader_says_of_a_unit_that_gave_little_is_told() -> None:
    little = UnitOutcome("a.md", "done", "2 of 15 sentences became claims")
    graph = chain(2)
    made = reported(
        graph._replace(meta=graph.meta._replace(units=(little, UnitOutcome("b.md", "done"))))
    )
    assert "1 unit that gave little: a.md (2 of 15 sentences became claims)" in made


def test_units_of_which_less_than_half_was_read_are_listed_and_all_sentences_passed_over_are_counted() -> (
    None
):
    from kgraph.views.explorer.page import gave_little

    graph = chain(2)
    half = UnitOutcome("half.md", "done", "3 of 6 sentences became claims", sentences=6, claims=3)
    small = UnitOutcome("small.md", "done", "2 of 6 sentences became claims", sentences=6, claims=2)
    meta = graph.meta._replace(units=(half, small))
    unknown = (
        reported(graph._replace(meta=meta))
        .split("## What the graph does not know")[1]
        .split("\n## ")[0]
    )
    assert (
        "1 unit that gave little: small.md (2 of 6 sentences became claims)" in unknown
        and "half.md" not in unknown
    )
    assert "7 sentences read without a model: 5 of 12 became claims" in unknown
    assert gave_little(meta) == [
        {"outcome": "done", "count": 1, "examples": ["small.md: 2 of 6 sentences became claims"]}
    ]
    only_half = graph.meta._replace(units=(half,))
    assert "every unit was read" not in reported(graph._replace(meta=only_half))
    assert gave_little(only_half) == [
        {"outcome": "done", "count": 1, "examples": ["half.md: 3 of 6 sentences became claims"]}
    ]


def test_the_report_says_what_the_graph_is_about_and_where_it_comes_from() -> None:
    made = reported(every_kind())
    assert "It is about " in made and "It comes from " in made
    about = made.split("It is about ")[1].split("\n")[0]
    assert "Vendor X" in about and "supplied" not in about, (
        "a claim is what a graph says, not what it is about"
    )


def test_a_report_of_an_empty_graph_is_whole() -> None:
    assert "0 nodes, 0 edges" in reported(Snapshot(GraphMeta("empty"), (), ()))


def test_nothing_in_a_report_becomes_markup() -> None:
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(reported(hostile()))
    assert "<img" not in page
    assert "<script" not in page
    assert set(re.findall(r"<a href=\"([^\"]*)\"", page)) == {"graph.html"} or "<a " not in page


@given(st.text(max_size=60) | st.text("_*`[]()<>!#&;:@/~|\\\\-+1.a \n", max_size=30))
def test_text_in_markdown_is_nothing_but_text(value: str) -> None:
    made = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .parse(f"a {text(value)} b")
    )
    assert [token.type for token in made] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in made[1].children or []} <= {"text", "text_special"}


def test_the_report_holds_only_examples_of_many() -> None:
    nodes = [Node(f"{i:04}", "Claim", f"claim {i}", (said(f"claim {i}"),)) for i in range(500)]
    edges = [
        Edge(f"{i:04}", "CONTRADICTS", f"{i:04}", f"{i + 1:04}", "", (cited("x", "missing"),))
        for i in range(499)
    ]
    made = reported(snapshot(GraphMeta("many"), nodes, edges))
    assert "… and 494 more" in made
    assert len(made) < 20_000


# -- the diagram -------------------------------------------------------------------------------------------------------------------


def test_the_diagram_shows_the_best_connected_and_says_so() -> None:
    drawn = "".join(mermaid(large(400)))
    assert f"a connected part: {READABLE} of 400 nodes" in drawn
    assert (
        len(re.findall(r"^    n\d+\W", drawn, re.MULTILINE))
        - len(re.findall(r" -.?->?\|| --?>\|", drawn))
        == READABLE
    )
    assert len(re.findall(r">\|", drawn)) <= MOST_EDGES


def test_a_diagram_of_many_nodes_hangs_together_also_where_a_hub_has_all_the_edges() -> None:
    nodes = [Node(f"n{i:05}", "Entity", f"thing {i}", (said(""),), degree=1) for i in range(2000)]
    nodes += [Node("hub", "Source", "all.md", (said(""),), degree=2000)]
    edges = [Edge(f"s{i}", "MENTIONS", "hub", f"n{i:05}", "", (cited("x"),)) for i in range(2000)]
    edges += [Edge(f"d{i}", "DEPENDS_ON", f"n{i:05}", f"n{i + 1:05}", "", (cited("x"),)) for i in range(1999)]  # fmt: skip
    drawn = "".join(mermaid(snapshot(GraphMeta("many"), nodes, edges)))
    import networkx

    ties = re.findall(r"^    (n\d+) -.*-?> ?(?:\|[^|]*\| )?(n\d+)$", drawn, re.MULTILINE)
    tied = networkx.Graph([(one, other) for one, other in ties])
    assert len(tied) == READABLE and networkx.is_connected(tied)


def test_a_small_diagram_leaves_nothing_out_and_says_nothing_of_it() -> None:
    assert "connected part" not in "".join(mermaid(every_kind()))


def test_no_name_leaves_its_label_in_the_diagram() -> None:
    for line in "".join(mermaid(hostile())).split("\n"):
        assert "<script" not in line
        assert line.count('"') in (0, 2)


# -- files -------------------------------------------------------------------------------------------------------------------------


def test_a_file_that_kgraph_did_not_write_is_not_overwritten(tmp_path: object) -> None:
    path = os.path.join(str(tmp_path), "REPORT.md")
    with open(path, "w") as file:
        file.write("my own notes")
    with pytest.raises(Exists):
        write(path, ["kgraph"])
    assert content(path) == "my own notes"
    assert write(path, ["kgraph"], force=True).size_bytes == 6
    write(path, ["kgraph again"])
    with pytest.raises(NotAllowed):
        write(str(tmp_path), ["kgraph"])


def test_a_view_that_fails_midway_leaves_the_old_file_and_no_litter(tmp_path: object) -> None:
    path = os.path.join(str(tmp_path), "a")
    write(path, ["kgraph 1"])

    def failing():  # type: ignore[no-untyped-def]
        yield "kgraph 2"
        raise RuntimeError("disk")

    with pytest.raises(RuntimeError):
        write(path, failing())
    assert content(path) == "kgraph 1"
    assert os.listdir(str(tmp_path)) == ["a"]
