"""An answer cut to a number of tokens. What is left out is counted, and a cursor goes on where the answer stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.errors import UsageError
from kgraph.retrieve.printing import count_tokens
from kgraph.tuples import NamedTuple

SMALLEST = 200  # tokens: less doesn't hold the head of an answer
LONGEST_TEXTS = (
    4000,
    1000,
    300,
    100,
    40,
)  # characters: tried one after the other where an answer doesn't fit
AROUND = 160  # bytes of the members that a cut adds: truncated, left_out, cursor, shortened
# What names a thing or a place is shown whole or not at all: a shortened id is another id.
NAMING = frozenset(
    "edge id source target from to canonical tx run_id uri source_doc cursor graph path through code type predicate status".split()
)

Json = dict[str, Any]


class Budget(NamedTuple):
    """``mark`` tells what a cursor belongs to; '' for an answer that has no further pages, like that of a write."""

    max_tokens: int
    cursor: str = ""
    mark: str = ""


def mark_of(tool: str, asked: Sequence[Any], heads: Sequence[str]) -> str:
    """Eight characters that are the same for the same question to the same graph."""
    text = json.dumps([tool, list(asked), sorted(heads)], sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def paged(body: Mapping[str, Any], lists: Sequence[str], budget: Budget) -> Json:
    """``body`` with no more of its ``lists`` (dotted paths, in the order in which they are given) than fits.

    Adds ``truncated``, ``left_out`` {list: how many are neither here nor on an earlier page}, ``cursor``, and ``shortened`` where long
    texts were cut. Raises UsageError for a cursor of another question and for a budget that holds nothing.
    """
    if budget.max_tokens < SMALLEST:
        raise UsageError(f"max_tokens must be at least {SMALLEST}", "the default is 2000")
    items = [(path, item) for path in lists for item in _at(body, path)]
    start = _start(budget, len(items))
    head: Json
    head, shortened = _fitted(_without(body, lists), budget.max_tokens - count_tokens(" " * AROUND))
    left = budget.max_tokens * 3 - AROUND - _bytes(head)
    taken: list[tuple[str, Any]] = []
    for path, item in items[start:]:
        cost = _bytes(item) + 2
        if (
            cost > left and not taken
        ):  # even a page of its own is too small: better its beginning than no way on
            item, cut = _fitted(item, (left - 2) // 3)
            shortened, cost = shortened or cut, _bytes(item) + 2
        if cost > left:
            break
        taken.append((path, item))
        left -= cost
    for path, item in taken:
        _at(head, path).append(item)
    end = start + len(taken)
    over = end < len(items)
    head["truncated"] = over
    head["left_out"] = _counted(items[end:])
    head["cursor"] = f"{budget.mark}.{end}" if over and budget.mark else ""
    if shortened:
        head["shortened"] = True
    return head


def _start(budget: Budget, count: int) -> int:
    if not budget.cursor:
        return 0
    mark, _, place = budget.cursor.partition(".")
    if mark != budget.mark or not place.isdecimal() or int(place) >= count:
        raise UsageError(
            "the cursor belongs to another question, or the graph has changed since",
            "ask again without a cursor",
        )
    return int(place)


def _at(body: Mapping[str, Any], path: str) -> list[Any]:
    """The list at a dotted path; empty where there is none."""
    found: Any = body
    for step in path.split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found if isinstance(found, list) else list(found) if isinstance(found, tuple) else []


def _without(body: Mapping[str, Any], lists: Sequence[str]) -> Json:
    """A copy whose ``lists`` are there and empty."""
    copy: Json = {}
    for key, value in body.items():
        inner = [path.partition(".")[2] for path in lists if path.startswith(f"{key}.")]
        if key in lists and isinstance(value, list | tuple):
            copy[key] = []
        else:
            copy[key] = _without(value, inner) if inner and isinstance(value, Mapping) else value
    return copy


def _counted(items: Sequence[tuple[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for path, _ in items:
        found[path] = found.get(path, 0) + 1
    return found


def _fitted(value: Any, max_tokens: int) -> tuple[Any, bool]:
    """A value that fits, its long texts cut as little as need be; whether they were."""
    if _bytes(value) <= max_tokens * 3:
        return value, False
    for longest in LONGEST_TEXTS:
        short = _shortened(value, longest)
        if _bytes(short) <= max_tokens * 3:
            return short, True
    needed = (_bytes(_shortened(value, LONGEST_TEXTS[-1])) - max_tokens * 3 + 2) // 3
    raise UsageError("the answer does not fit max_tokens", f"give at least {needed} tokens more")


def _shortened(value: Any, longest: int) -> Any:
    if isinstance(value, str) and len(value) > longest:
        return f"{value[:longest]}… [{len(value) - longest} more characters]"
    if isinstance(value, Mapping):
        return {
            key: inner if key in NAMING and isinstance(inner, str) else _shortened(inner, longest)
            for key, inner in value.items()
        }
    return (
        [_shortened(inner, longest) for inner in value]
        if isinstance(value, list | tuple)
        else value
    )


def text_of(value: Any) -> str:
    """JSON as it is sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _bytes(value: Any) -> int:
    """What a value costs, as the bytes of plain text of as many tokens: ids and brackets cost more than their bytes say."""
    return 3 * count_tokens(text_of(value))
