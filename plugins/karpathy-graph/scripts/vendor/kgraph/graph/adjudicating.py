"""A language model as judge of candidate pairs: what it calls one is merged, what it calls two is recorded, and unsure is left."""

from __future__ import annotations

from typing import Any

from kgraph.errors import TryAgain
from kgraph.events import Draft, Event
from kgraph.graph.comparing import known_distinct, records
from kgraph.graph.engine import Engine
from kgraph.graph.merging import Merged, MergeOptions, distinct_events, merge_events, root_of
from kgraph.index.read import Reader
from kgraph.models import CallFailed, Model
from kgraph.resolve import Comparison, Judgement, Options, Pair, Record, Side, adjudicate, canonical

SHOWN_NEIGHBOURS = 20


def by_model(engine: Engine, model: Model, limit: int, run_id: str) -> Merged:
    """Ask about the best candidate pairs, then write every verdict in one transaction. Raises TryAgain when the model can't be reached."""
    reader = engine.reader()
    known = known_distinct(reader)
    comparison = Comparison(records(reader), Options(distinct=known))
    by_id = {record.id: record for record in comparison.records}
    verdicts: list[tuple[Pair, Judgement]] = []
    for pair in comparison.pairs()[: limit or None]:
        try:
            verdicts.append(
                (
                    pair,
                    adjudicate(
                        pair,
                        _side(reader, by_id[pair.left]),
                        _side(reader, by_id[pair.right]),
                        model,
                    ),
                )
            )
        except CallFailed as failure:
            raise TryAgain(
                f"the model could not judge ({failure}); nothing was merged",
                "try again, or decide by hand",
            ) from failure
    return _record(engine, by_id, verdicts, run_id)


def _side(reader: Reader, record: Record) -> Side:
    nid = reader.nids([record.id])[record.id]
    hops = [
        hop for hop in reader.hops(nid, limit=SHOWN_NEIGHBOURS) if hop.predicate != "RESOLVED_TO"
    ]
    names = reader.nodes(hop.there for hop in hops)
    lines = tuple(
        f"{hop.predicate} {'->' if hop.forward else '<-'} {names[hop.there].name}" for hop in hops
    )
    sources = tuple(
        view.name for view in reader.nodes(reader.nids(sorted(record.sources)).values()).values()
    )
    return Side(record, sources, lines)


def _record(
    engine: Engine, by_id: dict[str, Record], verdicts: list[tuple[Pair, Judgement]], run_id: str
) -> Merged:
    events: list[Event] = []
    merged: list[dict[str, Any]] = []
    distinct: list[dict[str, Any]] = []
    unsure: list[dict[str, Any]] = []
    root: dict[str, str] = {}
    with engine.writing() as writer:
        reader = writer.reader
        for pair, judged in verdicts:
            told = {
                "left": pair.left,
                "right": pair.right,
                "rationale": judged.rationale,
                "evidence": list(judged.evidence),
            }
            views = {
                view.id: view
                for view in reader.nodes(reader.nids([pair.left, pair.right]).values()).values()
            }
            if (
                judged.verdict == "unsure"
                or any(not view.live or view.canon != view.nid for view in views.values())
                or len(views) < 2
            ):
                unsure.append(
                    told | {"problems": [problem.as_json() for problem in judged.problems]}
                )
            elif judged.verdict == "distinct":
                events += distinct_events(views[pair.left], views[pair.right], judged.rationale)
                distinct.append(told)
            else:
                ends = [root_of(root, name) for name in (pair.left, pair.right)]
                if ends[0] == ends[1]:
                    continue
                stays = canonical([by_id[name] for name in ends]).id
                goes = ends[1] if stays == ends[0] else ends[0]
                pair_views = {
                    view.id: view for view in reader.nodes(reader.nids(ends).values()).values()
                }
                features = pair.features.as_json() | {
                    "model": judged.model,
                    "evidence": list(judged.evidence),
                }
                more, lines = merge_events(
                    pair_views[stays],
                    [(pair_views[goes], judged.rationale, features)],
                    MergeOptions(judged.rationale),
                )
                root[goes] = stays
                events += more
                merged += lines
        tx = (
            writer.record(Draft("resolve", events, run_id, reason="judged by a model")).id
            if events
            else ""
        )
    return Merged(tx, merged, (), len(unsure), distinct, unsure)
