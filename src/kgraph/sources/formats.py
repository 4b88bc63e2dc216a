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
        "latex",
        "LaTeX",
        "research",
        (".tex", ".latex", ".ltx"),
        "slug, label, lines",
        "tex:read",
        "documents",
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
    Format(
        "xlsx",
        "Spreadsheets (Excel)",
        "documents",
        (".xlsx", ".xlsm", ".xltx"),
        "slug",
        "sheets:read_xlsx",
        "documents",
        True,
    ),
    Format(
        "csv", "Tables of values", "documents", (".csv", ".tsv", ".tab"), "lines", "sheets:read_csv"
    ),
    Format(
        "odt",
        "OpenDocument texts",
        "documents",
        (".odt", ".ott"),
        "slug",
        "opendocument:read",
        "",
        True,
    ),
    Format(
        "ods",
        "Spreadsheets (OpenDocument)",
        "documents",
        (".ods", ".ots"),
        "slug",
        "opendocument:read",
        "",
        True,
    ),
    Format(
        "odp",
        "OpenDocument presentations",
        "documents",
        (".odp", ".otp"),
        "page, slug",
        "opendocument:read",
        "",
        True,
    ),
    Format(
        "msg",
        "Outlook messages",
        "documents",
        (".msg",),
        "msg-<id>",
        "outlook:read_msg",
        "documents",
        True,
    ),
    Format("rtf", "Rich text", "documents", (".rtf",), "slug", "outlook:read_rtf", "documents"),
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
# Documents of formats that nothing here reads: what they are, and what to do. They are refused by name, since their text is lost else.
_OLD = "save it in the present format ({}) and read that"
_EXPORT = "export it as PDF or DOCX and read that"
UNSUPPORTED = {
    **dict.fromkeys((".doc", ".dot"), ("a Word 97-2003 document", _OLD.format(".docx"))),
    **dict.fromkeys((".xls", ".xlt"), ("an Excel 97-2003 workbook", _OLD.format(".xlsx"))),
    **dict.fromkeys((".ppt", ".pps", ".pot"), ("a PowerPoint 97-2003 file", _OLD.format(".pptx"))),
    ".xlsb": ("a binary Excel workbook", _OLD.format(".xlsx")),
    **dict.fromkeys((".pages", ".numbers", ".key"), ("an iWork document", _EXPORT)),
    **dict.fromkeys((".djvu", ".xps", ".oxps"), ("a document of page images", _EXPORT)),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), ("a Kindle book", "convert it to EPUB and read that")),
    **dict.fromkeys((".one", ".pub", ".vsd", ".vsdx", ".mpp", ".wpd", ".wps"), ("an office file without a reader", _EXPORT)),
    ".pst": ("an Outlook mailbox", "export its messages as .eml or .msg and read those"),
}  # fmt: skip
# Files that hold no text of their own, by what they are.
_NO_TEXT = {
    "picture": """.png .jpg .jpeg .jpe .gif .bmp .tif .tiff .webp .ico .icns .heic .heif .avif .svg .svgz .psd .ai .eps .xcf .cr2
.nef .dng .jp2 .jxl .tga .ppm .pgm .xpm .drawio .fig .sketch .odg""",
    "sound": ".mp3 .wav .ogg .oga .flac .m4a .aac .opus .wma .aif .aiff .mid .midi .amr",
    "film": ".mp4 .m4v .mov .avi .mkv .webm .wmv .mpg .mpeg .flv .3gp .ogv",
    "font": ".ttf .otf .ttc .woff .woff2 .eot .pfb",
    "archive": """.tar .gz .tgz .bz2 .tbz .xz .txz .7z .rar .zst .lz4 .lzma .br .cab .iso .dmg .jar .war .whl .egg .apk .deb .rpm .gem
.crate .xpi .nupkg""",
    "program": ".exe .dll .so .dylib .o .a .lib .obj .class .pyc .pyd .wasm .elf .msi .sys .ko",
    "database": ".sqlite .sqlite3 .db .db3 .mdb .accdb .parquet .feather .arrow .npy .npz .pkl .pickle .h5 .hdf5 .rdb .dbf .mat .onnx .pt .safetensors .gguf",
}  # fmt: skip
NO_TEXT = {extension: reason for reason, listed in _NO_TEXT.items() for extension in listed.split()}


def without_text(extension: str, binary: bool) -> str:
    """Why a file of this extension holds no text to read, or ''. Data and programs may be text all the same."""
    reason = NO_TEXT.get(extension, "")
    return "" if reason in ("program", "database") and not binary else reason


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
