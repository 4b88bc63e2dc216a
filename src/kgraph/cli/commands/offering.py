"""models."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.session import Session


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "provider",
        nargs="?",
        default="",
        metavar="PROVIDER",
        help="ask this provider which models it offers",
    )
    parser.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="the provider's address, if it isn't its usual one",
    )


def _run(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.compose import model_providers, offered_models

    if options.provider:
        found = offered_models(options.provider, options.base_url)
        return Answer({"provider": options.provider, "models": found}, 0, words=_model_words)
    return Answer({"providers": model_providers()}, 0, words=_provider_words)


def _model_words(body: Mapping[str, Any]) -> str:
    lines = []
    for model in body["models"]:
        price = model["price"]
        told = (
            f"   ${price['input']:g} in, ${price['output']:g} out per million tokens"
            if price
            else ""
        )
        lines.append(one_line(model["model"]) + told)
    return "\n".join(lines) or f"{one_line(body['provider'])} lists no models"


def _provider_words(body: Mapping[str, Any]) -> str:
    lines = [
        f"{row['provider']:<12}{'key set' if row['key_set'] else 'no key' if row['key_variables'] else '':<9}"
        f"{' or '.join(row['key_variables'])}{'  ' + row['base_url'] if row['base_url'] else ''}"
        for row in body["providers"]
    ]
    return "\n".join([*lines, "what one offers: kgraph models PROVIDER [--base-url URL]"])


COMMANDS = {"models": Command(_configure, _run, "kgraph models ollama")}
