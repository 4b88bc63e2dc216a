"""Imports as kgraph maps them against other tools: ``python benchmarks/imports.py httpx rich …`` against grimp on installed packages,
``python benchmarks/imports.py --cruiser BIN FOLDER …`` against dependency-cruiser on folders with JavaScript or TypeScript sources.

Both are asked with the same options: every import, and every import without those under TYPE_CHECKING. An edge counts as equal when
importer, imported module and line are equal. Three things are not compared: imports by call (``import_module("a.b")``), which only kgraph
maps; folders without an ``__init__.py``, which grimp leaves out; a module that imports itself, which only grimp counts.

With dependency-cruiser (which reports no lines) pairs of files are compared, type-only imports included. Left out are files below
``node_modules``, imports of packages and of Node's own modules, a file that imports itself, and statements that dependency-cruiser gives
up on (a package that imports itself by name, for instance): there is nothing to compare them with. How many these are is printed.
Prints precision and recall for each package, and what differs.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import time

from kgraph.code import CodeOptions, SourceFile, extract, plan

PACKAGES = ("httpx", "rich", "pydantic", "sqlalchemy", "networkx")
Edge = tuple[str, str, int]


def files_below(folder: str, root: str) -> list[SourceFile]:
    found = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(here, name)
            found.append(SourceFile(os.path.relpath(path, root).replace(os.sep, "/"), path))
    return found


def edges_of_kgraph(folder: str, externals: bool) -> tuple[dict[Edge, str], int, float]:
    """(importer, imported, line) → kind; lines of code; seconds."""
    root = os.path.dirname(folder)
    begun = time.perf_counter()
    planned = plan(files_below(folder, root), root, CodeOptions())
    payloads = [extract(unit, planned.known).payload for unit in planned.units]
    seconds = time.perf_counter() - begun
    found: dict[Edge, str] = {}
    for payload in payloads:
        names = {node.get("id", node["name"]): node for node in payload["nodes"]}
        for edge in payload["edges"]:
            if edge["predicate"] == "DEPENDS_ON" and edge["quote"].startswith(("import", "from")):
                source, target = names[edge["source"]], names[edge["target"]]
                line = int(edge["source_doc"].partition("#L")[2].partition("-")[0])
                if externals or target["attrs"]["kind"] != "external":
                    found[source["name"], target["name"], line] = edge["kind"]
    lines = sum(known.facts.lines for known in planned.known.known.gathered.values() if known.facts)
    return found, lines, seconds


def edges_of_grimp(
    package: str, externals: bool, type_checking: bool
) -> tuple[set[Edge], set[str]]:
    """(importer, imported, line), and all modules that grimp knows."""
    import grimp

    graph = grimp.build_graph(
        package,
        include_external_packages=externals,
        exclude_type_checking_imports=not type_checking,
        cache_dir=None,
    )
    found = set()
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            for detail in (
                ()
                if importer == imported
                else graph.get_import_details(importer=importer, imported=imported)
            ):
                found.add((importer, imported, detail["line_number"]))
    return found, set(graph.modules)


def pairs_of_cruiser(binary: str, folder: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """(file, file) as dependency-cruiser resolves them inside a folder, and (file, specifier) of what it could not resolve."""
    config = (
        ["--ts-config", "tsconfig.json"]
        if os.path.exists(os.path.join(folder, "tsconfig.json"))
        else []
    )
    command = [
        binary,
        ".",
        "--no-config",
        "--ts-pre-compilation-deps",
        "--output-type",
        "json",
        *config,
    ]
    modules = json.loads(
        subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    )["modules"]
    found, given_up = set(), set()
    for module in modules:
        for dependency in module["dependencies"]:
            outside = (
                dependency["couldNotResolve"]
                or dependency["coreModule"]
                or dependency["resolved"].startswith(("node_modules", ".."))
            )
            if not outside and module["source"] != dependency["resolved"]:
                found.add((module["source"], dependency["resolved"]))
            if dependency["couldNotResolve"]:
                given_up.add((module["source"], dependency["module"]))
    return found, given_up


def pairs_of_kgraph(
    folder: str, given_up: set[tuple[str, str]]
) -> tuple[set[tuple[str, str]], int, float]:
    """(file, file), without what the other tool could not resolve (a package that imports itself by name, for instance)."""
    begun = time.perf_counter()
    files = [file for file in files_below(folder, folder) if "node_modules/" not in file.uri]
    planned = plan(files, folder, CodeOptions(jobs=1))
    payloads = [extract(unit, planned.known).payload for unit in planned.units]
    seconds = time.perf_counter() - begun
    found = set()
    for payload in payloads:
        names = {
            node.get("id", node["name"]): node
            for node in payload["nodes"]
            if node["type"] == "Entity"
        }
        for edge in payload["edges"]:
            if edge["predicate"] == "DEPENDS_ON" and names[edge["target"]]["attrs"]["kind"] in (
                "module",
                "asset",
            ):
                here = names[edge["source"]]["attrs"]["path"]
                if any(
                    (here, quoted) in given_up
                    for quoted in re.findall(r"""["'`]([^"'`]+)["'`]""", edge["quote"])
                ):
                    continue
                found.add((here, names[edge["target"]]["attrs"]["path"]))
    return (
        found,
        sum(known.facts.lines for known in planned.known.known.gathered.values() if known.facts),
        seconds,
    )


def against_cruiser(binary: str, folders: list[str]) -> int:
    worst = 1.0
    print(f"{'folder':20}{'cruiser':>9}{'kgraph':>8}{'precision':>11}{'recall':>8}{'given up':>9}")
    for folder in folders:
        theirs, given_up = pairs_of_cruiser(binary, folder)
        ours, lines, seconds = pairs_of_kgraph(folder, given_up)
        both = len(ours & theirs)
        precision, recall = both / max(len(ours), 1), both / max(len(theirs), 1)
        worst = min(worst, precision, recall)
        shares = f"{precision:11.4f}{recall:8.4f}{len(given_up):9}"
        print(
            f"{os.path.basename(folder):20}{len(theirs):9}{len(ours):8}{shares}{lines / seconds:12,.0f} lines/s"
        )
        for sign, extra in (("+", ours - theirs), ("-", theirs - ours)):
            for pair in sorted(extra)[:10]:
                print("   ", sign, *pair)
    return 0 if worst >= 0.995 else 1


def main(packages: list[str]) -> int:
    if packages[:1] == ["--cruiser"]:
        return against_cruiser(packages[1], packages[2:])
    worst = 1.0
    print(f"{'package':14}{'options':22}{'grimp':>8}{'kgraph':>8}{'precision':>11}{'recall':>8}")
    for package in packages:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            print(f"{package}: not installed")
            return 2
        folder = spec.submodule_search_locations[0]
        for externals in (False, True):
            ours, lines, seconds = edges_of_kgraph(folder, externals)
            for type_checking in (True, False):
                theirs, known = edges_of_grimp(package, externals, type_checking)
                mine = {
                    edge
                    for edge, kind in ours.items()
                    if edge[0] in known and (type_checking or kind != "import-type")
                }
                both = len(mine & theirs)
                precision, recall = both / max(len(mine), 1), both / max(len(theirs), 1)
                worst = min(worst, precision, recall)
                options = ("externals" if externals else "internal") + (
                    "" if type_checking else ", run time"
                )
                print(
                    f"{package:14}{options:22}{len(theirs):8}{len(mine):8}{precision:11.4f}{recall:8.4f}"
                )
                for sign, extra in (("+", mine - theirs), ("-", theirs - mine)):
                    for edge in sorted(extra)[:10]:
                        print("   ", sign, *edge)
        print(f"{'':14}{lines:,} lines at {lines / seconds:,.0f} lines a second")
    return 0 if worst == 1.0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(PACKAGES)))
