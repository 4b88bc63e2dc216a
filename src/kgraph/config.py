"""What a person set for a folder: ``kgraph.toml``, or ``[tool.kgraph]`` of ``pyproject.toml``, found upward as git finds its own.

A file that another user owns, or that lies in a folder anyone may write to, isn't read: it could point a command at their graph.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from kgraph.errors import UsageError
from kgraph.graph.folder import upward
from kgraph.trust import within
from kgraph.tuples import NamedTuple

KEYS = ("name", "path", "model", "source_roots", "ignore")


class Settings(NamedTuple):
    """``file``: where they were read ('' for none). Paths are absolute. ``model``: what ``--extractor model`` means; alone it sends nothing."""

    name: str = ""
    path: str = ""
    model: str = ""
    source_roots: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    file: str = ""


def settings(environ: Mapping[str, str], working: str) -> Settings:
    """The settings for a working folder; KGRAPH_NAME and KGRAPH_PATH win over a file. Raises UsageError for a file that is wrong."""
    found = _from_file(working)
    if environ.get("KGRAPH_PATH"):
        path = os.path.join(working, environ["KGRAPH_PATH"])
        return found._replace(path=path, name="")
    if environ.get("KGRAPH_NAME"):
        return found._replace(name=environ["KGRAPH_NAME"], path="")
    return found


def _from_file(working: str) -> Settings:
    for folder in upward(working):
        for name in ("kgraph.toml", "pyproject.toml"):
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    data = file.read()
            except OSError:
                continue
            table = None
            if name == "kgraph.toml" or b"tool.kgraph" in data:
                table = _table(path, data)
            if table is not None:
                return _checked(path, table)
    return Settings()


def _table(path: str, data: bytes) -> Any:
    import tomllib

    try:
        whole = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"{path} is not TOML ({error})", "mend it or remove it") from None
    return whole if path.endswith("kgraph.toml") else whole.get("tool", {}).get("kgraph")


def _checked(path: str, table: Mapping[str, Any]) -> Settings:
    folder = os.path.dirname(path)
    found: dict[str, Any] = {"file": path}
    for given, value in table.items():
        key = given.replace("-", "_")
        if key not in KEYS:
            from kgraph.contract.nearness import nearest

            near = nearest(key, KEYS)
            meant = f"; did you mean '{near}'?" if near else ""
            raise UsageError(
                f"{path}: there is no setting '{given}'{meant}", "the settings: " + ", ".join(KEYS)
            )
        listed = key in ("source_roots", "ignore")
        fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
        if not (fits if listed else isinstance(value, str)):
            kind = "a list of texts" if listed else "a text"
            raise UsageError(f"{path}: '{given}' is not {kind}", f"write {given} = …")
        if key == "path":
            value = os.path.join(folder, value)
        if key == "source_roots":
            value = [os.path.join(folder, one) for one in value]
            for root in value:
                if not within(root, [folder]):
                    raise UsageError(
                        f"{path}: the source root {root} is outside of {folder}",
                        "a file can't open other folders; give it yourself: --source-root",
                    )
        found[key] = tuple(value) if listed else value
    if found.get("name") and found.get("path"):
        raise UsageError(f"{path}: name and path both say which graph is meant", "keep one of them")
    return Settings(**found)
