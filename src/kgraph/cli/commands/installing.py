"""install: kgraph in a coding agent."""

from __future__ import annotations

import argparse
import os
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.plurals import counted


def _configure_install(parser: argparse.ArgumentParser) -> None:
    from kgraph.install.platforms import PLATFORMS

    parser.add_argument(
        "--platform", action="append", default=[], choices=[*PLATFORMS, "all"],
        help="the agent; may be repeated (default: those that this project or your home shows signs of)",
    )  # fmt: skip
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument(
        "--project", action="store_true", help="for everyone in this folder (the default)"
    )
    scope.add_argument("--user", action="store_true", help="for you, in every project")
    parser.add_argument("--uninstall", action="store_true", help="remove what install wrote")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would change, write nothing"
    )
    parser.add_argument("--no-mcp", action="store_true", help="don't register the MCP server")


def _install(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph import install

    folder = os.path.expanduser("~") if options.user else os.getcwd()
    scope = install.Scope(folder, options.user)
    names = _named(options.platform, folder)
    written: list[str] = []
    unchanged: list[str] = []
    removed: list[str] = []
    left = []
    for name in names:
        if options.uninstall:
            gone, changed = install.take_back(name, scope, options.dry_run)
            removed += gone
            left += changed
            continue
        plan = install.plan(name, scope, not options.no_mcp)
        if not options.dry_run:
            install.carry_out(plan)
        written += [change.path for change in plan.changes if not change.reason]
        left += [change for change in plan.changes if change.reason]
        unchanged += plan.unchanged
    errors = [
        {"code": "E206", "path": change.path, "message": f"{change.path}: {change.reason}", "hint": change.hint}
        for change in left
    ]  # fmt: skip
    body = {
        "platforms": names, "scope": "user" if options.user else "project", "dry_run": options.dry_run,
        "written": written, "removed": removed, "unchanged": unchanged, "errors": errors,
    }  # fmt: skip
    return Answer(body, 1 if errors else 0, words=_words)


def _named(wanted: list[str], folder: str) -> list[str]:
    from kgraph import install

    if "all" in wanted:
        return list(install.PLATFORMS)
    names = list(dict.fromkeys(wanted)) or list(
        dict.fromkeys([*install.found(folder), *install.found(os.path.expanduser("~"))])
    )
    if not names:
        raise UsageError(
            "no coding agent was found in this folder or your home",
            f"name one: --platform {'|'.join(install.PLATFORMS)}",
        )
    return names


def _words(body: Any) -> str:
    verb = "would be " if body["dry_run"] else ""
    lines = [f"{', '.join(body['platforms'])} ({body['scope']})"]
    for key in ("written", "removed"):
        if body[key]:
            lines.append(f"{counted(len(body[key]), 'file')} {verb}{key}:")
            lines += [f"  {one_line(path)}" for path in body[key]]
    if body["unchanged"]:
        lines.append(f"{counted(len(body['unchanged']), 'file')} already as they should be")
    for error in body["errors"]:
        lines += [f"left alone: {one_line(error['message'])}", f"    {one_line(error['hint'])}"]
    if body["written"] and not body["dry_run"]:
        lines.append(
            "start the agent anew, so that it reads them; undo: kgraph install --uninstall"
        )
    return "\n".join(lines)


COMMANDS = {
    "install": Command(_configure_install, _install, "kgraph install --platform codex"),
}
