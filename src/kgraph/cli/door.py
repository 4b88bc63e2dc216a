"""From arguments to one answer and one exit status.

0 done, 1 the answer is no, 2 it can't be carried out, 3 a bug, 4 try again, 130 interrupted, 141 the reader of the answer went away.

A refusal is said in words on standard error, always. As JSON it goes to standard output when that is piped, or with --json; on a terminal
standard output stays empty.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kgraph.cli.table import COMMANDS
from kgraph.errors import KgraphError, NotAllowed, TryAgain, UsageError
from kgraph.version import __version__

if TYPE_CHECKING:
    import argparse
    from contextlib import AbstractContextManager

    from kgraph.cli.answering import Answer, Around
    from kgraph.cli.session import Session


SPEAK = ("extract", "mcp", "ask", "ratchet", "watch")  # commands that show their progress, or serve
READER_GONE = 141  # what a shell reports of a program that SIGPIPE ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Nothing but the answer goes to standard output."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    try:
        return _run(arguments)
    except _NotPrinted as unprinted:
        return _unread(unprinted)


def _run(arguments: list[str]) -> int:
    session: Session | None = None
    try:
        from kgraph.cli.options import overview, split_command

        command, rest = split_command(_asked_for_help(arguments))
        if not command:
            return _without_command(rest, overview(__version__))
        if command not in COMMANDS:
            raise _no_command(command, arguments)
        module = import_module(f"kgraph.cli.commands.{COMMANDS[command][0]}")
        options = _parse(module.COMMANDS[command], command, rest)
        if options is None:
            return 0
        from kgraph.cli.session import Session

        session = Session(options)
        with _still_at_work(command, options):
            answer = _carried_out(module.COMMANDS[command], session, options)
        return _show(answer, session, options)
    except KgraphError as error:
        return _refuse(error, arguments, session)
    except KeyboardInterrupt:
        _tell("kgraph: interrupted; what was acknowledged is in the log")
        return 130
    except _NotPrinted as unprinted:
        unprinted.written = session.written() if session else []
        raise
    except BrokenPipeError as error:  # from a command that prints piece by piece
        raise _NotPrinted(error) from None
    except MemoryError:
        return _refuse(
            UsageError(
                "there is not enough memory for this",
                "cut the input into smaller payloads, or use --lines",
            ),
            arguments,
            session,
        )
    except UnicodeEncodeError as error:
        broken = next(
            (one for one in arguments if any("\ud800" <= char <= "\udfff" for char in one)), ""
        )
        return (
            _refuse(_not_utf8(broken), arguments, session)
            if broken
            else _bug(error, arguments, session)
        )
    except OSError as error:
        known = _outside(error, session)
        return _refuse(known, arguments, session) if known else _bug(error, arguments, session)
    except Exception as error:  # noqa: BLE001 - the one place: whatever gets here is a bug, and the person is told what is safe
        return _bug(error, arguments, session)


def _carried_out(command: Any, session: Session, options: argparse.Namespace) -> Answer:
    """The answer; once more where a damaged index spoilt it, unless it was printed or written in part."""
    try:
        try:
            answer: Answer = command.run(session, options)
        except (OSError, MemoryError, _NotPrinted):
            raise
        except Exception as error:
            if session.healed(error):
                return command.run(session, options)  # type: ignore[no-any-return]
            raise
        return answer
    finally:
        if session.told():
            _tell(f"kgraph: {session.told()}")


class _NotPrinted(Exception):
    """An answer that could not be printed: nothing is wrong with the call itself."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.reason = error.strerror or str(error)
        self.gone = error.errno == errno.EPIPE
        self.written: list[str] = []


def _not_utf8(argument: str) -> KgraphError:
    return UsageError(
        f"'{argument}' holds bytes that are not UTF-8, and nothing in a graph does",
        "write it in UTF-8",
    )


def _outside(error: OSError, session: Session | None) -> KgraphError | None:
    """A full disk or a missing right, in our own words; None for what can only be a fault of ours."""
    written = session.written() if session else []
    fate = (
        f"transaction {written[-1]} is in the log" if written else "nothing was written to the log"
    )
    where = f"{error.filename}: " if isinstance(error.filename, str) else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return TryAgain(f"{where}{error.strerror}; {fate}", "free some space and try again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) and where:
        return NotAllowed(
            f"{where}{error.strerror}; {fate}", "check who owns the file and its folder"
        )
    return None


def _without_command(rest: list[str], overview: str) -> int:
    if "--version" in rest or "-V" in rest:
        _print(f"kgraph {__version__}\n")
        return 0
    if rest and "--help" not in rest and "-h" not in rest:
        raise UsageError("which command? none was given", "kgraph --help lists the commands")
    _print(overview + "\n")
    return 0


def _asked_for_help(arguments: list[str]) -> list[str]:
    """``kgraph help COMMAND`` as ``kgraph COMMAND --help``."""
    from kgraph.cli.options import command_at

    at = command_at(arguments)
    return (
        [*arguments[:at], *arguments[at + 1 :], "--help"]
        if arguments[at : at + 1] == ["help"]
        else arguments
    )


def _no_command(command: str, arguments: list[str]) -> UsageError:
    """What is wrong with a word that is no command: it is misspelt, or it belongs to an option that is no global one."""
    from kgraph.cli.options import GLOBAL, unknown_before
    from kgraph.contract.nearness import nearest

    option = unknown_before(arguments)
    if option:
        found = nearest(option, GLOBAL)
        meant = f"; did you mean {found}?" if found else ""
        return UsageError(
            f"unknown option {option}{meant}",
            "a command's own options stand behind the command word",
        )
    found = nearest(command, [*COMMANDS, "help"])
    meant = f"; did you mean '{found}'?" if found else ""
    return UsageError(f"there is no command '{command}'{meant}", "kgraph --help lists the commands")


def _parse(command: Any, name: str, rest: list[str]) -> argparse.Namespace | None:
    from kgraph.cli.options import parser_for

    parser = parser_for(name, COMMANDS[name][1], command.example)
    command.configure(parser)
    if "--version" in rest or "-V" in rest:
        _print(f"kgraph {__version__}\n")
        return None
    if "--help" in rest or "-h" in rest:
        _print(parser.format_help())
        return None
    return parser.parse_intermixed_args(rest)


def _show(answer: Answer, session: Session, options: argparse.Namespace) -> int:
    from kgraph.cli.answering import printed, refusal

    around = session.around(options.json)
    told = {problem["message"] for problem in around.damage}
    for problem in around.damage:
        _tell(f"kgraph: warning {problem['code']}: {problem['message']}; {problem['hint']}")
    refused = refusal(answer.body, answer.exit_status)
    if refused and around.terminal and not around.json:
        for line in printed(answer, around).splitlines():
            _tell(line)
        return answer.exit_status
    if refused and not told:  # the damage that was told is what is refused
        _tell(f"kgraph: {refused}")
    _print_for(around, printed(answer, around), answer.prose)
    return answer.exit_status


def _print_for(around: Around, text: str, prose: bool) -> None:
    """An answer as it is for a program; for a person in the terminal's width, coloured, and paged when it is long."""
    if around.json or not around.terminal:
        _print(text)
        return
    from kgraph.cli import terminal

    shown = terminal.fitted(text, terminal.width()) if prose else text
    if terminal.coloured(os.environ):
        shown = terminal.painted(shown)
    if not terminal.paged(shown, os.environ):
        _print(shown)


def _still_at_work(command: str, options: argparse.Namespace) -> AbstractContextManager[None]:
    """A sign of life on a terminal for what takes longer than two seconds and says nothing itself."""
    import contextlib

    from kgraph.cli import terminal

    lines = getattr(options, "lines", False)
    if command in SPEAK or lines or options.quiet or not sys.stderr.isatty():
        return contextlib.nullcontext()
    return terminal.Heartbeat(command, terminal.say)


def _print(text: str) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        raise _NotPrinted(error) from None


def _tell(text: str) -> None:
    """One line for a person. Whatever a document or an argument put into it, it stays one line."""
    from kgraph.cli.answering import safe

    try:
        print(safe(text.replace("\n", "\\n")), file=sys.stderr)
    except OSError:  # nobody listens to diagnostics; the answer and the exit status still count
        return


def _refuse(error: KgraphError, arguments: list[str], session: Session | None) -> int:
    from kgraph.cli.answering import as_json
    from kgraph.cli.options import wants_json

    written = session.written() if session else []
    hint = error.hint
    if written and written[-1] not in error.message:
        hint += f"; what this call wrote before it, up to transaction {written[-1]}, is in the log"
    problem = {
        "code": error.code,
        "path": "",
        "message": error.message,
        "hint": hint,
        **error.details,
    }
    try:
        if wants_json(arguments) or not sys.stdout.isatty():
            body: dict[str, Any] = {
                **(session.named() if session else {}),
                **(session.empty if session else {}),
                "errors": [problem],
            }
            _print(as_json(body, error.exit_status) + "\n")
    finally:  # a refusal whose answer nobody reads is said all the same
        _tell(
            f"kgraph: {error.message}"
            + (f"{' ' if error.message.endswith('?') else '; '}{hint}" if hint else "")
        )
        for one in error.details.get("candidates", ()):
            _tell(
                f"  {one.get('type', one.get('op', ''))} {one.get('name', '')} [{one['id']}] {one.get('description', '')}".rstrip()
            )
    return error.exit_status


def _bug(error: Exception, arguments: list[str], session: Session | None) -> int:
    import traceback

    written = session.written() if session else []
    where = session.keep_details("".join(traceback.format_exception(error))) if session else ""
    if not where:
        for line in "".join(traceback.format_tb(error.__traceback__)).splitlines():
            _tell(line)
    fate = (
        f"transaction {written[-1]} is in the log" if written else "nothing was written to the log"
    )
    details = f"the details are in {where}" if where else "the details are above"
    from kgraph.cli.answering import as_json
    from kgraph.cli.options import wants_json

    message = f"internal error: {type(error).__name__}: {error}"
    if wants_json(arguments) or not sys.stdout.isatty():
        problem = {
            "code": "E299",
            "path": "",
            "message": message,
            "hint": f"{fate}; {details}; please report it",
        }
        _print(as_json({**(session.named() if session else {}), "errors": [problem]}, 3) + "\n")
    _tell(f"kgraph: {message}; {fate}; {details}")
    return 3


def _unread(unprinted: _NotPrinted) -> int:
    """The answer could not be printed. Keep the interpreter from complaining about it once more."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    if (
        unprinted.gone and not unprinted.written
    ):  # as with `kgraph export - | head`: the reader has what it wanted
        return READER_GONE
    fate = f"; transaction {unprinted.written[-1]} is in the log" if unprinted.written else ""
    _tell(f"kgraph: the answer could not be printed ({unprinted.reason}){fate}")
    return 4


def _open_closed_streams() -> None:
    """A program may be started with its output or its diagnostics closed; then they go nowhere, and not into each other."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the rest of the process
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the rest of the process
