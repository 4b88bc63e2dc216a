"""embed."""

from __future__ import annotations

import argparse
from typing import Any

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.plurals import counted


def _configure_embed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        default="",
        metavar="PROVIDER/NAME",
        help="local/wordllama, openai/NAME, openrouter/NAME or ollama/NAME (the one in use; at first local/wordllama, which sends nothing)",
    )
    parser.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="another address that speaks the provider's API; it is kept",
    )
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="make all vectors again, also in place of another model's",
    )


def _embed(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.graph.embedding import Embedding

    return Answer(
        session.graph().embed(Embedding(options.model, options.base_url, options.rebuild)),
        words=_embed_words,
    )


def _embed_words(body: Any) -> str:
    return (
        f"vectors of {body['dimension']} numbers for {counted(body['nodes'], 'node')} by {body['model']}: "
        f"{body['embedded']} new, {body['kept']} kept, {body['dropped']} dropped"
    )


COMMANDS = {"embed": Command(_configure_embed, _embed, "kgraph embed --name incidents")}
