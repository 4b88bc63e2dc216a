"""Build the plugin's engine, one zip archive, or say whether it is current: ``python tools/archive.py [--check] [--to PATH]``.

The archive holds the package as it is, without what only its developers need. Parts that want an optional library come along: they
answer with the one install command where it is missing, and work where it is there. Its comment is the SHA-256 of its names and
contents, which the launcher takes as the name of its cache, and which ``--check`` compares with the source.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(ROOT, "src")
ARCHIVE = os.path.join(ROOT, "plugins", "karpathy-graph", "scripts", "engine.zip")
LEFT_OUT = frozenset({"testing", "py.typed"})  # for developers: contract suites, type marker
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: the same source, the same bytes


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if it is stale")
    parser.add_argument("--to", default=ARCHIVE, metavar="PATH", help="where it is written")
    options = parser.parse_args(arguments)
    if options.check:
        stale = difference(SOURCE, options.to)
        if stale:
            print(f"{stale}; run: python tools/archive.py", file=sys.stderr)
        return 1 if stale else 0
    digest = build(SOURCE, options.to)
    size = os.path.getsize(options.to)
    print(f"{os.path.relpath(options.to)}: {size:,} bytes, content {digest[:16]}")
    return 0


def build(source: str, target: str) -> str:
    """Write the archive of the package below ``source``; its content hash."""
    members = contents(source)
    digest = content_hash(members)
    beside = target + ".part"
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.comment = digest.encode("ascii")
        for name, data in members:
            member = zipfile.ZipInfo(name, EPOCH)
            member.create_system = 3
            member.external_attr = 0o644 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    os.replace(beside, target)
    return digest


def difference(source: str, target: str) -> str:
    """In which way the archive isn't the package, in a sentence; '' when it is."""
    place = os.path.relpath(target)
    try:
        with zipfile.ZipFile(target) as archive:
            stated = archive.comment.decode("ascii", "replace")
            held = [(name, archive.read(name)) for name in archive.namelist()]
    except FileNotFoundError:
        return f"{place} is not there"
    except (zipfile.BadZipFile, OSError) as error:
        return f"{place} can't be read ({error})"
    if content_hash(held) != stated:
        return f"{place} is damaged: its contents have another hash than it states"
    here, there = dict(contents(source)), dict(held)
    differing = sorted(
        name for name in here.keys() | there.keys() if here.get(name) != there.get(name)
    )
    return f"{place} differs in {', '.join(differing[:5])} ({len(differing)})" if differing else ""


def contents(source: str) -> list[tuple[str, bytes]]:
    """(path with '/', bytes) of every file that belongs into the archive, sorted: the package, and the pages beside it."""
    found = []
    for folder, folders, files in os.walk(os.path.join(source, "kgraph")):
        folders[:] = [name for name in folders if name != "__pycache__" and name not in LEFT_OUT]
        for name in files:
            if name in LEFT_OUT or name.startswith(".") or name.endswith((".pyc", ".pyo")):
                continue
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found.append((os.path.relpath(path, source).replace(os.sep, "/"), file.read()))
    plugin = os.path.join(os.path.dirname(source), "plugins", "karpathy-graph")
    for part in ("agents", "references", "skills"):  # what `kgraph install` writes
        for folder, _, files in os.walk(os.path.join(plugin, part)):
            for name in files:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    place = os.path.relpath(path, plugin).replace(os.sep, "/")
                    found.append((f"kgraph/plugin/{place}", file.read()))
    return sorted(found)


def content_hash(members: list[tuple[str, bytes]]) -> str:
    """SHA-256 over each name and the hash of its bytes: what is in the archive, however it was packed."""
    lines = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(members))
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
