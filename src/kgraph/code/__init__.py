"""Source code as an exact map: modules, imports and calls, each with the line that says so; silence about the rest.

First everything is read (``plan``), since what a name means depends on all the other files; then each unit gives its payload alone
(``extract``). A unit's hash covers its bytes *and* what its names came to mean, so a run can skip what would give the same payload.
"""

from __future__ import annotations

from kgraph.code.facts import CodeOptions, SourceFile
from kgraph.code.languages import language_of
from kgraph.code.mapping import CodeExtraction, CodeIndex, CodePlan, CodeUnit, extract, plan

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
]
