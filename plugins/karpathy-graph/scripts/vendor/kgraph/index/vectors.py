"""Vectors of node texts, in a file of their own beside the index: derived, may be deleted at any time.

The file: a mark, the place of its last part, then the vectors (32-bit little-endian, of length one), then what they are of, as JSON. It is
written beside and moved into place, so a reader sees a whole one. Search is exact: one product with every vector, by numpy.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import time
from array import array
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from kgraph.errors import MissingExtra, NotAllowed
from kgraph.events.hashing import hex_of
from kgraph.index.read import NodeView
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    import numpy

LONGEST = 2000  # characters of a node's text that are embedded
ABANDONED = 86400  # seconds after which nobody is writing a file any more that hasn't changed
_HEAD = struct.Struct("<8sQ")
_START = 64  # of the vectors in the file: a multiple of what processors read at once
_MARK = b"KGVEC\x00\x01\n"


class Stamp(NamedTuple):
    """What made the vectors, of which state: ``heads`` of the log, ``lines`` in it. ``missing``: nodes that were left out."""

    model: str
    dimension: int
    base_url: str
    heads: tuple[str, ...]
    lines: int
    missing: int


class Vectors(NamedTuple):
    """A file as it was opened. ``rows`` lie in the order of ``ids`` and ``texts`` (marks of the texts that were embedded)."""

    stamp: Stamp
    ids: list[str]
    texts: list[str]
    rows: numpy.ndarray[Any, Any]
    mark: str  # of exactly these vectors


def node_text(node: NodeView) -> str:
    """What is embedded of a node: name, other names, description."""
    names = " / ".join((node.name, *node.aliases))
    return (f"{names}: {node.description}" if node.description else names)[:LONGEST]


def text_mark(text: str) -> str:
    return hex_of(text.encode("utf-8", "surrogatepass"))[:16]


def read(path: str) -> Vectors | None:
    """The vectors in a file, None where there is none. Raises MissingExtra without numpy, NotAllowed for a file that isn't whole."""
    try:
        import numpy
    except ImportError:
        raise MissingExtra("searching by vectors", "embed") from None
    try:
        with open(path, "rb") as file:
            mark, at = _HEAD.unpack(file.read(_HEAD.size))
            if mark != _MARK or not _START <= at <= os.fstat(file.fileno()).st_size:
                raise ValueError("its head is another's")
            file.seek(at)
            rest = file.read()
        stamp, ids, texts = _last_part(json.loads(rest))
        if len(ids) != len(texts) or at != _START + 4 * len(ids) * stamp.dimension:
            raise ValueError("its parts don't fit together")
        shape = (len(ids), stamp.dimension)
        rows: numpy.ndarray[Any, Any] = (
            numpy.memmap(path, "<f4", "r", _START, shape) if ids else numpy.zeros(shape, "<f4")
        )
    except FileNotFoundError:
        return None
    except (
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
        IsADirectoryError,
        struct.error,
    ) as error:
        raise NotAllowed(
            f"{path} is no whole file of vectors ({error})",
            "delete it; kgraph embed makes it again",
        ) from None
    return Vectors(stamp, ids, texts, rows, hex_of(rest)[:8])


def _last_part(told: Any) -> tuple[Stamp, list[str], list[str]]:
    """The stamp, ids and marks. Raises ValueError, KeyError, TypeError where it is not what ``finish`` wrote."""
    stamp = Stamp(
        told["model"],
        told["dimension"],
        told["base_url"],
        tuple(told["heads"]),
        told["lines"],
        told["missing"],
    )
    texts = (stamp.model, stamp.base_url, *stamp.heads, *told["ids"], *told["texts"])
    counts = (stamp.dimension, stamp.lines, stamp.missing)
    lists = all(isinstance(told[name], list) for name in ("heads", "ids", "texts"))
    if (
        not lists
        or not all(isinstance(one, str) for one in texts)
        or not all(isinstance(one, int) and one >= 0 for one in counts)
    ):
        raise ValueError("its last part is of another form")
    return stamp, told["ids"], told["texts"]


class Writing:
    """A new file in the making. Leaving without ``finish`` leaves what was there before."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._beside = f"{path}.{os.getpid()}.new"
        self._ids: list[str] = []
        self._texts: list[str] = []
        self.dimension = 0

    def __enter__(self) -> Writing:
        _sweep(self._path)
        self._file = open(self._beside, "wb")
        self._file.write(b"\0" * _START)
        return self

    def add(
        self, ids: Sequence[str], texts: Sequence[str], vectors: Sequence[array[float]]
    ) -> None:
        """Vectors are brought to length one; what has no direction stays so. Raises NotAllowed for another dimension."""
        import numpy

        for vector in vectors:
            self.dimension = self.dimension or len(vector)
            if len(vector) != self.dimension:
                raise NotAllowed(
                    f"vectors of {self.dimension} and of {len(vector)} numbers don't go together",
                    "kgraph embed --rebuild",
                )
        rows = numpy.array([numpy.frombuffer(vector, "f4") for vector in vectors], "<f4")
        if len(rows):
            sizes = numpy.linalg.norm(rows, axis=1, keepdims=True)
            self._file.write((rows / numpy.where(sizes == 0, 1, sizes)).astype("<f4").tobytes())
        self._ids += ids
        self._texts += texts

    def finish(self, stamp: Stamp) -> None:
        at = self._file.tell()
        told = {
            **stamp._asdict(),
            "dimension": self.dimension,
            "ids": self._ids,
            "texts": self._texts,
        }
        self._file.write(json.dumps(told).encode())
        self._file.seek(0)
        self._file.write(_HEAD.pack(_MARK, at))
        self._file.close()
        os.replace(self._beside, self._path)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._beside)


def _sweep(path: str) -> None:
    """Delete what processes that were ended in the middle left beside the file."""
    folder, name = os.path.split(path)
    for other in os.listdir(folder or "."):
        if other.startswith(f"{name}.") and other.endswith(".new"):
            with contextlib.suppress(FileNotFoundError):
                left = os.path.join(folder, other)
                if os.stat(left).st_mtime < time.time() - ABANDONED:
                    os.unlink(left)
