"""LaTeX to a Document: its words without commands and comments, each with its place; labels as anchors, citations and references as links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pylatexenc import latex2text, latexwalker, macrospec

from kgraph.model import Block, Document, Json, Link, Section, Span
from kgraph.sources.assembly import Parts, Raw
from kgraph.sources.encoding import decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.outline import Heading, outline

Node = Any  # pylatexenc's nodes have no types of their own
_LEVELS = {name: level for level, name in enumerate("part chapter section subsection subsubsection paragraph subparagraph".split(), 1)}  # fmt: skip
_CITES = """cite citep citet citealp citealt citeauthor citeyear citeyearpar textcite parencite autocite footcite fullcite supercite nocite
Cite Citep Citet Textcite Parencite""".split()
_REFS = "ref eqref pageref autoref cref Cref nameref vref fref hyperref".split()
# Commands whose arguments are no words, by the arguments that they take.
_SILENT = {
    "{": """index label vspace hspace input include includeonly bibliography bibliographystyle addbibresource pagestyle thispagestyle
pagenumbering documentclass usepackage RequirePackage graphicspath hypersetup markright glossary phantom hphantom vphantom selectlanguage
captionsetup lstset lstinputlisting fontsize fontfamily color""",
    "{{": "setlength addtolength setcounter addtocounter newtheorem markboth settowidth rule fontencoding DeclareMathOperator",
    "{{{": "addcontentsline",
    "[{": "includegraphics bibitem",
    "*{": "vspace hspace",
    "*[{": "includegraphics",
    "[{[": "usepackage",
    "*{[[{": "newcommand renewcommand providecommand DeclareRobustCommand",
    "*{[[{{": "newenvironment renewenvironment",
}
_ARGUMENTS = {
    **{name: arguments for arguments, names in _SILENT.items() for name in names.split()},
    **dict.fromkeys(_CITES, "*[[{"),
    **dict.fromkeys(_REFS, "*{"),
    "hyperref": "[{", "documentclass": "[{", "title": "[{", "author": "[{", "date": "{", "thanks": "{", "caption": "*[{",
    "footnote": "[{", "href": "{{", "url": "{", "hypertarget": "{{", "hyperlink": "{{", "raisebox": "{[[{", "parbox": "[{{", "resizebox": "*{{{", "textcolor": "[{{", "colorbox": "{{", "texorpdfstring": "{{", "item": "[",
    "verb": "{", "ensuremath": "{", "mbox": "{", "footnotetext": "[{", "underline": "{",
}  # fmt: skip
_SILENT_NAMES = frozenset(name for names in _SILENT.values() for name in names.split())
_VERBATIM = (
    "verbatim",
    "verbatim*",
    "Verbatim",
    "lstlisting",
    "minted",
    "alltt",
    "filecontents",
    "filecontents*",
    "comment",
)
_DROPPED = frozenset(
    ("comment", "filecontents", "tikzpicture", "pgfpicture", "tikzcd", "pspicture")
)
_MATH = frozenset(
    "equation align gather multline eqnarray displaymath math alignat flalign narrowmultline subequations".split()
)
_TABLES = frozenset("tabular tabularx tabulary longtable array supertabular".split())
FAULTS = (
    RecursionError,
    ValueError,
    LookupError,
    AttributeError,
    TypeError,
)  # the library's own, on text that is no LaTeX
_BLANK = re.compile(r"\n[ \t\r]*\n\s*")
_WHOLE_TEXT = latex2text.LatexNodes2Text(math_mode="text", strict_latex_spaces=False)


def read(raw: Raw, limits: Limits) -> Document:
    decoded = decode(raw.data)
    try:
        walker = latexwalker.LatexWalker(
            decoded.text, latex_context=_context(), tolerant_parsing=True
        )
        nodes, _, _ = walker.get_latex_nodes()
    except (latexwalker.LatexWalkerError, *FAULTS) as error:
        raise Unreadable("malformed", f"no LaTeX that can be followed: {error}") from error
    reader = _Reader(Gatherer(decoded))
    reader.document(nodes)
    return reader.gathered.document(raw, reader.parts())


def _context() -> Any:
    """What commands and environments take, beyond those that the library knows."""
    context = latexwalker.get_default_latex_context_db()
    parser = macrospec.VerbatimArgsParser(verbatim_arg_type="verbatim-environment")
    context.add_context_category(
        "kgraph",
        prepend=True,
        macros=[
            macrospec.MacroSpec(name, arguments)
            for name, arguments in _ARGUMENTS.items()
            if name != "verb"
        ],
        environments=[macrospec.EnvironmentSpec(name, args_parser=parser) for name in _VERBATIM],
    )
    return context


class _Reader:
    def __init__(self, gathered: Gatherer) -> None:
        self.gathered = gathered
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []
        self._links: list[Link] = []
        self._labels: list[tuple[str, int]] = []
        self._metadata: dict[str, Json] = {}
        self._notes: list[Node] = []
        self._kind, self._info = "paragraph", ""
        self._start = 0  # of the present block
        self._in_title = False

    def document(self, nodes: Sequence[Node]) -> None:
        """The body, if there is one, and from what stands before it only what it says of itself."""
        body = next(
            (node for node in nodes if _name(node) == "document" and _is_environment(node)), None
        )
        if body is not None:
            for node in nodes:
                if _name(node) in ("title", "author", "date"):
                    self._say_of_itself(node)
            nodes = body.nodelist
        self._walk(nodes)
        self._end()

    def parts(self) -> Parts:
        length = self.gathered.length
        sections = outline(self._headings, length)
        taken = {section.anchor for section in sections}
        anchors: dict[str, Span] = {}
        for name, place in self._labels:
            if name not in taken:
                anchors.setdefault(name, self._labelled(place, sections))
        title = self._metadata.get("title")
        return Parts(
            "latex",
            sections,
            self._blocks,
            self._links,
            self._metadata,
            title if isinstance(title, str) else "",
            anchors,
        )

    def _labelled(self, place: int, sections: Sequence[Section]) -> Span:
        """What a label names: the section whose title it follows, or the block that it stands in or after."""
        for section in sections:
            if section.start <= place <= section.body + 2:
                return Span(section.start, section.end)
        holding = next(
            (block for block in self._blocks if block.start <= place <= block.end + 2), None
        )
        return (
            Span(holding.start, holding.end)
            if holding
            else Span(min(place, self.gathered.length), self.gathered.length)
        )

    # -- nodes ---------------------------------------------------------------------------------------------------------------------

    def _walk(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node is None or node.isNodeType(latexwalker.LatexCommentNode):
                if node is not None and node.comment_post_space.count("\n") > 1:
                    self._end()
            elif node.isNodeType(latexwalker.LatexCharsNode):
                self._chars(node.pos, node.pos + len(node.chars))
            elif node.isNodeType(latexwalker.LatexGroupNode):
                self._walk(node.nodelist)
            elif node.isNodeType(latexwalker.LatexMathNode):
                self._math(node)
            elif node.isNodeType(latexwalker.LatexEnvironmentNode):
                self._environment(node)
            elif node.isNodeType(latexwalker.LatexMacroNode):
                self._macro(node)
            else:
                self._as_text(node)

    def _chars(self, start: int, end: int) -> None:
        last = start
        for match in _BLANK.finditer(self.gathered.raw, start, end):
            self.gathered.keep(last, match.start())
            self._end()
            last = match.end()
        self.gathered.keep(last, end)

    def _as_text(self, node: Node) -> None:
        shown = _plain([node])
        self.gathered.put(
            " " if node.isNodeType(latexwalker.LatexSpecialsNode) and shown == "\xa0" else shown,
            node.pos,
            node.pos + node.len,
        )

    def _math(self, node: Node) -> None:
        if node.displaytype == "inline":
            self._as_text(node)
        else:
            self._whole(node, "code", _plain([node]).strip())

    def _macro(self, node: Node) -> None:
        name = _name(node)
        arguments = _arguments(node)
        if name in _LEVELS:
            self._heading(node, arguments)
        elif name == "label":
            self._labels += [
                (_raw(self.gathered.raw, one), self.gathered.length) for one in arguments
            ]
        elif name == "item":
            self._end()
            self._kind, self._info = "item", "1"
            self._walk(arguments)
        elif name in ("footnote", "footnotetext", "thanks"):
            self._notes += arguments[-1:]
        elif name in ("title", "author", "date"):
            self._say_of_itself(node)
        elif name == "caption":
            self._end()
            self._walk(arguments[-1:])
            self._end()
        elif name in _CITES or name in _REFS:
            self._reference(node, name, arguments)
        elif name in ("href", "url"):
            start = self.gathered.length
            self._walk(arguments[-1:])
            shown = (
                " ".join(self.gathered.since(start).split()) if self.gathered.length > start else ""
            )
            target = _raw(self.gathered.raw, arguments[0]) if arguments else ""
            if shown and target:
                self._links.append(Link(shown, target, start, self.gathered.length))
        elif name in ("hypertarget", "hyperlink", "raisebox", "parbox", "resizebox"):
            self._walk(arguments[-1:])
        elif name in ("par", "newpage", "clearpage", "maketitle", "\\"):
            self._break() if name == "\\" else self._end()
        elif name not in _SILENT_NAMES:
            self._words(node, name, arguments)
        if node.macro_post_space and arguments == [] and name not in _LEVELS:
            self._chars_after(node)

    def _chars_after(self, node: Node) -> None:
        end = node.pos + node.len
        start = end - len(node.macro_post_space)
        if _BLANK.search(self.gathered.raw, start, end):
            self._end()

    def _words(self, node: Node, name: str, arguments: list[Node]) -> None:
        """A command's own sign, or the words that it sets in some way."""
        words = [one for one in arguments if one.isNodeType(latexwalker.LatexGroupNode)]
        shown = _plain([node])
        if words and _squeezed(shown) == _squeezed(_plain(words[-1:])):
            self._walk(words[-1:])
        elif name == "texorpdfstring" and words:
            self._walk(words[:1])
        elif shown.strip() or not words:
            self.gathered.put(shown, node.pos, node.pos + node.len)
        else:
            self._walk(words)

    def _reference(self, node: Node, name: str, arguments: list[Node]) -> None:
        """A citation or reference is a link, shown as the keys that it names, or as the words that the author gave it."""
        if not arguments:
            return
        place = self.gathered.length
        keys = [
            key.strip()
            for key in _raw(self.gathered.raw, arguments[-1 if name != "hyperref" else 0]).split(
                ","
            )
        ]
        if name == "hyperref" and len(arguments) > 1:
            self._walk(arguments[-1:])
        else:
            self.gathered.put(
                f"[{', '.join(filter(None, keys))}]",
                node.pos,
                node.pos + node.len - len(node.macro_post_space),
            )
        mark = "cite:" if name in _CITES else "#"
        if self.gathered.length > place:
            self._links += [
                Link(key, mark + key, place, self.gathered.length) for key in keys if key
            ]

    def _heading(self, node: Node, arguments: list[Node]) -> None:
        if self._in_title:
            self._walk(arguments[-1:])
            return
        self._end()
        start = self.gathered.length
        self._in_title = True  # whatever stands in it, it is one block
        self._walk(arguments[-1:])
        self._in_title = False
        title = " ".join(self.gathered.since(start).split())
        end = self.gathered.length
        if title.strip():
            level = _LEVELS[_name(node)]
            self.gathered.put("\n\n", node.pos + node.len, node.pos + node.len)
            self._headings.append(Heading(level, title, start, self.gathered.length))
            self._blocks.append(Block("heading", start, end, str(level)))
        self._start = self.gathered.length

    def _say_of_itself(self, node: Node) -> None:
        given = _arguments(node)[-1:]
        text = " ".join(_plain(given).split())
        if text:
            self._metadata.setdefault(_name(node), text)

    def _environment(self, node: Node) -> None:
        name = node.environmentname.rstrip("*")
        if name in _DROPPED:
            return
        if node.environmentname in _VERBATIM:
            head = self.gathered.raw.find("}", node.pos) + 1
            tail = self.gathered.raw.rfind("\\end", node.pos, node.pos + node.len)
            self._end()
            self.gathered.keep(head, max(tail, head))
            self._kind, self._info = "code", name
            self._end()
        elif name in _MATH:
            self._labels += [
                (label, self.gathered.length) for label in _labels_in(node, self.gathered.raw)
            ]
            self._whole(node, "code", _plain(node.nodelist).strip())
        elif name in _TABLES:
            self._table(node)
        else:
            quote = name in ("quote", "quotation", "verse")
            self._end()
            if quote:
                self._kind = "quote"
            self._walk(node.nodelist)
            self._end()

    def _table(self, node: Node) -> None:
        self._end()
        for row in _split(node.nodelist, lambda one: _name(one) == "\\"):
            cells = [
                " ".join(_plain(cell).split())
                for cell in _split(row, lambda one: getattr(one, "specials_chars", "") == "&")
            ]
            line = " | ".join(cells).strip(" |")
            if line:
                self.gathered.put(line + "\n", row[0].pos, row[-1].pos + row[-1].len)
        self._kind = "table"
        self._end()

    def _whole(self, node: Node, kind: str, shown: str) -> None:
        self._end()
        self.gathered.put(shown, node.pos, node.pos + node.len)
        self._kind = kind
        self._end()

    # -- blocks --------------------------------------------------------------------------------------------------------------------

    def _break(self) -> None:
        at = self.gathered.length
        if at > self._start and not self.gathered.ends_with("\n"):
            self.gathered.put("\n", 0, 0)

    def _end(self) -> None:
        """Close the present block, if it holds words, and read the notes that were met in it."""
        if self._in_title:
            return
        text = self.gathered.since(self._start) if self.gathered.length > self._start else ""
        lead = len(text) - len(text.lstrip())
        if text.strip():
            self._blocks.append(
                Block(self._kind, self._start + lead, self._start + len(text.rstrip()), self._info)
            )
            self.gathered.put("\n\n", 0, 0)
        self._start = self.gathered.length
        self._kind, self._info = "paragraph", ""
        notes, self._notes = self._notes, []
        for note in notes:
            self._walk([note])
            self._end()


def _name(node: Node) -> str:
    return str(getattr(node, "macroname", "") or getattr(node, "environmentname", ""))


def _is_environment(node: Node) -> bool:
    return bool(node.isNodeType(latexwalker.LatexEnvironmentNode))


def _arguments(node: Node) -> list[Node]:
    given = node.nodeargd.argnlist if node.nodeargd is not None else ()
    return [one for one in given or () if one is not None and getattr(one, "chars", "") != "*"]


def _raw(text: str, node: Node) -> str:
    return text[node.pos : node.pos + node.len].strip("{}[] \n")


def _plain(nodes: Sequence[Node]) -> str:
    """Nodes as text; as they are written where the library can't say (a command without what it takes)."""
    try:
        return str(_WHOLE_TEXT.nodelist_to_text(list(nodes)))
    except FAULTS:
        return "".join(node.latex_verbatim() for node in nodes if node is not None)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _labels_in(node: Node, text: str) -> Iterator[str]:
    for match in re.finditer(r"\\label\{([^{}]+)\}", text[node.pos : node.pos + node.len]):
        yield match[1]


def _split(nodes: Iterable[Node], parts: Callable[[Node], bool]) -> Iterator[list[Node]]:
    group: list[Node] = []
    for node in nodes:
        if parts(node):
            if group:
                yield group
            group = []
        elif not node.isNodeType(latexwalker.LatexCommentNode):
            group.append(node)
    if group:
        yield group
