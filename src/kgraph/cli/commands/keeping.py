"""watch, hook: keep a graph of code and documents current, while files change or when a commit or merge is made."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.options import seconds
from kgraph.cli.session import Session
from kgraph.errors import MissingExtra, UsageError
from kgraph.plurals import counted

if TYPE_CHECKING:
    from kgraph.extract.request import RunAnswer

DEBOUNCE_SECONDS = 0.5


def _configure_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="files and folders to keep current"
    )
    parser.add_argument(
        "--debounce", type=seconds, default=DEBOUNCE_SECONDS, metavar="SECONDS",
        help=f"wait until nothing has changed for so long ({DEBOUNCE_SECONDS})",
    )  # fmt: skip
    parser.add_argument(
        "--code-level",
        choices=("module", "symbol"),
        default="",
        help="how deep code is mapped (as the graph has it)",
    )


def _watch(session: Session, options: argparse.Namespace) -> Answer:
    try:
        from watchfiles import watch
    except ModuleNotFoundError as error:
        raise MissingExtra("watching files", "watch") from error

    from kgraph.compose import ModelChoice, extraction_tools
    from kgraph.extract.interrupt import Interrupt
    from kgraph.extract.progress import Silent
    from kgraph.extract.request import RunRequest

    missing = [path for path in options.paths if not os.path.exists(path)]
    if missing:
        raise UsageError(f"there is no '{missing[0]}'", "give files or folders that are there")
    graph = session.graph_or_new("")
    own = os.path.realpath(graph.path)
    with Interrupt() as interrupt:
        tools = extraction_tools(ModelChoice(), Silent(), interrupt)

        def bring() -> RunAnswer:
            request = RunRequest(
                tuple(options.paths), graph.run_id(), prune=True, code_level=options.code_level
            )
            return graph.extract(request._replace(ignore=session.settings.ignore), tools)

        waiting = watch(
            *options.paths, debounce=int(options.debounce * 1000), step=50, raise_interrupt=False, rust_timeout=500, yield_on_timeout=True,
            watch_filter=lambda change, path: not os.path.realpath(path).startswith(own + os.sep) and f"{os.sep}.git{os.sep}" not in path,
        )  # fmt: skip
        runs = follow(_until(waiting, interrupt.wished), bring, session.say)
    return Answer(
        {"runs": runs}, words=lambda body: f"{counted(body['runs'], 'run')} while files changed"
    )


def _until(changes: Iterable[Any], stop: Callable[[], bool]) -> Iterable[Any]:
    for batch in changes:
        if stop():
            return
        yield batch


def follow(
    changes: Iterable[Any], bring: Callable[[], RunAnswer], say: Callable[[str], None]
) -> int:
    """Bring the graph up to date, now and after every batch of changes that isn't empty. Answers how many runs that were.

    A run goes over all that is watched: what hasn't changed costs little, and what is ignored is told by one rule alone. Watching begins
    with the first batch that is asked for: what changes during the first run is a batch of its own, and not missed.
    """
    runs = 1
    batches = iter(changes)
    next(batches, None)
    _tell(bring(), say)
    for batch in batches:
        if batch:
            runs += 1
            _tell(bring(), say)
    return runs


def _tell(answer: RunAnswer, say: Callable[[str], None]) -> None:
    done = [unit for unit in answer.units if unit.outcome != "skipped"]
    failed = [unit for unit in done if unit.outcome not in ("done", "empty")]
    told = (
        f"; {counted(len(failed), 'unit')} failed: {failed[0].unit}: {failed[0].detail}"
        if failed
        else ""
    )
    held = f"; {answer.held_back}" if answer.held_back else ""
    say(f"{counted(len(done), 'unit')} read{told}{held}")


def _configure_hook(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", choices=("install", "remove"), help="put the hooks in, or take them out again"
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="what is read at each commit and merge (the whole source root)",
    )


def _hook(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.graph.hooks import install, remove

    graph = session.graph()
    if options.action == "remove":
        return Answer({"removed": remove(graph.source_root, graph.path)})
    missing = [path for path in options.paths if not os.path.exists(path)]
    if missing:
        raise UsageError(f"there is no '{missing[0]}'", "give files or folders that are there")
    paths = [os.path.abspath(path) for path in options.paths] or [graph.source_root]
    return Answer({"installed": install(graph.source_root, graph.path, paths)})


COMMANDS = {
    "watch": Command(_configure_watch, _watch, "kgraph watch --name shop src tests"),
    "hook": Command(_configure_hook, _hook, "kgraph hook install --name shop src tests"),
}
