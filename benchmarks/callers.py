"""Calls as kgraph maps them against a compiler: ``python benchmarks/callers.py --javac FOLDER …`` compiles Java sources and reads the
bytecode (``javac`` and ``javap`` have to be installed), ``--tsc TYPESCRIPT FOLDER …`` asks the checker of the TypeScript package in the
folder TYPESCRIPT (``…/node_modules/typescript``) which declaration each call means.

Precision: the share of our call edges that the compiler confirms. In Java an edge is confirmed if the caller's bytecode invokes a method
of that name on the callee's class or one above or below it; in TypeScript if the call's declaration is the callee. Recall, for TypeScript:
of the calls whose declaration is a function of the sources, the share that we give. Calls that may enter several methods are among these:
the checker names the declared one, we name none. Prints what differs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

from kgraph.code import CodeOptions, SourceFile, extract, plan

Edge = tuple[str, str, str, int, str]  # file, caller, callee, line, quote
_ASK = """
const [, , lib, root] = process.argv, ts = require(lib), fs = require('fs'), path = require('path');
const walk = folder => fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => entry.isDirectory()
  ? entry.name === 'node_modules' ? [] : walk(path.join(folder, entry.name))
  : /\\.(ts|tsx|js|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path.join(folder, entry.name)] : []);
const program = ts.createProgram(walk(root), { allowJs: true, target: 99, module: 99, moduleResolution: 100, noEmit: true, strict: true,
  skipLibCheck: true, allowImportingTsExtensions: true });
const checker = program.getTypeChecker(), said = [];
for (const file of program.getSourceFiles()) {
  if (file.isDeclarationFile || !file.fileName.startsWith(root)) continue;
  (function visit(node) {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const signature = checker.getResolvedSignature(node);
      let symbol = checker.getSymbolAtLocation(node.expression.name || node.expression);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      const found = [signature && signature.declaration, ...((symbol && symbol.declarations) || [])].filter(Boolean);
      said.push([path.relative(root, file.fileName), file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
        node.getText(file), found.map(one => { const home = one.getSourceFile();
          const line = at => home.getLineAndCharacterOfPosition(at).line + 1;
          return [path.relative(root, home.fileName), line(one.getStart(home)), line(one.end), !!one.body]; })]);
    }
    ts.forEachChild(node, visit);
  })(file);
}
process.stdout.write(JSON.stringify(said));
"""


def files_below(folder: str, endings: tuple[str, ...]) -> list[SourceFile]:
    found = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "node_modules")
        for name in sorted(names):
            if name.endswith(endings):
                path = os.path.join(here, name)
                found.append(SourceFile(os.path.relpath(path, folder).replace(os.sep, "/"), path))
    return found


def mapped(
    folder: str, endings: tuple[str, ...]
) -> tuple[list[Edge], dict[str, set[str]], dict[str, tuple[str, int, int]]]:
    """Our call edges, what each type inherits from, and where each symbol stands."""
    planned = plan(files_below(folder, endings), folder, CodeOptions("symbol"))
    calls, above, places = [], defaultdict(set), {}
    for unit in planned.units:
        payload = extract(unit, planned.known).payload
        names = {node.get("id", node["name"]): node for node in payload["nodes"]}
        for edge in payload["edges"]:
            source, target = names[edge["source"]]["name"], names[edge["target"]]["name"]
            if edge.get("kind") == "call":
                uri, _, line = edge["source_doc"].partition("#L")
                calls.append((uri, source, target, int(line.partition("-")[0]), edge["quote"]))
            elif edge.get("kind") == "inherits":
                above[source].add(target)
    for uri, found in planned.known.known.gathered.items():
        for symbol in found.facts.symbols if found.facts else ():
            places[f"{uri}.{symbol.name}"] = (uri, symbol.place.line, symbol.place.end_line)
    return calls, above, places


def invoked(folder: str) -> dict[str, set[tuple[str, str]]]:
    """Class → (class, method) that its bytecode invokes; classes without a name count as the one around them."""
    with tempfile.TemporaryDirectory() as out:
        sources = [file.path for file in files_below(folder, (".java",))]
        subprocess.run(
            ["javac", "-nowarn", "-proc:none", "-d", out, *sources], check=True, capture_output=True
        )
        classes = [
            os.path.join(here, name)
            for here, _, names in os.walk(out)
            for name in names
            if name.endswith(".class")
        ]
        text = subprocess.run(
            ["javap", "-c", "-p", *classes], check=True, capture_output=True, text=True
        ).stdout
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    here = ""
    for row in text.splitlines():
        head = re.match(r"[\w ]*?(?:class|interface|enum|record) ([\w.$]+)", row)
        call = re.search(
            r"invoke\w+.*// (?:Interface)?Method (?:([\w/$]+)\.)?\"?([\w$<>]+)\"?:", row
        )
        if head and row.endswith("{"):
            here = re.sub(r"\$\d.*", "", head.group(1)).replace("$", ".")
        elif call:
            found[here].add(
                ((call.group(1) or here).replace("/", ".").replace("$", "."), call.group(2))
            )
    return found


def lineage(name: str, above: dict[str, set[str]]) -> set[str]:
    found, queue = {name}, [name]
    while queue:
        for base in above.get(queue.pop(), ()):
            if base not in found:
                found.add(base)
                queue.append(base)
    return found


def against_javac(folder: str) -> float:
    calls, above, _ = mapped(folder, (".java",))
    code = invoked(folder)
    wrong = []
    for uri, caller, callee, line, _ in calls:
        owner, _, name = callee.rpartition(".")
        wanted = "<init>" if owner.rpartition(".")[2] == name else name
        here = caller if caller in code else caller.rpartition(".")[0]
        if not any(
            method == wanted and (owner in lineage(of, above) or of in lineage(owner, above))
            for of, method in code.get(here, ())
        ):
            wrong.append((uri, line, caller, callee))
    return report(folder, len(calls), wrong, None)


def against_tsc(folder: str, library: str) -> float:
    root = os.path.realpath(folder)
    calls, _, places = mapped(root, (".ts", ".tsx", ".js", ".mjs"))
    asked = subprocess.run(
        ["node", "-e", _ASK, "-", library, root], check=True, capture_output=True, text=True
    ).stdout
    said = {(uri, line, text): found for uri, line, text, found in json.loads(asked)}
    wrong, given = [], set()
    for uri, caller, callee, line, quote in calls:
        found = said.get((uri, line, quote), [])
        given.add((uri, line, quote))
        home = places.get(callee)
        if home is None or not any(
            of == home[0] and start <= home[2] and end >= home[1] for of, start, end, _ in found
        ):
            wrong.append((uri, line, caller, callee))
    ours = {home[0] for home in places.values()}
    real = {
        call
        for call, found in said.items()
        if any(of in ours and has_body for of, _, _, has_body in found)
    }
    return report(folder, len(calls), wrong, len(real & given) / max(len(real), 1))


def report(
    folder: str, count: int, wrong: list[tuple[str, int, str, str]], recall: float | None
) -> float:
    precision = 1 - len(wrong) / max(count, 1)
    print(
        f"{os.path.basename(folder.rstrip('/')):24}{count:8,} calls, precision {precision:.4f}",
        end="",
    )
    print(f", recall {recall:.3f}" if recall is not None else "")
    for entry in wrong[:10]:
        print("    ?", *entry)
    return precision


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--javac"] and len(arguments) > 1:
        return 0 if min(against_javac(folder) for folder in arguments[1:]) >= 0.99 else 1
    if arguments[:1] == ["--tsc"] and len(arguments) > 2:
        return (
            0
            if min(against_tsc(folder, os.path.realpath(arguments[1])) for folder in arguments[2:])
            >= 0.99
            else 1
        )
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
