"""ask."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.options import count, number
from kgraph.cli.session import Session
from kgraph.errors import UsageError


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="QUESTION", help="what is asked")
    parser.add_argument(
        "--model",
        default="",
        metavar="PROVIDER/NAME",
        help="a language model that words the answer; without one the graph's own claims answer",
    )
    parser.add_argument(
        "--base-url", default="", metavar="URL", help="another address of the model"
    )
    parser.add_argument(
        "--prompt", action="store_true", help="print the prompt for an agent that is the model"
    )
    parser.add_argument(
        "--reply", default="", metavar="@FILE", help="judge an agent's reply to that prompt; @- reads it from standard input"
    )  # fmt: skip
    parser.add_argument(
        "--max-tokens", type=count, default=2000, metavar="N", help="how much of the graph is shown (2000)"
    )  # fmt: skip
    parser.add_argument("--hops", type=count, default=2, metavar="N", help="how far it reaches (2)")
    parser.add_argument("--at", default="", metavar="TIME", help="what was true of the world then")
    parser.add_argument(
        "--max-cost", type=number, default=None, metavar="USD", help="send nothing that could cost more"
    )  # fmt: skip
    parser.add_argument(
        "--price", default="", metavar="IN,OUT", help="US dollars per million tokens, for a model whose price isn't known"
    )  # fmt: skip
    parser.add_argument(
        "--max-output-tokens", type=count, default=2000, metavar="N", help="of the model's reply (2000)"
    )  # fmt: skip


def _ask(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.graph import answering
    from kgraph.models.prices import price_of

    if sum(map(bool, (options.model, options.prompt, options.reply))) > 1:
        raise UsageError("--model, --prompt and --reply each say who answers", "give one of them")
    graph = session.graph()
    price = price_of(options.model, options.price) if options.model else None
    settings = answering.AskOptions(
        options.max_tokens, options.hops, options.at, options.max_cost, price, options.max_output_tokens
    )  # fmt: skip
    around = session.around(options.json)
    spoken: list[answering.Judged] = []

    def tell(one: answering.Judged) -> None:
        """Show a statement that the graph carries at once; the rest of the answer follows at the end."""
        if one.carried:
            spoken.append(one)
            print("\n".join(map(one_line, answering.statement_words(one))), flush=True)

    listener = tell if around.terminal and not around.json else None
    if options.prompt:
        text = answering.question_prompt(graph, options.question, settings)
        return Answer({"prompt": text}, text=text)
    if options.reply:
        found = answering.judge_reply(graph, options.question, _reply(options.reply), settings)
    elif options.model:
        from kgraph.compose import judging_model

        model = judging_model(options.model, options.base_url)
        try:
            found = graph.ask(options.question, model, settings, listener)
        finally:
            model.close()
    else:
        found = graph.ask(options.question, None, settings)
    if found.problem:
        session.say(found.problem)

    def words(_: Mapping[str, Any]) -> str:
        return "\n".join(
            line and one_line(line) for line in answering.shown_words(found, bool(spoken))
        )

    return Answer(found.as_json(), 0 if found.statements else 1, words=words, prose=True)


def _reply(given: str) -> str:
    if not given.startswith("@"):
        return given
    if given == "@-":
        return sys.stdin.read()
    try:
        with open(given[1:], encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{given[1:]} can't be read ({error})", "check the path") from None


COMMANDS = {"ask": Command(_configure, _ask, 'kgraph ask "Why did checkouts fail?" --model anthropic/claude-sonnet-4-5 --max-cost 0.05')}  # fmt: skip
