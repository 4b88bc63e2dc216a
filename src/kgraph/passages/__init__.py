"""The text of what was read, so that it can be found: what became no statement is shown as text, quoted and cited, and never as more.

``cut`` makes blocks of a document, ``find`` answers a question from an index of them. The index (``index.texts``) is derived from the
files and may be deleted.
"""

from kgraph.passages.cutting import cut
from kgraph.passages.finding import Passage, Texts, Wanted, find

__all__ = ["Passage", "Texts", "Wanted", "cut", "find"]
