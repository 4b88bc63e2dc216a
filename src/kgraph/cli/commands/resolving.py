"""candidates, resolve, unresolve, distinct, split."""

from __future__ import annotations

import argparse

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.options import count, number
from kgraph.cli.pairs import candidates
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.ontology import NODE_TYPES


def _configure_candidates(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--type", default="", choices=list(NODE_TYPES), help="nodes of this type only"
    )
    parser.add_argument(
        "--limit",
        type=count,
        default=50,
        metavar="N",
        help="at most so many clusters (50; 0 for all)",
    )


def _candidates(session: Session, options: argparse.Namespace) -> Answer:
    return Answer(session.graph().candidates(options.type, options.limit), words=candidates)


def _configure_resolve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--canonical", default="", metavar="REF", help="the node that stays")
    parser.add_argument(
        "--alias", action="append", default=[], metavar="REF", help="a node that is the same thing"
    )
    parser.add_argument(
        "--rationale",
        default="",
        metavar="TEXT",
        help="why they are one: what decides it, in a sentence",
    )
    parser.add_argument("--confidence", type=number, default=None, metavar="0..1", help="how sure")
    parser.add_argument(
        "--force",
        action="store_true",
        help="merge although only names speak for it, or something against; recorded",
    )
    parser.add_argument(
        "--override",
        action="store_true",
        help="merge although the pair was judged distinct; this is recorded",
    )
    parser.add_argument("--auto", action="store_true", help="merge what a policy can decide")
    parser.add_argument(
        "--policy",
        choices=("", "strict", "balanced", "probabilistic"),
        default="",
        metavar="POLICY",
        help="for --auto: strict (what is proved; the default), balanced, or probabilistic (rows of a table, by a model of it)",
    )
    parser.add_argument(
        "--model",
        default="",
        metavar="PROVIDER/NAME",
        help="ask a language model about each candidate pair",
    )
    parser.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="another address that speaks the provider's API",
    )
    parser.add_argument(
        "--limit",
        type=count,
        default=50,
        metavar="N",
        help="for --model: at most so many pairs (50)",
    )


def _resolve(session: Session, options: argparse.Namespace) -> Answer:
    automatic = options.auto or bool(options.policy)
    ways = sum(map(bool, (automatic, options.model, options.canonical or options.alias)))
    if ways != 1:
        raise UsageError(
            "resolve takes --canonical with --alias, or --auto, or --model", "give one of the three"
        )
    graph, words = session.graph(), session.changes().merge
    if automatic:
        done = graph.resolve_auto(options.policy or "strict", options.run_id)
        return Answer(done.as_json(), words=words)
    if options.model:
        from kgraph.compose import judging_model

        judged = graph.resolve_by_model(
            judging_model(options.model, options.base_url), options.limit, options.run_id
        )
        return Answer(judged.as_json(), words=words)
    if not options.canonical:
        raise UsageError("which node stays? --canonical was not given", "give --canonical REF")
    from kgraph.graph.merging import MergeOptions

    how = MergeOptions(
        options.rationale, options.confidence, options.force, options.override, options.run_id
    )
    return Answer(graph.resolve(options.canonical, options.alias, how).as_json(), words=words)


def _configure_unresolve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the alias whose merge is taken back")
    parser.add_argument(
        "--reason", default="", metavar="TEXT", help="why; it is kept in the history"
    )


def _unresolve(session: Session, options: argparse.Namespace) -> Answer:
    return Answer(
        session.graph().unresolve(options.ref, options.reason, options.run_id),
        words=session.changes().unmerge,
    )


def _configure_distinct(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("one", metavar="REF")
    parser.add_argument("other", metavar="REF")
    parser.add_argument(
        "--rationale", default="", metavar="TEXT", help="what tells them apart, in a sentence"
    )


def _distinct(session: Session, options: argparse.Namespace) -> Answer:
    done = session.graph().distinct((options.one, options.other), options.rationale, options.run_id)
    return Answer(done, words=session.changes().distinction)


def _configure_split(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the node of which a part is another thing")
    parser.add_argument(
        "--run", default="", metavar="RUN", help="what this run said goes to the new node"
    )
    parser.add_argument(
        "--source", default="", metavar="REF", help="what rests on this Source goes to the new node"
    )
    parser.add_argument(
        "--edges", nargs="+", default=[], metavar="ID", help="these edges go to the new node"
    )
    parser.add_argument(
        "--qualifier", default="", metavar="TEXT", help="what tells the new node from the old one"
    )
    parser.add_argument(
        "--rationale", default="", metavar="TEXT", help="why they are two, in a sentence"
    )


def _split(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.graph.parting import SplitOptions

    how = SplitOptions(
        options.run,
        options.source,
        tuple(options.edges),
        options.qualifier,
        options.rationale,
        options.run_id,
    )
    return Answer(session.graph().split(options.ref, how), words=session.changes().parting)


COMMANDS = {
    "candidates": Command(
        _configure_candidates, _candidates, "kgraph candidates --type Entity --limit 20"
    ),
    "resolve": Command(
        _configure_resolve,
        _resolve,
        'kgraph resolve --canonical "Payment Gateway" --alias PGW --rationale "the text gives PGW as its acronym"',
    ),
    "unresolve": Command(_configure_unresolve, _unresolve, "kgraph unresolve PGW"),
    "distinct": Command(
        _configure_distinct,
        _distinct,
        'kgraph distinct Mercury "Mercury broker" --rationale "one is a planet, the other a message broker"',
    ),
    "split": Command(_configure_split, _split, "kgraph split Mercury --source docs/broker.md"),
}
