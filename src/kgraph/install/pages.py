"""The plugin's pages, from wherever this kgraph keeps them, and as an agent needs them that has only its skills folder."""

from __future__ import annotations

import os
import sys

from kgraph.errors import UsageError
from kgraph.tuples import NamedTuple

PARTS = ("skills", "references", "agents")
FINDS = 'KG="${CLAUDE_PLUGIN_ROOT}"; KG="${KG:-plugins/karpathy-graph}/scripts/kgraph.py"\n'
DEFINES = 'kgraph() { if [ -f "$KG" ]; then python3 "$KG" "$@"; else command kgraph "$@"; fi; }\n'


class Engine(NamedTuple):
    """How an installed page and an MCP entry call kgraph."""

    words: tuple[str, ...]  # the command and its first arguments
    files: dict[str, bytes] = {}  # path below the root skill → content, to be copied along


def pages() -> dict[str, str]:
    """Path, with '/', → text of each page. Raises UsageError where they don't come with this kgraph."""
    import importlib.resources

    package = importlib.resources.files("kgraph")
    checkout = os.path.join(
        os.path.dirname(__file__), "..", "..", "..", "plugins", "karpathy-graph"
    )
    if package.joinpath("plugin", "skills").is_dir():
        return {
            f"{part}/{path}": text
            for part in PARTS
            for path, text in _below(package.joinpath("plugin", part))
        }
    if not os.path.isdir(os.path.join(checkout, "skills")):
        raise UsageError(
            "the plugin's pages don't come with this kgraph",
            "pip install karpathy-graph, or run scripts/kgraph.py of the plugin",
        )
    from pathlib import Path

    return {f"{part}/{path}": text for part in PARTS for path, text in _below(Path(checkout, part))}


def _below(folder: object) -> list[tuple[str, str]]:
    found = []
    for entry in folder.iterdir():  # type: ignore[attr-defined]  # a Traversable or a Path
        if entry.is_dir():
            found += [(f"{entry.name}/{path}", text) for path, text in _below(entry)]
        elif entry.name.endswith(".md"):
            found.append((entry.name, entry.read_text("utf-8")))
    return sorted(found)


def engine(root_skill: str) -> Engine:
    """The way to this kgraph from another place: its launcher, copied below ``root_skill``, the command on the path, or this Python."""
    import shutil

    launcher = os.path.abspath(getattr(sys.modules["__main__"], "__file__", "") or "")
    archive = os.path.join(os.path.dirname(launcher), "engine.zip")
    python = ("py", "-3") if os.name == "nt" else ("python3",)
    if os.path.basename(launcher) == "kgraph.py" and os.path.isfile(archive):
        files = {}
        for path in (launcher, archive):
            with open(path, "rb") as file:
                files[f"scripts/{os.path.basename(path)}"] = file.read()
        return Engine((*python, f"{root_skill}/scripts/kgraph.py"), files)
    if shutil.which("kgraph"):
        return Engine(("kgraph",))
    if os.path.basename(launcher) == "kgraph.py":
        return Engine((*python, launcher.replace(os.sep, "/")))
    return Engine((sys.executable.replace(os.sep, "/"), "-m", "kgraph"))


def skill_files(pages: dict[str, str], engine: Engine) -> dict[str, bytes]:
    """Path below a skills folder → content: each skill, and in the root skill the references and, where it is copied, the engine."""
    found = {f"karpathy-graph/{path}": data for path, data in engine.files.items()}
    for path, text in pages.items():
        part, _, rest = path.partition("/")
        if part == "skills":
            own = rest.startswith("karpathy-graph/")
            place = "references/" if own else "../karpathy-graph/references/"
            text = text.replace("](../../references/", f"]({place}")
            found[rest] = called(text, engine).encode("utf-8")
        elif part == "references":
            text = text.replace("](../skills/", "](../../")
            found[f"karpathy-graph/{path}"] = called(text, engine).encode("utf-8")
    return found


def called(page: str, engine: Engine) -> str:
    """The page with its first lines calling this engine."""
    if engine.words == ("kgraph",):
        return page
    words = " ".join(f'"{word}"' for word in engine.words)
    return page.replace(FINDS + DEFINES, f'kgraph() {{ {words} "$@"; }}\n')
