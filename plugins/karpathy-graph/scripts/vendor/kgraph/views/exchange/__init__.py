"""Exports and imports: one module a family of formats, ``formats`` names them all."""

from __future__ import annotations

from kgraph.views.exchange.foreign import Foreign
from kgraph.views.exchange.formats import (
    EXPORTS,
    FOLDERS,
    IMPORTS,
    ExportFile,
    export,
    looks_like,
    read,
)

__all__ = ["EXPORTS", "FOLDERS", "IMPORTS", "ExportFile", "Foreign", "export", "looks_like", "read"]
