"""extract, units, prompt, and ingest --unit."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.cli.answering import Answer, one_line, problem_lines
from kgraph.cli.commands import Command
from kgraph.cli.options import add_allow_secrets, count, number
from kgraph.cli.session import Session
from kgraph.errors import NotAllowed, UsageError
from kgraph.extract.outcomes import FINISHED
from kgraph.extract.request import CODE_LEVELS as LEVELS
from kgraph.extract.request import UNIT_TOKENS
from kgraph.plurals import counted
from kgraph.trust import EXTRACTOR
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.compose import ModelChoice
    from kgraph.extract.progress import Reporter
    from kgraph.extract.request import RunRequest
    from kgraph.graph import Graph

COLUMNS = 80  # of a terminal that doesn't say
SHOWN = 20  # lines of a kind that a person is shown; --json has them all
EXTRACTORS = ("offline", "model", "command", "agent")


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders to read")
    parser.add_argument(
        "--extractor",
        choices=EXTRACTORS,
        default="",
        help="who reads: offline (the default), model, command, agent",
    )
    model = parser.add_argument_group(
        "models",
        "a key comes from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …) or, where Python's keyring package is "
        "installed, from the system's keyring: keyring set kgraph OPENAI_API_KEY",
    )
    model.add_argument(
        "--model",
        default="",
        metavar="PROVIDER/NAME",
        help="anthropic/…, openai/…, gemini/…, ollama/…, openrouter/…",
    )
    model.add_argument(
        "--base-url",
        default="",
        metavar="URL",
        help="another address that speaks the provider's API (openai: with /v1)",
    )
    model.add_argument(
        "--command",
        default="",
        metavar="LINE",
        help="a program that reads the prompt and writes the reply ('claude -p')",
    )
    model.add_argument(
        "--timeout",
        type=number,
        default=600.0,
        metavar="SECONDS",
        help="how long one reply may take (600)",
    )
    model.add_argument("--jobs", type=count, default=4, metavar="N", help="requests at a time (4)")
    model.add_argument(
        "--retries",
        type=count,
        default=2,
        metavar="N",
        help="corrective tries after a reply that breaks the contract (2)",
    )
    model.add_argument(
        "--passes", type=int, choices=(1, 2), default=1, help="2: ask once more for what is missing"
    )
    model.add_argument(
        "--max-output-tokens",
        type=count,
        default=16_000,
        metavar="N",
        help="the longest reply (16000)",
    )
    model.add_argument(
        "--keep-unsupported",
        action="store_true",
        help="keep claims without words in the text, as inferences",
    )
    add_allow_secrets(parser)
    money = parser.add_argument_group("money and time")
    money.add_argument(
        "--dry-run",
        action="store_true",
        help="units, tokens and an estimated cost; nothing is read by a model or written",
    )
    money.add_argument(
        "--max-cost", type=number, default=None, metavar="USD", help="stop before more is spent"
    )
    money.add_argument(
        "--max-tokens",
        type=count,
        default=None,
        metavar="N",
        help="stop before more tokens are used, in and out together",
    )
    money.add_argument(
        "--max-units", type=count, default=None, metavar="N", help="begin no more units than this"
    )
    money.add_argument(
        "--batch",
        action="store_true",
        help="through the provider's batch interface: half the price, within a day",
    )
    money.add_argument(
        "--price",
        default="",
        metavar="IN,OUT",
        help="US dollars per million tokens, for a model whose price isn't known",
    )
    parser.add_argument(
        "--unit-tokens",
        type=count,
        default=UNIT_TOKENS,
        metavar="N",
        help=f"the size of a unit ({UNIT_TOKENS})",
    )
    parser.add_argument(
        "--code-level",
        choices=LEVELS,
        default="",
        help="how deep code is mapped offline: modules, or symbols and calls (as the graph has it, else modules)",
    )
    parser.add_argument("--refresh", action="store_true", help="extract unchanged units too")
    parser.add_argument(
        "--fetch",
        action="store_true",
        help="fetch the web addresses among the paths into fetched/, and read them there",
    )
    parser.add_argument(
        "--renew",
        action="store_true",
        help="take again what was retracted by hand, if the files still say it",
    )
    parser.add_argument(
        "--prune", action="store_true", help="take back what files said that are no longer there"
    )
    parser.add_argument(
        "--allow-shrink",
        action="store_true",
        help="go on although the graph loses more than half, or a better reading",
    )


def _run(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.compose import extraction_tools
    from kgraph.extract.interrupt import Interrupt

    options.paths = _fetched(options.paths, options.fetch, options.dry_run)
    missing = [path for path in options.paths if not os.path.lexists(path)]
    if len(missing) == len(options.paths) and not _is_there(session):
        raise UsageError(f"there is no '{missing[0]}'", "give a file or a folder")
    root = _source_root(session, options.paths)
    graph = session.graph_or_new(
        root, options.dry_run or _would_begin_empty(session, options.paths, root)
    )
    choice = _choice(options, _named_model(graph), session.settings.model)
    if options.extractor == "agent":
        return _listed(session, options, unfinished_is_no=True)
    with Interrupt() as interrupt:
        tools = extraction_tools(choice, _reporter(session), interrupt, options.dry_run)
        answer = graph.extract(
            _request(options, graph.run_id(options.run_id), session.settings.ignore), tools
        )
    body = {"created": graph.created, **_without_ok(answer.as_json())}
    for reason, found in body["skipped_files"].items():
        if " is not mapped" in reason:
            session.say(_unmapped(reason, found["count"]))
    if not body["units"] and not body["vanished"]:
        body["note"] = _nothing(options.paths, body["skipped_files"])
    return Answer(body, answer.exit_status, words=_words)


def _fetched(paths: list[str], wanted: bool, dry_run: bool) -> list[str]:
    """The paths, with the web addresses among them fetched into files. Nothing is fetched that wasn't asked for."""
    from kgraph.sources.fetching import fetch, is_web_address

    for path in paths:
        if is_web_address(path) and (not wanted or dry_run):
            why = (
                "a dry run fetches nothing"
                if wanted
                else "give --fetch, or save the page and give the file"
            )
            raise UsageError(f"'{path}' is a web address, and nothing is fetched by itself", why)
    return [fetch(path, os.getcwd()) if is_web_address(path) else path for path in paths]


def _nothing(paths: list[str], skipped: Mapping[str, Any]) -> str:
    """Why a run had nothing to do: neither a mistake nor a success that needs no word."""
    beside = f"; not read: {'; '.join(_skipped(skipped))}" if skipped else ""
    return f"there is nothing to read in {', '.join(repr(path) for path in paths)}{beside}"


def _unmapped(reason: str, number: int) -> str:
    """'Zig is not mapped (12 files)'; how to change that stands behind it where there is a way."""
    said, _, hint = reason.partition(": ")
    return f"{said} ({counted(number, 'file')})" + (f"; {hint}" if hint else "")


def _skipped(skipped: Mapping[str, Any]) -> list[str]:
    """What was not read, in words. Files that nobody chose to leave out are named."""
    told = []
    for reason, found in skipped.items():
        if " is not mapped" in reason:
            told.append(_unmapped(reason, found["count"]))
            continue
        words, named = _SKIPPED.get(reason, (reason, True))
        shown = [one_line(path) for path in found["paths"][:SKIPPED_NAMED]] if named else []
        if shown and found["count"] > len(shown):
            shown.append(f"and {found['count'] - len(shown)} more")
        told.append(f"{found['count']} {words}" + (f": {', '.join(shown)}" if shown else ""))
    return told


SKIPPED_NAMED = 5
_SKIPPED = {  # a walk's reasons in words, and whether the files are named
    "archive": ("archive (not looked into)", True),
    "binary": ("binary (no text, and no format that is known)", True),
    "cache": ("cache", False),
    "database": ("database or data file (no reader)", True),
    "film": ("film (no text is read from it)", True),
    "font": ("font", True),
    "generated": ("generated", True),
    "git": ("git folder", False),
    "ignore-file": ("ignore file", False),
    "ignored": ("ignored by an ignore file", False),
    "minified": ("minified", True),
    "translation": ("catalogs of translations", False),
    "name": ("name that is not UTF-8", True),
    "oversized": ("larger than the limit", True),
    "picture": ("picture (no text is read from it, that needs OCR)", True),
    "program": ("program or library", True),
    "same-name": ("name that another file has, but for how its accents are composed", True),
    "settings": ("folder of an editor's settings", False),
    "sound": ("sound (no text is read from it)", True),
    "special": ("no regular file", True),
    "symlink": ("symbolic link (not followed)", True),
    "unreadable": ("not to be opened (permissions?)", True),
    "virtual-environment": ("virtual environment", False),
    "worktree": ("git worktree", False),
}


def _is_there(session: Session) -> bool:
    from kgraph.graph.folder import is_graph

    return is_graph(session.place.folder)


def _would_begin_empty(session: Session, paths: list[str], root: str) -> bool:
    """Whether a graph would be made for nothing: there is none yet, and no file that could be read into it."""
    if _is_there(session):
        return False
    from kgraph.sources import Rules, walk

    own = (os.path.dirname(os.path.realpath(session.place.folder)),)
    return not walk(
        [path for path in paths if os.path.lexists(path)], root, Rules(excluded=own)
    ).files


def _source_root(session: Session, paths: list[str]) -> str:
    """The deepest folder that holds both the default root and the given paths."""
    place = session.place
    default = place.working if place.by_path else os.path.dirname(os.path.abspath(place.root))
    folders = [
        os.path.realpath(path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path)))
        for path in paths
    ]
    try:
        return os.path.commonpath([os.path.realpath(default), *folders])
    except ValueError:  # another drive
        return default


class _Named(NamedTuple):
    """The model that a graph's manifest names, and whether the user confirmed it: it may have come with someone's repository."""

    model: str
    confirmed: bool

    def chosen(self) -> str:
        if self.model and not self.confirmed:
            raise NotAllowed(
                f"the graph's manifest names {self.model} to read with, and you have not confirmed it; nothing was sent",
                f"give --model {self.model} or another extractor, or confirm it: kgraph trust",
            )
        return self.model


def _named_model(graph: Graph) -> _Named:
    named = graph.manifest.extractor if "/" in graph.manifest.extractor else ""
    return _Named(named, graph.trust.confirmed(EXTRACTOR, named))


def _choice(options: argparse.Namespace, default: _Named, configured: str = "") -> ModelChoice:
    """Who extracts. A graph's manifest may name a model that the user confirmed, never a program or an address; kgraph.toml
    (``configured``) may say which model ``--extractor model`` means, and no more."""
    from kgraph.compose import ModelChoice

    extractor, model, command = options.extractor, options.model, options.command
    if model and command:
        raise UsageError("--model and --command both say who reads", "give one of them")
    if extractor == "model" and not model:
        model = configured or default.chosen()
        if not model:
            raise UsageError("which model? none was given", "give --model PROVIDER/NAME")
    if extractor == "command" and not command:
        raise UsageError("which program? none was given", "give --command 'PROGRAM ARGUMENTS'")
    if extractor in ("offline", "agent") and (model or command):
        raise UsageError(
            f"--extractor {extractor} takes neither --model nor --command", "leave one of them out"
        )
    if not extractor and not model and not command:
        model = default.chosen()
    if options.batch and not model:
        raise UsageError("--batch needs a model", "give --model PROVIDER/NAME, or leave it out")
    return ModelChoice(
        model, command, options.base_url, options.price, options.timeout, options.batch
    )


def _request(options: argparse.Namespace, run_id: str, ignore: tuple[str, ...]) -> RunRequest:
    from kgraph.extract.budget import UNLIMITED, Caps
    from kgraph.extract.judging import Policy
    from kgraph.extract.request import RunRequest

    for name in ("unit_tokens", "max_output_tokens", "jobs"):
        if getattr(options, name) < 1:
            raise UsageError(
                f"--{name.replace('_', '-')} must be at least 1", "leave it out for the default"
            )
    if options.max_cost is not None and options.max_cost < 0:
        raise UsageError("--max-cost can't be negative", "give US dollars")
    caps = Caps(
        *(
            UNLIMITED if cap is None else float(cap)
            for cap in (options.max_cost, options.max_tokens, options.max_units)
        )
    )
    policy = Policy(
        options.retries,
        options.passes,
        options.keep_unsupported,
        options.max_output_tokens,
        options.allow_secrets,
    )
    return RunRequest(
        tuple(options.paths), run_id, options.unit_tokens, options.jobs, caps, policy,
        options.prune, options.allow_shrink, options.dry_run, options.refresh, options.code_level, options.renew, ignore,
    )  # fmt: skip


def _reporter(session: Session) -> Reporter:
    import time

    from kgraph.extract.progress import Progress, Silent

    if session.quiet:
        return Silent()

    def write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    return Progress(write, time.monotonic, _columns if sys.stderr.isatty() else None)


def _columns() -> int:
    """The width of the terminal that standard error goes to."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or COLUMNS
    except OSError:
        return COLUMNS


def _without_ok(body: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key != "ok"}


def _words(body: Mapping[str, Any]) -> str:
    """What was found, what wasn't, and what to look at."""
    units = body["units"]
    counts = ", ".join(
        f"{number} {outcome}" for outcome, number in sorted(body["totals"]["outcomes"].items())
    )
    read = body["totals"].get("sentences", 0)
    share = f"; {body['totals']['claims']} of {read} sentences became claims" if read else ""
    lines = [f"{counted(len(units), 'unit')}: {counts or 'nothing to read'}{share}"]
    if body["totals"].get("secrets"):
        left = counted(body["totals"]["secrets"], "item")
        lines.append(
            f"{left} left out: they hold what looks like a credential (--allow-secrets keeps them)"
        )
    if body.get("note"):
        return one_line(body["note"])
    if body.get("estimate"):
        estimate = body["estimate"]
        cost = (
            "unknown (give --price IN,OUT)"
            if estimate["cost"] is None
            else f"${estimate['cost']:.4f}"
        )
        volume = f"about {counted(estimate['input_tokens'], 'token')} in and {estimate['output_tokens']} out"
        lines.append(f"to do: {counted(estimate['units'], 'unit')}, {volume}, cost {cost}")
        return "\n".join(lines)
    said = (
        f"{counted(body['totals']['nodes'], 'node')} and {counted(body['totals']['edges'], 'edge')}"
    )
    lines.append(f"{said} said by run {one_line(body['run_id'])}")
    if body["totals"]["tokens"]:
        cost = "cost unknown" if body["cost"] is None else f"${body['cost']:.4f}"
        lines.append(f"{counted(body['totals']['tokens'], 'token')}, {cost}")
    if body["totals"]["unsupported"]:
        lines.append(
            f"{counted(body['totals']['unsupported'], 'claim')} dropped: their words are not in the text"
        )
    unfinished = [unit for unit in units if unit["outcome"] not in FINISHED]
    told = [f"{unit['unit']}: {unit['outcome']}  {unit['detail']}" for unit in unfinished]
    lines += _some("unfinished, and what the next run will do again", told)
    quiet = [
        unit
        for unit in units
        if unit["outcome"] in ("done", "empty") and unit["detail"] and not _well_read(unit)
    ]
    lines += _some(
        "read in part, or with little to say",
        [f"{unit['unit']}: {unit['detail']}" for unit in quiet],
    )
    lines += _some(
        "held back, since it was retracted by hand (--renew takes it again)",
        [f"{unit['unit']}: {words}" for unit in units for words in unit.get("held_back", ())],
    )
    lines += _some(
        "warnings",
        [
            f"{unit['unit']}: {problem['code']} {problem['message']}"
            for unit in units
            for problem in unit.get("warnings", ())
        ],
    )
    lines += _some(
        "no longer there",
        [
            one["uri"] + ("" if one["withdrawn"] else "  (--prune takes it back)")
            for one in body["vanished"]
        ],
    )
    if body["skipped_files"]:
        lines.append("files not read:")
        lines += [f"  {line}" for line in _skipped(body["skipped_files"])]
    if body["unresolved_count"]:
        names = counted(body["unresolved_count"], "name")
        lines.append(
            f"{names} in code could not be tied to anything (kgraph runs --unresolved lists them)"
        )
    if body["totals"]["nodes"]:
        lines.append("look at it: kgraph render (a report and an explorer), kgraph query WORDS")
    if body.get("stopped"):
        lines.append(f"stopped: {one_line(body['stopped'])}")
    return "\n".join([*lines, *problem_lines(body)])


def _well_read(unit: Mapping[str, Any]) -> bool:
    """Whether at least half of a unit's sentences became claims; of the others the words say so one by one."""
    return bool(unit.get("sentences")) and 2 * int(unit.get("claims", 0)) >= int(unit["sentences"])


def _some(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    more = [f"  and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return [f"{title}:", *(f"  {one_line(line)}" for line in lines[:SHOWN]), *more]


# -- for agents --------------------------------------------------------------------------------------------------------------------


def _configure_units(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders to read")
    parser.add_argument(
        "--unit-tokens",
        type=count,
        default=UNIT_TOKENS,
        metavar="N",
        help=f"the size of a unit ({UNIT_TOKENS})",
    )
    parser.add_argument(
        "--support",
        action="store_true",
        help="instead: claims and quotes to be judged, each with the payload to complete and ingest",
    )


def _run_units(session: Session, options: argparse.Namespace) -> Answer:
    if options.support:
        return Answer(session.graph().support_units())
    if not options.paths:
        raise UsageError(
            "no PATH is given", "name files or folders, or --support for claims to judge"
        )
    root = _source_root(session, options.paths)
    session.graph_or_new(root, _would_begin_empty(session, options.paths, root))
    return _listed(session, options, unfinished_is_no=False)


def _listed(session: Session, options: argparse.Namespace, unfinished_is_no: bool) -> Answer:
    from kgraph.extract.agent import units

    found = units(session.graph().store(), tuple(options.paths), options.unit_tokens)
    todo = sum(1 for unit in found if unit.state != "unchanged")
    body = {
        "units": [
            {**unit._asdict(), "source": unit.sources[0] if unit.sources else ""} for unit in found
        ],
        "todo": todo,
        "next": "kgraph prompt UNIT, then kgraph ingest --unit UNIT @reply.json",
    }
    return Answer(body, 1 if unfinished_is_no and todo else 0, words=_unit_words)


def _unit_words(body: Mapping[str, Any]) -> str:
    lines = [
        f"{unit['state']:<11}{unit['tokens']:>7} tokens  {one_line(unit['unit'])}"
        for unit in body["units"]
    ]
    return "\n".join([*lines, f"{body['todo']} to do: {body['next']}"])


def _configure_prompt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "units",
        nargs="*",
        metavar="UNIT",
        help="a unit's id, as kgraph units lists it; the rules stand before the first",
    )
    parser.add_argument(
        "--rules-only", action="store_true", help="print the rules alone, once for many units"
    )
    parser.add_argument(
        "--text-only", action="store_true", help="print the units without the rules"
    )
    parser.add_argument(
        "--unit-tokens",
        type=count,
        default=UNIT_TOKENS,
        metavar="N",
        help=f"as for kgraph units ({UNIT_TOKENS})",
    )


def _run_prompt(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.extract import prompt
    from kgraph.extract.agent import unit_called
    from kgraph.ontology import STANDARD, strict_schema

    if options.rules_only and (options.text_only or options.units):
        raise UsageError("--rules-only prints no unit", "leave out the units, or --rules-only")
    if not options.rules_only and not options.units:
        raise UsageError("which unit? none was given", "kgraph units PATH lists them")
    store = session.graph().store() if options.units else None
    units = [unit_called(store, name, options.unit_tokens) for name in options.units if store]
    known = session.graph().vocabulary() if session.place.is_there() else STANDARD
    now = prompt.current(known)
    documents = {document.uri: document for unit in units for document in unit.documents}
    body = {
        **({"unit": units[0].id} if len(units) == 1 else {"units": [unit.id for unit in units]}),
        "sources": [{"name": one.name, "uri": one.uri} for one in documents.values()],
        "prompt_version": now.version,
        "prompt_sha256": now.sha256,
        **({} if options.text_only else {"schema": strict_schema(known)}),
    }
    texts = [] if options.text_only else [now.instructions]
    texts += [prompt.prompt_for(unit) for unit in units]
    return Answer(body, 0, "\n".join(texts) + "\n")


def ingest_unit(session: Session, options: argparse.Namespace) -> Answer:
    """``ingest --unit UNIT PAYLOAD``: an agent's reply, judged like a model's."""
    from kgraph.compose import hand_in
    from kgraph.graph.answers import Ingestion
    from kgraph.graph.writing import payload_of

    if len(options.payloads) != 1 or options.lines:
        raise UsageError("--unit takes one payload, and no --lines", "hand the units in one by one")
    graph = session.graph()
    text = payload_of(options.payloads[0], sys.stdin.buffer).decode("utf-8-sig", "replace")
    run_id = graph.run_id(options.run_id)
    done = hand_in(
        graph,
        options.unit,
        text,
        Ingestion(run_id=run_id, dry_run=options.dry_run, strict=options.strict),
    )
    if done.dropped:
        session.say(_left_out(done.dropped, not done.tx))
    return Answer({"run_id": run_id, **done.as_json()}, done.exit_status)


def _left_out(dropped: Sequence[Mapping[str, Any]], only_tried: bool) -> str:
    """What a payload lost on the way in: nothing of that in silence, though the unit is done."""
    lines = [
        f"  {one_line(loss['path'])}: {one_line(loss['reason'])}; {one_line(loss['hint'])}"
        for loss in dropped[:SHOWN]
    ]
    more = [f"  and {len(dropped) - SHOWN} more"] if len(dropped) > SHOWN else []
    would = "would be" if only_tried else "was" if len(dropped) == 1 else "were"
    return "\n".join(
        [
            f"{len(dropped)} of the nodes and edges {would} left out; `dropped` in the answer lists them:",
            *lines,
            *more,
        ]
    )


COMMANDS = {
    "extract": Command(_configure, _run, "kgraph extract --name incidents docs/incidents"),
    "units": Command(_configure_units, _run_units, "kgraph units docs/incidents"),
    "prompt": Command(_configure_prompt, _run_prompt, "kgraph prompt docs/incidents/2026-03-11.md"),
}
