"""Whether what a unit says now may take the place of what it said before, where nobody has allowed the graph to shrink."""

from __future__ import annotations

from kgraph.extract.ledger import Made, UnitEntry
from kgraph.extract.outcomes import FINISHED, UnitResult

OFFLINE = "offline"


def why_held(former: UnitEntry, living: int, result: UnitResult, made: Made) -> str:
    """Why the former reading, of which ``living`` assertions are left, stays for now; '' when the new one may replace it.

    What an agent or a model read is worth more than what the offline extractor finds, and a reader that falls silent, or that says less
    than half of what another one said, may not have understood. The offline extractor's own silence is only what the text has become.
    """
    if not living or result.outcome not in FINISHED:
        return ""
    by = former.maker or "another extractor"
    if made.maker == OFFLINE:
        why = (
            f"what {by} read is worth more than an offline reading"
            if former.maker != OFFLINE
            else ""
        )
    elif result.outcome == "empty":
        why = f"{made.maker} found nothing where {by} had said {living} things"
    elif former.maker not in (made.maker, OFFLINE) and 2 * (result.nodes + result.edges) < living:
        why = f"{made.maker} said {result.nodes + result.edges} things where {by} had said {living}"
    else:
        why = ""
    if not why:
        return ""
    return f"held back, the former reading stays: {why}; give --allow-shrink to let it go, or read the changed unit again: kgraph units"
