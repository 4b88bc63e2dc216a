"""The readers of the further formats: what each makes of a small file, and where its words are said to stand."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.errors import MissingExtra
from kgraph.model import Document, Span
from kgraph.sources import FORMATS, Limits, Unreadable, raw_span, read, read_bytes


def doc(content: str | bytes, name: str) -> Document:
    return read_bytes(content.encode("utf-8") if isinstance(content, str) else content, name)


def blocks(found: Document) -> list[tuple[str, str]]:
    return [(block.kind, found.text[block.start : block.end]) for block in found.blocks]


def outline(found: Document) -> list[tuple[int, str]]:
    return [(section.level, section.anchor) for section in found.sections]


def raw(found: Document, data: bytes, words: str) -> str:
    """The bytes that a passage is said to stand in."""
    start = found.text.index(words)
    span = raw_span(found, Span(start, start + len(words)))
    return data[span.start_byte : span.end_byte].decode(found.encoding)


def archive(files: dict[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return made.getvalue()


# -- reStructuredText, AsciiDoc, LaTeX ---------------------------------------------------------------------------------------------

PEP = """PEP: 9999
Title: A made-up
  proposal
Replaces: 9998, 9997
Status: Draft


Abstract
========

See :pep:`9998` and `the site <https://e.org>`_, or Other_.

.. _Other: https://o.org

.. note::

   Mind this.

Detail
------

Run this::

    Not a title
    ===========

- one
  more
- two

===== =====
a     b
===== =====
1     2
===== =====

Last
====

.. code-block:: python

   x = 1
"""


def test_a_pep_has_its_header_fields_its_titles_and_its_links() -> None:
    found = doc(PEP, "pep-9999.rst")
    assert found.metadata == {
        "PEP": "9999",
        "Title": "A made-up proposal",
        "Replaces": "9998, 9997",
        "Status": "Draft",
    }
    assert (found.title, outline(found)) == (
        "A made-up proposal",
        [(1, "abstract"), (2, "detail"), (1, "last")],
    )
    assert [(link.text, link.target) for link in found.links] == [
        ("PEP 9998", "pep-9998.rst"),
        ("the site", "https://e.org"),
        ("Other", "https://o.org"),
    ]
    kinds = [kind for kind, _ in blocks(found)]
    assert kinds.count("item") == 2
    assert ("table", PEP[PEP.index("=====\na") - 6 : PEP.index("\n\nLast")]) in blocks(found)
    assert ("code", "Not a title\n    ===========") in blocks(found)
    assert ("code", ".. code-block:: python\n\n   x = 1") in blocks(found)
    assert ("paragraph", "Mind this.") in blocks(found)


RST = [
    ("====\nOver\n====\n\nUnder\n=====\n", [(1, "over"), (2, "under")]),
    ("Title\n=====\n\n:Author: Ann\n\ntext\n", [(1, "title")]),
    ("not a title\n=\n", []),
    ("``Code`` and *more*\n-------------------\n", [(1, "code-and-more")]),
    ("text\n\n----------\n\nmore\n", []),
    ("text\nright before\nTitle\n=====\n", [(1, "title")]),
]


@pytest.mark.parametrize(("text", "expected"), RST)
def test_titles_of_restructuredtext_are_told_by_their_rules(
    text: str, expected: list[tuple[int, str]]
) -> None:
    assert outline(doc(text, "a.rst")) == expected


def test_a_field_list_at_the_top_is_metadata() -> None:
    assert doc("Title\n=====\n\n:Author: Ann\n:Date: 2026\n\ntext\n", "a.rst").metadata == {
        "Author": "Ann",
        "Date": "2026",
    }


ADOC = """= The Guide
:author: Ann

Intro with https://e.org[a link] and <<install,below>>.

[[install]]
== Install

[source,sh]
----
== no title
----

* one
* two

|===
|a |b

|1 |2
|===

=== Deeper
"""


def test_asciidoc_has_titles_blocks_and_links() -> None:
    found = doc(ADOC, "a.adoc")
    assert outline(found) == [(1, "the-guide"), (2, "install"), (3, "deeper")]
    assert found.metadata == {"author": "Ann"}
    assert [(link.text, link.target) for link in found.links] == [
        ("a link", "https://e.org"),
        ("below", "#install"),
    ]
    assert ("code", "----\n== no title\n----") in blocks(found)
    assert ("table", "|===\n|a |b\n\n|1 |2\n|===") in blocks(found)
    assert [text for kind, text in blocks(found) if kind == "item"] == ["* one", "* two"]


TEX = r"""\title{On \emph{Pumps}}
\section{First results}\label{sec:first}
We follow \cite{ann,bo} and \href{https://e.org}{the site}.

\begin{verbatim}
\section{no section}

text
\end{verbatim}
\subsection*{Second}
See \ref{sec:first}.
"""


def test_latex_has_sections_labels_and_citations() -> None:
    pytest.importorskip("pylatexenc")
    found = doc(TEX, "a.tex")
    assert (found.title, outline(found)) == ("On Pumps", [(3, "first-results"), (4, "second")])
    assert [(link.text, link.target) for link in found.links] == [
        ("ann", "cite:ann"),
        ("bo", "cite:bo"),
        ("the site", "https://e.org"),
        ("sec:first", "#sec:first"),
    ]
    assert found.text[found.anchors["sec:first"].start :].startswith("First results")
    assert any(kind == "code" and "no section" in text for kind, text in blocks(found))


PAPER = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\title{Pumps}\author{Ann}
% The pump is broken, says no one.
\begin{document}\maketitle
The \emph{pump} needs~10\,\% more \textbf{oil}\footnote{By ACME.}, as \cite{ann} shows. % not this
It cost \$5 in \ref{fig:x} ``then''; caf\'e.

\begin{figure}\includegraphics{x.png}\caption{A pump.}\label{fig:x}\end{figure}
\begin{itemize}\item one \item two\end{itemize}
\begin{tabular}{ll} a & b \\\\ \hline c & d \\\\ \end{tabular}
\begin{comment} hidden \end{comment}
\begin{equation} x = 1 \end{equation}
\end{document}
"""


def test_latex_is_read_without_its_commands_and_comments_and_keeps_its_places() -> None:
    pytest.importorskip("pylatexenc")
    found = doc(PAPER, "a.tex")
    kinds = blocks(found)
    assert kinds[0][0] == "paragraph"
    assert (
        " ".join(kinds[0][1].split())
        == "The pump needs 10 % more oil, as [ann] shows. It cost $5 in [fig:x] “then”; café."
    )
    assert kinds[1:] == [
        ("paragraph", "By ACME."),
        ("paragraph", "A pump."),
        ("item", "one"),
        ("item", "two"),
        ("table", "a | b\nc | d"),
        ("code", "x = 1"),
    ]
    assert "broken" not in found.text and "hidden" not in found.text
    assert found.metadata == {"title": "Pumps", "author": "Ann"}
    assert raw(found, PAPER.encode(), "pump") == "pump"
    assert found.text[found.anchors["fig:x"].start : found.anchors["fig:x"].end] == "A pump."


# -- HTML --------------------------------------------------------------------------------------------------------------------------

PAGE = """<!doctype html><html lang="en"><head><title>A &amp; B</title><style>p {}</style><meta name="author" content="Ann"></head>
<body><nav><a href="/">Home</a></nav>
<h1 id="top">The   <em>pump</em></h1>
<p>It stopped&nbsp;at <b>noon</b>,
   and caf&eacute; staff left.<br>Later</p>
<ul><li>one <a href="x.html">link</a><li>two</ul>
<table><tr><th>a<th>b<tr><td>1<td>2</table>
<pre>x  =  1
y</pre><script>var no;</script>
<h2>Cause</h2><div>Heat</div></body></html>
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_html_is_what_a_reader_sees_with_its_place_in_the_file(newline: str) -> None:
    data = PAGE.replace("\n", newline).encode("utf-8")
    found = doc(data, "a.html")
    assert (found.title, outline(found)) == ("A & B", [(1, "top"), (2, "cause")])
    assert found.metadata == {"lang": "en", "author": "Ann"}
    assert [(kind, text.replace("\r", "")) for kind, text in blocks(found)] == [
        ("html", "Home"),
        ("heading", "The pump"),
        ("paragraph", "It stopped\u00a0at noon, and café staff left.\nLater"),
        ("item", "one link"),
        ("item", "two"),
        ("table", "a | b\n1 | 2"),
        ("code", "x  =  1\ny"),
        ("heading", "Cause"),
        ("paragraph", "Heat"),
    ]
    assert raw(found, data, "noon") == "noon"
    assert raw(found, data, "stopped\u00a0at") == "stopped&nbsp;at"
    assert raw(found, data, "noon, and café").split() == ["noon</b>,", "and", "caf&eacute;"]
    assert (
        raw_span(found, Span(found.text.index("Heat"), found.text.index("Heat") + 4)).start_line
        == 10
    )
    assert [(link.text, link.target) for link in found.links] == [("Home", "/"), ("link", "x.html")]
    assert found.text[found.anchors["the-pump"].start :].startswith("The pump")


def test_a_feed_has_its_entries_as_sections() -> None:
    feed = "<rss><channel><title>News</title><item><title>One</title><description>Text</description></item></channel></rss>"
    found = doc(feed, "a.xml")
    assert (found.format, outline(found)) == ("feed", [(1, "news"), (2, "one")])


# -- JSON: notebooks, chats, timelines ---------------------------------------------------------------------------------------------


def test_a_notebook_is_its_markdown_with_its_code_fenced() -> None:
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", 'A "quoted" line.']},
        {"cell_type": "code", "source": "# no heading\nx = 1", "outputs": [{"text": "hidden"}]},
        {"cell_type": "markdown", "source": ""},
    ]
    data = json.dumps(
        {"cells": cells, "nbformat": 4, "metadata": {"kernelspec": {"language": "python"}}},
        indent=1,
    ).encode()
    found = doc(data, "a.ipynb")
    assert (found.format, outline(found)) == ("notebook", [(1, "title")])
    assert "hidden" not in found.text
    assert raw(found, data, 'A "quoted" line.') == 'A \\"quoted\\" line.'
    assert raw(found, data, "x = 1") == "x = 1"


FIRST = "1773220440.000100"
SLACK = [
    {
        "type": "message",
        "user": "U1",
        "ts": FIRST,
        "text": "pump \u2192 off\nsee <https://e.org|the log>",
        "thread_ts": FIRST,
    },
    {"type": "message", "user": "U2", "ts": "1773220500.000200", "text": "other talk"},
    {
        "type": "message",
        "user": "U2",
        "ts": "1773220560.000300",
        "text": "restarted it",
        "thread_ts": FIRST,
    },
]
USERS = [
    {"id": "U1", "name": "ann", "profile": {"real_name": "Ann Lee"}},
    {"id": "U2", "name": "bo", "profile": {}},
]


def test_a_slack_day_has_messages_as_anchors_and_answers_after_what_they_answer() -> None:
    data = json.dumps(SLACK).encode()
    found = doc(data, "general/2026-03-11.json")
    assert found.format == "slack"
    assert list(found.anchors) == [
        "msg-1773220440.000100",
        "msg-1773220560.000300",
        "msg-1773220500.000200",
    ]
    assert found.text.startswith("[2026-03-11T09:14:00Z] U1: pump → off\nsee")
    assert raw(found, data, "restarted it") == "restarted it"
    assert raw(found, data, "pump → off\nsee") == "pump \\u2192 off\\nsee"
    assert [(link.text, link.target) for link in found.links] == [("the log", "https://e.org")]


def test_the_users_of_a_slack_folder_are_named_if_they_are_below_the_root(tmp_path: Path) -> None:
    (tmp_path / "export" / "general").mkdir(parents=True)
    (tmp_path / "export" / "users.json").write_text(json.dumps(USERS))
    day = tmp_path / "export" / "general" / "2026-03-11.json"
    day.write_text(json.dumps(SLACK))
    assert read(day, "export/general/2026-03-11.json").metadata["participants"] == ["Ann Lee", "bo"]
    assert read(day, "2026-03-11.json").metadata["participants"] == ["U1", "U2"]


def test_a_slack_zip_has_a_section_for_each_channel() -> None:
    found = doc(
        archive(
            {
                "users.json": json.dumps(USERS),
                "general/2026-03-11.json": json.dumps(SLACK),
                "ops/2026-03-12.json": "[]",
            }
        ),
        "e.zip",
    )
    assert (found.format, outline(found)) == ("slack", [(1, "general"), (1, "ops")])
    assert "Ann Lee: pump" in found.text
    start = found.text.index("restarted")
    assert raw_span(found, Span(start, start + 9)).part == "general/2026-03-11.json"


def test_a_discord_export_has_the_names_shown_and_the_ids() -> None:
    messages = [
        {
            "id": "7",
            "timestamp": "2026-03-11T09:14:00Z",
            "content": "pump off",
            "author": {"name": "ann", "nickname": "Ann"},
        }
    ]
    data = json.dumps(
        {"guild": {"name": "G"}, "channel": {"name": "ops", "topic": "T"}, "messages": messages}
    ).encode()
    found = doc(data, "a.json")
    assert (found.format, found.title, found.text) == (
        "discord",
        "ops",
        "[2026-03-11T09:14:00Z] Ann: pump off\n",
    )
    assert list(found.anchors) == ["msg-7"]
    assert raw(found, data, "pump off") == "pump off"


def test_a_list_of_messages_is_a_chat() -> None:
    found = doc(
        json.dumps(
            [
                {"author": "ann", "ts": "2026-03-11", "text": "a"},
                {"author": "bo", "ts": "2026-03-12", "text": "b"},
            ]
        ),
        "a.json",
    )
    assert (found.format, list(found.anchors), blocks(found)[1]) == (
        "chat",
        ["msg-1", "msg-2"],
        ("message", "[2026-03-12] bo: b"),
    )


LOGS = [
    (
        "whatsapp",
        "11/03/2026, 09:14 - Ann: pump off\nstill off\n11/03/2026, 09:15 - Bo: on it\n11/03/2026, 09:16 - Ann: thanks\n",
    ),
    (
        "whatsapp",
        "[11.03.26, 09:14:02] Ann: pump off\nstill off\n[11.03.26, 09:15:00] Bo: on it\n[11.03.26, 09:16:00] Ann: thanks\n",
    ),
    (
        "irc",
        "[09:14] <Ann> pump off\n[09:15] <Bo> on it\n[09:15] --- Cy has joined\n[09:16] <Ann> thanks\n[09:17] * Bo waves\n",
    ),
]


@pytest.mark.parametrize(("form", "text"), LOGS)
def test_logs_of_lines_are_told_by_their_lines(form: str, text: str) -> None:
    found = doc(text, "log.txt")
    assert (found.format, found.metadata["participants"]) == (form, ["Ann", "Bo"])
    assert "pump off" in blocks(found)[0][1]
    assert "msg-3" in found.anchors
    if form == "whatsapp":
        assert blocks(found)[0][1].endswith("still off")


def test_a_timeline_is_a_row_for_each_entry() -> None:
    events = [
        {"time": "09:14", "event": "pump off", "actor": "Ann"},
        {"time": "09:15", "event": "pump on"},
    ]
    data = json.dumps({"title": "Outage", "severity": 2, "timeline": events}).encode()
    found = doc(data, "a.json")
    assert (found.format, found.title, found.metadata) == (
        "timeline",
        "Outage",
        {"title": "Outage", "severity": 2},
    )
    assert blocks(found) == [("row", "09:14 Ann: pump off"), ("row", "09:15 pump on")]
    assert raw(found, data, "pump on") == "pump on"


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "[1, 2]", '{"broken', "[" * 100 + "]" * 100, '"x"', ""]
)
def test_other_json_is_kept_as_it_is(text: str) -> None:
    found = doc(text, "a.json")
    assert (found.format, found.text) == ("json", text)


# -- mail --------------------------------------------------------------------------------------------------------------------------

MAIL = (
    "From: Ann <ann@e.org>\r\nTo: bo@e.org\r\nSubject: =?utf-8?q?Pump_caf=C3=A9?=\r\nMessage-ID: <1@e.org>\r\n"
    "Content-Type: text/plain; charset=utf-8\r\n\r\nThe pump stopped.\r\n\r\n> Did it?\r\n"
)
PARTS = (
    "From: ann@e.org\nSubject: Two\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n"
    "--x\nContent-Type: text/plain; charset=latin-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 and=\n more\n"
    "--x\nContent-Type: text/html\n\n<p>no</p>\n--x--\n"
)


def test_a_message_has_its_headers_as_metadata_and_its_body_in_place() -> None:
    found = doc(MAIL, "a.eml")
    assert (found.format, found.title, found.metadata["From"]) == (
        "mail",
        "Pump café",
        "Ann <ann@e.org>",
    )
    assert blocks(found)[-2:] == [("paragraph", "The pump stopped."), ("quote", "> Did it?")]
    assert raw(found, MAIL.encode(), "The pump stopped.") == "The pump stopped."
    assert list(found.anchors) == ["msg-1@e.org"]


def test_a_coded_body_is_decoded_and_the_plain_part_preferred() -> None:
    found = doc(PARTS, "a.eml")
    assert "café and more" in found.text
    assert "no" not in found.text.split("more")[1]
    assert "caf=E9" in raw(found, PARTS.encode(), "café and more")


def test_a_mailbox_is_a_section_for_each_message() -> None:
    box = f"From ann@e.org Wed Mar 11 09:14:00 2026\n{MAIL}\nFrom bo@e.org Wed Mar 11 09:15:00 2026\n{PARTS}"
    found = doc(box, "a.mbox")
    assert (found.format, outline(found), found.metadata) == (
        "mbox",
        [(1, "pump-café"), (1, "two")],
        {"messages": 2},
    )


# -- archives ----------------------------------------------------------------------------------------------------------------------

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def paragraph(text: str, style: str = "", more: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr>' if style or more else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


BODY = (
    paragraph("Pumps", "Kop1")
    + paragraph(
        "It stopped.</w:t></w:r><w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:r><w:t>"
    )
    + paragraph("first", more="<w:numPr/>")
    + f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
)
DOCX = {
    "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{BODY}</w:body></w:document>',
    "word/styles.xml": f'<w:styles xmlns:w="{WORD}"><w:style w:styleId="Kop1"><w:name w:val="heading 1"/></w:style></w:styles>',
    "docProps/core.xml": '<c xmlns:dc="d"><dc:title>The Title</dc:title><dc:creator>Ann</dc:creator></c>',
}


def test_a_word_document_has_headings_by_the_names_of_its_styles() -> None:
    found = doc(archive(dict(DOCX)), "a.docx")
    assert blocks(found) == [
        ("heading", "Pumps"),
        ("paragraph", "It stopped."),
        ("item", "first"),
        ("table", "a | b"),
    ]
    assert (found.title, found.metadata["author"], outline(found)) == (
        "The Title",
        "Ann",
        [(1, "pumps")],
    )
    span = raw_span(found, Span(found.text.index("first"), found.text.index("first") + 5))
    assert (span.start_byte, span.part, span.start_line) == (-1, "word/document.xml", 5)


def test_slides_are_pages() -> None:
    shape = '<p:sp><p:nvSpPr><p:nvPr><p:ph type="{}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>'
    slide = '<p:sld xmlns:p="p" xmlns:a="a">{}</p:sld>'
    files = {
        "ppt/presentation.xml": "<p/>",
        "ppt/slides/slide2.xml": slide.format(shape.format("body", "point")),
        "ppt/slides/slide1.xml": slide.format(
            shape.format("title", "Start") + shape.format("sldNum", "1")
        ),
    }
    found = doc(archive(files), "a.pptx")
    assert blocks(found) == [("heading", "Start"), ("heading", "Slide 2"), ("item", "point")]
    assert list(found.anchors) == ["p1", "p2"]


def test_an_epub_is_the_pages_of_its_spine() -> None:
    package = (
        '<package><metadata><title>Book</title></metadata><manifest><item id="b" href="b.xhtml"/><item id="a" href="a.xhtml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="gone"/></spine></package>'
    )
    files = {
        "META-INF/container.xml": '<c><rootfile full-path="o/p.opf"/></c>',
        "o/p.opf": package,
        "o/a.xhtml": "<h1>One</h1><p>text</p>",
        "o/b.xhtml": "<h1>Two</h1>",
    }
    found = doc(archive(files), "a.epub")
    assert (found.title, outline(found)) == ("Book", [(1, "one"), (1, "two")])


BOMB = {"word/document.xml": b"<a>" + b" " * 3_000_000 + b"</a>"}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
REFUSED = [
    ("a.docx", archive(dict(BOMB)), Limits(), "oversized"),
    ("a.docx", archive(dict(DOCX)), Limits(members=2), "oversized"),
    ("a.docx", archive({"x": "y"}), Limits(), "malformed"),
    ("a.docx", b"PK\x03\x04 not a zip", Limits(), "malformed"),
    (
        "a.docx",
        archive({"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}),
        Limits(),
        "malformed",
    ),
    (
        "a.epub",
        archive({"META-INF/container.xml": '<c><rootfile full-path="../../etc/passwd"/></c>'}),
        Limits(),
        "malformed",
    ),
    ("a.zip", archive({"readme.md": "x"}), Limits(), "archive"),
    ("a.pptx", archive({"x": "y"}), Limits(), "malformed"),
    ("a.ipynb", b"{", Limits(), "malformed"),
    ("a.pdf", b"%PDF-1.4 nothing", Limits(), "malformed"),
    ("a.doc", OLE + "WordDocument".encode("utf-16-le"), Limits(), "unsupported"),
    ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), Limits(), "password-protected"),
    ("a.png", b"\x89PNG\r\n", Limits(), "picture"),
    ("a.xlsb", archive({"xl/workbook.bin": "x"}), Limits(), "unsupported"),
]


@pytest.mark.parametrize(("name", "data", "limits", "reason"), REFUSED)
def test_hostile_and_broken_files_are_refused_with_a_reason(
    name: str, data: bytes, limits: Limits, reason: str
) -> None:
    if name.endswith(".pdf"):
        pytest.importorskip("pypdfium2")
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, name, limits=limits)
    assert refused.value.reason == reason


# -- PDF ---------------------------------------------------------------------------------------------------------------------------


def pdf(*pages: list[str]) -> bytes:
    """A PDF of plain lines, made by hand."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for lines in pages:
        drawn = (
            "BT /F1 12 Tf 14 TL 72 720 Td " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    return body + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def test_a_pdf_is_its_pages_with_its_numbered_headings() -> None:
    pytest.importorskip("pypdfium2")
    data = pdf(
        ["A Paper", "Abstract", "Pumps stop.", "1 Introduction"],
        ["They do.", "2 Results", "All stopped.", "2.1 More Results", "x"],
    )
    found = doc(data, "a.pdf")
    assert outline(found) == [
        (1, "abstract"),
        (1, "1-introduction"),
        (1, "2-results"),
        (2, "21-more-results"),
    ]
    assert list(found.anchors) == ["p1", "p2"]
    span = raw_span(
        found, Span(found.text.index("All stopped"), found.text.index("All stopped") + 11)
    )
    assert (span.start_byte, span.page, span.start_line) == (-1, 2, 9)
    assert found.text[found.anchors["p2"].start : found.anchors["p2"].end].startswith("They do.")
    with pytest.raises(Unreadable, match="oversized"):
        read_bytes(data, "a.pdf", limits=Limits(pages=1))


# -- what hangs on messages, exports of conversations, parts that are hidden or apart --------------------------------------------------


def test_slack_shows_names_channels_signs_attachments_and_blocks(tmp_path: Path) -> None:
    day = [
        {"ts": "1.0", "type": "message", "user": "U1", "text": "<@U2> see <#C1|ops>: a &lt; b &amp; c \\u00e9 \"q\"", "attachments": [{"title": "Alert", "text": "Disk full"}]},
        {"ts": "2.0", "type": "message", "user": "U2", "text": "", "blocks": [{"type": "rich_text", "elements": [{"elements": [{"type": "text", "text": "From a block."}]}]}]},
    ]  # fmt: skip
    (tmp_path / "ops").mkdir()
    (tmp_path / "users.json").write_text(
        json.dumps([{"id": "U1", "real_name": "Ann"}, {"id": "U2", "real_name": "Bob"}])
    )
    (tmp_path / "ops" / "2026-03-11.json").write_text(json.dumps(day))
    found = read(tmp_path / "ops" / "2026-03-11.json", "ops/2026-03-11.json")
    assert [text.partition("] ")[2] for _, text in blocks(found)] == [
        'Ann: @Bob see #ops: a < b & c \\u00e9 "q"\nAlert\nDisk full',
        "Bob: From a block.",
    ]


CHATGPT = [
    {
        "title": "Pumps", "current_node": "c",
        "mapping": {
            "a": {"message": None, "parent": None},
            "b": {"message": {"id": "m1", "author": {"role": "user"}, "create_time": 1773220440.5, "content": {"parts": ["Why did it stop?"]}}, "parent": "a"},
            "x": {"message": {"id": "m0", "author": {"role": "assistant"}, "content": {"parts": ["Not shown."]}}, "parent": "b"},
            "c": {"message": {"id": "m2", "author": {"role": "assistant"}, "content": {"parts": ["The valve was open.", "Twice."]}}, "parent": "b"},
        },
    }
]  # fmt: skip
CLAUDE = [
    {
        "uuid": "1", "name": "Pumps",
        "chat_messages": [
            {"uuid": "m1", "sender": "human", "created_at": "2026-03-11T09:14:00Z", "text": "Why did it stop?"},
            {"uuid": "m2", "sender": "assistant", "created_at": "", "text": "", "content": [{"type": "text", "text": "The valve was open."}]},
        ],
    }
]  # fmt: skip


def test_exports_of_conversations_with_models_are_read_in_the_order_shown() -> None:
    found = doc(json.dumps(CHATGPT), "conversations.json")
    assert blocks(found) == [
        ("heading", "Pumps"),
        ("message", "[2026-03-11T09:14:00Z] user: Why did it stop?"),
        ("message", "assistant: The valve was open.\nTwice."),
    ]
    assert {"msg-m1", "msg-m2"} <= found.anchors.keys()
    found = doc(json.dumps(CLAUDE), "conversations.json")
    assert [text for _, text in blocks(found)] == [
        "Pumps",
        "[2026-03-11T09:14:00Z] human: Why did it stop?",
        "assistant: The valve was open.",
    ]


def test_html_leaves_out_what_is_hidden_and_tells_images_apart() -> None:
    page = (
        '<p>The pump <img src="i.png" alt="a red icon"> stopped.</p><p hidden>no</p><div style="display: none">no<p>no</p></div>'
        '<span aria-hidden="true">no</span><figure><img src="p.png" alt="The pump"><figcaption>Fig. 1</figcaption></figure>'
    )
    found = doc(page, "a.html")
    assert blocks(found) == [
        ("paragraph", "The pump stopped."),
        ("html", "a red icon"),
        ("html", "The pump"),
        ("paragraph", "Fig. 1"),
    ]


def test_a_quoted_printable_line_leads_to_its_own_bytes() -> None:
    mail = "Subject: x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nThe pump stop=\nped at no=C3=B6n.\nThe valve was open.\n"
    found = doc(mail, "a.eml")
    assert "The pump stopped at noön.\nThe valve" in found.text
    start = found.text.index("The valve")
    span = raw_span(found, Span(start, start + 19))
    assert (mail.encode()[span.start_byte : span.end_byte], span.start_line, span.end_line) == (
        b"The valve was open.",
        7,
        7,
    )


def test_a_word_documents_boxes_and_nested_tables_are_read_once() -> None:
    box = "<w:r><mc><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent><Fallback><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></Fallback></mc></w:r>"
    inner = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>inner</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    table = (
        f"<w:tbl><w:tr><w:tc><w:p><w:r><w:t>outer</w:t></w:r></w:p>{inner}</w:tc></w:tr></w:tbl>"
    )
    body = f'<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Before.</w:t></w:r>{box}</w:p>{table}</w:body></w:document>'
    found = doc(archive({"word/document.xml": body}), "a.docx")
    assert blocks(found) == [
        ("paragraph", "Before."),
        ("paragraph", "In a box."),
        ("table", "outer inner"),
    ]


# -- all of them -------------------------------------------------------------------------------------------------------------------

SAMPLES: list[tuple[str, bytes]] = [
    ("a.rst", PEP.encode()),
    ("a.adoc", ADOC.encode()),
    ("a.tex", TEX.encode()),
    ("a.html", PAGE.encode()),
    ("a.xml", PAGE.encode()),
    ("a.json", json.dumps(SLACK).encode()),
    (
        "a.ipynb",
        json.dumps(
            {"cells": [{"cell_type": "markdown", "source": ["# x"]}], "nbformat": 4}
        ).encode(),
    ),
    ("a.eml", PARTS.encode()),
    ("a.mbox", f"From a@e.org Wed Mar 11 09:14:00 2026\n{MAIL}".encode()),
    ("a.txt", LOGS[0][1].encode()),
    ("a.docx", archive(dict(DOCX))),
]


@pytest.mark.parametrize(("name", "data"), SAMPLES)
def test_reading_twice_gives_the_same(name: str, data: bytes) -> None:
    if name.endswith(".tex"):
        pytest.importorskip("pylatexenc")
    assert doc(data, name) == doc(data, name)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(SAMPLES), st.data())
def test_a_damaged_file_is_read_or_refused_and_its_parts_lie_in_it(
    sample: tuple[str, bytes], data: st.DataObject
) -> None:
    name, content = sample
    at = data.draw(st.integers(0, len(content) - 1))
    size = data.draw(st.integers(0, 20))
    damaged = content[:at] + data.draw(st.binary(max_size=6)) + content[at + size :]
    try:
        found = read_bytes(damaged, name)
    except Unreadable as refused:
        assert refused.reason in ("malformed", "binary", "password-protected", "oversized")
        return
    length = len(found.text)
    assert all(0 <= block.start < block.end <= length for block in found.blocks)
    assert all(
        one.end <= two.start for one, two in zip(found.blocks, found.blocks[1:], strict=False)
    )
    assert all(
        0 <= section.start <= section.body <= section.end <= length for section in found.sections
    )
    assert all(0 <= link.start < link.end <= length for link in found.links)
    assert all(0 <= span.start <= span.end <= length for span in found.anchors.values())
    start = data.draw(st.integers(0, length))
    place = raw_span(found, Span(start, data.draw(st.integers(start, length))))
    assert place.start_byte == -1 or 0 <= place.start_byte <= place.end_byte <= len(damaged)


def test_every_format_has_a_reader_and_no_extension_two() -> None:
    extensions = [extension for form in FORMATS for extension in form.extensions]
    assert len(extensions) == len(set(extensions))
    for form in FORMATS:
        try:
            read_bytes(b"", f"a{form.extensions[0]}")
        except (Unreadable, MissingExtra):
            assert form.binary or form.name == "json"
