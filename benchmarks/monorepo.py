"""A monorepo of many small files: ``python benchmarks/monorepo.py [FILES]`` (10,000).

Half of the files are Python, half TypeScript, in packages of fifty; each imports three others. Prints lines a second of processor time
on one core, and by how much the peak of memory grew, at two sizes, a tenth and the whole, for the extractor alone: memory beyond the
facts of the files would show as more kilobytes a file. Each size runs in a process of its own, since a peak never goes down.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from kgraph.code import CodeOptions, SourceFile, extract, plan

FILES = 10_000
IN_PACKAGE = 50
IMPORTED = 3


def make(root: str, count: int) -> list[SourceFile]:
    found = []
    for number in range(count):
        python = number % 2 == 0
        package = number // IN_PACKAGE
        others = [
            (number + step * 14 + 2) // 2 * 2 % count + (0 if python else 1)
            for step in range(IMPORTED)
        ]
        uri = f"p{package}/m{number}.{'py' if python else 'ts'}"
        path = os.path.join(root, uri)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                (_python if python else _typescript)(
                    number, [other for other in others if other < count]
                )
            )
        if python and number % IN_PACKAGE == 0:
            first = os.path.join(root, f"p{package}", "__init__.py")
            with open(first, "w", encoding="utf-8"):
                found.append(SourceFile(f"p{package}/__init__.py", first))
        found.append(SourceFile(uri, path))
    return found


def _python(number: int, others: list[int]) -> str:
    imports = "".join(f"from p{other // IN_PACKAGE} import m{other}\n" for other in others)
    body = "".join(
        f"\n\ndef f{step}(value: int) -> int:\n    total = value + {step}\n    return total * 2\n"
        for step in range(8)
    )
    return f'"""Module {number}."""\n\n{imports}{body}'


def _typescript(number: int, others: list[int]) -> str:
    imports = "".join(
        f"import {{ f0 as g{other} }} from '../p{other // IN_PACKAGE}/m{other}'\n"
        for other in others
    )
    body = "".join(
        f"\nexport function f{step}(value: number): number {{\n  const total = value + {step}\n  return total\n}}\n"
        for step in range(8)
    )
    return f"// Module {number}\n{imports}{body}"


def measure(root: str, count: int, level: str) -> None:
    files = make(root, count)
    before = _peak_megabytes()
    begun = time.process_time()
    planned = plan(files, root, CodeOptions(level, jobs=1))
    edges = unresolved = 0
    for unit in planned.units:  # one payload at a time, as a run does
        said = extract(unit, planned.known)
        edges += sum(edge["predicate"] == "DEPENDS_ON" for edge in said.payload["edges"])
        unresolved += len(said.unresolved)
    seconds = time.process_time() - begun
    lines = sum(found.facts.lines for found in planned.known.known.gathered.values() if found.facts)
    grown = _peak_megabytes() - before
    speed = lines / seconds
    print(
        f"{level:8}{len(files):8,}{lines:10,}{edges:9,}{unresolved:12,}{speed:12,.0f}{grown:9.0f}{grown * 1024 / len(files):9.1f}",
        flush=True,
    )


def _peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def main(arguments: list[str]) -> int:
    if len(arguments) == 2:
        with tempfile.TemporaryDirectory() as root:
            measure(root, int(arguments[0]), arguments[1])
        return 0
    count = int(arguments[0]) if arguments else FILES
    print(
        f"{'level':8}{'files':>8}{'lines':>10}{'edges':>9}{'unresolved':>12}{'lines/cpu s':>12}{'MB':>9}{'KB/file':>9}",
        flush=True,
    )
    for level in ("module", "symbol"):
        for size in (count // 10, count):
            subprocess.run([sys.executable, __file__, str(size), level], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
