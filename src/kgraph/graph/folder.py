"""A graph's folder: how a name becomes a path, what lies in it, and what the manifest says."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from kgraph.errors import Exists, LogDamaged, NoGraph, NotAllowed, UsageError
from kgraph.log.jsonl import sync_folder
from kgraph.ontology import fold
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple

ROOT = ".karpathy-graphs"
SLUG_BYTES = 80
LAYOUT = "2.0.0"
# what a beginning that was cut off may have left, and what was written for git only
HARMLESS = frozenset(
    "log.lock index.sqlite index.sqlite-wal index.sqlite-shm index.sqlite-journal passages.sqlite passages.sqlite-wal passages.sqlite-shm .gitignore .gitattributes".split()
)
IGNORED = "index.sqlite*\nlog.lock\nlog.torn\nlog.damaged\nreplies/\ncache/\ngraph.json\nREPORT.md\ngraph.html\ngraph.mmd\nvectors.bin*\npassages.sqlite*\n*.tmp\nlog.jsonl.rewritten\nfault.txt\n"
VECTORS = "vectors.bin"
ATTRIBUTES = "log.jsonl merge=union -text\n"


class Manifest(NamedTuple):
    """What a graph says of itself. ``source_root`` is relative to the graph's folder where it can be."""

    name: str
    objective: str = ""
    budget: dict[str, Any] = {}
    source_root: str = ""
    extractor: str = "offline"
    created: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"schema_version": LAYOUT, **self._asdict()}


def slug(name: str) -> str:
    """The folder name of a graph's name. Raises UsageError when nothing is left of it."""
    text = unicodedata.normalize("NFC", name).lower()
    kept = "".join(
        char if char in "-_." or unicodedata.category(char)[0] in "LMN" else "-" for char in text
    )
    while "--" in kept:
        kept = kept.replace("--", "-")
    kept = kept.strip("-.")
    while len(kept.encode()) > SLUG_BYTES:
        kept = kept[:-1]
    kept = kept.strip("-.")
    if not kept:
        raise UsageError(
            f"the name {name!r} has no letter or digit to make a folder of",
            "give a name with at least one letter or digit",
        )
    return kept


def slug_or_nothing(name: str) -> str:
    try:
        return slug(name)
    except UsageError:
        return ""


def root_folder(environ: dict[str, str] | os._Environ[str], working: str) -> str:
    """The folder that holds the graphs: KGRAPH_ROOT, else the nearest ``.karpathy-graphs`` upward, else one in the working folder."""
    given = environ.get("KGRAPH_ROOT")
    if given:
        return os.path.join(working, given)
    for folder in upward(working):
        if os.path.isdir(os.path.join(folder, ROOT)):
            return os.path.join(folder, ROOT)
    return os.path.join(working, ROOT)


def upward(working: str) -> Iterator[str]:
    """The working folder and those above it, as far as they are the user's own: what another may write to is no place to look for ours."""
    folder = os.path.abspath(working)
    yield working
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        held = os.stat(folder)
        if os.name != "nt" and (held.st_uid != os.getuid() or held.st_mode & 0o002):
            return
        yield folder


def graph_folder(root: str, name: str, path: str) -> tuple[str, str]:
    """The folder and the name of the graph that is meant: ``path`` as given, else by name, else the only one there is, else 'main'."""
    if path:
        return path, name or os.path.basename(os.path.abspath(path))
    if name:
        return os.path.join(root, slug(name)), name
    graphs = list(graphs_under(root))
    if len(graphs) == 1:
        return graphs[0], ""
    return os.path.join(root, "main"), "main"


def graphs_under(root: str) -> Iterable[str]:
    try:
        names = sorted(os.listdir(root))
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        folder = os.path.join(root, name)
        if is_graph(folder):
            yield folder


def is_graph(folder: str) -> bool:
    """Whether a graph lies there: a log or a manifest of ours. Raises NotAllowed where that can't be seen."""
    manifest = read_manifest(folder)
    if manifest is not None:
        return True
    try:
        with open(os.path.join(folder, "log.jsonl"), "rb") as handle:
            start = handle.read(200)
    except PermissionError as error:
        raise NotAllowed(
            f"{folder} can't be read ({error.strerror})", "check who owns the graph's folder"
        ) from error
    except OSError:
        return False
    if not start:
        return is_unbegun(folder)
    return start.removeprefix(b"\xef\xbb\xbf").startswith((b'{"after":', b'{"event":', b'{"event"'))


def is_unbegun(folder: str) -> bool:
    """Whether a first writer died between making the log and writing to it: an empty log, and nothing of anybody else's beside it."""
    try:
        names = set(os.listdir(folder))
        empty = os.stat(os.path.join(folder, "log.jsonl")).st_size == 0
    except OSError:
        return False
    return empty and not names - HARMLESS - {"log.jsonl"}


def refuse_lost_log(folder: str) -> None:
    """Raise LogDamaged where the manifest is this version's and the log that it stands beside is not there: a graph begins with a line."""
    log = os.path.join(folder, "log.jsonl")
    try:
        if os.stat(log).st_size:
            return
        said = f"{log} is empty"
    except FileNotFoundError:
        said = f"{log} is gone"
    except OSError:
        return  # whoever opens it says why it can't be read
    try:
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8-sig") as handle:
            value = json_value(handle.read())
    except (OSError, ValueError):
        return
    if isinstance(value, dict) and value.get("schema_version") == LAYOUT:
        raise LogDamaged(
            f"{said}: all that was written to this graph was in it",
            "bring it back from version control or another copy; to begin anew, move the folder away and kgraph init",
        )


def read_manifest(folder: str) -> Manifest | None:
    """The manifest, or None where there is none that is ours."""
    try:
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8-sig") as handle:
            value = json_value(handle.read())
    except (OSError, ValueError):
        return None
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("schema_version"), str)
        or not isinstance(value.get("name"), str)
    ):
        return None
    budget = value.get("budget")
    texts = {
        key: value[key]
        for key in ("objective", "source_root", "extractor", "created")
        if isinstance(value.get(key), str)
    }
    return Manifest(value["name"], budget=budget if isinstance(budget, dict) else {}, **texts)


def write_manifest(folder: str, manifest: Manifest) -> None:
    write_whole(
        os.path.join(folder, "manifest.json"),
        json.dumps(manifest.as_json(), ensure_ascii=False, indent=2) + "\n",
    )


def set_aside(path: str) -> None:
    """Keep what lies where a file of ours is to be made again."""
    if os.path.lexists(path):
        os.replace(path, f"{path}.old")


def write_whole(path: str, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    waiting = f"{path}.{os.getpid()}.tmp"
    with open(waiting, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as handle:
        handle.write(text)
        handle.flush()
        os.fsync(handle.fileno())
    os.replace(waiting, path)


def furnish(folder: str, manifest: Manifest) -> None:
    """Write what lies beside a log: the manifest, and what git has to know."""
    tell_git(folder)
    write_manifest(folder, manifest)
    sync_folder(folder)


def tell_git(folder: str) -> None:
    """What git has to know of a graph's files. Lines that someone wrote stay."""
    for name, ours in ((".gitignore", IGNORED), (".gitattributes", ATTRIBUTES)):
        path = os.path.join(folder, name)
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as handle:
                theirs = handle.read()
        except FileNotFoundError:
            theirs = ""
        missing = [line for line in ours.splitlines() if line not in theirs.splitlines()]
        if missing:
            gap = "\n" if theirs and not theirs.endswith("\n") else ""
            write_whole(path, theirs + gap + "\n".join(missing) + "\n")


def refuse_existing(folder: str) -> None:
    """Raise Exists where a graph or someone's files are."""
    if is_unbegun(folder):
        return
    if is_graph(folder):
        raise Exists(
            f"there is a graph in {folder} already",
            "use it as it is, or choose another --name or --path",
        )
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise Exists(f"{folder} is a file", "choose another --path")
    foreign = sorted(set(os.listdir(folder)) - HARMLESS) if os.path.isdir(folder) else []
    if foreign:
        shown = ", ".join(foreign[:3])
        raise Exists(
            f"{folder} holds files that are not a graph's ({shown})",
            "choose an empty or a new folder",
        )


def same_name(folder: str, name: str, manifest: Manifest | None) -> None:
    """Refuse to take one graph for another: one whose name only makes the same folder name, or one that was copied to a folder of another
    name."""
    if (
        name
        and manifest
        and fold(unicodedata.normalize("NFC", manifest.name))
        != fold(unicodedata.normalize("NFC", name))
    ):
        if slug_or_nothing(manifest.name) != slug(name):
            raise Exists(
                f"the folder {folder} holds the graph {manifest.name!r}: its manifest.json gives that name, and the folder has another",
                f"use it with --path {folder}; for a graph of its own, write {json.dumps(name, ensure_ascii=False)} as the name into its "
                "manifest.json",
            )
        raise Exists(
            f"the names {name!r} and {manifest.name!r} make the same folder {folder}",
            "choose a name that differs in its letters",
        )


def source_root(folder: str, manifest: Manifest | None, root: str) -> str:
    """The folder from which relative uris count, as an absolute path."""
    given = manifest.source_root if manifest and manifest.source_root else ""
    if given:
        return os.path.normpath(os.path.join(_where(folder), given))
    return os.path.dirname(os.path.abspath(root))


def beside_graphs(folder: str) -> str:
    """The folder that a graph under ``.karpathy-graphs`` is about by its place alone, '' for a graph that lies elsewhere."""
    above = os.path.dirname(_where(folder))
    return os.path.dirname(above) if os.path.basename(above) == ROOT else ""


def relative_root(folder: str, wanted: str) -> str:
    """A source root as the manifest keeps it: relative to the graph's folder, so that both can move together."""
    try:
        return os.path.relpath(os.path.abspath(wanted), _where(folder))
    except ValueError:  # another drive
        return os.path.abspath(wanted)


def _where(folder: str) -> str:
    """A graph's folder as an absolute path: for a symbolic link the folder that it leads to, so that both ways in mean the same sources."""
    return (
        os.path.realpath(folder)
        if os.path.islink(folder.rstrip(os.sep))
        else os.path.abspath(folder)
    )


def no_graph(folder: str, name: str, root: str = "") -> NoGraph:
    """``root``: the folder of graphs in which one of the name was looked for."""
    said = f" named {name!r}" if name else ""
    made = f"make one with: kgraph init{f' --name {name!r}' if name else ''}"
    there = [os.path.basename(one) for one in graphs_under(root)] if root else []
    if not there:
        return NoGraph(f"there is no graph{said} in {folder}", made)
    from kgraph.contract.nearness import nearest

    near = nearest(name, there) if name else ""
    meant = f"; did you mean '{near}'?" if near else ""
    return NoGraph(
        f"there is no graph{said} in {folder}{meant}",
        f"there are: {', '.join(there[:10])} (--name chooses one); {made}",
        graphs=there[:100],
    )
