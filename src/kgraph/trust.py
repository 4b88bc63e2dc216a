"""What this user has confirmed for a graph's folder.

A graph's folder comes from anywhere: a download, a colleague's repository. What is written in it may say what the graph holds, and must
not choose whom the user's key is sent to, which paid model is asked, or which of the user's folders is read. Such a choice counts when the
user made it: it stands in a file of the user's own, one a graph, at ``$XDG_CONFIG_HOME/kgraph/trust`` (else ``~/.config/kgraph/trust``).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping

from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple

SOURCE_ROOT = "source_root"  # an absolute folder outside the graph's own
EXTRACTOR = "extractor"  # a model that ``extract`` asks when none is given
EMBEDDING_MODEL = "embedding_model"  # a model that a query's text is sent to
EMBEDDING_HOST = "embedding_host"  # the address at which it is asked


class Ask(NamedTuple):
    """One choice that a graph's folder would make: ``what`` is one of the words above."""

    what: str
    value: str


class Trust:
    """``confirmed(what, value)`` and ``confirm(what, value)`` for one graph's folder. A missing or broken file confirms nothing."""

    def __init__(self, folder: str, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        self._folder = os.path.realpath(folder)
        self._home = os.path.join(_settings(environ), "kgraph", "trust")
        name = hashlib.sha256(self._folder.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self.path = os.path.join(self._home, f"{name}.json")

    def confirmed(self, what: str, value: str) -> bool:
        return value in self._read().get(what, ())

    def confirm(self, what: str, value: str) -> bool:
        """Remember a choice of the user's; whether that could be done."""
        known = self._read()
        if value in known.get(what, ()):
            return True
        known[what] = [*known.get(what, ()), value]
        waiting = f"{self.path}.{os.getpid()}.tmp"
        try:
            os.makedirs(self._home, mode=0o700, exist_ok=True)
            self._sweep()
            with open(waiting, "w", encoding="utf-8", errors="surrogateescape") as file:
                json.dump({"folder": self._folder, "confirmed": known}, file, indent=1)
            os.replace(waiting, self.path)
        except OSError:
            return False
        return True

    def _read(self) -> dict[str, list[str]]:
        try:
            with open(self.path, encoding="utf-8", errors="surrogateescape") as file:
                value = json_value(file.read())
        except (OSError, ValueError):
            return {}
        found = value.get("confirmed") if isinstance(value, dict) else None
        if not isinstance(found, dict) or value.get("folder") != self._folder:
            return {}
        return {what: values for what, values in found.items() if isinstance(values, list)}

    def _sweep(self) -> None:
        """Delete what is said of folders that are gone."""
        for name in os.listdir(self._home):
            path = os.path.join(self._home, name)
            with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
                with open(path, encoding="utf-8", errors="surrogateescape") as file:
                    gone = not os.path.isdir(json_value(file.read()).get("folder"))
                if gone:
                    os.unlink(path)


def within(place: str, folders: Iterable[str]) -> bool:
    """Whether a path lies in one of the folders, symbolic links followed."""
    real = os.path.realpath(place)
    for folder in folders:
        with contextlib.suppress(ValueError):  # another drive
            root = os.path.realpath(folder)
            if os.path.commonpath([root, real]) == root:
                return True
    return False


def _settings(environ: Mapping[str, str]) -> str:
    given = environ.get("XDG_CONFIG_HOME") or environ.get("APPDATA") or ""
    if os.path.isabs(given):
        return given
    return os.path.join(os.path.expanduser("~"), ".config")
