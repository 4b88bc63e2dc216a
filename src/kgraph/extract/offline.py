"""The default extractor: no model and no network. What kind of document a unit holds decides who reads it."""

from __future__ import annotations

from kgraph.extract.extraction import Extraction, KnownSources
from kgraph.model import Unit


def extract(unit: Unit, known: KnownSources) -> Extraction:
    """The payload of a unit and what its maker says of its reach."""
    from kgraph.extract.prose import extract as extract_prose

    return extract_prose(unit, known)
