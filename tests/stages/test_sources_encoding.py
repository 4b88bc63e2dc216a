"""Bytes to text: what is binary, which encoding, and what is done with bytes that fit none."""

from __future__ import annotations

import pytest

from kgraph.model import Span
from kgraph.sources import Limits, Unreadable, decode, raw_span, read, read_bytes

GERMAN = "Über die Größe der Prüfungen läßt sich streiten, und zwar täglich.\n"
CASES = [
    (GERMAN.encode("utf-8"), "utf-8"),
    (b"\xef\xbb\xbf" + GERMAN.encode("utf-8"), "utf-8"),
    (b"\xff\xfe" + GERMAN.encode("utf-16-le"), "utf-16-le"),
    (b"\xfe\xff" + GERMAN.encode("utf-16-be"), "utf-16-be"),
    (b"\xff\xfe\x00\x00" + GERMAN.encode("utf-32-le"), "utf-32-le"),
    (GERMAN.encode("utf-16-le"), "utf-16-le"),
    (GERMAN.encode("latin-1"), "cp1252"),
    ("“Größe” – 5 €\n".encode("cp1252"), "cp1252"),
    (("# -*- coding: koi8-r -*-\n" + "Привет\n").encode("koi8-r"), "koi8-r"),
]


@pytest.mark.parametrize(("data", "encoding"), CASES)
def test_the_encoding_is_told_by_mark_by_declaration_or_by_what_fits(
    data: bytes, encoding: str
) -> None:
    found = decode(data)
    assert found.encoding == encoding
    assert found.text.encode(found.encoding) == data[found.bom :]
    assert "\ufeff" not in found.text


def test_a_few_bad_bytes_leave_utf8_as_it_is_and_are_counted() -> None:
    text = "Grüße aus Köln, schöne Grüße, viele Grüße.\n"
    data = text.encode("utf-8") + b"bad \xff byte\n" + text.encode("utf-8")
    found = read_bytes(data, "a.txt")
    assert found.encoding == "utf-8"
    assert found.metadata["damaged_bytes"] == 1
    start = found.text.rindex("Köln")
    raw = raw_span(found, Span(start, start + 4))
    assert data[raw.start_byte : raw.end_byte].decode("utf-8") == "Köln"
    assert raw.start_line == 3
    bad = found.text.index("\ufffd")
    raw = raw_span(found, Span(bad, bad + 1))
    assert data[raw.start_byte : raw.end_byte] == b"\xff"


@pytest.mark.parametrize(
    "data",
    [bytes.fromhex("00ff00fe1b000100") * 20, b"\x89PNG\r\n\x1a\n\x00\x00", bytes(range(1, 9)) * 50],
)
def test_binary_content_is_refused_whatever_its_name(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        read_bytes(data, "a.md")
    assert refused.value.reason == "binary"


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(Unreadable) as refused:
        read_bytes(b"x" * 11, "a.md", limits=Limits(file_bytes=10))
    assert refused.value.reason == "oversized"


def test_a_file_that_is_not_there_is_refused_as_absent(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("x")
    for path, reason in ((folder / "no.md", "absent"), (folder, "not-a-file")):
        with pytest.raises(Unreadable) as refused:
            read(path, "no.md")
        assert refused.value.reason == reason


def test_an_empty_file_is_an_empty_document() -> None:
    found = read_bytes(b"", "a.md")
    assert (found.text, found.sections, found.blocks) == ("", (), ())
