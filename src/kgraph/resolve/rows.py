"""The probabilistic policy: merges of rows that a model of the table holds to be one thing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from kgraph.resolve.clusters import Compare, canonical
from kgraph.resolve.likeness import Measures
from kgraph.resolve.probabilistic import Link, Table, groups
from kgraph.resolve.records import Decision, Merge, Reason, Record
from kgraph.resolve.weights import probability

# What no likeness of rows outweighs. Numbers and words that differ are what the model weighs itself.
_BLOCKS = frozenset(
    (Reason.DISTINCT, Reason.KINDS, Reason.QUALIFIERS, Reason.IDENTIFIERS, Reason.LINKED)
)


def merges(records: Sequence[Record], measures: Measures, compare: Compare) -> list[Merge]:
    """The merges among records of each type that carry attributes; others are no rows of a table."""
    by_type: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.attrs:
            by_type[record.type].append(record)
    return [
        merge
        for kind in sorted(by_type)
        if len(by_type[kind]) > 1
        for merge in _of_table(by_type[kind], measures, compare)
    ]


def _of_table(records: list[Record], measures: Measures, compare: Compare) -> list[Merge]:
    table = Table(records, measures)

    def allowed(link: Link) -> bool:
        ends = sorted((records[link.left].id, records[link.right].id))
        said = compare(ends[0], ends[1]).features.against
        return not any(objection.reason in _BLOCKS for objection in said)

    found = []
    for members, links in groups(table, table.links(), allowed):
        top = canonical([records[at] for at in members])
        for at in members:
            record = records[at]
            if record.id != top.id:
                best = max(
                    (link for link in links if at in (link.left, link.right)),
                    key=lambda link: link.odds,
                )
                found.append(_merge(top, record, records, best, compare))
    return found


def _merge(
    top: Record, record: Record, records: Sequence[Record], link: Link, compare: Compare
) -> Merge:
    ends = sorted((records[link.left].id, records[link.right].id))
    said = [
        f"{title} {', '.join(columns)}"
        for title, columns in (
            ("agree in", link.agree),
            ("are near in", link.near),
            ("differ in", link.differ),
        )
        if columns
    ]
    rationale = (
        f"rows '{records[link.left].name}' and '{records[link.right].name}' are one with a probability of "
        f"{probability(link.odds)}: they {'; '.join(said)}"
    )
    return Merge(
        top.id,
        record.id,
        compare(ends[0], ends[1]),
        Decision("same", rationale, round(link.odds, 4)),
    )
