"""What installing changes: planned as values, carried out at once, remembered in a receipt, taken back from it."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from kgraph.install import entries
from kgraph.install.pages import Engine, engine, pages, skill_files
from kgraph.install.platforms import PLATFORMS, Platform
from kgraph.tuples import NamedTuple

RECEIPT = "karpathy-graph/.kgraph-installed.json"
RULE_HEAD = "---\ndescription: Ask and build the knowledge graph of this project with kgraph\nalwaysApply: false\n---\n\n"


class Scope(NamedTuple):
    """For whom: everybody who works in ``folder`` (a project), or the person whose home it is (``user``)."""

    folder: str
    user: bool = False


class Change(NamedTuple):
    """A file to be written whole (``data``), or an insertion into a person's own file. ``reason``: why it is left alone."""

    path: str
    data: bytes = b""
    inserted: str = ""
    created: bool = False
    reason: str = ""
    hint: str = ""


class Plan(NamedTuple):
    platform: str
    receipt: str
    changes: list[Change]
    unchanged: list[str]


def plan(name: str, scope: Scope, mcp: bool = True) -> Plan:
    """Everything that installing for a platform would change. Reads files, writes none."""
    platform = PLATFORMS[name]
    root = platform.user_skills if scope.user else platform.skills
    top = os.path.join(scope.folder, root)
    shown = os.path.abspath(top).replace(os.sep, "/") if scope.user else root
    texts, how = pages(), engine(f"{shown}/karpathy-graph")
    kept = _receipt(os.path.join(top, RECEIPT))
    changes: list[Change] = []
    unchanged: list[str] = []
    for path, data in _whole_files(platform, scope, texts, how).items():
        _file(os.path.join(scope.folder, path), data, kept, changes, unchanged)
    for path, inserted in _insertions(platform, scope, how, mcp):
        _entry(os.path.join(scope.folder, path), inserted, changes, unchanged)
    return Plan(name, os.path.join(top, RECEIPT), changes, unchanged)


def _whole_files(
    platform: Platform, scope: Scope, texts: dict[str, str], how: Engine
) -> dict[str, bytes]:
    root = platform.user_skills if scope.user else platform.skills
    found = {f"{root}/{path}": data for path, data in skill_files(texts, how).items()}
    agents = platform.user_agents if scope.user else platform.agents
    if agents:
        found |= {
            f"{agents}/{path.partition('/')[2]}": text.encode("utf-8")
            for path, text in texts.items()
            if path.startswith("agents/")
        }
    if platform.rule and not scope.user:
        found[platform.rule] = (RULE_HEAD + _instructions(root, how)).encode("utf-8")
    return found


def _insertions(
    platform: Platform, scope: Scope, how: Engine, mcp: bool
) -> list[tuple[str, tuple[Any, ...]]]:
    found: list[tuple[str, tuple[Any, ...]]] = []
    root = platform.user_skills if scope.user else platform.skills
    instructions = platform.user_instructions if scope.user else platform.instructions
    if instructions:
        found.append((instructions, (entries.section, _instructions(root, how))))
    registry = platform.registry
    path = registry.user if scope.user else registry.project
    if not mcp or not path:
        return found
    words = (*how.words, "mcp")
    key = "mcpServers" if scope.user and registry.key == "servers" else registry.key
    if registry.form == "toml":
        return [*found, (path, (entries.toml_entry, key, "kgraph", words))]
    entry: dict[str, Any] = {"command": words[0], "args": list(words[1:])}
    if registry.form == "list":
        entry = {"type": "local", "command": list(words), "enabled": True}
    return [*found, (path, (entries.json_entry, key, "kgraph", entry))]


def _instructions(skills: str, how: Engine) -> str:
    words = " ".join(how.words)
    return (
        f"## Knowledge graph\n\nThis project can be asked through a typed knowledge graph in which every statement cites its file and line.\n"
        f"Before you answer a question about what depends on what, what was decided, or where something is written, run `{words} list`;\n"
        f'if there is a graph, run `{words} --name NAME query "the question" --format context` and cite what it prints.\n'
        f"How to build one: `{skills}/karpathy-graph/SKILL.md`.\n"
    )


def _file(
    path: str, data: bytes, kept: dict[str, Any], changes: list[Change], unchanged: list[str]
) -> None:
    held = _bytes(path)
    if held == data:
        unchanged.append(path)
    elif held is None or kept["files"].get(path) == _digest(held):
        changes.append(Change(path, data))
    else:
        hint = "move it away and run this again, to have the new one"
        changes.append(Change(path, reason="it holds a text that kgraph did not write", hint=hint))


def _entry(
    path: str, inserted: tuple[Any, ...], changes: list[Change], unchanged: list[str]
) -> None:
    held = _bytes(path)
    function, *arguments = inserted
    try:
        text = (held or b"").decode("utf-8")
        found: entries.Insertion | None = function(text, *arguments)
    except ValueError as error:
        by_hand = f"add by hand what this says: {json.dumps(arguments)}"
        changes.append(Change(path, reason=f"it can't be read as it is ({error})", hint=by_hand))
        return
    if found is None:
        unchanged.append(path)
        return
    changes.append(Change(path, found.into(text).encode("utf-8"), found.text, held is None))


def carry_out(plan: Plan) -> None:
    """Write the plan's changes, each file whole, and what is needed to take them back."""
    kept = _receipt(plan.receipt)
    for change in plan.changes:
        if change.reason:
            continue
        _write(change.path, change.data)
        if change.inserted:
            kept["inserted"].append(
                {"path": change.path, "text": change.inserted, "created": change.created}
            )
        else:
            kept["files"][change.path] = _digest(change.data)
    if any(not change.reason for change in plan.changes):
        _write(plan.receipt, json.dumps(kept, indent=1).encode("utf-8"))


def take_back(name: str, scope: Scope, dry_run: bool) -> tuple[list[str], list[Change]]:
    """Remove what was installed: the paths, and what was left because somebody changed it."""
    platform = PLATFORMS[name]
    top = os.path.join(scope.folder, platform.user_skills if scope.user else platform.skills)
    receipt = os.path.join(top, RECEIPT)
    kept = _receipt(receipt)
    removed: list[str] = []
    left: list[Change] = []
    for path, digest in sorted(kept["files"].items()):
        held = _bytes(path)
        if held is not None and _digest(held) != digest:
            left.append(Change(path, reason="it was changed since", hint="remove it by hand"))
        elif held is not None:
            removed.append(path)
            if not dry_run:
                os.remove(path)
    for entry in kept["inserted"]:
        _take_out(entry, removed, left, dry_run)
    if not dry_run and os.path.isfile(receipt):
        os.remove(receipt)
        for path in removed:
            _remove_empty(os.path.dirname(path), scope.folder)
        _remove_empty(os.path.dirname(receipt), scope.folder)
    return removed, left


def _take_out(entry: dict[str, Any], removed: list[str], left: list[Change], dry_run: bool) -> None:
    path, text = entry["path"], entry["text"]
    held = (_bytes(path) or b"").decode("utf-8", "surrogateescape")
    if held.count(text) != 1:
        if held:
            hint = "remove the entry by hand"
            left.append(Change(path, reason="the entry was changed since", hint=hint))
        return
    removed.append(path)
    rest = held.replace(text, "")
    if dry_run:
        return
    if entry["created"] and not rest:
        os.remove(path)
    else:
        _write(path, rest.encode("utf-8", "surrogateescape"))


def _remove_empty(folder: str, top: str) -> None:
    """Folders that installing left empty, upward to the project or home, which stays."""
    while os.path.abspath(folder) != os.path.abspath(top) and folder:
        try:
            os.rmdir(folder)
        except OSError:
            return
        folder = os.path.dirname(folder)


def _receipt(path: str) -> dict[str, Any]:
    held = _bytes(path)
    kept: dict[str, Any] = json.loads(held) if held else {"files": {}, "inserted": []}
    return kept


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _write(path: str, data: bytes) -> None:
    """All of it or nothing; a link is followed, and a file keeps its rights."""
    path = os.path.realpath(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.kgraph-part"
    with open(beside, "wb") as file:
        file.write(data)
    if os.path.exists(path):
        os.chmod(beside, os.stat(path).st_mode & 0o7777)
    os.replace(beside, path)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
