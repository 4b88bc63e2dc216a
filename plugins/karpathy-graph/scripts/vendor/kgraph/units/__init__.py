"""Documents cut into units of context: what one pass of an extractor is given."""

from kgraph.units.contents import digest, note_folder, text_of, tokens
from kgraph.units.cutting import cut, halve

__all__ = ["cut", "digest", "halve", "note_folder", "text_of", "tokens"]
