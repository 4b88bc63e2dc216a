"""``extract`` without a model: idempotent, exact about what changed, and nothing that one document does touches another's words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgraph.compose import Place
from kgraph.errors import UsageError
from kgraph.extract.budget import Caps
from kgraph.extract.progress import Silent
from kgraph.extract.request import RunAnswer, RunRequest
from kgraph.extract.run import Tools
from kgraph.graph import Graph
from kgraph.models.secrets import Mask

PUMP = "# Pump outage\n\nThe Cooling Pump (CP) stopped at 09:14. The CP depends on the Valve Controller.\n"
AUDIT = "# Audit\n\nThe auditors read the log of the plant.\n\nThe CP depends on the Valve Controller.\n"


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Graph]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    made = Place("t").create()
    yield made
    made.close()


def extract(graph: Graph, *paths: str, never: bool = True, **options: object) -> RunAnswer:
    tools = Tools(Silent(), lambda: not never, Mask())
    return graph.extract(
        RunRequest(paths or ("docs",), str(options.pop("run_id", "r")), **options), tools
    )  # type: ignore[arg-type]


def write(name: str, text: str) -> None:
    Path("docs", name).write_text(text, encoding="utf-8")


def outcomes(answer: RunAnswer) -> dict[str, str]:
    return {result.unit: result.outcome for result in answer.units}


def claims(graph: Graph) -> set[str]:
    return {node.name for node in graph.reader().every_node("Claim")}


def lines(graph: Graph) -> list[bytes]:
    return Path(graph.path, "log.jsonl").read_bytes().splitlines()


def test_a_document_becomes_claims_whose_words_stand_at_their_bytes(graph: Graph) -> None:
    write("pump.md", PUMP)
    answer = extract(graph)
    assert (outcomes(answer), answer.exit_status) == ({"docs/pump.md": "done"}, 0)
    raw = Path("docs/pump.md").read_bytes()
    cited = [edge for edge in graph.reader().every_edge() if edge.evidence]
    assert cited
    for edge in cited:
        assert edge.evidence is not None and edge.status == "verified"
        start, end = edge.evidence["bytes"]
        assert raw[start:end].decode() == edge.evidence["text"]


def test_a_second_run_writes_nothing(graph: Graph) -> None:
    write("pump.md", PUMP)
    write("audit.md", AUDIT)
    extract(graph)
    before = lines(graph)
    again = extract(graph, run_id="r2")
    assert set(outcomes(again).values()) == {"skipped"} and lines(graph) == before


def test_a_sentence_that_goes_takes_its_claim_and_leaves_what_another_document_says(
    graph: Graph,
) -> None:
    write("pump.md", PUMP)
    write("audit.md", AUDIT)
    extract(graph)
    shared = "The CP depends on the Valve Controller."
    assert shared in claims(graph)
    write("pump.md", PUMP.replace(" " + shared, " The Night Shift restarted the Cooling Pump."))
    answer = extract(graph, run_id="r2")
    assert outcomes(answer) == {"docs/audit.md": "skipped", "docs/pump.md": "done"}
    assert shared in claims(graph)
    write(
        "audit.md", AUDIT.replace(shared, "The Valve Controller was replaced by the Night Shift.")
    )
    extract(graph, run_id="r3")
    assert shared not in claims(graph)
    assert graph.validate().exit_status == 0


def test_one_changed_document_among_two_hundred_is_one_unit_and_one_transaction(
    graph: Graph,
) -> None:
    for number in range(200):
        write(
            f"n{number:03}.md",
            f"# Note {number}\n\nThe Gate Keeper {number} opens the Lock House {number}.\n",
        )
    extract(graph)
    before = len(lines(graph))
    write("n007.md", "# Note 7\n\nThe Gate Keeper 7 left the Lock House 7 for good.\n")
    answer = extract(graph, run_id="r2")
    assert [unit for unit, outcome in outcomes(answer).items() if outcome != "skipped"] == [
        "docs/n007.md"
    ]
    assert len(lines(graph)) == before + 1
    assert "The Gate Keeper 7 opens the Lock House 7." not in claims(graph)


def test_a_vanished_file_is_reported_and_goes_only_when_asked(graph: Graph) -> None:
    write("pump.md", PUMP)
    write("audit.md", AUDIT)
    write(
        "more.md",
        "# More\n\nThe Lock House holds the Gate Keeper and the Night Shift.\n\nThe Night Shift watches the Lock House.\n",
    )
    extract(graph)
    os.unlink("docs/more.md")
    told = extract(graph, run_id="r2")
    assert [(gone.uri, gone.withdrawn) for gone in told.vanished] == [
        ("docs/more.md", False)
    ] and told.exit_status == 0
    assert any("Lock House" in claim for claim in claims(graph))
    pruned = extract(graph, run_id="r3", prune=True)
    assert [(gone.uri, gone.withdrawn) for gone in pruned.vanished] == [("docs/more.md", True)]
    assert not any("Lock House" in claim for claim in claims(graph))
    assert "more.md" not in {node.name for node in graph.reader().every_node("Source")}
    assert not extract(graph, run_id="r4", prune=True).vanished


def test_a_file_that_comes_back_is_read_again(graph: Graph) -> None:
    write("pump.md", PUMP)
    write("audit.md", AUDIT)
    extract(graph)
    os.unlink("docs/pump.md")
    extract(graph, run_id="r2", prune=True, allow_shrink=True)
    write("pump.md", PUMP)
    assert outcomes(extract(graph, run_id="r3"))["docs/pump.md"] == "done"
    assert any("Cooling Pump" in claim for claim in claims(graph))


def test_a_run_that_would_lose_more_than_half_asks_first(graph: Graph) -> None:
    write(
        "pump.md",
        PUMP
        + "\nThe Night Shift called the Cooling Team. The Cooling Team repaired the Valve Controller.\n",
    )
    extract(graph)
    before = lines(graph)
    write("pump.md", "# Pump outage\n\nNothing.\n")
    asked = extract(graph, run_id="r2")
    assert (
        asked.exit_status == 2
        and "E207" in str(asked.as_json()["errors"])
        and lines(graph) == before
    )
    assert outcomes(asked) == {"docs/pump.md": "pending"}
    allowed = extract(graph, run_id="r3", allow_shrink=True)
    assert allowed.exit_status == 0 and claims(graph) == set()


def test_a_run_that_was_taken_back_can_be_done_again(graph: Graph) -> None:
    write("pump.md", PUMP)
    extract(graph, run_id="r1")
    had = claims(graph)
    graph.retract(("run", "r1"), "by mistake")
    assert claims(graph) == set()
    assert (
        outcomes(extract(graph, run_id="r2")) == {"docs/pump.md": "done"} and claims(graph) == had
    )


def test_an_unreadable_file_keeps_its_old_facts_and_is_an_outcome(graph: Graph) -> None:
    write("pump.md", PUMP)
    write("audit.md", AUDIT)
    extract(graph)
    had = claims(graph)
    Path("docs/pump.md").write_bytes(bytes(range(256)) * 4)
    answer = extract(graph, run_id="r2", prune=True)
    assert claims(graph) == had and not answer.vanished
    assert (
        outcomes(answer) == {"docs/audit.md": "skipped", "docs/pump.md": "failed"}
        and answer.exit_status == 1
    )


def test_an_ignored_file_counts_as_gone(graph: Graph) -> None:
    write("pump.md", PUMP)
    write("audit.md", AUDIT)
    extract(graph)
    write(".kgraphignore", "audit.md\n")
    assert [gone.uri for gone in extract(graph, run_id="r2").vanished] == ["docs/audit.md"]


def test_a_binary_file_is_counted_and_costs_no_one(graph: Graph) -> None:
    write("pump.md", PUMP)
    Path("docs/blob.md").write_bytes(bytes(range(256)) * 4)
    answer = extract(graph)
    assert (outcomes(answer), answer.skipped_files["binary"], answer.exit_status) == (
        {"docs/pump.md": "done"},
        ("docs/blob.md",),
        0,
    )


def test_a_path_that_is_not_there_is_an_error_and_writes_nothing(graph: Graph) -> None:
    before = lines(graph)
    with pytest.raises(UsageError):
        extract(graph, "nowhere.md")
    assert lines(graph) == before


def test_dry_run_writes_nothing(graph: Graph) -> None:
    write("pump.md", PUMP)
    before = lines(graph)
    answer = extract(graph, dry_run=True)
    assert lines(graph) == before and answer.estimate is not None
    assert (answer.estimate["units"], answer.estimate["cost"], answer.exit_status) == (1, 0.0, 0)


def test_a_cap_on_units_is_kept_and_the_next_run_goes_on(graph: Graph) -> None:
    for name in ("east", "north", "west"):
        write(f"{name}.md", f"# {name}\n\nThe {name.title()} Gate opens the {name.title()} Lock.\n")
    first = extract(graph, caps=Caps(units=2))
    assert (list(outcomes(first).values()), first.exit_status) == (
        ["done", "done", "over-budget"],
        1,
    )
    second = extract(graph, run_id="r2")
    assert (list(outcomes(second).values()), second.exit_status) == (
        ["skipped", "skipped", "done"],
        0,
    )


def test_ctrl_c_leaves_what_is_done_and_the_rest_pending(graph: Graph) -> None:
    for name in ("east", "north", "west"):
        write(f"{name}.md", f"# {name}\n\nThe {name.title()} Gate opens the {name.title()} Lock.\n")
    wishes = iter([False, False, True])
    tools = Tools(Silent(), lambda: next(wishes), Mask())
    answer = graph.extract(RunRequest(("docs",), "r"), tools)
    assert (list(outcomes(answer).values()), answer.exit_status) == (
        ["done", "done", "pending"],
        130,
    )
    assert list(outcomes(extract(graph, run_id="r2")).values()) == ["skipped", "skipped", "done"]


def test_a_long_document_is_cut_and_only_the_changed_section_is_read_again(graph: Graph) -> None:
    def text(third: str) -> str:
        sections = [
            "The Gate Keeper opens the Lock House.",
            "The Night Shift watches the Water Tower.",
            third,
        ]
        return "# Plant\n" + "".join(
            f"\n## Part {number}\n\n{words}\n" for number, words in enumerate(sections, 1)
        )

    write("plant.md", text("The Day Shift paints the Boat House."))
    first = extract(graph, unit_tokens=30)
    assert len(first.units) > 2 and set(outcomes(first).values()) <= {"done", "empty"}
    write("plant.md", text("The Day Shift leaves the Boat House."))
    second = extract(graph, run_id="r2", unit_tokens=30)
    assert [unit for unit, outcome in outcomes(second).items() if outcome == "done"] == [
        "docs/plant.md#part-3"
    ]
    assert {
        "The Day Shift leaves the Boat House.",
        "The Gate Keeper opens the Lock House.",
    } <= claims(graph)
    assert "The Day Shift paints the Boat House." not in claims(graph)
    write(
        "plant.md",
        "# Plant\n\n## Part 1\n\nThe Gate Keeper opens the Lock House.\n\n## Part 2\n\nThe Night Shift watches the Water Tower.\n",
    )
    extract(graph, run_id="r3", unit_tokens=30)
    assert claims(graph) == {
        "The Gate Keeper opens the Lock House.",
        "The Night Shift watches the Water Tower.",
    }
    assert graph.validate().exit_status == 0


def test_modules_depend_on_what_they_import_and_only_changed_ones_are_read_again(
    graph: Graph,
) -> None:
    Path("docs/shop").mkdir()
    write("shop/__init__.py", "")
    write(
        "shop/cart.py",
        "from . import prices\n\ndef total(items):\n    return sum(prices.price(i) for i in items)\n",
    )
    write("shop/prices.py", "def price(item):\n    return 1\n")
    assert extract(graph).exit_status == 0
    write("shop/prices.py", "def price(item):\n    return 2\n")
    second = extract(graph, run_id="r2")
    before = lines(graph)
    assert (
        set(outcomes(extract(graph, run_id="r3")).values()) == {"skipped"}
        and lines(graph) == before
    )
    assert (
        outcomes(second)["docs/shop/__init__.py"] == "skipped"
        and outcomes(second)["docs/shop/prices.py"] == "done"
    )
    assert graph.verify()["problems"] == []


@pytest.mark.parametrize(
    ("ends", "encoding"),
    [
        ("\r\n", "utf-8"),
        ("\r", "utf-8"),
        ("\n", "utf-8-sig"),
        ("\n", "utf-16"),
        ("\r\n", "utf-16-le"),
    ],
)
def test_the_same_words_in_another_encoding_make_the_same_graph(
    graph: Graph, ends: str, encoding: str
) -> None:
    text = PUMP + "\nDie Kühlpumpe (KP) heißt im Werk **Blaue Pumpe**.\n"
    write("pump.md", text)
    extract(graph)

    def said() -> set[tuple[str, str, str]]:
        names = {node.nid: node.name for node in graph.reader().every_node()}
        return {
            (edge.predicate, names[edge.src], names[edge.dst])
            for edge in graph.reader().every_edge()
        }

    had = said()
    bom = b"\xff\xfe" if encoding == "utf-16-le" else b""
    raw = bom + text.replace("\n", ends).encode(encoding)
    Path("docs/pump.md").write_bytes(raw)
    extract(graph, run_id="r2")
    assert said() == had
    for edge in graph.reader().every_edge():
        if edge.evidence:
            start, end = edge.evidence["bytes"]
            assert (
                raw[start:end].decode("utf-16-le" if "16" in encoding else "utf-8")
                == edge.evidence["text"]
            )


def test_a_file_whose_name_no_node_can_have_costs_no_one(graph: Graph) -> None:
    write("pump.md", PUMP)
    write("a\u202eb.md", AUDIT)  # a bidirectional override
    answer = extract(graph)
    assert outcomes(answer)["docs/pump.md"] == "done" and answer.exit_status == 1
    refused = next(result for result in answer.units if result.unit != "docs/pump.md")
    assert refused.outcome == "invalid" and "E101" in refused.detail


def test_two_runs_at_once_leave_nothing_that_a_later_one_cant_replace(graph: Graph) -> None:
    write("pump.md", PUMP)
    reread = iter([True])

    def meanwhile() -> bool:
        if next(
            reread, False
        ):  # another process extracts the same document between our looking and our writing
            other = Place("t").open()
            other.extract(RunRequest(("docs",), "other"), Tools(Silent(), lambda: False, Mask()))
            other.close()
        return False

    graph.extract(RunRequest(("docs",), "mine"), Tools(Silent(), meanwhile, Mask()))
    write(
        "pump.md",
        "# Pump outage\n\nThe Cooling Pump (CP) was replaced. The Night Shift installed the Cooling Pump.\n",
    )
    extract(graph, run_id="r3")
    assert "The Cooling Pump (CP) stopped at 09:14." not in claims(graph)


def test_every_citation_with_words_is_held_against_the_source_whatever_its_predicate(
    graph: Graph,
) -> None:
    releases = "## 2.0.0\n\n- The Cooling Pump uses the Valve Controller.\n\n## 1.0.0\n\n- The Cooling Pump is new.\n"
    write("CHANGELOG.md", f"# Changelog\n\n{releases}")
    write(
        "0001-old.md",
        "# Use pumps\n\n## Status\n\nSuperseded by [the next](0002-new.md)\n\n## Context\n\nThe Cooling Pump is a pump.\n",
    )
    write("0002-new.md", "# Use valves\n\nThe Valve Controller is a valve.\n")
    extract(graph)
    cited = [edge for edge in graph.reader().every_edge() if edge.quote]
    assert {"REVISES", "SUPERSEDES", "SUPPORTS"} <= {edge.predicate for edge in cited}
    assert {edge.status for edge in cited} == {"verified"}


def test_a_run_says_how_many_sentences_became_claims_and_the_report_lists_units_that_gave_little(
    graph: Graph,
) -> None:
    write(
        "pump.md",
        "# Pump\n\nThe CP depends on the Valve Controller. It ran. It then stopped for a day.\n\nNobody saw what had happened.\n",
    )
    answer = extract(graph).as_json()
    unit = answer["units"][0]  # type: ignore[index]
    assert (unit["claims"], unit["sentences"], unit["detail"]) == (
        1,
        3,
        "1 of 3 sentences became claims",
    )  # type: ignore[index, call-overload]
    totals = answer["totals"]
    assert isinstance(totals, dict) and (totals["claims"], totals["sentences"]) == (1, 3)
    graph.render()
    report = Path(graph.path, "REPORT.md").read_text(encoding="utf-8")
    unknown = report.split("## What the graph does not know")[1].split("\n## ")[0]
    assert (
        "docs/pump.md (1 of 3 sentences became claims)" in unknown
        and "every unit was read" not in unknown
    )


def test_progress_says_on_its_stream_what_was_passed_over(graph: Graph) -> None:
    from kgraph.extract.progress import Progress

    write(
        "pump.md", "# Pump\n\nThe CP depends on the Valve Controller. It then stopped for a day.\n"
    )
    said: list[str] = []
    graph.extract(
        RunRequest(("docs",), "r"),
        Tools(Progress(said.append, lambda: 0.0, False), lambda: False, Mask()),
    )
    assert any("1 of 2 sentences became claims" in line for line in said)


# -- what was taken back by hand ---------------------------------------------------------------------------------------------------


STOPPED = "The Cooling Pump (CP) stopped at 09:14."
NEEDS = "The CP depends on the Valve Controller."


def test_a_claim_that_was_retracted_stays_away_over_three_readings_and_a_change(
    graph: Graph,
) -> None:
    write("pump.md", PUMP)
    extract(graph)
    assert claims(graph) >= {NEEDS}
    graph.retract(("node", f"Claim:{NEEDS}"), "not so", cascade=True)
    left = claims(graph)
    assert NEEDS not in left
    for number in range(3):
        answer = extract(graph, run_id=f"again{number}", again=True)
        assert claims(graph) == left and answer.exit_status == 0
        assert [held for unit in answer.units for held in unit.held] == [f"Claim {NEEDS}"]
        assert answer.as_json()["held_back"] == 1
    write("pump.md", PUMP + "\nThe Valve Controller depends on the Relay Board.\n")
    extract(graph, run_id="changed")
    assert NEEDS not in claims(graph) and len(claims(graph)) == len(left) + 1
    extract(graph, run_id="renewed", again=True, renew=True)
    assert NEEDS in claims(graph)
    extract(graph, run_id="after", again=True)
    assert NEEDS in claims(graph)


def test_a_retracted_source_is_not_read_again_until_that_is_asked(graph: Graph) -> None:
    write("pump.md", PUMP)
    extract(graph)
    had = claims(graph)
    graph.retract(("source", "pump.md"), "not ours")
    for number in range(3):
        extract(graph, run_id=f"again{number}", again=number % 2 == 0)
        assert claims(graph) == set()
    extract(graph, run_id="renewed", renew=True)
    assert claims(graph) == had


def test_a_retracted_edge_stays_away_and_comes_back_when_the_retraction_is_undone(
    graph: Graph,
) -> None:
    write("pump.md", PUMP)
    extract(graph)
    edge = next(edge for edge in graph.reader().every_edge() if edge.predicate == "DEPENDS_ON")
    taken = graph.retract(("edge", edge.id), "not so")
    answer = extract(graph, run_id="again", again=True)
    assert edge.id not in {one.id for one in graph.reader().every_edge()}
    assert next(held for unit in answer.units for held in unit.held).startswith("DEPENDS_ON")
    graph.restore(taken.tx, "it was so")
    extract(graph, run_id="once more", again=True)
    assert edge.id in {one.id for one in graph.reader().every_edge()}


# -- files that move ---------------------------------------------------------------------------------------------------------------


def sources(graph: Graph) -> dict[str, str]:
    return {str(node.fields["uri"]): node.id for node in graph.reader().every_node("Source")}


def test_a_renamed_file_keeps_its_source_and_is_not_read_again(graph: Graph) -> None:
    write("pump.md", PUMP)
    extract(graph)
    had, before = claims(graph), sources(graph)
    Path("docs/pump.md").rename("docs/cooling.md")
    answer = extract(graph, run_id="r2")
    assert [(unit.unit, unit.outcome) for unit in answer.units] == [("docs/cooling.md", "skipped")]
    assert "renamed from docs/pump.md" in answer.units[0].detail and not answer.vanished
    assert sources(graph) == {"docs/cooling.md": before["docs/pump.md"]} and claims(graph) == had
    cited = [edge for edge in graph.reader().every_edge() if edge.evidence]
    assert {edge.source_doc.partition("#")[0] for edge in cited} == {"docs/cooling.md"}
    assert graph.verify()["evidence"].get("missing", 0) == 0
    written = lines(graph)
    assert (
        set(outcomes(extract(graph, run_id="r3")).values()) == {"skipped"}
        and lines(graph) == written
    )


def test_a_new_file_in_the_place_of_a_renamed_one_is_a_source_of_its_own(graph: Graph) -> None:
    write("pump.md", PUMP)
    extract(graph)
    Path("docs/pump.md").rename("docs/cooling.md")
    extract(graph, run_id="r2")
    write("pump.md", AUDIT)
    extract(graph, run_id="r2b")
    found = sources(graph)
    assert set(found) == {"docs/cooling.md", "docs/pump.md"} and len(set(found.values())) == 2
    write("cooling.md", PUMP + "\nThe Valve Controller depends on the Relay Board.\n")
    answer = extract(graph, run_id="r3")
    assert outcomes(answer) == {"docs/cooling.md": "done", "docs/pump.md": "skipped"}
    assert sources(graph) == found
    Path("docs/cooling.md").unlink()
    extract(graph, run_id="r4", prune=True, allow_shrink=True)
    assert set(sources(graph)) == {"docs/pump.md"}
