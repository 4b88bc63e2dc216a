"""The formats that can be read: one row each. What a reader is chosen by, and the page about formats, both come from here."""

from __future__ import annotations

from collections.abc import Callable

from kgraph.errors import MissingExtra
from kgraph.model import Document
from kgraph.sources.assembly import Raw
from kgraph.sources.limits import Limits
from kgraph.sources.recognising import CODE_EXTENSIONS
from kgraph.tuples import NamedTuple

Reader = Callable[[Raw, Limits], Document]


class Format(NamedTuple):
    """``extra`` is empty for what the core reads. ``reader`` names a module of this package and a function in it."""

    name: str
    title: str
    kind: str  # documents, code, incidents, chats, research
    extensions: tuple[str, ...]
    anchors: str
    reader: str
    extra: str = ""
    binary: bool = False  # its files aren't text


FORMATS = (
    Format(
        "markdown",
        "Markdown",
        "documents",
        (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"),
        "slug, lines",
        "markdown:read",
    ),
    Format("rst", "reStructuredText", "documents", (".rst", ".rest"), "slug, lines", "rst:read"),
    Format(
        "asciidoc",
        "AsciiDoc",
        "documents",
        (".adoc", ".asciidoc", ".asc"),
        "slug, lines",
        "asciidoc:read",
    ),
    Format(
        "latex", "LaTeX", "research", (".tex", ".latex", ".ltx"), "slug, label, lines", "tex:read"
    ),
    Format(
        "html", "HTML", "documents", (".html", ".htm", ".xhtml"), "id, slug, lines", "html:read"
    ),
    Format(
        "feed",
        "RSS, Atom and other XML",
        "documents",
        (".xml", ".rss", ".atom"),
        "slug, lines",
        "html:read",
    ),
    Format("pdf", "PDF", "documents", (".pdf",), "page, slug", "pdf:read", "documents", True),
    Format(
        "json",
        "JSON: notebooks, chats, timelines",
        "chats",
        (".json", ".ipynb"),
        "msg-<id>, slug, lines",
        "json_files:read",
    ),
    Format(
        "mail",
        "E-mail and mailboxes",
        "documents",
        (".eml", ".mbox", ".mbx"),
        "msg-<id>, slug, lines",
        "mail:read",
    ),
    Format(
        "docx",
        "Word documents",
        "documents",
        (".docx", ".docm"),
        "slug",
        "office:read_docx",
        "",
        True,
    ),
    Format(
        "pptx", "Presentations", "documents", (".pptx",), "page, slug", "office:read_pptx", "", True
    ),
    Format("epub", "EPUB books", "documents", (".epub",), "slug", "epub:read", "", True),
    Format(
        "slack-zip",
        "Slack exports",
        "chats",
        (".zip",),
        "msg-<id>, slug",
        "slack_zip:read",
        "",
        True,
    ),
    Format(
        "text", "Plain text", "documents", (".txt", ".text", ".log"), "slug, lines", "plain:read"
    ),
    Format("python", "Python, as text", "code", (".py", ".pyi"), "lines", "plain:read_code"),
    Format(
        "code",
        "Source code, as text",
        "code",
        tuple(end for end in CODE_EXTENSIONS if not end.startswith(".py")),
        "lines",
        "plain:read_code",
    ),
)
BY_NAME = {form.name: form for form in FORMATS}
BY_EXTENSION = {extension: form for form in FORMATS for extension in form.extensions}


def table() -> str:
    """The formats as a Markdown table, for the reference pages."""
    rows = [
        f"| {form.title} | {' '.join(form.extensions)} | {form.anchors} | {form.extra or 'core'} |"
        for form in FORMATS
    ]
    return "\n".join(["| format | files | anchors | needs |", "|---|---|---|---|", *rows, ""])


def reader_of(form: Format) -> Reader:
    """The reading function of a format; MissingExtra if its library isn't installed."""
    from importlib import import_module

    module, _, function = form.reader.partition(":")
    try:
        found: Reader = getattr(import_module(f"kgraph.sources.{module}"), function)
    except ModuleNotFoundError as missing:
        if form.extra:
            raise MissingExtra(f"reading {form.title}", form.extra) from missing
        raise
    return found
