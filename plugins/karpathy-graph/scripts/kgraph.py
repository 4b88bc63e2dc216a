#!/usr/bin/env python3
"""Run kgraph from this folder alone: nothing is installed and nothing is downloaded.

The engine is the copy in ``vendor/`` beside this file. When ``KGRAPH`` is set, that command is run instead, with the same
arguments (``KGRAPH='uv run kgraph'``, for a checkout or another environment).

The syntax is kept old on purpose, so that an old Python can still read the sentence that refuses it.
"""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
VENDOR = os.path.join(HERE, "vendor")
CHECKOUT = os.path.join(HERE, "..", "..", "..", "src")
OLDEST = (3, 11)


def main() -> int:
    command = os.environ.pop(
        "KGRAPH", ""
    ).strip()  # popped, so that a command that comes back here can't go round for ever
    if command:
        return _run_instead(command)
    if sys.version_info < OLDEST:
        return _refuse(
            "kgraph needs Python %d.%d or newer, and this is Python %d.%d"
            % (OLDEST + tuple(sys.version_info[:2])),
            "run this file with a newer Python, for example: python3.11 %s"
            % os.path.abspath(__file__),
        )
    engine_folder = (
        CHECKOUT if os.path.isfile(os.path.join(CHECKOUT, "kgraph", "__init__.py")) else VENDOR
    )
    if not os.path.isfile(os.path.join(engine_folder, "kgraph", "__init__.py")):
        return _refuse(
            "the engine is missing: %s is not there" % VENDOR,
            "copy the whole plugin folder, scripts/vendor included",
        )
    sys.path[:] = [engine_folder] + [
        entry for entry in sys.path if os.path.realpath(entry or os.curdir) != HERE
    ]
    from kgraph.cli import main as engine

    return engine()


def _run_instead(command: str) -> int:
    import shlex
    import subprocess

    try:
        words = shlex.split(command, posix=os.name != "nt") + sys.argv[1:]
        if os.name != "nt":
            os.execvp(words[0], words)
        return subprocess.call(words)
    except (OSError, ValueError) as error:
        return _refuse(
            "the command in KGRAPH can't be run: %s (%s)" % (command, error),
            "mend KGRAPH, or unset it",
        )


def _refuse(message: str, hint: str) -> int:
    if "--json" in sys.argv or not sys.stdout.isatty():
        import json

        problem = {"code": "E201", "path": "$", "message": message, "hint": hint}
        print(json.dumps({"ok": False, "errors": [problem]}))
    print("kgraph: %s; %s" % (message, hint), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
