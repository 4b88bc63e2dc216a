"""Files to Documents: readers, source maps, anchors, and which files are read at all.

``raw_span`` and ``line_of`` lead from a Document's characters back to the file. What a format's reader is, says ``formats.FORMATS``.
"""

from kgraph.sources.encoding import decode
from kgraph.sources.formats import FORMATS, Format
from kgraph.sources.limits import WITHOUT_TEXT, Limits, Unreadable
from kgraph.sources.outline import slug
from kgraph.sources.positions import line_of, line_span, raw_span
from kgraph.sources.reading import read, read_bytes
from kgraph.sources.walking import File, Rules, Walk, as_uri, is_utf8, on_disk, walk

__all__ = [
    "FORMATS",
    "WITHOUT_TEXT",
    "File",
    "Format",
    "Limits",
    "Rules",
    "Unreadable",
    "Walk",
    "as_uri",
    "decode",
    "is_utf8",
    "line_of",
    "line_span",
    "on_disk",
    "raw_span",
    "read",
    "read_bytes",
    "slug",
    "walk",
]
