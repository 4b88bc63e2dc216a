"""A folder of everything: ``python benchmarks/mixed_folder.py [FOLDER …]``: does every file have an outcome, by name and with a reason?

Without a folder one of some 250 files is made: text in every format that is read, formats that aren't, broken, empty, protected and
oversized files, pictures, archives, programs. Given folders are copied into it. Prints the outcomes by kind, and the files without one.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SENTENCES = (
    "The Harbor Service depends on the Lantern Store, which keeps the sessions of the night.",
    "Alice Moreau moved the Quartz Engine to the Falcon Cluster after the failover in March.",
    "The Juniper Gateway (JG) rejects every request while the Cobalt Vault is locked.",
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zipped(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return made.getvalue()


def kinds(text: str) -> Iterator[tuple[str, bytes]]:
    """Extensions, and a file of each."""
    lines = text.replace(". ", ".\n\n")
    yield from (
        (end, f"# Note\n\n{lines}\n".encode())
        for end in (".md", ".markdown", ".txt", ".rst", ".adoc", ".log", "")
    )
    yield ".utf16.txt", f"{lines}\n".encode("utf-16")
    yield ".latin.txt", f"Café Zürich. {lines}\n".encode("latin-1")
    yield ".html", f"<h1>Note</h1><p hidden>no</p><p>{text}</p>".encode()
    yield ".tex", f"% no\n\\section{{Note}}\n{text}\n".encode()
    yield ".csv", b"Service,Store\nHarbor,Lantern\nQuartz,Falcon\n"
    yield ".tsv", b"Service\tStore\nHarbor\tLantern\n"
    yield (
        ".json",
        json.dumps([{"author": "ann", "ts": "2026-03-11T09:14:00Z", "text": text}]).encode(),
    )
    yield (
        ".ipynb",
        json.dumps(
            {"nbformat": 4, "cells": [{"cell_type": "markdown", "source": [text]}]}
        ).encode(),
    )
    yield ".broken.json", b'{"a": '
    yield ".eml", f"From: ann@e.org\nSubject: Note\n\n{text}\n".encode()
    yield ".rtf", rf"{{\rtf1\ansi {text}\par}}".encode()
    paragraph = f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
    yield (
        ".docx",
        zipped(
            {
                "word/document.xml": f'<w:document xmlns:w="w"><w:body>{paragraph}</w:body></w:document>'
            }
        ),
    )
    yield (
        ".odt",
        zipped(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": f'<c xmlns:o="o"><o:body><o:text><o:p>{text}</o:p></o:text></o:body></c>',
            }
        ),
    )
    yield (
        ".epub",
        zipped(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": '<c><rootfile full-path="o.opf"/></c>',
                "o.opf": '<p><item id="a" href="a.html"/><itemref idref="a"/></p>',
                "a.html": f"<p>{text}</p>",
            }
        ),
    )
    yield ".py", f'"""{text}"""\n\nimport os\n'.encode()
    yield ".go", b"package a\n\nfunc A() {}\n"
    yield ".min.js", b"var a=1;" * 500
    yield ".lock", b"x"
    yield ".doc", OLE + "WordDocument".encode("utf-16-le") + b"\0" * 512
    yield ".xls", OLE + "Workbook".encode("utf-16-le") + b"\0" * 512
    yield ".ppt", OLE + "PowerPoint Document".encode("utf-16-le") + b"\0" * 512
    yield ".locked.docx", OLE + "EncryptedPackage".encode("utf-16-le") + b"\0" * 512
    yield ".broken.pdf", b"%PDF-1.4 nothing"
    yield ".broken.docx", b"PK\x03\x04 nothing"
    yield ".broken.xlsx", b"PK\x03\x04 nothing"
    yield ".pages", b"PK\x03\x04\x00\x00"
    yield ".empty.md", b""
    yield ".png", b"\x89PNG\r\n\x1a\n" + b"\0" * 64
    yield ".svg", b"<svg xmlns='http://www.w3.org/2000/svg'><text>a</text></svg>"
    yield ".jpg", b"\xff\xd8\xff" + b"\0" * 64
    yield ".mp3", b"ID3" + b"\0" * 64
    yield ".mp4", b"\0\0\0\x18ftyp" + b"\0" * 64
    yield ".ttf", b"\0\1\0\0" + b"\0" * 64
    yield ".zip", zipped({"readme.md": text})
    yield ".tar.gz", b"\x1f\x8b" + b"\0" * 64
    yield ".exe", b"MZ" + b"\0" * 64
    yield ".sqlite", b"SQLite format 3\0" + b"\0" * 64
    yield ".dat", bytes(range(256)) * 4


def make(folder: Path) -> None:
    chance = random.Random(1)
    for number in range(5):
        for extension, content in kinds(" ".join(chance.sample(SENTENCES, 3))):
            place = folder / f"part{number}" / f"file{extension}"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    (folder / "part0" / "cafe\u0301.md").write_text(SENTENCES[0])
    os.symlink(folder / "part0" / "file.md", folder / "link.md")
    try:
        from pdf_samples import draw

        draw(folder / "pdf")
    except ImportError:
        print("no PDFs: reportlab is not installed", file=sys.stderr)


def main() -> int:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "everything"
        make(folder)
        for given in sys.argv[1:]:
            shutil.copytree(given, folder / Path(given).name, symlinks=True)
        command = [sys.executable, "-m", "kgraph", "extract", ".", "--quiet"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        body = json.loads(done.stdout)
        told: dict[str, str] = {}
        for unit in body["units"]:
            told.setdefault(unit["source"], f"{unit['outcome']}: {unit['detail']}")
        for reason, found in body["skipped_files"].items():
            told |= dict.fromkeys(found["paths"], f"skipped: {reason}")
        files = [
            str(path.relative_to(folder))
            for path in sorted(folder.rglob("*"))
            if path.is_file() and ".karpathy-graphs" not in path.parts
        ]
        import unicodedata

        inside = [path for path in told if told[path].startswith("skipped")]
        silent = [
            path for path in files
            if unicodedata.normalize("NFC", path) not in told and not any(path.startswith(f"{one}/") for one in inside)
        ]  # fmt: skip
        for outcome, number in sorted(Counter(told.values()).items()):
            print(f"{number:5} {outcome[:150]}")
        print(f"{len(files)} files, {len(silent)} without an outcome, exit {done.returncode}")
        for path in silent:
            print("  nothing said of", path)
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
