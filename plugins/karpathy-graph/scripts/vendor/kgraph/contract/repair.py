"""What a model really sends → a payload. Only what is listed here is changed, every change is reported, and nothing is invented."""

from __future__ import annotations

from typing import Any

from kgraph.contract.amend import DROPS, amend
from kgraph.contract.check import check
from kgraph.contract.decode import as_text, decode
from kgraph.contract.reader import TOO_DEEP, read
from kgraph.contract.view import Options, View
from kgraph.model import Json, Problem
from kgraph.tuples import NamedTuple

_DEFAULT = Options()
# how much text may be read in vain before the search for an object is given up, as a multiple of the text's length
_PATIENCE = 3
_COST_OF_A_TRY = 64  # characters; an opening that fails at once isn't free either


class Repaired(NamedTuple):
    """``payload`` is None when the text holds no payload, which ``problems`` then says.

    ``repairs`` are ``{path, code, message, original}``; their paths are those of the text as it was sent, and so are those of the
    edges in it. ``dropped`` counts the edges that were left out.
    """

    payload: dict[str, Json] | None
    repairs: list[dict[str, Json]]
    dropped: int
    problems: list[Problem]

    def as_sent(self, problems: list[Problem]) -> list[Problem]:
        """Problems of the repaired payload with the paths that their edges have in the text as it was sent."""
        dropped = {entry["path"] for entry in self.repairs if entry["code"] in DROPS}
        if not dropped:
            return problems
        sent = len((self.payload or {}).get("edges", ())) + len(dropped)
        numbers = [number for number in range(sent) if f"$.edges[{number}]" not in dropped]
        moved: list[Problem] = []
        for problem in problems:
            number, bracket, rest = problem.path.removeprefix("$.edges[").partition("]")
            if bracket and problem.path.startswith("$.edges["):
                problem = problem._replace(path=f"$.edges[{numbers[int(number)]}]{rest}")
            moved.append(problem)
        return moved


class _Object(NamedTuple):
    """A JSON object in the text, from ``start`` to ``end``, with the repairs that it took to read it."""

    value: dict[str, Json]
    start: int
    end: int
    repairs: list[dict[str, Json]]
    problems: list[Problem]


def repair(text: bytes | str, view: View, options: Options = _DEFAULT) -> Repaired:
    """The payload in a model's reply. ``view`` decides which ids and names exist, ``options`` what validates where there are several."""
    payload, problems = decode(text)
    if payload is not None:
        return _amended(_Object(payload, 0, 0, [], problems), view, options)
    decoded, faults = as_text(text)
    if decoded is None:
        return Repaired(None, [], 0, faults)
    if problems[0].message.startswith("not an object"):
        return Repaired(None, [], 0, problems)
    objects = _objects(decoded)
    if objects is None:
        return Repaired(
            None,
            [],
            0,
            [
                Problem(
                    "E101",
                    "$",
                    "too many broken objects in the text to search it",
                    problems[0].message,
                )
            ],
        )
    found = [item for item in objects if _has_lists(item.value)]
    if not found:
        hint = "the reply must hold one object with the lists `nodes` and `edges`"
        return Repaired(
            None,
            [],
            0,
            problems
            if decoded.lstrip()[:1] == "{"
            else [Problem("E101", "$", "no payload in the text", hint)],
        )
    return _choose(decoded, found, (view, options))


def _choose(text: str, found: list[_Object], judged_by: tuple[View, Options]) -> Repaired:
    """Of several objects the last that validates; if none does, the last. The text around it and the others are listed."""
    view, options = judged_by
    chosen, result = found[-1], None
    for item in reversed(found):
        outcome = _amended(item, view, options)
        if len(found) == 1 or (
            outcome.payload is not None
            and not outcome.problems
            and _validates(outcome.payload, view, options)
        ):
            chosen, result = item, outcome
            break
    result = result or _amended(chosen, view, options)
    around = [
        _repair("$", "prose", "text before the object removed", text[: chosen.start]),
        _repair("$", "prose", "text after the object removed", text[chosen.end :]),
    ]
    others = [
        _repair(
            "$",
            "object",
            "another object with nodes and edges put aside",
            text[item.start : item.end],
        )
        for item in found
        if item is not chosen
    ]
    shown = [entry for entry in around if entry["original"].strip()]
    return result._replace(repairs=shown + others + result.repairs)


def _validates(payload: dict[str, Json], view: View, options: Options) -> bool:
    admission = check(payload, view, options)
    return not admission.errors and not admission.violations


def _amended(item: _Object, view: View, options: Options) -> Repaired:
    payload, repairs, dropped = amend(item.value, view, options.source_root)
    return Repaired(payload, item.repairs + repairs, dropped, item.problems)


def _objects(text: str) -> list[_Object] | None:
    """The outermost objects in a text, in order; None if so many openings lead nowhere that the search would not be linear."""
    found: list[_Object] = []
    patience = _PATIENCE * len(text) + 10_000
    at = text.find("{")
    while at >= 0:
        reading = read(text, at, trailing_commas=True)
        if not reading.broken:
            commas = [
                _repair(comma.path, "trailing-comma", "a trailing comma removed", ",")
                for comma in reading.commas
            ]
            found.append(_Object(reading.value, at, reading.end, commas, reading.problems))
            at = text.find("{", reading.end)
        else:
            patience -= reading.end - at + _COST_OF_A_TRY
            if patience < 0:
                return None
            at = text.find("{", reading.end if reading.broken == TOO_DEEP else at + 1)
    return found


def _has_lists(value: dict[str, Any]) -> bool:
    return isinstance(value.get("nodes"), list) and isinstance(value.get("edges"), list)


def _repair(path: str, code: str, message: str, original: Json) -> dict[str, Json]:
    return {"path": path, "code": code, "message": message, "original": original}
