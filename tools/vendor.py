"""Make the plugin's copy of the engine, or say where it differs: ``python tools/vendor.py [--check]``.

The copy is the package as it is, without what only its developers need. Parts that want an optional library come along: they
answer with the one install command where it is missing, and work where it is there.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "src", "kgraph")
COPY = os.path.join(ROOT, "plugins", "karpathy-graph", "scripts", "vendor", "kgraph")
LEFT_OUT = frozenset(
    {"testing", "py.typed"}
)  # the contract suites and the type marker: for developers


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 when the copy is out of date"
    )
    stale = differences(PACKAGE, COPY)
    if options.parse_args().check:
        for name, what in stale:
            print(f"{what}: {name}", file=sys.stderr)
        if stale:
            print("run: python tools/vendor.py", file=sys.stderr)
        return 1 if stale else 0
    for name, what in stale:
        _apply(name, what)
    print(f"{len(stale)} files changed in {os.path.relpath(COPY, ROOT)}")
    return 0


def wanted(package: str) -> list[str]:
    """Paths below ``package``, with '/', of all files that belong into the copy, sorted."""
    found = []
    for folder, folders, files in os.walk(package):
        relative = os.path.relpath(folder, package)
        folders[:] = [name for name in folders if name != "__pycache__" and name not in LEFT_OUT]
        for name in files:
            if (
                name not in LEFT_OUT
                and not name.endswith((".pyc", ".pyo"))
                and not name.startswith(".")
            ):
                found.append(os.path.normpath(os.path.join(relative, name)).replace(os.sep, "/"))
    return sorted(found)


def differences(package: str, copy: str) -> list[tuple[str, str]]:
    """(path, 'missing' | 'changed' | 'foreign') for each file in which the copy isn't the package."""
    here, there = wanted(package), wanted(copy)
    both = set(here) & set(there)
    _, changed, unreadable = filecmp.cmpfiles(package, copy, sorted(both), shallow=False)
    return sorted(
        [(name, "missing") for name in set(here) - both]
        + [(name, "foreign") for name in set(there) - both]
        + [(name, "changed") for name in changed + unreadable]
    )


def _apply(name: str, what: str) -> None:
    target = os.path.join(COPY, name)
    if what == "foreign":
        os.remove(target)
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(os.path.join(PACKAGE, name), target)


if __name__ == "__main__":
    sys.exit(main())
