"""Source code as an exact map: modules, imports and calls, each with the line that says so; silence about the rest.

First everything is read (``plan``), since what a name means depends on all the other files; then each unit gives its payload alone
(``extract``). A unit's hash covers its bytes *and* what its names came to mean, so a run can skip what would give the same payload.

The parts are imported when they are asked for: questions about code (``kgraph.code.navigate``) need none of the readers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kgraph.code.facts import CodeOptions, SourceFile
    from kgraph.code.languages import language_of, unmapped
    from kgraph.code.mapping import CodeExtraction, CodeIndex, CodePlan, CodeUnit, extract, plan

_HOMES = {
    "CodeOptions": "facts",
    "SourceFile": "facts",
    "language_of": "languages",
    "unmapped": "languages",
}

__all__ = [
    "CodeExtraction",
    "CodeIndex",
    "CodeOptions",
    "CodePlan",
    "CodeUnit",
    "SourceFile",
    "extract",
    "language_of",
    "plan",
    "unmapped",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"kgraph.code.{_HOMES.get(name, 'mapping')}"), name)
