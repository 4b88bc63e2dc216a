"""An answer on a terminal: wrapped to its width, coloured where colour is wanted, paged where it is long.

Colour needs the extra ``terminal`` (rich); without it, or with NO_COLOR, the same lines are plain. FORCE_COLOR colours all the same.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType

NARROWEST = 40
LINE = re.compile(r"^(\s*(?:[-•] )?)(.*)$")
STYLES = (
    (r"(?P<place>\S+\.\w+:\d+(?:-\d+)?)", "cyan"),
    (r'^\s+"(?P<quote>.*)"', "italic"),
    (r"^(?P<error>(?:error|invariant) \S+)", "bold red"),
    (r"^(?P<warning>warning \S+)", "yellow"),
    (r"(?P<held>\((?:superseded|outdated|replaced|no longer)[^)]*\))", "yellow"),
    (r"^(?P<heading>[^:•\s][^:]*):$", "bold"),
    (r"^(?P<answer>• .*)$", "bold"),
    (r"(?P<id>\[(?:edge:)?[a-z]{3}_[0-9a-f]+\])", "dim"),
)
AFTER_SECONDS = 2.0


def width() -> int:
    """Columns of the terminal as it is now."""
    import shutil

    return max(NARROWEST, shutil.get_terminal_size((100, 24)).columns)


def coloured(environ: Mapping[str, str]) -> bool:
    """Whether colour is wanted: https://no-color.org, https://force-color.org."""
    if environ.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return not environ.get("NO_COLOR") and environ.get("TERM", "") not in ("", "dumb")


def fitted(text: str, columns: int) -> str:
    """Each line wrapped, what follows set in under where its text began. Long words (a path, an address) are never broken."""
    import textwrap

    lines: list[str] = []
    for line in text.split("\n"):
        found = LINE.match(line)
        if len(line) <= columns or found is None:
            lines.append(line)
            continue
        indent = " " * len(found[1])
        lines += textwrap.wrap(
            found[2].replace("kgraph ", "kgraph\u00a0"), columns, initial_indent=found[1], subsequent_indent=indent + "  ",
            break_long_words=False, break_on_hyphens=False,
        ) or [line]  # fmt: skip
    return "\n".join(lines).replace(
        "kgraph\u00a0", "kgraph "
    )  # a command to type stays in one piece


def painted(text: str) -> str:
    """The text with colours for a terminal; as it is where rich isn't installed."""
    try:
        from rich.console import Console
        from rich.text import Text
    except ImportError:
        return text
    console = Console(force_terminal=True, width=10_000, highlight=False, color_system="standard")
    with console.capture() as held:
        for line in text.split("\n"):
            shown = Text(line)
            for pattern, style in STYLES:
                for found in re.finditer(pattern, line):
                    (span,) = [found.span(name) for name in found.groupdict()]
                    shown.stylize(style, *span)
            console.print(shown, soft_wrap=True)
    return str(held.get()).removesuffix("\n")


def paged(text: str, environ: Mapping[str, str]) -> bool:
    """Show a long text in the reader's pager, KGRAPH_PAGER or PAGER; False where none is set or the text fits. None is assumed: a program
    that drives a terminal would wait for ever."""
    import shlex
    import shutil
    import subprocess

    command = environ.get("KGRAPH_PAGER", environ.get("PAGER", ""))
    words = shlex.split(command)
    rows = shutil.get_terminal_size((100, 24)).lines
    if not words or text.count("\n") < rows or not sys.stdin.isatty() or not shutil.which(words[0]):
        return False
    options = {"LESS": environ.get("LESS", "-FRX"), **environ}
    done = subprocess.run(
        words, input=text.encode("utf-8", "backslashreplace"), env=options, check=False
    )
    return done.returncode == 0


class Heartbeat:
    """Says on a terminal, from the second second on, that a command is still at work and for how long."""

    def __init__(self, what: str, write: Callable[[str], None]) -> None:
        self._what = what
        self._write = write
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _beat(self) -> None:
        began = time.monotonic()
        shown = ""
        pause = AFTER_SECONDS
        while not self._done.wait(pause):
            pause = 1.0
            shown = f"{self._what}: {time.monotonic() - began:.0f} s"
            self._write(f"\r{shown}")
        if shown:
            self._write("\r" + " " * len(shown) + "\r")


class Counter:
    """How far a stream of lines has come: lines, lines a second, and the time left by the bytes that are left."""

    def __init__(self, total_bytes: int, write: Callable[[str], None], tty: bool) -> None:
        self._total = total_bytes
        self._write = write
        self._tty = tty

    def watched(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        """The lines themselves; every two seconds something is said."""
        from kgraph.extract.progress import duration
        from kgraph.plurals import counted

        began = shown_at = time.monotonic()
        count = size = 0
        on_line = 0
        for line in lines:
            yield line
            count += 1
            size += len(line)
            if count % 64:
                continue
            now = time.monotonic()
            if (
                now - shown_at < (0.2 if self._tty else AFTER_SECONDS)
                or now - began < AFTER_SECONDS
            ):
                continue
            shown_at = now
            text = f"{counted(count, 'line')} · {count / (now - began):,.0f} a second"
            if self._total > size:
                text += f" · about {duration((now - began) / size * (self._total - size))} left"
            self._write(f"\r{text:<{on_line}}" if self._tty else text + "\n")
            on_line = max(on_line, len(text))
        if self._tty and on_line:
            self._write("\r" + " " * on_line + "\r")


def say(text: str) -> None:
    """To standard error, at once."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        return
