"""Whether words carry a statement: numbers, negation, hedges, who and in which direction. Used at the write, wherever statements are
shown, and by ``ground``: one judge for all."""

from kgraph.support.judge import judge
from kgraph.support.levels import UNJUDGED, Doubt, Level, Reason, Support
from kgraph.support.relations import Ends, judge_relation

__all__ = ["UNJUDGED", "Doubt", "Ends", "Level", "Reason", "Support", "judge", "judge_relation"]
