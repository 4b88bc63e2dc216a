"""Text taken out of a file stretch by stretch, each of which remembers where it stood."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from kgraph.model import Document, RawSpan
from kgraph.sources.assembly import Parts, Raw, from_pieces
from kgraph.sources.encoding import Decoded
from kgraph.sources.positions import STEP, checkpoints, line_starts


class Gatherer:
    """Collects a text and its pieces. Stretches are given in characters of the decoded file."""

    def __init__(self, decoded: Decoded) -> None:
        self.raw = decoded.text
        self.length = 0
        self._decoded = decoded
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._pieces: list[
            tuple[int, int, int, bool]
        ] = []  # first character, raw start, raw end, kept as it was
        self._lines = line_starts(decoded.text)
        self._offsets = checkpoints(decoded.text, decoded.encoding, decoded.bom)

    def keep(self, start: int, end: int) -> None:
        """Take a stretch as it is."""
        if end <= start:
            return
        if self._pieces and self._pieces[-1][3] and self._pieces[-1][2] == start:
            first, raw_start, _, _ = self._pieces[-1]
            self._pieces[-1] = (first, raw_start, end, True)
        else:
            self._pieces.append((self.length, start, end, True))
        self._add(self.raw[start:end])

    def put(self, shown: str, start: int, end: int) -> None:
        """Take something else in the place of a stretch, which may be empty."""
        if shown:
            self._pieces.append((self.length, start, end, False))
            self._add(shown)

    def ends_with(self, end: str) -> bool:
        return not self._parts or self._parts[-1].endswith(end)

    def text(self) -> str:
        return "".join(self._parts)

    def since(self, start: int) -> str:
        """The text from a character on, without joining what came before."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        return "".join(self._parts[first:])[start - (self._starts[first] if self._starts else 0) :]

    def document(self, raw: Raw, parts: Parts) -> Document:
        made = from_pieces(raw, self.text(), parts, tuple(self._raw_pieces()))
        return made._replace(encoding=self._decoded.encoding)

    def _add(self, shown: str) -> None:
        self._parts.append(shown)
        self._starts.append(self.length)
        self.length += len(shown)

    def _raw_pieces(self) -> Iterator[tuple[int, RawSpan]]:
        for first, start, end, _ in self._pieces:
            lines = bisect_right(self._lines, start), bisect_right(self._lines, max(end - 1, start))
            yield first, RawSpan(self._byte(start), self._byte(end), *lines)

    def _byte(self, char: int) -> int:
        if isinstance(self._offsets, range):
            return self._offsets.start + char
        step = min(char // STEP, len(self._offsets) - 1)
        return self._offsets[step] + len(
            self.raw[step * STEP : char].encode(self._decoded.encoding)
        )
