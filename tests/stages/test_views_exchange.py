"""What goes out comes back the same, and each format is read by a reader that isn't ours."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgraph.errors import UsageError
from kgraph.views.exchange import EXPORTS, IMPORTS, export, looks_like, read
from kgraph.views.exchange.columns import from_xml_text, xml_text
from kgraph.views.exchange.formats import read_json, read_jsonl
from kgraph.views.exchange.obsidian import file_names
from kgraph.views.exchange.prov import read_jsonld
from kgraph.views.exchange.tables import read_csv
from kgraph.views.exchange.xml_graphs import read_graphml
from kgraph.views.files import write
from kgraph.views.records import NotARecord
from kgraph.views.snapshot import OWN_FIELDS, Edge, EdgeAssertion, GraphMeta, Node, Snapshot
from stages.views_graphs import awkward, every_kind, said, snapshot

ROOT = Path(__file__).resolve().parents[2]
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
names = texts.map(lambda text: "n" + text)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def graphs(draw: st.DrawFn) -> Snapshot:
    ids = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    attrs = st.dictionaries(
        texts | st.sampled_from([*Node._fields, *OWN_FIELDS]), json_values, max_size=3
    )
    fields = st.dictionaries(st.sampled_from(OWN_FIELDS), texts, max_size=2)
    nodes = [
        Node(
            identifier,
            draw(st.sampled_from(["Entity", "Claim", "AgentRun"])),
            draw(names),
            (
                said(
                    draw(names),
                    "r",
                    description=draw(texts),
                    fields=draw(fields),
                    attrs=draw(attrs),
                    aliases=tuple(draw(st.lists(names, max_size=2))),
                ),
            ),
            aliases=tuple(draw(st.lists(names, max_size=2))),
            description=draw(texts),
            fields=draw(fields),
            attrs=draw(attrs),
            qualifier=draw(texts),
            canonical=draw(st.sampled_from(["", ids[0]])),
        )
        for identifier in ids
    ]
    ends = st.sampled_from(ids)
    confidence = st.none() | st.floats(0, 1)
    edges = [
        Edge(
            f"e{number}",
            "SUPPORTS",
            draw(ends),
            draw(ends),
            draw(texts),
            (
                EdgeAssertion(
                    run_id="r",
                    quote=draw(texts),
                    source_doc=draw(texts),
                    confidence=draw(confidence),
                    attrs=draw(attrs),
                ),
            ),
        )
        for number in range(draw(st.integers(0, 3)))
    ]
    return snapshot(GraphMeta(draw(names), objective=draw(texts)), nodes, edges)


def written(graph: Snapshot, form: str) -> str:
    (file,) = export(graph, form)
    return "".join(file.chunks)  # type: ignore[arg-type]


def tables(graph: Snapshot) -> tuple[str, str]:
    nodes, edges = export(graph, "csv")
    return "".join(nodes.chunks), "".join(edges.chunks)  # type: ignore[arg-type]


ROUND_TRIPS = {
    "json": lambda graph: read_json(written(graph, "json").encode()),
    "jsonl": lambda graph: read_jsonl(written(graph, "jsonl").encode()),
    "graphml": lambda graph: read_graphml(written(graph, "graphml").encode()),
    "jsonld": lambda graph: read_jsonld(written(graph, "jsonld").encode()),
    "csv": lambda graph: read_csv(*tables(graph)),
}


def same(one: Snapshot, other: Snapshot) -> None:
    assert tuple(other.nodes) == tuple(one.nodes)
    assert tuple(other.edges) == tuple(one.edges)
    assert other.meta == one.meta._replace(previous=None)


@pytest.mark.parametrize("form", ROUND_TRIPS)
@pytest.mark.parametrize("graph", [every_kind, awkward], ids=["every kind", "awkward texts"])
def test_what_goes_out_comes_back_the_same(form: str, graph: object) -> None:
    same(graph(), ROUND_TRIPS[form](graph()))  # type: ignore[operator]


@pytest.mark.parametrize("form", ROUND_TRIPS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graph=graphs())
def test_any_graph_comes_back_the_same(form: str, graph: Snapshot) -> None:
    same(graph, ROUND_TRIPS[form](graph))


@given(st.text(max_size=40))
def test_xml_text_comes_back_the_same(text: str) -> None:
    from xml.etree import ElementTree

    assert from_xml_text(ElementTree.fromstring(f"<a>{xml_text(text)}</a>").text or "") == text
    assert from_xml_text(ElementTree.fromstring(f'<a b="{xml_text(text)}"/>').attrib["b"]) == text


@pytest.mark.parametrize("form", ROUND_TRIPS)
def test_an_export_on_disk_is_known_by_its_looks_and_marked_as_ours(
    form: str, tmp_path: object
) -> None:
    folder = os.path.join(str(tmp_path), form)
    for _ in range(2):  # ours may be replaced
        for file in export(every_kind(), form):
            write(os.path.join(folder, file.name or f"graph.{form}"), file.chunks)
    if form == "csv":
        assert looks_like(folder) == "csv"
        same(every_kind(), read(folder))  # type: ignore[arg-type]
    else:
        path = os.path.join(folder, f"graph.{form}")
        assert looks_like(path) == form
        same(every_kind(), read(path))  # type: ignore[arg-type]


# -- independent readers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["graphml", "gexf"])
@pytest.mark.parametrize("graph", [every_kind, awkward], ids=["every kind", "awkward texts"])
def test_networkx_reads_nodes_names_and_parallel_edges(form: str, graph: object) -> None:
    import networkx

    made = graph()  # type: ignore[operator]
    raw = io.BytesIO(written(made, form).encode())
    found = (
        networkx.read_graphml(raw, force_multigraph=True)
        if form == "graphml"
        else networkx.read_gexf(raw)
    )
    assert found.is_directed()
    assert {from_xml_text(node) for node in found.nodes} == {node.id for node in made.nodes}
    assert {from_xml_text(data["name"]) for _, data in found.nodes(data=True)} == {
        node.name for node in made.nodes
    }
    assert found.number_of_edges() == len(tuple(made.edges))
    assert sorted(data["predicate"] for *_, data in found.edges(data=True)) == sorted(
        edge.predicate for edge in made.edges
    )


@pytest.mark.parametrize(("form", "name"), [("jsonld", "json-ld"), ("turtle", "turtle")])
@pytest.mark.parametrize("graph", [every_kind, awkward], ids=["every kind", "awkward texts"])
def test_rdflib_reads_prov(form: str, name: str, graph: object) -> None:
    import rdflib

    made = graph()  # type: ignore[operator]
    found = rdflib.Graph().parse(data=written(made, form), format=name)
    prov = rdflib.Namespace("http://www.w3.org/ns/prov#")
    statements = set(found.subjects(rdflib.RDF.type, rdflib.RDF.Statement))
    assert len(statements) == len(tuple(made.edges))
    entities = set(found.subjects(rdflib.RDF.type, prov.Entity)) | set(
        found.subjects(rdflib.RDF.type, prov.Activity)
    )
    assert len(entities) == len(tuple(made.nodes)) + len(made.meta.runs)
    labels = {str(label) for label in found.objects(None, rdflib.RDFS.label)}
    assert {node.name for node in made.nodes} - labels == set()
    for edge in made.edges:
        for quote in {one.quote for one in edge.assertions if one.quote}:
            assert (None, prov.value, rdflib.Literal(quote)) in found


def test_turtle_and_json_ld_are_the_same_graph() -> None:
    import rdflib

    def facts(form: str, name: str) -> set[tuple[str, str, str]]:
        graph = rdflib.Graph().parse(data=written(every_kind(), form), format=name)
        return {
            (str(s), str(p), str(o))
            for s, p, o in graph
            if getattr(o, "datatype", None) != rdflib.RDF.JSON and "confidence" not in p
        }

    assert facts("turtle", "turtle") == facts("jsonld", "json-ld")


@pytest.mark.parametrize("graph", [every_kind, awkward], ids=["every kind", "awkward texts"])
def test_a_cypher_grammar_reads_every_statement(graph: object) -> None:
    from antlr4 import CommonTokenStream, InputStream
    from antlr4.error.ErrorListener import ErrorListener
    from antlr4_cypher import CypherLexer, CypherParser

    class Failing(ErrorListener):  # type: ignore[misc]
        def syntaxError(
            self,
            recognizer: object,
            symbol: object,
            line: int,
            column: int,
            message: str,
            error: object,
        ) -> None:
            raise AssertionError(f"{line}:{column} {message}")

    made = graph()  # type: ignore[operator]
    statements = [line for line in written(made, "cypher").split("\n") if line.startswith("UNWIND")]
    kinds = {node.type for node in made.nodes} | {edge.predicate for edge in made.edges}
    assert len(statements) == len(kinds)
    for statement in statements:
        lexer = CypherLexer(InputStream(statement))
        parser = CypherParser(CommonTokenStream(lexer))
        for part in (lexer, parser):
            part.removeErrorListeners()
            part.addErrorListener(Failing())
        parser.script()


@pytest.mark.parametrize("graph", [every_kind, awkward], ids=["every kind", "awkward texts"])
def test_ladybug_loads_the_folder_and_answers_from_it(graph: object, tmp_path: Path) -> None:
    ladybug = pytest.importorskip("ladybug")
    from kgraph.views.exchange.engines import ladybug as files

    made = graph()  # type: ignore[operator]
    held = dict(files(made))
    for name, content in held.items():
        (tmp_path / name).write_text(content, "utf-8", "backslashreplace", newline="")
    connection = ladybug.Connection(ladybug.Database(str(tmp_path / "db")))
    for statement in held["load.cypher"].splitlines():
        if not statement.startswith("//"):
            connection.execute(re.sub(r'FROM "', f'FROM "{tmp_path}/', statement))
    rows = connection.execute("MATCH (n:Node) RETURN n.id, n.name, n.type").get_all()
    clean = [(node.id, _plain(node.name), node.type) for node in made.nodes]
    assert sorted(map(tuple, rows)) == sorted(clean)
    count = connection.execute("MATCH ()-[r]->() RETURN COUNT(r)").get_all()[0][0]
    assert count == len(tuple(made.edges))
    quotes = {row[0] for row in connection.execute("MATCH ()-[r]->() RETURN r.quote").get_all()}
    assert {_plain(edge.shown.quote) for edge in made.edges} - {""} <= quotes


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def test_neo4j_admins_columns_hold_ids_labels_and_ends_that_fit() -> None:
    from kgraph.views.exchange.engines import neo4j_admin

    made = every_kind()
    held = {name: list(csv.DictReader(io.StringIO(text))) for name, text in neo4j_admin(made) if name.endswith(".csv")}  # fmt: skip
    ids = {row["id:ID"] for row in held["nodes.csv"]}
    assert ids == {node.id for node in made.nodes}
    assert all(row[":LABEL"].startswith("Kgraph;") for row in held["nodes.csv"])
    for row in held["relationships.csv"]:
        assert {row[":START_ID"], row[":END_ID"]} <= ids and row[":TYPE"]
        assert row["confidence:double"] == "" or float(row["confidence:double"]) <= 1


def test_a_push_merges_every_node_and_edge_in_batches_with_parameters() -> None:
    from kgraph.graph.pushing import push

    made = every_kind()
    sent: list[tuple[str, list[dict[str, object]]]] = []
    done = push(made, lambda statement, values: sent.append((statement, values["rows"])))
    assert (done.nodes, done.edges) == (len(tuple(made.nodes)), len(tuple(made.edges)))
    assert all(statement.startswith("UNWIND $rows AS row M") for statement, _ in sent)
    pushed = {row["id"] for _, rows in sent for row in rows}
    assert pushed == {node.id for node in made.nodes} | {edge.id for edge in made.edges}


def test_json_canvas_has_a_card_for_each_node_and_no_two_on_one_place() -> None:
    made = json.loads(written(every_kind(), "canvas"))
    cards = {card["id"]: (card["x"], card["y"]) for card in made["nodes"]}
    assert len(set(cards.values())) == len(cards)
    for card in made["nodes"]:
        assert {"id", "type", "x", "y", "width", "height", "text"} <= set(card)
    assert all({edge["fromNode"], edge["toNode"]} <= set(cards) for edge in made["edges"])


def test_graphml_shows_names_as_labels() -> None:
    import networkx

    made = every_kind()
    read_back = networkx.parse_graphml(written(made, "graphml"), force_multigraph=True)
    assert {data["label"] for _, data in read_back.nodes(data=True)} == {node.name for node in made.nodes}  # fmt: skip


@pytest.mark.parametrize("graph", [every_kind, awkward], ids=["every kind", "awkward texts"])
def test_what_is_exported_as_rdf_keeps_to_the_shapes_that_are_shipped(graph: object) -> None:
    pyshacl = pytest.importorskip("pyshacl")
    shapes = (ROOT / "schema" / "kgraph.shacl.ttl").read_text("utf-8")
    conforms, _, said = pyshacl.validate(
        written(graph(), "turtle"), shacl_graph=shapes, data_graph_format="turtle", shacl_graph_format="turtle",
        advanced=True,
    )  # fmt: skip
    assert conforms, said


def test_the_shapes_refuse_what_breaks_them() -> None:
    pyshacl = pytest.importorskip("pyshacl")
    shapes = (ROOT / "schema" / "kgraph.shacl.ttl").read_text("utf-8")
    broken = written(every_kind(), "turtle").replace('kg:confidence "', 'kg:confidence "9', 1)
    conforms, _, _ = pyshacl.validate(broken, shacl_graph=shapes, data_graph_format="turtle", shacl_graph_format="turtle", advanced=True)  # fmt: skip
    assert not conforms


def test_a_date_is_a_date_in_rdf() -> None:
    import rdflib

    node = every_kind().nodes[0]._replace(valid_from="2026-05-01", valid_to="2026-05")
    made = rdflib.Graph().parse(data=written(every_kind()._replace(nodes=(node,), edges=()), "turtle"))  # fmt: skip
    types = {str(one.datatype).rpartition("#")[2] for one in made.objects() if isinstance(one, rdflib.Literal)}  # fmt: skip
    assert {"date", "gYearMonth"} <= types


def test_an_obsidian_note_of_a_markdown_file_has_one_ending() -> None:
    node = every_kind().nodes[0]
    graph = every_kind()._replace(nodes=(node._replace(id="a", name="x.md"), node._replace(id="b", name="x")), edges=())  # fmt: skip
    assert set(file_names(graph).values()) == {"x", "x (2)"}


@pytest.mark.parametrize("graph", [every_kind, awkward], ids=["every kind", "awkward texts"])
def test_pydot_reads_dot(graph: object) -> None:
    import pydot

    made = graph()  # type: ignore[operator]
    (found,) = pydot.graph_from_dot_data(written(made, "dot"))
    assert len(found.get_edges()) == len(tuple(made.edges))
    assert len(found.get_nodes()) == len(tuple(made.nodes))


def test_pyarrow_reads_parquet() -> None:
    import pyarrow.parquet

    nodes, edges = export(awkward(), "parquet")
    table = pyarrow.parquet.read_table(io.BytesIO(b"".join(nodes.chunks)))  # type: ignore[arg-type]
    assert table.column("name").to_pylist() == [node.name for node in awkward().nodes]
    assert pyarrow.parquet.read_table(io.BytesIO(b"".join(edges.chunks))).column(
        "confidence"
    ).to_pylist() == [0.5, None, None]  # type: ignore[arg-type]


def test_csv_is_rfc_4180() -> None:
    nodes, _ = tables(awkward())
    rows = list(csv.reader(io.StringIO(nodes, newline=""), strict=True))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert [row[rows[0].index("name")] for row in rows[1:]] == [
        node.name for node in awkward().nodes
    ]
    assert nodes.count("\r\n") >= len(rows)


def test_obsidian_writes_one_note_a_node_even_where_case_does_not_count() -> None:
    made = snapshot(
        GraphMeta("g"),
        [
            Node(f"i{i}", "Entity", name, (said(name),))
            for i, name in enumerate(
                [
                    "Paris",
                    "PARIS",
                    "paris",
                    "CON",
                    "con.txt",
                    "a/b",
                    "a\\b",
                    "...",
                    "é",
                    "e\u0301",
                    "x" * 300,
                    "x" * 301,
                    "日" * 100,
                    "ends. ",
                    "#[[tag]]|^",
                ]
            )
        ],
        [],
    )
    notes = dict(export_notes(made))
    assert len(notes) == len({name.casefold() for name in notes}) == 15
    for name in notes:
        assert not set(name) & set('\\/:*?"<>|#^[]')
        assert len(name.encode()) <= 127
        assert not name.startswith(".")
    assert "CON" not in {name.upper() for name in file_names(made).values()}
    assert all("written_by: kgraph" in text for text in notes.values())


def export_notes(graph: Snapshot) -> list[tuple[str, str]]:
    return [(file.name, "".join(file.chunks)) for file in export(graph, "obsidian")]  # type: ignore[arg-type]


def test_every_export_says_that_kgraph_wrote_it_in_its_first_bytes() -> None:
    for form in set(EXPORTS) - {"parquet"}:
        for file in export(every_kind(), form):
            assert "kgraph" in "".join(file.chunks)[:4096], form  # type: ignore[arg-type]


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no export format") as refusal:
        list(export(every_kind(), "xlsx"))
    assert all(form in refusal.value.hint for form in EXPORTS)
    assert set(ROUND_TRIPS) <= set(IMPORTS)


# -- what doesn't belong into an import --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"{", "not JSON"),
        (b'{"nodes": []}', "edges"),
        (b'{"nodes": [{"id": "a", "type": "Entity"}], "edges": []}', "nodes.0.: 'name' is missing"),
        (
            b'{"nodes": [], "edges": [{"id": "e", "predicate": "P", "source": 1, "target": "b"}]}',
            "'source' must be text",
        ),
        (
            b'{"nodes": [{"id": "a", "type": "Entity", "name": "A", "aliases": "b"}], "edges": []}',
            "'aliases' must be a list",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(raw: bytes, words: str) -> None:
    with pytest.raises(NotARecord, match=words):
        read_json(raw)


def test_xml_entities_are_not_read() -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><graphml>&a;</graphml>'
    with pytest.raises(NotARecord, match="document type"):
        read_graphml(bomb)


def test_graphml_of_others_comes_in_as_entities() -> None:
    import networkx

    plain = networkx.DiGraph()
    plain.add_edge("a", "b", predicate="DEPENDS_ON", weight=2)
    found = read_graphml("\n".join(networkx.generate_graphml(plain)).encode())
    assert [(node.id, node.type, node.name) for node in found.nodes] == [
        ("a", "Entity", "a"),
        ("b", "Entity", "b"),
    ]
    assert [(edge.predicate, edge.source, edge.target) for edge in found.edges] == [
        ("DEPENDS_ON", "a", "b")
    ]
