"""LaTeX to a Document: sections, environments as blocks, labels as anchors, citations and references as links."""

from __future__ import annotations

import re

from kgraph.model import Block, Document, Json, Link, Section, Span
from kgraph.sources.assembly import Parts, Raw, from_text
from kgraph.sources.encoding import decode
from kgraph.sources.limits import Limits
from kgraph.sources.lines import Line, split, stretch
from kgraph.sources.outline import Heading, outline

_LEVELS = {
    "part": 1,
    "chapter": 2,
    "section": 3,
    "subsection": 4,
    "subsubsection": 5,
    "paragraph": 6,
    "subparagraph": 7,
}
_SECTION = re.compile(
    r"[ \t]*\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?[ \t]*(?:\[[^\]]*\])?[ \t]*\{"
)
_BEGIN = re.compile(r"[ \t]*\\begin\{([^{}]+)\}")
_WHOLE = {  # environments that must not be cut, and the kind of block that they are
    **dict.fromkeys(
        (
            "verbatim",
            "lstlisting",
            "minted",
            "Verbatim",
            "alltt",
            "comment",
            "tikzpicture",
            "algorithmic",
            "filecontents",
        ),
        "code",
    ),
    **dict.fromkeys(
        (
            "equation",
            "align",
            "gather",
            "multline",
            "eqnarray",
            "displaymath",
            "math",
            "tikzcd",
            "narrowmultline",
        ),
        "code",
    ),
    **dict.fromkeys(
        ("tabular", "table", "longtable", "tabularx", "tabulary", "array", "thebibliography"),
        "table",
    ),
}
_LABEL = re.compile(r"\\label\{([^{}]+)\}")
_LINK = re.compile(
    r"\\(?:(?P<command>href)\{(?P<url>[^{}]*)\}\{(?P<text>[^{}]*)\}|(?P<plain>url)\{(?P<plain_url>[^{}]*)\}"
    r"|(?P<ref>[Cc]?ref|autoref|eqref|pageref|nameref)\{(?P<label>[^{}]*)\}|(?P<cite>[Cc]ite\w*)\*?(?:\[[^\]]*\]){0,2}\{(?P<keys>[^{}]*)\})"
)
_HEAD = re.compile(r"\\(title|author|date)\s*\{")


def read(raw: Raw, limits: Limits) -> Document:
    decoded = decode(raw.data)
    return from_text(raw, decoded, parse(decoded.text))


def parse(text: str) -> Parts:
    lines = split(text)
    blocks: list[Block] = []
    headings: list[Heading] = []
    at = 0
    while at < len(lines):
        at = _construct(text, lines, at, (blocks, headings))
    sections = outline(headings, len(text))
    metadata: dict[str, Json] = {}
    for match in _HEAD.finditer(text[:20_000]):
        metadata.setdefault(match[1], plain(_braced(text, match.end() - 1)))
    links = [link for block in blocks if block.kind != "comment" for link in _links(text, block)]
    taken = {section.anchor for section in sections}
    anchors: dict[str, Span] = {}
    for match in _LABEL.finditer(text):
        if match[1] not in taken:
            anchors.setdefault(
                match[1],
                _labelled(
                    match.start(),
                    headings,
                    blocks,
                    _section_end(sections, match.start(), len(text)),
                ),
            )
    title = metadata.get("title")
    return Parts(
        "latex", sections, blocks, links, metadata, title if isinstance(title, str) else "", anchors
    )


def _section_end(sections: tuple[Section, ...], at: int, length: int) -> int:
    return min(
        (section.end for section in sections if section.start <= at < section.end), default=length
    )


def _labelled(at: int, headings: list[Heading], blocks: list[Block], section_end: int) -> Span:
    """What a label names: the section whose title it follows, or the block that holds it."""
    for heading in headings:
        if heading.start <= at <= heading.body + 80 and heading.start <= at:
            return Span(heading.start, section_end)
    holding = next((block for block in blocks if block.start <= at < block.end), None)
    return Span(holding.start, holding.end) if holding else Span(at, at)


def _construct(
    text: str, lines: list[Line], at: int, found: tuple[list[Block], list[Heading]]
) -> int:
    blocks, headings = found
    line = lines[at]
    if line.blank:
        return at + 1
    if section := _SECTION.match(line.text):
        written = _braced(text, line.start + section.end() - 1)
        end = at
        while end + 1 < len(lines) and lines[end].end < line.start + section.end() + len(written):
            end += 1
        headings.append(Heading(_LEVELS[section[1]], plain(written), line.start, lines[end].next))
        return _take(blocks, "heading", lines, (at, end + 1), str(_LEVELS[section[1]]))
    if line.text.lstrip().startswith("%"):
        end = at + 1
        while end < len(lines) and lines[end].text.lstrip().startswith("%"):
            end += 1
        return _take(blocks, "comment", lines, (at, end))
    environment = _BEGIN.match(line.text)
    if environment and (kind := _WHOLE.get(environment[1].rstrip("*"))):
        return _take(
            blocks, kind, lines, (at, _environment_end(lines, at, environment[1])), environment[1]
        )
    end = at + 1
    while end < len(lines) and not lines[end].blank and not _breaks(lines[end].text):
        end += 1
    item = line.text.lstrip().startswith("\\item")
    return _take(blocks, "item" if item else "paragraph", lines, (at, end), "1" if item else "")


def _breaks(line: str) -> bool:
    bare = line.lstrip()
    if bare.startswith("\\item") or _SECTION.match(line):
        return True
    environment = _BEGIN.match(line)
    return environment is not None and environment[1].rstrip("*") in _WHOLE


def _environment_end(lines: list[Line], at: int, name: str) -> int:
    closing = f"\\end{{{name}}}"
    for end in range(at, len(lines)):
        if closing in lines[end].text:
            return end + 1
    return at + 1  # never closed: a line like any other


def _take(
    blocks: list[Block], kind: str, lines: list[Line], rows: tuple[int, int], info: str = ""
) -> int:
    start, end = stretch(lines, *rows)
    if end > start:
        blocks.append(Block(kind, start, end, info))
    return rows[1]


def _links(text: str, block: Block) -> list[Link]:
    found = []
    for match in _LINK.finditer(text, block.start, block.end):
        if match["command"]:
            found.append(Link(plain(match["text"]), match["url"], *match.span()))
        elif match["plain"]:
            found.append(Link(match["plain_url"], match["plain_url"], *match.span()))
        elif match["ref"]:
            found += [
                Link(label.strip(), f"#{label.strip()}", *match.span())
                for label in match["label"].split(",")
            ]
        else:
            found += [
                Link(key.strip(), f"cite:{key.strip()}", *match.span())
                for key in match["keys"].split(",")
            ]
    return found


def _braced(text: str, at: int) -> str:
    """The content of the braces that open at ``at``; at most 2,000 characters."""
    depth = 0
    for place in range(at, min(at + 2000, len(text))):
        if text[place] == "{" and text[place - 1] != "\\":
            depth += 1
        elif text[place] == "}" and text[place - 1] != "\\":
            depth -= 1
            if not depth:
                return text[at + 1 : place]
    return text[at + 1 : text.find("\n", at)] if "\n" in text[at:] else text[at + 1 :]


def plain(text: str) -> str:
    """Text without commands: what they enclose is kept."""
    text = re.sub(
        r"\\(?:label|footnote|index|thanks|cite\w*|ref)\*?(?:\[[^\]]*\])?\{[^{}]*\}", "", text
    )
    text = re.sub(r"\\texorpdfstring\{[^{}]*\}\{([^{}]*)\}", r"\1", text)
    text = re.sub(
        r"\\[a-zA-Z]+\*?(?:\[[^\]]*\])?[ \t]*|[{}$]|\\(?=[&%#_])",
        "",
        text.replace("~", " ").replace("\\\\", " "),
    )
    return " ".join(text.split())
