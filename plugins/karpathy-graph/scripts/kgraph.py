#!/usr/bin/env python3
"""Run kgraph from this folder alone: nothing is installed and nothing is downloaded.

The engine is ``src/`` in a checkout, else ``engine.zip`` beside this file, unpacked once into a cache of the user's own whose name is
the hash of its contents. Where no such folder can be made it is run from the archive, which is slower. When ``KGRAPH`` is set, that
command is run instead, with the same arguments (``KGRAPH='uv run kgraph'``, for another environment).

The syntax is kept old on purpose, so that an old Python can still read the sentence that refuses it.
"""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ARCHIVE = os.path.join(HERE, "engine.zip")
CHECKOUT = os.path.join(HERE, "..", "..", "..", "src")
OLDEST = (3, 11)


def main() -> int:
    command = os.environ.pop("KGRAPH", "").strip()  # popped: a command that comes back can't loop
    if command:
        return _run_instead(command)
    if sys.version_info < OLDEST:
        wrong = "kgraph needs Python %d.%d or newer, and this is Python %d.%d"
        hint = "run this file with a newer Python, for example: python3.11 %s"
        here = os.path.abspath(__file__)
        return _refuse(wrong % (OLDEST + tuple(sys.version_info[:2])), hint % here)
    in_checkout = os.path.isfile(os.path.join(CHECKOUT, "kgraph", "__init__.py"))
    if not in_checkout and not os.path.isfile(ARCHIVE):
        wrong = "the engine is missing: %s is not there" % ARCHIVE
        return _refuse(wrong, "copy the whole plugin folder, scripts/engine.zip included")
    sys.path[:] = [CHECKOUT if in_checkout else _unpacked()] + [
        entry for entry in sys.path if os.path.realpath(entry or os.curdir) != HERE
    ]
    from kgraph.cli import main as engine

    return engine()


def _unpacked() -> str:
    """The folder of the unpacked engine, or the archive itself where no folder of the user's own can be made."""
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    try:
        with open(ARCHIVE, "rb") as file:
            file.seek(-64, 2)  # the archive's comment: the hash of its contents
            digest = file.read(64).decode("ascii")
        parent = os.path.join(os.path.expanduser(caches), "kgraph")
        folder = os.path.join(
            parent, "engine-%s-%d%d" % (digest, sys.version_info[0], sys.version_info[1])
        )
        if not os.path.isdir(folder):
            _unpack(parent, folder)
        held = os.stat(folder)
        ours = os.name == "nt" or (held.st_uid == os.getuid() and not held.st_mode & 0o022)
        return folder if ours else ARCHIVE
    except (OSError, ValueError):
        return ARCHIVE


def _unpack(parent: str, folder: str) -> None:
    import tempfile
    import zipfile

    os.makedirs(parent, mode=0o700, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as beside, zipfile.ZipFile(ARCHIVE) as archive:
        whole = os.path.join(beside, "engine")
        os.mkdir(whole, 0o700)
        archive.extractall(whole)
        if not os.path.isdir(folder):
            os.rename(whole, folder)  # all of it or nothing; where another was first, OSError


def _run_instead(command: str) -> int:
    import shlex
    import subprocess

    try:
        words = shlex.split(command, posix=os.name != "nt") + sys.argv[1:]
        if os.name != "nt":
            os.execvp(words[0], words)
        return subprocess.call(words)
    except (OSError, ValueError) as error:
        wrong = "the command in KGRAPH can't be run: %s (%s)" % (command, error)
        return _refuse(wrong, "mend KGRAPH, or unset it")


def _refuse(message: str, hint: str) -> int:
    if "--json" in sys.argv or not sys.stdout.isatty():
        import json

        problem = {"code": "E201", "path": "$", "message": message, "hint": hint}
        print(json.dumps({"ok": False, "errors": [problem]}))
    print("kgraph: %s; %s" % (message, hint), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
