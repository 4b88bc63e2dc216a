"""Laws of cut answers: a page keeps to its budget, and pages in a row are the whole answer."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kgraph.errors import UsageError
from kgraph.mcp.paging import SMALLEST, Budget, mark_of, paged, text_of
from kgraph.retrieve.printing import count_tokens

LISTS = ("edges", "node.said", "history")
ITEMS = st.lists(
    st.fixed_dictionaries(
        {"id": st.text("abc", min_size=1, max_size=8), "quote": st.text(max_size=90)}
    ),
    max_size=30,
)
BODIES = st.fixed_dictionaries(
    {
        "ok": st.just(True),
        "edges": ITEMS,
        "node": st.fixed_dictionaries({"name": st.text(max_size=40), "said": ITEMS}),
        "history": ITEMS,
    }
)
BUDGETS = st.integers(SMALLEST + 120, 1500)


def walk(body: dict[str, Any], max_tokens: int) -> list[dict[str, Any]]:
    pages: list[dict[str, Any]] = []
    cursor = ""
    while not pages or cursor:
        pages.append(paged(body, LISTS, Budget(max_tokens, cursor, "mark")))
        cursor = pages[-1]["cursor"]
    return pages


@given(BODIES, BUDGETS)
def test_pages_in_a_row_are_the_whole_answer_and_each_keeps_to_its_budget(
    body: dict[str, Any], max_tokens: int
) -> None:
    pages = walk(body, max_tokens)
    assert [page for page in pages if count_tokens(text_of(page)) > max_tokens] == []
    assert [item for page in pages for item in page["edges"]] == body["edges"]
    assert [item for page in pages for item in page["node"]["said"]] == body["node"]["said"]
    assert [item for page in pages for item in page["history"]] == body["history"]
    assert {page["node"]["name"] for page in pages} == {body["node"]["name"]}
    assert [page["truncated"] for page in pages] == [True] * (len(pages) - 1) + [False]
    total = len(body["edges"]) + len(body["node"]["said"]) + len(body["history"])
    shown = 0
    for page in pages:
        shown += len(page["edges"]) + len(page["node"]["said"]) + len(page["history"])
        assert sum(page["left_out"].values()) == total - shown


@given(st.integers(5000, 90_000), BUDGETS)
def test_a_text_that_fits_no_page_is_shortened_and_the_answer_says_so(
    length: int, max_tokens: int
) -> None:
    long, short = {"id": "edg_1", "quote": "q" * length}, {"id": "edg_2", "quote": "short"}
    body = {"ok": True, "edges": [long, short], "node": {"said": []}, "history": []}
    pages = walk(body, max_tokens)
    assert [page for page in pages if count_tokens(text_of(page)) > max_tokens] == []
    edges = [edge for page in pages for edge in page["edges"]]
    assert [edge["id"] for edge in edges] == ["edg_1", "edg_2"] and edges[1]["quote"] == "short"
    assert edges[0]["quote"].startswith("qqq") and edges[0]["quote"].endswith(" more characters]")
    assert pages[0]["shortened"] is True


def test_an_id_is_shown_whole_or_the_call_is_refused_with_what_it_needs() -> None:
    body = {"ok": True, "edges": [{"id": "e" * 5000}]}
    try:
        paged(body, ("edges",), Budget(SMALLEST))
    except UsageError as error:
        needed = int("".join(filter(str.isdecimal, error.hint)))
        assert paged(body, ("edges",), Budget(SMALLEST + needed))["edges"] == body["edges"]
    else:
        raise AssertionError("an id of 5000 bytes does not fit 200 tokens")


def test_a_mark_is_of_the_question_and_of_the_graph() -> None:
    marks = {
        mark_of("show", ("a",), ["1"]),
        mark_of("show", ("b",), ["1"]),
        mark_of("path", ("a",), ["1"]),
        mark_of("show", ("a",), ["2"]),
    }
    assert len(marks) == 4
    assert mark_of("show", ("a",), ["1", "2"]) == mark_of("show", ("a",), ["2", "1"])
