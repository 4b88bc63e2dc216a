"""PDFs against pdftotext and pdfminer: are the words the same, in the same order, and do the claims stand there as running text?

    python benchmarks/pdf_words.py [--made FOLDER] [FILE.pdf …]

Without files it reads those that ``pdf_samples.py`` draws into a folder. Needs pdftotext (poppler-utils) on the path, and pdfminer.six and
reportlab installed. The baseline of the same run is the file's own order, as pdfium gives it.

words   share of our words that pdftotext has as well, and of its words that we have (running lines, which we leave out, counted apart)
pairs   share of our neighbouring words that are neighbours there: what is torn apart or interleaved shows here
claims  share of the offline extractor's claims that stand in pdftotext's text as they are, white space and hyphens at line ends aside
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pypdfium2

from kgraph.documents import extract
from kgraph.model import Document
from kgraph.sources import Unreadable, read
from kgraph.units import cut
from kgraph.units.extraction import KnownSources
import itertools

TOKEN = re.compile(r"[^\W_]+")
CJK = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")


def words(text: str) -> list[str]:
    return TOKEN.findall(CJK.sub(r" \1 ", _plain(text)))


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    text = re.sub(r"(?<=[^\W\d_])[-\u2010]\s*\n\s*(?=[a-z])", "", text)
    return text.casefold()


def squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", _plain(text))


def without(text: str, running: Iterable[str]) -> str:
    """A text without the lines that we took for running ones, and without those that are nothing but a number."""
    keys = [" ".join(line.split()) for line in (*running, "#")]
    lines = text.replace("\f", "\n").splitlines()
    shown = [" ".join(re.sub(r"\d+", "#", line).split()) for line in lines]
    return "\n".join(
        line
        for line, key in zip(lines, shown, strict=True)
        if not any(key and key in whole for whole in keys)
    )


def shared(ours: list[str], theirs: list[str]) -> tuple[float, float]:
    """Precision and recall of the first in the second, each word as often as it is there."""
    both = sum((Counter(ours) & Counter(theirs)).values())
    return both / (len(ours) or 1), both / (len(theirs) or 1)


def pairs(ours: list[str], theirs: list[str]) -> float:
    return shared([*itertools.pairwise(ours)], [*itertools.pairwise(theirs)])[0]  # type: ignore[list-item]


def pdftotext(path: Path) -> str:
    done = subprocess.run(
        ["pdftotext", "-enc", "UTF-8", str(path), "-"], capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "replace")


def pdfminer(path: Path) -> str:
    from pdfminer.high_level import extract_text

    return str(extract_text(str(path)))


def own_order(path: Path) -> str:
    file = pypdfium2.PdfDocument(path)
    return "\f".join(page.get_textpage().get_text_range().replace("\ufffe", "-") for page in file)


def claims_of(document: Document) -> list[str]:
    found = []
    for unit in cut(document):
        payload = extract(unit, KnownSources()).payload
        found += [node["name"] for node in payload["nodes"] if node["type"] == "Claim"]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--made", type=Path, help="keep the drawn files in this folder")
    parser.add_argument(
        "--pdfminer", action="store_true", help="compare with pdfminer as well (slow)"
    )
    parser.add_argument("--missing", action="store_true", help="print claims that aren't found")
    options = parser.parse_args()
    if not options.files:
        from pdf_samples import draw

        options.files = draw(options.made or Path(tempfile.mkdtemp()))
    print(f"{'file':38} {'words P':>8} {'R':>6} {'pairs':>6} {'(file)':>7} {'claims':>10} {'':6}")
    totals: Counter[str] = Counter()
    for path in options.files:
        _one(path, options, totals)
    n = totals["files"] or 1
    print(
        f"{totals['files']} files: words P {totals['p'] / n:.3f} R {totals['r'] / n:.3f}, pairs {totals['pairs'] / n:.3f}"
        f" (file's own order {totals['base'] / n:.3f}), claims {totals['found']}/{totals['claims']}"
        f" = {totals['found'] / (totals['claims'] or 1):.3f}, without text {totals['scans']}"
    )
    return 0


def _one(path: Path, options: argparse.Namespace, totals: Counter[str]) -> None:
    theirs = pdftotext(path)
    try:
        document = read(path, path.name)
    except Unreadable as problem:
        totals["scans"] += 1
        print(f"{path.name[:38]:38} {problem}  (pdftotext: {len(words(theirs))} words)")
        return
    running = " ".join(document.metadata.get("running_lines", ()))
    their_words = words(theirs)
    ours = words(document.text)
    base = words(own_order(path))
    precision, recall = shared(ours + words(running), their_words)
    recall = max(
        recall,
        shared(
            ours,
            [word for word in their_words if word not in words(running) and not word.isdigit()],
        )[1],
    )
    claims = claims_of(document)
    held = squeezed(without(theirs, document.metadata.get("running_lines", ())))
    missing = [claim for claim in claims if squeezed(claim) not in held]
    totals.update(files=1, claims=len(claims), found=len(claims) - len(missing))
    totals["p"] += precision  # type: ignore[assignment]
    totals["r"] += recall  # type: ignore[assignment]
    near = pairs(ours, their_words)
    totals["pairs"] += near  # type: ignore[assignment]
    totals["base"] += pairs(base, their_words)  # type: ignore[assignment]
    more = (
        f" pdfminer pairs {pairs(words(pdfminer(path)), their_words):.3f}"
        if options.pdfminer
        else ""
    )
    print(
        f"{path.name[:38]:38} {precision:8.3f} {recall:6.3f} {near:6.3f} {pairs(base, their_words):7.3f}"
        f" {len(claims) - len(missing):5}/{len(claims):<5}{more}"
    )
    for claim in missing if options.missing else ():
        print("      -", claim[:300])


if __name__ == "__main__":
    sys.exit(main())
