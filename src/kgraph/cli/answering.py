"""What a command gives to the door, and how it is printed: one JSON object, or words for a person."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kgraph.plurals import counted
from kgraph.tuples import NamedTuple

# Control characters, line and paragraph separators, bidirectional overrides and lone surrogates: printed as escapes, never as they are.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
UNSAFE_IN_JSON = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Answer(NamedTuple):
    """``body``: the JSON answer without ``ok``. ``text``: printed instead of JSON unless --json, or always with ``as_text``.
    ``words``: the answer for a terminal."""

    body: Mapping[str, Any]
    exit_status: int = 0
    text: str | None = None
    words: Callable[[Mapping[str, Any]], str] | None = None
    as_text: bool = False
    prose: bool = (
        False  # sentences to be read: wrapped to a terminal's width, where a list keeps its lines
    )
    bare: bool = False  # nothing is added to the body: its size is bounded


class Around(NamedTuple):
    """What a door adds to a body: the graph's name and path, what is wrong with its log; and who reads it."""

    named: Mapping[str, Any]
    damage: Sequence[Mapping[str, Any]]
    json: bool
    terminal: bool


def printed(answer: Answer, around: Around) -> str:
    """Everything that goes to standard output for an answer."""
    body: dict[str, Any] = {**({} if answer.bare else around.named), **answer.body}
    told = any(
        error.get("code") in ("E209", "E210")
        for error in body.get("errors") or ()
        if isinstance(error, Mapping)
    )
    if around.damage and not answer.bare and not told:
        body["warnings"] = [*(body.get("warnings") or []), *around.damage]
    if answer.text is not None and (answer.as_text or not around.json):
        return answer.text
    if around.json or not around.terminal:
        return (
            as_json(
                {**body, "text": answer.text} if answer.text is not None else body,
                answer.exit_status,
            )
            + "\n"
        )
    return safe((answer.words or plain_words)(body)).rstrip("\n") + "\n"


def as_json(body: Mapping[str, Any], exit_status: int) -> str:
    """One line of JSON whose first key is ``ok``; what could break a line or fool an eye is escaped."""
    text = json.dumps({"ok": exit_status == 0, **body}, ensure_ascii=False, separators=(", ", ": "))
    return text if text.isascii() and "\x7f" not in text else UNSAFE_IN_JSON.sub(_escape, text)


def safe(text: str) -> str:
    """A text that may stand on a terminal: line ends and tabs stay, everything else that is no letter is shown as an escape."""
    return UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def one_line(text: str) -> str:
    """A text from a document or an argument, which can't begin a line of its own."""
    return safe(" ".join(text.split()))


def problem_lines(body: Mapping[str, Any]) -> list[str]:
    """Errors, violations and warnings as a person reads them."""
    lines = []
    for field, mark in (
        ("errors", "error"),
        ("invariant_violations", "invariant"),
        ("warnings", "warning"),
    ):
        for problem in body.get(field) or ():
            lines.append(
                f"{mark} {problem.get('code', '')}{_where(problem)}: {one_line(problem.get('message', ''))}"
            )
            if problem.get("hint"):
                lines.append(f"    {one_line(problem['hint'])}")
    return lines


def _where(problem: Mapping[str, Any]) -> str:
    """The place in a payload; nothing for what is about the call or the whole graph."""
    path = one_line(problem.get("path", ""))
    return f" at {path}" if path not in ("", "$") else ""


def refusal(body: Mapping[str, Any], exit_status: int) -> str:
    """Why an answer is a refusal, in one line for standard error; '' for one that isn't."""
    problems = [*(body.get("errors") or ()), *(body.get("invariant_violations") or ())]
    if exit_status == 2 and not problems:  # --strict
        problems = list(body.get("warnings") or ())
    numbered = [
        (number, one)
        for number, one in enumerate(body.get("results") or (), 1)
        if isinstance(one, Mapping)
    ]
    told = [
        f"{problem.get('code', '')}{_where(problem)}: {one_line(problem.get('message', ''))}"
        for problem in problems
    ]
    told += [
        f"payload {number}: {why}"
        for number, one in numbered
        if (why := refusal(one, 0 if one.get("ok") else 2))
    ]
    lines = body.get("refused_count")
    if lines:
        told.append(f"{counted(lines, 'line')} of {body.get('lines')} refused")
    if len(told) < 2:
        return told[0] if told else ""
    return f"{told[0]}; and {len(told) - 1} more, which the answer lists"


def plain_words(body: Mapping[str, Any]) -> str:
    """Any answer, for a person: names and values, lists counted or listed."""
    lines: list[str] = []
    for key, value in body.items():
        if key in ("errors", "invariant_violations", "warnings") or value in (None, "", [], {}):
            continue
        lines += _value_lines(key.replace("_", " "), value, 0)
    return "\n".join([*lines, *problem_lines(body)])


def _value_lines(name: str, value: Any, depth: int) -> list[str]:
    pad = "  " * depth
    name = one_line(name)
    if isinstance(value, Mapping):
        return [
            f"{pad}{name}:",
            *(
                line
                for key, inner in value.items()
                if inner not in (None, "", [], {})
                for line in _value_lines(str(key), inner, depth + 1)
            ),
        ]
    if isinstance(value, list | tuple):
        if all(not isinstance(inner, Mapping | list | tuple) for inner in value):
            return [f"{pad}{name}: {', '.join(one_line(str(inner)) for inner in value)}"]
        return [
            f"{pad}{name}:",
            *(
                line
                for number, inner in enumerate(value, 1)
                for line in _value_lines(str(number), inner, depth + 1)
            ),
        ]
    return [f"{pad}{name}: {one_line(str(value))}"]
