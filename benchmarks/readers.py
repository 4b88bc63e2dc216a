"""Each reader against a reference reader, word by word: ``python benchmarks/readers.py [MARKDOWN …]``.

The given Markdown files are written by pandoc as LaTeX, rich text, OpenDocument, Word and HTML, and read back by ours and by another reader
(pylatexenc, striprtf, odfpy, python-docx, BeautifulSoup where installed, else pandoc's plain text). Files of those formats (also .xlsx
and .msg) may be given as well. Precision: the share of our words that the other has; recall: the share of its words that we have.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from kgraph.sources import Unreadable, read

WORD = re.compile(r"\w+")
WRITTEN = {".tex": "latex", ".rtf": "rtf", ".odt": "odt", ".docx": "docx", ".html": "html"}


def tex(path: Path) -> str:
    return pandoc(path, "latex")


def rtf(path: Path) -> str:
    from striprtf.striprtf import rtf_to_text

    return str(rtf_to_text(path.read_text("latin-1"), errors="ignore"))


def odt(path: Path) -> str:
    from odf import teletype, text
    from odf.opendocument import load

    document = load(str(path))
    found = document.getElementsByType(text.P) + document.getElementsByType(text.H)
    return "\n".join(teletype.extractText(one) for one in found)


def docx(path: Path) -> str:
    import docx as library

    document = library.Document(str(path))
    cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


def xlsx(path: Path) -> str:
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True)
    values = (
        value
        for sheet in book
        for row in sheet.iter_rows(values_only=True)
        for value in row
        if value is not None
    )
    return "\n".join([*book.sheetnames, *(str(value) for value in values)])


def msg(path: Path) -> str:
    import extract_msg

    with extract_msg.openMsg(str(path)) as message:
        return f"{message.subject}\n{message.sender}\n{message.to}\n{message.date}\n{message.body}"


def pandoc(path: Path, form: str) -> str:
    command = ["pandoc", "-f", form, "-t", "plain", "--wrap=none", str(path)]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


REFERENCES: dict[str, Callable[[Path], str]] = {
    ".tex": tex, ".rtf": rtf, ".odt": odt, ".docx": docx, ".xlsx": xlsx, ".msg": msg, ".html": lambda path: pandoc(path, "html"),
}  # fmt: skip


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.casefold()))


def main() -> int:
    figures: dict[str, list[tuple[int, int, int]]] = {}
    with tempfile.TemporaryDirectory() as made:
        for path in _files([Path(given) for given in sys.argv[1:]], Path(made)):
            end = path.suffix
            try:
                theirs = words(REFERENCES[end](path))
                ours = words(read(path, path.name).text)
            except (Unreadable, subprocess.CalledProcessError, ImportError, ValueError) as problem:
                print(f"{path.name}: {str(problem)[:120]}")
                continue
            both = sum((ours & theirs).values())
            figures.setdefault(end, []).append((both, sum(ours.values()), sum(theirs.values())))
            if "-v" in sys.argv:
                print(path.name, (ours - theirs).most_common(8), (theirs - ours).most_common(8))
    for end, some in sorted(figures.items()):
        both, ours_, theirs_ = (sum(column) for column in zip(*some, strict=True))
        print(
            f"{end:6} {len(some):3} files: precision {both / ours_:.3f} recall {both / theirs_:.3f} ({theirs_} words)"
        )
    return 0


def _files(given: list[Path], made: Path) -> list[Path]:
    found = [path for path in given if path.suffix in REFERENCES]
    for number, path in enumerate(one for one in given if one.suffix in (".md", ".markdown")):
        for end, form in WRITTEN.items():
            out = made / f"{number}-{path.stem}{end}"
            done = subprocess.run(
                ["pandoc", "-s", "-f", "markdown", "-t", form, "-o", str(out), str(path)],
                capture_output=True,
                check=False,
            )
            if done.returncode == 0:
                found.append(out)
    return found


if __name__ == "__main__":
    sys.exit(main())
