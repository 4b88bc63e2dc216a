"""The questions that people ask of code, answered in full from the graph: who calls, who imports, what a change reaches.

Every answer is a list of places (file and line). What the code says for certain and what may be are kept apart.
"""

from __future__ import annotations

from kgraph.code.navigate.answers import QUESTIONS, Inquiry, answer

__all__ = ["QUESTIONS", "Inquiry", "answer"]
