"""Files to Documents: readers, source maps, anchors, and which files are read at all.

``raw_span`` and ``line_of`` lead from a Document's characters back to the file. What a format's reader is, says ``formats.FORMATS``.
"""

from kgraph.sources.encoding import decode
from kgraph.sources.formats import FORMATS, Format
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.outline import slug
from kgraph.sources.positions import line_of, line_span, raw_span
from kgraph.sources.reading import read, read_bytes
from kgraph.sources.walking import File, Rules, Walk, is_utf8, walk

__all__ = [
    "FORMATS",
    "File",
    "Format",
    "Limits",
    "Rules",
    "Unreadable",
    "Walk",
    "decode",
    "is_utf8",
    "line_of",
    "line_span",
    "raw_span",
    "read",
    "read_bytes",
    "slug",
    "walk",
]
