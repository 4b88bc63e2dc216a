"""PDF pages are read as people read them: column by column, words whole, without what every page repeats."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kgraph.model import Document, Span
from kgraph.sources import Unreadable, raw_span, read_bytes
from kgraph.sources.layout import Word, read_page

pytest.importorskip("pypdfium2")

Piece = tuple[float, float, float, str]  # x, y from below, size, text


def pdf(*pages: Sequence[Piece], fields: Sequence[tuple[str, str]] = (), turn: int = 0) -> bytes:
    """A PDF made by hand: each page's texts in the order in which they are given."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /AcroForm 4 0 R >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "",
    ]
    widgets = []
    for number, (label, value) in enumerate(fields):
        y = 600 - 30 * number
        objects.append(
            f"<< /Type /Annot /Subtype /Widget /FT /Tx /T ({label}) /V ({value}) /Rect [200 {y} 400 {y + 16}] /F 4 >>"
        )
        widgets.append(f"{len(objects)} 0 R")
    objects[3] = f"<< /Fields [{' '.join(widgets)}] >>"
    kids = []
    for pieces in pages:
        drawn = " ".join(
            f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET" for x, y, size, text in pieces
        )
        if turn:
            drawn = f"q 0 1 -1 0 612 0 cm {drawn} Q"
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate {turn} /Annots [{' '.join(widgets)}]"
            f" /Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    return body + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def lines(texts: Sequence[str], x: float = 72, y: float = 700, size: float = 10) -> list[Piece]:
    return [(x, y - 13 * number, size, text) for number, text in enumerate(texts)]


def doc(data: bytes) -> Document:
    return read_bytes(data, "a.pdf")


def running_text(found: Document) -> str:
    return " ".join(found.text.split())


LEFT = [
    "The pump of the harbor stopped in the night",
    "because a valve had been left open since the",
    "last inspection, and nobody had noticed it",
    "until the water stood in the lower hall.",
]
RIGHT = [
    "In the morning the crew closed the valve by",
    "hand and started the spare pump, which ran",
    "for two days without a fault while the first",
    "one was taken apart and cleaned in the yard.",
]


@pytest.mark.parametrize("by_row", [True, False])
def test_two_columns_are_read_one_after_the_other_however_they_were_drawn(by_row: bool) -> None:
    left, right = lines(LEFT, 60), lines(RIGHT, 310)
    pieces = [piece for pair in zip(left, right, strict=True) for piece in pair]
    found = doc(pdf(pieces if by_row else [*left, *right]))
    assert running_text(found) == " ".join([*LEFT, *RIGHT])


def test_a_title_above_two_columns_comes_first() -> None:
    title = [
        (
            60.0,
            740.0,
            16.0,
            "The night in which the pump of the harbor stopped and the hall was flooded",
        )
    ]
    pieces = [
        piece for pair in zip(lines(LEFT, 60), lines(RIGHT, 310), strict=True) for piece in pair
    ]
    found = doc(pdf([*pieces, *title]))
    assert running_text(found).startswith("The night in which")
    assert [section.title[:9] for section in found.sections] == ["The night"]


def test_a_table_is_read_row_by_row() -> None:
    rows = [("Service", "Store"), ("Harbor", "Redis"), ("Lantern", "Kafka"), ("Quartz", "Vault")]
    pieces = [
        piece
        for pair in zip(
            *(
                lines(column, x)
                for column, x in zip(zip(*rows, strict=True), (72, 300), strict=True)
            ),
            strict=True,
        )
        for piece in pair
    ]
    found = doc(pdf(pieces))
    assert [block.kind for block in found.blocks] == ["table"]
    assert found.text.splitlines()[1] == "Harbor | Redis"


def test_headers_footers_and_page_numbers_are_left_out_and_told() -> None:
    pages = [
        [
            (72, 760, 9, "Harbor Review, volume 7"),
            *lines([*LEFT[:3], f"Page body {name} goes on here."]),
            (300, 30, 9, f"{number}"),
        ]
        for number, name in enumerate(("one", "two", "three"), 1)
    ]
    found = doc(pdf(*pages))
    assert "Harbor Review" not in found.text
    assert not any(line.strip().isdigit() for line in found.text.splitlines())
    assert found.metadata["running_lines"] == ["Harbor Review, volume #", "#"]


def test_a_word_broken_at_a_lines_end_is_whole_and_still_has_its_page() -> None:
    found = doc(
        pdf(
            lines(
                [
                    "The admin-",
                    "istration knows the well-",
                    "known plan, and a well-known plan",
                    "is kept.",
                ]
            )
        )
    )
    assert (
        running_text(found)
        == "The administration knows the well-known plan, and a well-known plan is kept."
    )
    start = found.text.index("administration")
    assert raw_span(found, Span(start, start + 14)).page == 1


def test_a_sentence_goes_on_over_the_end_of_a_page_and_its_note() -> None:
    first = [
        *lines(["The crew of the spare pump was told", "that the valve had been left open and"]),
        (72, 60, 6, "1 Told by the harbor master on the phone."),
    ]
    found = doc(pdf(first, lines(["closed by hand in the morning.", "Nobody was hurt."])))
    assert "left open and\nclosed by hand" in found.text
    closed, note = found.text.index("closed by hand"), found.text.index("1 Told by")
    assert closed < note
    assert raw_span(found, Span(closed, closed + 6)).page == 2
    assert raw_span(found, Span(note, note + 6)).page == 1


def test_what_is_filled_into_a_form_stands_beside_its_label() -> None:
    labels = [
        (72.0, 604.0 - 30 * number, 10.0, f"{label}:")
        for number, label in enumerate(("Service", "Owner"))
    ]
    found = doc(pdf(labels, fields=[("Service", "Falcon"), ("Owner", "Dana Whitfield")]))
    assert [
        " ".join(line.replace("|", " ").split()) for line in found.text.split("\n") if line
    ] == ["Service: Falcon", "Owner: Dana Whitfield"]


def test_a_page_that_is_turned_is_read_upright() -> None:
    assert running_text(doc(pdf(lines(LEFT, 60, 500), turn=90))) == " ".join(LEFT)


def test_pictures_of_pages_are_no_text() -> None:
    drawn = [(72, 700, 10, ") Tj ET 0 0 100 100 re f BT (")]  # a rectangle stands for a picture
    with pytest.raises(Unreadable, match=r"no text layer: .*OCR"):
        doc(pdf(drawn))
    with pytest.raises(Unreadable, match=r"no text layer: its pages are blank"):
        doc(pdf([]))
    assert doc(pdf(drawn, [], lines(LEFT))).metadata["pages_without_text"] == [1]


def test_vertical_japanese_runs_from_right_to_left_in_tiers() -> None:
    columns = [
        "港湾の喞筒は夜に止まった",
        "弁が開いたままだったから",
        "誰も気がつかなかったのだ",
        "朝になって弁は閉じられた",
    ]
    # turned as the reader turns it: a column is a row, the rightmost the first
    words = [
        Word(char, 14.0 * place, 18.0 * number, 14.0 * place + 13, 18.0 * number + 13, 0)
        for number, column in enumerate(columns)
        for place, char in enumerate(column)
    ]
    assert [paragraph.text for paragraph in read_page(words, 13)] == ["\n".join(columns)]
