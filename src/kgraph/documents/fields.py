"""What a document states of itself in fields: front matter, the header of a PEP or RFC, 'Status: …' lines at its top."""

from __future__ import annotations

import re

from kgraph.model import Document, Span
from kgraph.tuples import NamedTuple

_FIELD = re.compile(
    r"[ \t]*(?:[-*+][ \t]+|:|\|[ \t]*)?(?:\*\*|__|`)?([A-Za-z][A-Za-z]*(?:[ _-][A-Za-z]+){0,3}|[Pp][Ee][Pp])(?:\*\*|__"
    r"|`)?[ \t]*(?::|\|)(?:\*\*|__)?[ \t]*([^\r\n]*)"
)
_CONTINUED = re.compile(r"(?:[ \t]{2,}|[ \t]*-[ \t]+)(\S[^\r\n]*)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_TOP = 12_000  # characters from the start in which fields are looked for
_DELIMITER = re.compile(r"(?:---|\+\+\+|\.\.\.)[ \t]*$")

PEOPLE = frozenset(
    """author authors owner owners maintainer maintainers editor editors reviewer reviewers approver approvers deciders decider creator
    sponsor created-by decision-makers decision-maker bdfl-delegate pep-delegate incident-commander commander assignee reporter lead
    contributors shepherd champion""".split()
)


class Field(NamedTuple):
    """One field: its key in lower case with hyphens, its value with continuation lines, and where the whole stands in the document."""

    key: str
    value: str
    start: int
    end: int


def fields_of(document: Document) -> list[Field]:
    """The fields at the top of a document, in order. Prose ends them: a header is lines of fields, not sentences with a colon."""
    text = document.text
    found: list[Field] = []
    at = 0
    limit = min(len(text), _TOP)
    in_matter = False
    prose = 0
    while at < limit and prose < 12:
        line = _LINE.match(text, at)
        if line is None or line.end() == at:
            break
        content = line.group().rstrip("\r\n")
        if _DELIMITER.match(content) and (at == 0 or in_matter):
            in_matter = not in_matter
            at = line.end()
            continue
        field = _FIELD.match(text, at, at + len(content))
        if field is None or (not in_matter and content[:1] == "#"):
            prose += 1 if content.strip() else 0
            at = line.end()
            continue
        end = line.end()
        values = [field.group(2)]
        while (
            end < limit
            and (following := _LINE.match(text, end)) is not None
            and following.end() > end
        ):
            more = _CONTINUED.match(text, end, following.end())
            if (
                more is None
                or _FIELD.match(text, end, following.end())
                and following.group()[:1] not in " \t"
            ):
                break
            values.append(more.group(1).rstrip())
            end = following.end()
        stop = end
        while stop > at and text[stop - 1] in "\r\n \t":
            stop -= 1
        key = re.sub(r"[ _]+", "-", field.group(1).strip().lower())
        found.append(
            Field(
                key,
                "\n".join(value.strip().strip("|").strip() for value in values if value.strip()),
                at + _indent(text, at),
                stop,
            )
        )
        at = end
    return found


def people(field: Field) -> list[str]:
    """The names of people in a field's value: no addresses, no notes in brackets."""
    value = re.sub(
        r"<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]\([^()]*\)",
        lambda found: _label(found.group()),
        field.value,
    )
    names: list[str] = []
    for part in re.split(r"[,;\n]| and |\t", value.strip("[] ")):
        name = part.strip(" \"'-*[]`")
        if (
            2 < len(name) <= 60
            and any(map(str.isalpha, name))
            and len(name.split()) <= 5
            and "://" not in name
            and " at " not in name
        ):
            if "@" in name and not name.startswith("@"):
                continue
            names.append(name)
    return names


def covers_top(spans: tuple[Span, ...]) -> bool:
    """Whether the unit holds the document's beginning, and so its fields."""
    return not spans or any(span.start < 200 for span in spans)


def _label(text: str) -> str:
    return text[1 : text.index("]")] if text.startswith("[") else " "


def _indent(text: str, at: int) -> int:
    return len(text[at : at + 80]) - len(text[at : at + 80].lstrip(" \t"))
