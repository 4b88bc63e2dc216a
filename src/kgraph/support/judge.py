"""Do the quoted words carry the statement? Judged apart from whether they stand in the file; pure, without a model.

``stated``: the words say it, be it in another order. ``doubtful``: something tells against it, which is named. ``plausible``: neither.
``unjudged``: there are no words, or they are of another language than the statement. Nothing is ever doubtful for being put in other
words alone: a doubt has a number, a name, a negation, a hedge or an order to point at, or finds nothing in common.
"""

from __future__ import annotations

from kgraph.ontology import fold
from kgraph.support.denials import negation_doubts
from kgraph.support.dense import dense_doubts
from kgraph.support.figures import figure_doubts, figures_met
from kgraph.support.hedging import hedge_doubts
from kgraph.support.levels import STATED, UNJUDGED, Doubt, Level, Reason, Support
from kgraph.support.overlap import Overlap
from kgraph.support.reading import Names, Reading, language_of, read
from kgraph.support.roles import actor_doubts, role_doubts
from kgraph.support.statements import carries

LEAST_SHARE = 0.2  # of a statement's units that must stand in the quote
FEW_SHARE = 0.34  # of them that a quote of one or two words must hold
HALF = 0.5  # of them that make up for verbs in other words
LONGEST = 4000  # characters of a quote that are compared


def judge(statement: str, quote: str, names: Names, place: str = "") -> Support:
    """Whether ``quote`` carries ``statement``.

    ``names``: folded names and aliases of the things that either may speak of, each to the numbers of those things, so that two names of
    one thing are one. ``place``: where the quote stands (uri and anchor); a date in it dates the quote.
    """
    if not quote.strip() or not statement.strip():
        return UNJUDGED
    if _is_verbatim(statement, quote):
        return STATED
    mine, theirs = read(statement, names), read(quote[:LONGEST], names)
    if mine.dense != theirs.dense:
        doubts = _rivals(figure_doubts(mine, theirs, place))
        return Support(Level.DOUBTFUL, tuple(doubts)) if doubts else UNJUDGED
    doubts = dense_doubts(mine, theirs) if mine.dense else _doubts(mine, theirs, place)
    if doubts:
        return Support(Level.DOUBTFUL, tuple(doubts))
    if _is_foreign(mine, theirs):
        return UNJUDGED
    return STATED if carries(statement, quote[:LONGEST], names) else Support(Level.PLAUSIBLE)


def _is_verbatim(statement: str, quote: str) -> bool:
    """Whether the statement stands in the quote as a sentence of its own, so that nothing around it denies or hedges it."""
    quoted, said = fold(quote), fold(statement).strip(" .。")
    at = quoted.find(said)
    if at < 0:
        return False
    before = quoted[:at].rstrip("\"'*_`“„「 ")
    after = quoted[at + len(said) :].lstrip("\"'*_`”“」 ")
    begins = not before or before[-1] in ".!?;。！？|-•" or before.endswith("::")
    return begins and (not after or after[0] in ".!;。！|)")


def _is_foreign(mine: Reading, theirs: Reading) -> bool:
    one, other = language_of(mine.text), language_of(theirs.text)
    return bool(one and other and one != other)


def _doubts(mine: Reading, theirs: Reading, place: str) -> list[Reason]:
    doubts = figure_doubts(mine, theirs, place)
    if _is_foreign(mine, theirs):
        return _rivals(doubts)
    overlap = Overlap(mine, theirs)
    if too_little := _too_little(mine, theirs, overlap):
        return [too_little]
    doubts += actor_doubts(mine, theirs, overlap)
    doubts += negation_doubts(mine, theirs, overlap)
    doubts += hedge_doubts(mine, theirs, overlap)
    return doubts or role_doubts(mine, theirs)


def _rivals(doubts: list[Reason]) -> list[Reason]:
    """Of figures in two languages only those that the quote has otherwise: what it hasn't may be put in words."""
    return [reason for reason in doubts if reason.quoted]


def _too_little(mine: Reading, theirs: Reading, overlap: Overlap) -> Reason | None:
    """Whether the quote is too short to say it, or speaks of something else."""
    said = len(mine.units) + bool(mine.quantities) + bool(mine.dates)
    quoted = len(theirs.units) + len(theirs.quantities) + bool(theirs.dates)
    shared = sum(1 for _, others in overlap.pairs if others)
    figures = figures_met(mine, theirs)
    if said > 1 and (quoted == 0 or (quoted == 1 and (said > 2 or shared == 1))):
        return Reason(Doubt.SHORT, "", theirs.text.strip())
    if quoted <= 2 and said >= 4 and overlap.share < FEW_SHARE and not figures:
        return Reason(Doubt.SHORT, "", theirs.text.strip())
    if len(mine.units) >= 2 and overlap.share < LEAST_SHARE and not figures:
        return Reason(Doubt.NOTHING_IN_COMMON, mine.text, "")
    told = [unit for unit in mine.units if not unit.word.ids and not (unit.is_name and unit.at)]
    if len(told) >= 2 and overlap.share < HALF and not figures and not any(map(overlap.has, told)):
        return Reason(Doubt.NOTHING_IN_COMMON, " ".join(unit.word.raw for unit in told), "")
    return None
