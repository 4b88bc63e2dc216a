"""Documents into units: whole, by sections, between blocks, and what can't be cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.model import Document, Unit
from kgraph.sources import read_bytes
from kgraph.units import cut, digest, halve, note_folder, text_of, tokens


def doc(text: str, name: str = "d/a.md") -> Document:
    return read_bytes(text.encode("utf-8"), name)


def ids(units: list[Unit]) -> list[str]:
    return [unit.id for unit in units]


def test_a_token_is_three_bytes_rounded_up() -> None:
    assert [tokens(text) for text in ("", "a", "abc", "abcd", "漢字")] == [0, 1, 1, 2, 2]


def test_a_document_that_fits_is_one_unit() -> None:
    (unit,) = cut(doc("# T\n\ntext\n"))
    assert (unit.id, unit.kind, unit.spans, unit.note) == ("d/a.md", "document", (), "")
    assert text_of(unit) == "# T\n\ntext\n"


LONG = "# T\n\nintro\n\n" + "".join(
    f"## S{number}\n\n{'word ' * 40}\n\n### D{number}\n\n{'more ' * 40}\n\n" for number in range(3)
)


def test_a_long_document_is_cut_at_its_headings_and_carries_their_path() -> None:
    units = cut(doc(LONG), 150)
    assert ids(units) == ["d/a.md#t", "d/a.md#s1", "d/a.md#s2"]
    assert [unit.heading_path for unit in units] == [("T",), ("T", "S1"), ("T", "S2")]
    assert text_of(units[0]).startswith("# T\n\nintro\n\n## S0")
    units = cut(doc(LONG), 90)
    assert ids(units) == [
        "d/a.md#t",
        "d/a.md#d0",
        "d/a.md#s1",
        "d/a.md#d1",
        "d/a.md#s2",
        "d/a.md#d2",
    ]
    assert units[1].heading_path == ("T", "S0", "D0")


def test_neighbours_share_a_unit_while_they_fit() -> None:
    text = "# T\n\n" + "".join(f"## S{number}\n\n{'word ' * 20}\n\n" for number in range(6))
    assert ids(cut(doc(text), 120)) == ["d/a.md#t", "d/a.md#s3"]


def test_a_body_without_headings_is_cut_between_its_blocks() -> None:
    fence = "```\n" + "line\n\n" * 30 + "```\n"
    table = "| a | b |\n|---|---|\n" + "| x | y |\n" * 15
    text = "# T\n\n" + "word " * 30 + "\n\n" + fence + "\n" + table + "\nend\n"
    units = cut(doc(text), 80)
    assert ids(units)[:2] == ["d/a.md#t", "d/a.md#t~2"]
    assert any(text_of(unit).strip() == fence.strip() for unit in units)
    assert any(table.strip() in text_of(unit) for unit in units)


@pytest.mark.parametrize(
    ("text", "name", "ends"),
    [
        ("| a | b |\n|---|---|\n" + "| some | thing |\n" * 60, "t.md", "\n"),
        ("A sentence of some words. " * 60, "t.txt", ". "),
        ('{"text": "' + "one word and more " * 60 + '"}', "t.json", " "),
        ("x" * 2000, "t.txt", "x"),
        ("漢字だけ。" * 200, "t.txt", "。"),
        ("09:14:00 INFO the pump was started again\n" * 80, "t.log", "\n"),
    ],
)
def test_a_block_that_exceeds_the_budget_is_cut_where_it_hurts_least(
    text: str, name: str, ends: str
) -> None:
    units = cut(doc(text, name), 60)
    assert len(units) > 3
    assert all(tokens(text_of(unit)) <= 60 for unit in units)
    assert all(text_of(unit).endswith(ends) for unit in units[:-1])
    assert "".join(text_of(unit) for unit in units) == text


def test_a_section_unchanged_keeps_its_hash_when_another_changes() -> None:
    before, after = cut(doc(LONG), 150), cut(doc(LONG.replace("more more", "more less", 1)), 150)
    assert [one.sha256 == two.sha256 for one, two in zip(before, after, strict=True)] == [
        False,
        True,
        True,
    ]


def test_the_hash_covers_title_path_and_text() -> None:
    (unit,) = cut(doc("# T\n\ntext\n"))
    for other in (
        unit._replace(heading_path=("T",)),
        unit._replace(documents=(unit.documents[0]._replace(title="U"),)),
        unit._replace(documents=(unit.documents[0]._replace(text="# T\n\ntext!\n"),)),
    ):
        assert digest(other) != unit.sha256
    assert digest(unit) == unit.sha256


def test_a_unit_is_halved_near_its_middle_and_inside_a_block_if_need_be() -> None:
    (unit,) = cut(doc("a a\n\nb b\n\nc c\n\nd d\n"))
    first, second = halve(unit)
    assert (first.id, second.id) == ("d/a.md#~a", "d/a.md#~b")
    assert (text_of(first), text_of(second)) == ("a a\n\nb b\n\n", "c c\n\nd d\n")
    (alone,) = halve(cut(doc("one paragraph only\n"))[0])
    assert alone.id == "d/a.md"
    first, second = halve(cut(doc("One sentence of a long paragraph. " * 20))[0])
    assert 0.3 < len(text_of(first)) / len(text_of(second)) < 3
    assert text_of(first).endswith(". ")


def test_the_notes_of_a_folder_are_one_unit_of_several_documents() -> None:
    unit = note_folder("d", [doc("# A\n", "d/a.md"), doc("# B\n", "d/b.md")])
    assert (unit.id, unit.kind, text_of(unit)) == ("d", "notes", "# A\n\n\n# B\n")
    assert ids(halve(unit)) == ["d/a.md", "d/b.md"]


FENCE, TABLE = "```\ncode\n\ncode\n```", "| a | b |\n|---|---|\n| c | d |"
PARTS = st.sampled_from(["# A", "## B", "### C", "word " * 9, "- item\n- item", FENCE, TABLE])


@settings(max_examples=40, deadline=None)
@given(st.lists(PARTS, max_size=20).map("\n\n".join), st.integers(3, 60))
def test_units_cover_the_text_once_within_the_budget(text: str, budget: int) -> None:
    document = doc(text)
    units = cut(document, budget)
    assert len(set(ids(units))) == len(units)
    if units[0].spans:
        assert "".join(text_of(unit) for unit in units) == text
        cuts = {unit.spans[0].start for unit in units}
        assert not any(
            block.start < place < block.end
            for block in document.blocks
            for place in cuts
            if tokens(text[block.start : block.end]) <= budget
        )
    assert all(tokens(text_of(unit)) <= budget for unit in units)
    assert units == cut(document, budget)


KINDS = [
    ("- 09:14 a\n- 09:15 b\n- 09:16 c\n- 09:17 d\n- 09:18 e\n", "t.md", "timeline"),
    ("| time | what |\n|---|---|\n" + "| 2026-03-11 | x |\n" * 6, "t.md", "timeline"),
    ("# Outage\n\nThe pump stopped at 09:14.\n\n- 09:14 a\n- 09:15 b\n", "t.md", "document"),
    ("<h1>T</h1><h2>Abstract</h2><p>x</p><h2>7 References</h2><p>y</p>", "t.html", "paper"),
    ("# T\n\n## Abstract\n\nx\n\n## References\n", "t.md", "document"),
    ("\\section{A}\nx\n", "t.tex", "paper"),
    (
        "11/03/2026, 09:14 - A: x\n11/03/2026, 09:15 - B: y\n11/03/2026, 09:16 - A: z\n",
        "t.txt",
        "thread",
    ),
]


@pytest.mark.parametrize(("text", "name", "kind"), KINDS)
def test_the_kind_of_a_unit_is_that_of_its_document(text: str, name: str, kind: str) -> None:
    assert cut(doc(text, name))[0].kind == kind


def test_a_long_thread_is_cut_between_its_messages() -> None:
    text = "".join(f"11/03/2026, 09:{minute} - A: {'word ' * 10}\n" for minute in range(10, 40))
    units = cut(doc(text, "t.txt"), 100)
    assert {unit.kind for unit in units} == {"thread"}
    assert ids(units)[:2] == ["t.txt", "t.txt#~2"]
    assert all(text_of(unit).startswith("11/03/2026") for unit in units)


def test_every_example_of_the_prompt_is_accepted_whole_with_every_quote_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import kgraph
    from kgraph.extract.prompt import _EXAMPLES

    monkeypatch.chdir(tmp_path)
    for number, (head, text, payload) in enumerate(_EXAMPLES):
        uri = head.split('uri: "')[1].rstrip('"')
        (tmp_path / uri).parent.mkdir(exist_ok=True)
        (tmp_path / uri).write_text(text)
        with kgraph.create(name=f"g{number}") as graph:
            done = graph.ingest(payload)
        assert (done.exit_status, list(done.warnings)) == (0, [])
        assert set(done.evidence) <= {"verified"}
