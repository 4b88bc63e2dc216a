"""profile."""

from __future__ import annotations

import argparse
import os
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.errors import UnknownReference, UsageError
from kgraph.ontology.profiles import READY, ready
from kgraph.parsing import toml_table

DEEDS = ("add", "list", "show", "remove")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("deed", choices=DEEDS, help="add, list, show or remove")
    parser.add_argument(
        "profile",
        nargs="?",
        default="",
        metavar="FILE",
        help=f"a TOML file, or a profile's name; ready-made: {', '.join(READY)}",
    )


def _profile(session: Session, options: argparse.Namespace) -> Answer:
    if options.deed == "list":
        held = session.graph().profiles() if session.place.is_there() else {}
        rows = [{"name": name, "description": one["description"]} for name, one in held.items()]
        return Answer({"profiles": rows, "ready": list(READY)}, words=_list_words)
    if not options.profile:
        raise UsageError(
            f"which profile? kgraph profile {options.deed} NAME", "kgraph profile list"
        )
    if options.deed == "show":
        return Answer({"profile": _shown(session, options.profile)})
    if options.deed == "remove":
        change = session.graph().remove_profile(options.profile, options.run_id)
        return Answer(
            change._asdict(), words=lambda body: f"removed the profile '{one_line(body['name'])}'"
        )
    change = session.graph_or_new().add_profile(_table(options.profile), options.run_id)
    return Answer(change._asdict(), words=_add_words)


def _shown(session: Session, name: str) -> Any:
    held = session.graph().profiles() if session.place.is_there() else {}
    if name in held:
        return held[name]
    if name in READY:
        return ready(name)
    raise UnknownReference(f"there is no profile '{name}'", f"ready-made: {', '.join(READY)}")


def _table(given: str) -> dict[str, Any]:
    """The file of that name, else the ready-made profile."""
    if not os.path.exists(given):
        if given in READY:
            return ready(given)
        raise UsageError(f"there is no file {given}", f"ready-made profiles: {', '.join(READY)}")
    try:
        with open(given, encoding="utf-8") as file:
            return toml_table(file.read())
    except (OSError, ValueError) as problem:
        raise UsageError(f"{given} can't be read as TOML: {problem}", "mend the file") from problem


def _list_words(body: Any) -> str:
    lines = [one_line(f"{row['name']}: {row['description']}") for row in body["profiles"]]
    return "\n".join(
        [*(lines or ["this graph has no profile"]), f"ready-made: {', '.join(body['ready'])}"]
    )


def _add_words(body: Any) -> str:
    return one_line(
        f"the graph has the profile '{body['name']}' already"
        if body["unchanged"]
        else f"the graph has the profile '{body['name']}' now: its kinds and roles are in the schema, the prompt and the checks"
    )


COMMANDS = {"profile": Command(_configure, _profile, "kgraph profile add incidents")}
