"""ratchet."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgraph.cli.answering import Answer, one_line, safe
from kgraph.cli.commands import Command
from kgraph.cli.options import count, number
from kgraph.cli.session import Session
from kgraph.compose import Place
from kgraph.errors import UsageError

if TYPE_CHECKING:
    from kgraph.evaluate.ratchet import Change
    from kgraph.graph import Graph

MAIN_FIGURES = {
    "extraction": "facts covered",
    "resolution": "pairwise f1",
    "retrieval": "recall@5",
    "grounding": "decision accuracy",
    "answer": "answered",
}


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--stage", choices=[*MAIN_FIGURES], default="retrieval", help="what is scored (retrieval)"
    )
    parser.add_argument(
        "--gold", action="append", default=[], required=True, metavar="FILE", help="a gold file (kgraph eval init STAGE)"
    )  # fmt: skip
    parser.add_argument(
        "--change",
        action="append",
        default=[],
        required=True,
        metavar="FILE",
        help='what is tried, in this order: a .json file of settings ({"hops": 3}; also max_tokens, by_words, policy), '
        "or any file that --build applies",
    )
    parser.add_argument(
        "--build", default="", metavar="COMMAND", help="carried out for such a file, with {change} and {graph} (a copy of the graph's folder)"
    )  # fmt: skip
    parser.add_argument(
        "--metric", default="", metavar="NAME", help="the figure that must rise (by default the stage's main one)"
    )  # fmt: skip
    parser.add_argument(
        "--require", action="append", default=[], metavar="METRIC=VALUE", help="a figure that may not be worse than this"
    )  # fmt: skip
    parser.add_argument(
        "--max-false-merge", type=number, default=None, metavar="RATE", help="the same as --require 'false merges=RATE'"
    )  # fmt: skip
    parser.add_argument(
        "--held-out", type=number, default=0.3, metavar="SHARE", help="the share of the gold that decides and is not worked on (0.3)"
    )  # fmt: skip
    parser.add_argument(
        "--max-trials", type=count, default=0, metavar="N", help="stop after N changes"
    )
    parser.add_argument(
        "--patience",
        type=count,
        default=0,
        metavar="N",
        help="stop after N reverted changes in a row",
    )
    parser.add_argument(
        "--max-cost", type=number, default=None, metavar="USD", help="stop when so much is spent"
    )
    parser.add_argument(
        "--plot", default="", metavar="FILE", help="write the trials as an SVG picture"
    )


def _ratchet(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.cli.commands.evaluating import read_text
    from kgraph.evaluate.gold import read_gold
    from kgraph.evaluate.ratchet import Target, Trial, plot, table
    from kgraph.graph.ratcheting import Loop

    gold = read_gold(options.stage, [(path, read_text(path).splitlines()) for path in options.gold])
    bounds = [_bound(text) for text in options.require]
    if options.max_false_merge is not None:
        bounds.append(("false merges", options.max_false_merge))
    metric = options.metric or MAIN_FIGURES[options.stage]
    if not 0 < options.held_out < 1:
        raise UsageError(
            f"a share of {options.held_out} can't be held out", "give one between 0 and 1"
        )
    loop = Loop(
        Target(options.stage, metric, tuple(bounds)), tuple(_change(path) for path in options.change), options.held_out,
        options.max_trials, options.patience, options.max_cost, options.build, options.run_id,
    )  # fmt: skip

    def told(trial: Trial) -> None:
        session.say(one_line(f"trial {trial.number}, {trial.change}: {trial.verdict}; {trial.why}"))

    done = session.graph().ratchet(gold, loop, _opened, told)
    if options.plot:
        with open(options.plot, "w", encoding="utf-8") as file:
            file.write(plot(done.trials, metric))
    body: dict[str, Any] = {
        "run_id": done.run_id, "stage": options.stage, "metric": metric, "trials": [one.as_json() for one in done.trials],
        "kept": [one.change for one in done.trials[1:] if one.verdict == "kept"], "settings": done.settings._asdict(),
        "resumed": done.resumed, "stopped": done.stopped,
    }  # fmt: skip
    if options.plot:
        body["plot"] = options.plot

    def words(_: Mapping[str, Any]) -> str:
        end = [f"stopped: {done.stopped}"] if done.stopped else []
        return safe("\n".join([table(done.trials, metric), *end]))

    return Answer(body, words=words)


def _opened(folder: str, source_root: str) -> Graph:
    return Place(path=folder, roots=(source_root,)).open()


def _bound(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        return name, float(value)
    except ValueError:
        raise UsageError(f"expected METRIC=VALUE, got '{text}'", "for example --require 'recall@5=0.7'") from None  # fmt: skip


def _change(path: str) -> Change:
    from kgraph.evaluate.ratchet import read_change

    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "check the path") from None
    return read_change(os.path.basename(path), text, os.path.abspath(path))


COMMANDS = {"ratchet": Command(_configure, _ratchet, "kgraph ratchet --gold questions.jsonl --change hops-3.json --change wide.json --plot trials.svg")}  # fmt: skip
