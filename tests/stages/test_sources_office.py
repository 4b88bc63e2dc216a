"""Spreadsheets, OpenDocument, Outlook messages, rich text, tables of values: what each makes of a small file of our own."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from types import SimpleNamespace

import pytest

from kgraph.model import Document, Span
from kgraph.sources import Limits, Unreadable, raw_span, read_bytes


def doc(content: str | bytes, name: str) -> Document:
    return read_bytes(content.encode("utf-8") if isinstance(content, str) else content, name)


def blocks(found: Document) -> list[tuple[str, str]]:
    return [(block.kind, found.text[block.start : block.end]) for block in found.blocks]


def archive(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return made.getvalue()


def test_a_workbook_is_its_sheets_row_by_row_with_the_cells_as_shown() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Services"
    for row in (
        ["Service", "Since", "Nodes"],
        ["Harbor", date(2026, 3, 11), 3.0],
        [],
        ["Total", None, 3.5],
    ):
        book.active.append(row)
    book.create_sheet("Empty")
    held = io.BytesIO()
    book.save(held)
    found = doc(held.getvalue(), "a.xlsx")
    assert [section.title for section in found.sections] == ["Services", "Empty"]
    assert [text for kind, text in blocks(found) if kind == "table"] == [
        "Service | Since | Nodes\nHarbor | 2026-03-11 | 3",
        "Total |  | 3.5",
    ]
    start = found.text.index("Harbor")
    assert raw_span(found, Span(start, start + 6)).part == "Services!2"
    with pytest.raises(Unreadable, match="oversized"):
        read_bytes(held.getvalue(), "a.xlsx", limits=Limits(unpacked_bytes=500))
    with pytest.raises(Unreadable, match="malformed"):
        doc(archive({"xl/workbook.xml": "<x/>"}), "a.xlsx")


@pytest.mark.parametrize(("text", "name"), [
    ('Service,Owner,Note\nHarbor,"Moreau, Alice","says ""so"""\nQuartz,,none\n', "a.csv"),
    ('Service\tOwner\tNote\r\nHarbor\tMoreau, Alice\tsays "so"\r\nQuartz\t\tnone', "a.tsv"),
    ('Service;Owner;Note\nHarbor;Moreau, Alice;says "so"\nQuartz;;none\n', "b.csv"),
])  # fmt: skip
def test_a_row_of_values_says_of_each_what_it_is(text: str, name: str) -> None:
    found = doc(text, name)
    assert blocks(found) == [
        ("row", 'Service: Harbor; Owner: Moreau, Alice; Note: says "so"'),
        ("row", "Service: Quartz; Note: none"),
    ]
    start = found.text.index("Moreau, Alice")
    span = raw_span(found, Span(start, start + 13))
    assert (text.encode()[span.start_byte : span.end_byte], span.start_line) == (
        b"Moreau, Alice",
        2,
    )


def test_values_without_names_of_columns_are_values() -> None:
    assert blocks(doc("1,2,3\n4,5,6\n", "a.csv")) == [("row", "1 | 2 | 3"), ("row", "4 | 5 | 6")]


SPACES = (
    'xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:tb="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:d="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:x="http://www.w3.org/1999/xlink" xmlns:p="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
)


def opened(kind: str, body: str) -> bytes:
    content = f"<o:document-content {SPACES}><o:body><o:{kind}>{body}</o:{kind}></o:body></o:document-content>"
    return archive({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def test_an_opendocument_text_keeps_notes_boxes_tables_and_links_apart() -> None:
    found = doc(
        opened(
            "text",
            '<t:tracked-changes><t:p>gone</t:p></t:tracked-changes><t:h t:outline-level="2">Pumps</t:h>'
            "<t:p>The pump<t:note><t:note-citation>1</t:note-citation><t:note-body><t:p>By ACME.</t:p></t:note-body></t:note>"
            ' needs<t:s t:c="2"/><t:a x:href="http://e.org">a valve</t:a>.<d:frame><d:text-box><t:p>In a box.</t:p></d:text-box></d:frame></t:p>'
            "<t:list><t:list-item><t:p>one</t:p></t:list-item></t:list>"
            "<tb:table><tb:table-row><tb:table-cell><t:p>a</t:p></tb:table-cell><tb:table-cell><t:p>b</t:p></tb:table-cell></tb:table-row></tb:table>",
        ),
        "a.odt",
    )
    assert blocks(found) == [
        ("heading", "Pumps"),
        ("paragraph", "The pump needs  a valve."),
        ("paragraph", "By ACME."),
        ("paragraph", "In a box."),
        ("item", "one"),
        ("table", "a | b"),
    ]
    (link,) = found.links
    assert (link.target, found.text[link.start : link.end]) == ("http://e.org", "a valve")


def test_an_opendocument_sheet_and_slides_are_read_by_their_names() -> None:
    row = '<tb:table-row tb:number-rows-repeated="1000000"><tb:table-cell tb:number-columns-repeated="16000"/></tb:table-row>'
    cells = '<tb:table-row><tb:table-cell><t:p>Harbor</t:p></tb:table-cell><tb:table-cell tb:number-columns-repeated="2"><t:p>3</t:p></tb:table-cell></tb:table-row>'
    found = doc(
        opened("spreadsheet", f'<tb:table tb:name="Services">{cells}{row}</tb:table>'), "a.ods"
    )
    assert blocks(found) == [("heading", "Services"), ("table", "Harbor | 3 | 3")]
    slide = '<d:page d:name="one"><d:frame p:class="title"><d:text-box><t:p>Why</t:p></d:text-box></d:frame><d:frame><d:text-box><t:p>It broke.</t:p></d:text-box></d:frame></d:page>'
    found = doc(opened("presentation", slide), "a.odp")
    assert blocks(found) == [("heading", "Why"), ("paragraph", "It broke.")]
    assert list(found.anchors) == ["p1"]


def test_an_encrypted_opendocument_file_is_told_by_name() -> None:
    data = archive(
        {"content.xml": "<x/>", "META-INF/manifest.xml": "<m><f><encryption-data/></f></m>"}
    )
    with pytest.raises(Unreadable, match="password-protected"):
        doc(data, "a.odt")


def test_rich_text_is_its_words() -> None:
    pytest.importorskip("striprtf")
    found = doc(
        r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\info{\title Pumps}}\f0 The pump \b needs\b0  a valve.\par It was caf\'e9.\par}",
        "a.rtf",
    )
    assert blocks(found) == [
        ("paragraph", "The pump needs a valve."),
        ("paragraph", "It was café."),
    ]
    assert found.title == "Pumps"


def test_an_outlook_message_is_its_fields_and_its_body(monkeypatch: pytest.MonkeyPatch) -> None:
    oxmsg = pytest.importorskip("oxmsg")
    message = SimpleNamespace(
        subject="Pump", sender="Alice <a@e.org>", sent_date=datetime(2026, 3, 11, tzinfo=UTC), message_headers={"Message-ID": "<1@e.org>"},
        recipients=[SimpleNamespace(name="Bob", email_address="b@e.org")], attachments=[SimpleNamespace(file_name="log.txt")],
        body="It stopped.\r\n\r\n> Did it?", html_body=None,
    )  # fmt: skip
    monkeypatch.setattr(oxmsg.Message, "load", lambda file: message)
    found = doc(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.msg")
    assert [kind for kind, _ in blocks(found)] == ["heading", "front-matter", "paragraph", "quote"]
    assert found.metadata["attachments"] == ["log.txt"] and "msg-1@e.org" in found.anchors
    monkeypatch.undo()
    with pytest.raises(Unreadable, match="malformed"):
        doc(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a.msg")
