#!/usr/bin/env python3
"""How the cost of reading grows with files that are written to hurt: the exponent of CPU time over size, for each reader.

    python benchmarks/growth.py [--size 200000] [--only html]

Each shape is made at a quarter of the size and at the whole; the exponent is log(time ratio) / log(size ratio): 1 is in proportion,
2 is the square. A time below a hundredth of a second says nothing and is shown as such. A refusal (a limit, too deep) is an answer.
Exits 1 where an exponent is above 1.5 and the time above a second.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

BARELY = 0.01


def _times(piece: bytes, before: bytes = b"", behind: bytes = b"") -> Callable[[int], bytes]:
    return lambda size: before + piece * max(1, size // len(piece)) + behind


def _levels(line: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Lines that are each one level deeper, as many as make up the size."""

    def made(size: int) -> bytes:
        parts, length, level = [], 0, 0
        while length < size:
            parts.append(line(level))
            length += len(parts[-1])
            level += 1
        return b"".join(parts)

    return made


SHAPES: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "mail, empty encoded words": ("a.eml", _times(b"=?utf-8?q??= ", b"Subject: ", b"\n\nx\n")),
    "mail, addresses": ("a.eml", _times(b"a <b@c.d>, ", b"To: ", b"x\n\nx\n")),
    "mail, parts": (
        "a.eml",
        _times(b"--x\n\nhello\n", b"Content-Type: multipart/mixed; boundary=x\n\n"),
    ),
    "mailbox": ("a.mbox", _times(b"From a Mon 1 2020\nFrom: a@b\n\ntext here, some words of it\n\n" + b"more " * 40 + b"\n\n")),
    "html, open comments": ("a.html", _times(b"<!--")),
    "html, closed open comments": ("a.html", _times(b"<!-- >")),
    "html, open tags": ("a.html", _times(b'<a b="')),
    "html, open sections": ("a.html", _times(b"<![CDATA[ >")),
    "html, nested tables": ("a.html", _times(b"<table><td>x")),
    "html, ids": ("a.html", _times(b"<h2 id=a>x</h2><p id=b>y")),
    "feed, sections": ("a.xml", _times(b"<![CDATA[<x>y]]>")),
    "markdown, nested lists": ("a.md", _levels(lambda level: b"  " * level + b"- x\n")),
    "markdown, quotes": ("a.md", _times(b">", b"", b" x\n")),
    "markdown, brackets": ("a.md", _times(b"[", b"", b"x")),
    "markdown, stars": ("a.md", _times(b"*a **b ")),
    "markdown, back-quotes": ("a.md", _levels(lambda level: b"`" * (level % 400) + b"x ")),
    "markdown, links": ("a.md", _times(b"[a](b")),
    "markdown, definitions": ("a.md", _times(b"[a]: b\n")),
    "markdown, tables": ("a.md", _times(b"|a|b|\n|-|-|\n|c|d|\n")),
    "markdown, headings": ("a.md", _times(b"# a\n\nb\n\n")),
    "rst, nested lists": ("a.rst", _levels(lambda level: b"  " * level + b"* x\n\n")),
    "rst, titles": ("a.rst", _times(b"a\n=\n\nb\n-\n\n")),
    "asciidoc, lists": ("a.adoc", _times(b"* a\n** b\n*** c\n")),
    "json, list": ("a.json", _times(b"[1],", b"[", b"1]")),
    "notebook, cells": (
        "a.ipynb",
        _times(b'{"cell_type":"markdown","source":"a"},', b'{"cells":[', b'{"cell_type":"code","source":"b"}],"nbformat":4}'),
    ),
    "text, paragraphs": ("a.txt", _times(b"a b.\n\n")),
    "text, one line": ("a.txt", _times(b"word ")),
}  # fmt: skip


def seconds(name: str, data: bytes) -> tuple[float, str]:
    from kgraph.sources import read_bytes
    from kgraph.sources.limits import Unreadable

    began = time.process_time()
    try:
        read_bytes(data, name)
        said = ""
    except Unreadable as refusal:
        said = f"refused: {refusal}"[:60]
    return time.process_time() - began, said


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=200_000, metavar="BYTES")
    parser.add_argument("--only", default="", metavar="WORD")
    options = parser.parse_args()
    bad = 0
    for title, (name, make) in SHAPES.items():
        if options.only not in title:
            continue
        small, large = make(options.size // 4), make(options.size)
        seconds(name, small)  # what is imported at the first time
        (first, _), (second, said) = seconds(name, small), seconds(name, large)
        grown = ""
        if second >= BARELY and first > 0:
            exponent = math.log(second / first) / math.log(len(large) / len(small))
            grown = f"{exponent:5.2f}"
            bad += exponent > 1.5 and second > 1
        print(f"{title:32} {second:8.3f} s  {grown or '  -  '}  {said}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
