"""Identity as a table: which node is which, and what an id may stand for."""

from __future__ import annotations

from typing import Any

import pytest

from kgraph.contract import Admission, Held, MemoryView, check, edge_id, key_id, normalise_uri


def ids(*nodes: dict[str, Any], view: MemoryView | None = None) -> list[str]:
    return checked(*nodes, view=view).ids_nodes


def checked(*nodes: dict[str, Any], view: MemoryView | None = None) -> Admission:
    return check({"nodes": list(nodes), "edges": []}, view or MemoryView())


def entity(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "Entity", "name": name, "description": "told in the notes", **more}


def source(name: str, **more: Any) -> dict[str, Any]:
    return {"type": "Source", "name": name, **more}


@pytest.mark.parametrize(
    ("uri", "root", "wanted"),
    [
        ("./docs/a.md", "", "docs/a.md"),
        ("docs//x/../a.md#part", "", "docs/a.md"),
        ("../a.md", "", "../a.md"),
        ("/home/p/docs/a.md", "/home/p", "docs/a.md"),
        ("/home/p/docs/a.md", "/home/p/", "docs/a.md"),
        ("/home/pq/a.md", "/home/p", "/home/pq/a.md"),
        ("/home/p/../q/a.md", "/home/p", "/home/q/a.md"),
        ("../p/a.md", "/home/p", "a.md"),
        ("file:///home/p/docs/a%20b.md#x", "/home/p", "docs/a b.md"),
        ("file:///home/p/a%23b.md", "/home/p", "a#b.md"),
        ("file://localhost/etc/passwd", "/home/p", "/etc/passwd"),
        ("https://example.org/a/../b?q=1#part", "/home/p", "https://example.org/a/../b?q=1"),
        ("C:\\p\\docs\\a.md", "C:\\p", "docs/a.md"),
        ("C:\\q\\a.md", "C:\\p", "C:/q/a.md"),
        ("a.md", "/home/p", "a.md"),
        ("#part", "", ""),
        (".", "", "."),
    ],
)
def test_one_source_has_one_uri(uri: str, root: str, wanted: str) -> None:
    assert normalise_uri(uri, root) == wanted
    assert "#" in wanted or normalise_uri(wanted, root) == wanted


def test_ids_are_made_of_type_key_and_qualifier_and_are_the_same_for_ever() -> None:
    assert (
        key_id("Entity", "Vendor  X")
        == key_id("Entity", "vendor x")
        == "ent_" + key_id("Entity", "VENDOR X")[4:]
    )
    assert (
        len(
            {
                key_id("Entity", "a"),
                key_id("Claim", "a"),
                key_id("Entity", "a", "", "q"),
                key_id("Source", "a", "a.md"),
            }
        )
        == 4
    )
    assert key_id("Entity", "Vendor X") == "ent_31bff94c40f6757e72c8"
    assert (
        edge_id("MENTIONS", "clm_1", "ent_1") == "edg_" + edge_id("MENTIONS", "clm_1", "ent_1")[4:]
    )
    assert edge_id("DEPENDS_ON", "a", "b", "call") != edge_id("DEPENDS_ON", "a", "b")


def test_names_that_fold_alike_are_one_node() -> None:
    assert (
        len(
            set(
                ids(
                    entity("Caf\u00e9  Noir"),
                    entity("cafe\u0301 noir"),
                    entity("\uff23\uff41\uff46\u00e9 Noir"),
                )
            )
        )
        == 1
    )


def test_a_qualifier_keeps_two_of_one_name_apart() -> None:
    assert (
        len(
            set(
                ids(
                    entity("J. Silva", qualifier="pilot"),
                    entity("J. Silva", qualifier="Pilot"),
                    entity("J. Silva"),
                )
            )
        )
        == 2
    )


def test_a_node_without_id_is_the_one_that_payload_or_graph_has_of_its_key() -> None:
    held = Held("mine", "Entity", "Alpha")
    assert ids(entity("Alpha"), view=MemoryView([held])) == ["mine"]
    assert ids(entity("Alpha", id="n1"), entity("alpha"), view=MemoryView([held])) == ["n1", "n1"]
    two = MemoryView([held, Held("other", "Entity", "ALPHA")])
    assert ids(entity("Alpha"), view=two) == [key_id("Entity", "Alpha")]
    assert ids(entity("Alpha"), view=MemoryView([held._replace(live=False)])) == [
        key_id("Entity", "Alpha")
    ]


def test_a_source_without_uri_is_the_one_of_its_name() -> None:
    a, b = (
        Held("sa", "Source", "doc.md", uri="a/doc.md"),
        Held("sb", "Source", "doc.md", uri="b/doc.md"),
    )
    assert ids(source("doc.md"), view=MemoryView([a])) == ["sa"]
    assert ids(source("DOC.md"), view=MemoryView([a])) == ["sa"]
    assert ids(source("doc.md"), view=MemoryView([a, b])) == [key_id("Source", "doc.md")]
    in_payload = ids(source("doc.md", uri="a/doc.md"), source("doc.md"))
    assert in_payload[0] == in_payload[1]
    both = ids(source("doc.md", uri="c/doc.md"), source("doc.md"), view=MemoryView([a]))
    assert both[1] == key_id("Source", "doc.md")


def test_two_files_of_one_name_are_two_sources() -> None:
    assert (
        len(
            set(
                ids(
                    source("README.md", uri="a/README.md"), source("README.md", uri="./b/README.md")
                )
            )
        )
        == 2
    )
    assert (
        len(
            set(
                ids(
                    source("README.md", uri="a/README.md"),
                    source("Readme", uri="./a/README.md#top"),
                )
            )
        )
        == 1
    )


def test_an_id_stands_for_one_thing() -> None:
    view = MemoryView(
        [Held("n1", "Entity", "Alpha", ("Alfa",)), Held("gone", "Entity", "Zed", live=False)]
    )
    clash = [problem.path for problem in checked(entity("Beta", id="n1"), view=view).errors]
    assert clash == ["$.nodes[0].id"]
    assert checked(source("Alpha", id="n1"), view=view).errors[0].code == "E111"
    assert checked(entity("ALFA", id="n1"), view=view).errors == []
    assert checked(source("Zed", id="gone"), view=view).errors[0].code == "E111"
    assert (
        checked(entity("Alpha", id="x"), entity("Beta", id="x")).errors[0].path == "$.nodes[1].id"
    )
    assert checked(entity("Alpha", id="x"), entity("ALPHA", id="x")).errors == []
    taken = key_id("Entity", "Alpha")
    assert checked(entity("Alpha"), entity("Beta", id=taken)).errors[0].path == "$.nodes[1].id"
    assert checked(source("d", uri="a/d", id="s"), source("d", id="s")).errors == []


def test_ends_find_nodes_by_the_ids_of_the_payload() -> None:
    nodes = [
        entity("J. Silva", id="p1", qualifier="pilot"),
        entity("J. Silva", id="p2", qualifier="surgeon"),
        entity("p1 crew"),
    ]
    edges = [
        {"predicate": "DEPENDS_ON", "source": name, "target": "p1 crew"} for name in ("p1", "p2")
    ]
    admission = check({"nodes": nodes, "edges": edges}, MemoryView())
    assert [event["source"] for event in admission.edges] == ["p1", "p2"]
    assert admission.errors == []
    odd = check(
        {
            "nodes": [entity("a", id='q"\\'), entity("b")],
            "edges": [{"predicate": "DEPENDS_ON", "source": "a", "target": "b"}],
        },
        MemoryView(),
    )
    assert odd.ids_edges == [edge_id("DEPENDS_ON", 'q"\\', key_id("Entity", "b"))]


def test_an_id_goes_before_another_nodes_name() -> None:
    nodes = [entity("Alpha", id="x"), entity("x"), entity("Beta")]
    admission = check(
        {"nodes": nodes, "edges": [{"predicate": "DEPENDS_ON", "source": "x", "target": "Beta"}]},
        MemoryView(),
    )
    assert admission.edges[0]["source"] == "x"
    unnamed = [entity("Alpha"), entity(key_id("Entity", "Alpha")), entity("Beta")]
    edge = {"predicate": "DEPENDS_ON", "source": key_id("Entity", "Alpha"), "target": "Beta"}
    assert check({"nodes": unnamed, "edges": [edge]}, MemoryView()).edges[0]["source"] == key_id(
        "Entity", "Alpha"
    )


def test_a_crowd_of_one_name_is_ambiguous_and_costs_no_more_than_its_size() -> None:
    crowd = [entity("J. Silva", qualifier=str(number)) for number in range(2000)]
    edges = [{"predicate": "DEPENDS_ON", "source": "Porto", "target": "J. Silva"}] * 2000
    admission = check({"nodes": [*crowd, entity("Porto")], "edges": edges}, MemoryView())
    assert [problem.code for problem in admission.errors] == ["E106"] * 2000
