"""The plan of the last run, kept beside the facts: where nothing has changed that it rests on, nothing is worked out again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence

from kgraph.code.checkout import Checkout
from kgraph.code.facts import CodeOptions, SourceFile
from kgraph.tuples import NamedTuple

_MOST = 8  # plans that are kept, of runs over different parts of a tree


class Rests(NamedTuple):
    """What a plan rests on: how it was made, the bytes of each file, and what of the checkout was looked at."""

    made_by: str
    files: Mapping[str, str]
    checkout: Mapping[str, str]


def digests(files: Sequence[SourceFile]) -> dict[str, str] | None:
    """The hash of each file; None if one can't be read."""
    found = {}
    try:
        for file in files:
            with open(file.path, "rb") as stream:
                found[file.uri] = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None
    return found


def recall(rests: Rests, options: CodeOptions, checkout: Checkout) -> list[list[str]] | None:
    """The units of a plan that was made of the same files; None if there is none, or if it can't be trusted."""
    try:
        with open(_path(rests, options), encoding="utf-8") as stream:
            head, body = stream.readline().strip(), stream.read()
    except (OSError, UnicodeDecodeError):
        return None
    if head != hashlib.sha256(body.encode()).hexdigest():
        return None
    seen, units = json.loads(body)
    if any(checkout.look(what) != told for what, told in seen.items()):
        return None
    found: list[list[str]] = units
    return found


def remember(rests: Rests, options: CodeOptions, units: Sequence[Sequence[str]]) -> None:
    path = _path(rests, options)
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    body = json.dumps([dict(rests.checkout), [list(unit) for unit in units]], separators=(",", ":"))
    part = f"{path}.{os.getpid()}"
    with open(part, "w", encoding="utf-8") as stream:
        stream.write(f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}")
    os.replace(part, path)
    kept = [entry.path for entry in os.scandir(folder) if entry.name.startswith("plan-")]
    for old in sorted(kept, key=os.path.getmtime)[:-_MOST]:
        os.unlink(old)


def _path(rests: Rests, options: CodeOptions) -> str:
    digest = hashlib.sha256(f"{rests.made_by}\0{options.level}".encode())
    for uri, told in sorted(rests.files.items()):
        digest.update(f"\0{uri}\0{told}".encode("utf-8", "surrogatepass"))
    return os.path.join(options.cache_folder, f"plan-{digest.hexdigest()[:40]}.json")
