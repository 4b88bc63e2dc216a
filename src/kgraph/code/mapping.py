"""The two steps: read all files and cut them into units, then map one unit."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from kgraph.code import builds, project, recipes, statements
from kgraph.code.checkout import Checkout
from kgraph.code.facts import CodeEntity, CodeOptions, FileFacts, Place, SourceFile
from kgraph.code.gather import FACTS_VERSION, Gathered, gather
from kgraph.code.languages import Linker, language_of, linker
from kgraph.code.payload import FileText, Payload, head_of
from kgraph.code.remembered import Rests, digests, recall, remember
from kgraph.errors import MissingExtra
from kgraph.model import Json, Unresolved
from kgraph.tuples import NamedTuple

PAYLOAD_VERSION = "11"  # of what mapping gives for the same facts; part of every unit's hash


class CodeUnit(NamedTuple):
    """One pass. ``files[0]`` is the unit's Source in listings. ``problem`` says why the unit can't be mapped, '' if it can;
    ``extra`` then names the extra that would help."""

    id: str
    kind: str  # module, package
    name: str
    files: tuple[SourceFile, ...]
    sha256: str  # of all that the payload depends on
    language: str
    problem: str = ""
    extra: str = ""
    optional: bool = False  # without its grammar the language is only counted, not asked for


class CodeExtraction(NamedTuple):
    """A payload of spec 1.3, and what was seen and could not be tied to anything. ``broken`` says where files could not be read on."""

    payload: dict[str, Json]
    unresolved: tuple[Unresolved, ...]
    broken: tuple[str, ...] = ()


class Known(NamedTuple):
    """What is known of all files of a run."""

    gathered: Mapping[str, Gathered]
    linkers: Mapping[str, Linker]  # by language family
    checkout: Checkout
    by_name: Mapping[str, CodeEntity]  # modules by name and by path


class CodeIndex:
    """What is known of all files of a run, worked out when it is first asked for. Opaque to callers."""

    def __init__(self, make: Callable[[], Known]) -> None:
        self._make = make

    @cached_property
    def known(self) -> Known:
        return self._make()


class CodePlan(NamedTuple):
    units: tuple[CodeUnit, ...]
    known: CodeIndex


def plan(files: Sequence[SourceFile], root: str, options: CodeOptions) -> CodePlan:
    """Read all files and cut them into units, in the order of their paths. ``root`` is the source root on disk.

    Raises nothing for a file that can't be read or whose language needs an extra: its unit says so.
    """
    wanted = sorted(file for file in files if language_of(file.uri) is not None)
    index = CodeIndex(lambda: _known(gather(wanted, options), Checkout(root), options))
    told = digests(wanted) if options.cache_folder else None
    rests = Rests(f"{FACTS_VERSION}/{PAYLOAD_VERSION}/{root}", told or {}, {})
    kept = recall(rests, options, Checkout(root)) if told else None
    if kept is not None:
        return CodePlan(tuple(_recalled(kept, wanted)), index)
    units = _units(index.known, options)
    if told and not any(unit.problem for unit in units):
        rows = [
            (
                one.id,
                one.kind,
                one.name,
                one.sha256,
                one.language,
                *(file.uri for file in one.files),
            )
            for one in units
        ]
        remember(rests._replace(checkout=index.known.checkout.seen()), options, rows)
    return CodePlan(tuple(units), index)


def _units(known: Known, options: CodeOptions) -> list[CodeUnit]:
    units = [_failed(found) for found in known.gathered.values() if found.facts is None]
    for family, found_linker in known.linkers.items():
        for shape in found_linker.units():
            members = tuple(known.gathered[uri].file for uri in shape.uris)
            unit = CodeUnit(shape.id, shape.kind, shape.name, members, "", family)
            units.append(unit._replace(sha256=_hash(unit, known, options)))
    return sorted(units, key=lambda unit: unit.id)


def _recalled(rows: Sequence[Sequence[str]], files: Sequence[SourceFile]) -> Iterator[CodeUnit]:
    by_uri = {file.uri: file for file in files}
    for name, kind, shown, sha256, language, *uris in rows:
        yield CodeUnit(name, kind, shown, tuple(by_uri[uri] for uri in uris), sha256, language)


def extract(unit: CodeUnit, index: CodeIndex) -> CodeExtraction:
    """The payload of one unit. Raises MissingExtra if the unit's language needs a library that isn't installed, and OSError if a
    file of it can no longer be read."""
    if unit.extra:
        raise MissingExtra(unit.problem.partition(" needs the extra")[0], unit.extra)
    if unit.problem:
        return CodeExtraction(
            {"nodes": [], "edges": []}, (Unresolved(unit.files[0].uri, 1, unit.name, unit.problem),)
        )
    payload = Payload()
    unresolved: list[Unresolved] = []
    for file in unit.files:
        unresolved += _map_file(_text(file), unit, index.known, payload)
    return CodeExtraction(payload.as_json(), tuple(unresolved), tuple(_broken(unit, index.known)))


def _broken(unit: CodeUnit, index: Known) -> Iterator[str]:
    for file in unit.files:
        facts = index.gathered[file.uri].facts
        for broken in facts.broken if facts is not None else ():
            yield f"{file.uri}:{broken.line}: {broken.reason}"


def _known(gathered: Sequence[Gathered], checkout: Checkout, options: CodeOptions) -> Known:
    families: dict[str, dict[str, FileFacts]] = {}
    for found in gathered:
        language = language_of(found.file.uri)
        if found.facts is not None and language is not None:
            families.setdefault(language.family, {})[found.file.uri] = found.facts
    linkers = {}
    for family, facts in families.items():
        row = language_of(next(iter(facts)))
        assert row is not None
        linkers[family] = linker(row)(facts, checkout, options.level)
    by_name: dict[str, CodeEntity] = {}
    for family, facts in families.items():
        for uri in facts if family != "project" else ():
            entity = linkers[family].entity(uri)
            by_name |= {entity.name: entity, uri: entity}
    return Known({found.file.uri: found for found in gathered}, linkers, checkout, by_name)


def _failed(found: Gathered) -> CodeUnit:
    language = language_of(found.file.uri)
    name = language.name if language else ""
    digest = hashlib.sha256(f"{found.sha256}\0{found.problem}".encode()).hexdigest()
    return CodeUnit(
        found.file.uri,
        "module",
        found.file.uri,
        (found.file,),
        digest,
        name,
        found.problem,
        found.extra,
        bool(found.extra) and language is not None and bool(language.folder),
    )


def _hash(unit: CodeUnit, index: Known, options: CodeOptions) -> str:
    digest = hashlib.sha256(f"{PAYLOAD_VERSION}\0{options.level}\0{unit.id}\0{unit.name}".encode())
    for file in unit.files:
        found = index.linkers[unit.language]
        said = (
            index.gathered[file.uri].sha256,
            found.ancestors(file.uri),
            found.links(file.uri),
            tuple(found.symbols(file.uri).values()),
            tuple(index.by_name) if unit.language == "project" else (),
        )
        digest.update(repr(said).encode("utf-8", "surrogatepass"))
    return f"{digest.hexdigest()}/{options.level}"


def _text(file: SourceFile) -> FileText:
    from kgraph.sources.encoding import decode

    with open(file.path, "rb") as stream:
        data = stream.read()
    return FileText(file.uri, hashlib.sha256(data).hexdigest(), decode(data).text)


def _map_file(file: FileText, unit: CodeUnit, index: Known, payload: Payload) -> list[Unresolved]:
    """Adds one file to its unit's payload."""
    facts = index.gathered[file.uri].facts
    assert facts is not None
    found = index.linkers[unit.language]
    links = found.links(file.uri)
    outside: dict[str, Json] = {"calls_outside": links.outside} if links.outside else {}
    source = payload.source(file, ({"generated": True} if facts.generated else {}) | outside)
    chain = found.ancestors(file.uri)
    if (
        facts.language == "project"
    ):  # a project is often called as the package in it, and then it is that package
        chain = [
            index.by_name.get(chain[0].name.replace("-", "_"), chain[0])._replace(
                description=chain[0].description
            )
        ]
    payload.edge("MENTIONS", source, payload.entity(chain[0]), head_of(file))
    for child, parent in pairwise(chain):
        payload.edge("PARENT_OF", payload.entity(_bare(parent)), payload.entity(child))
    _map_symbols(file, facts, found, payload)
    for link in links.dependencies:
        ends = payload.entity(_bare(link.source)), payload.entity(_bare(link.target))
        payload.edge("DEPENDS_ON", *ends, (file, link.place), kind=link.kind)
    if facts.language == "project":
        project.state(file, source, index.by_name, payload)
        if os.path.basename(file.uri) in recipes.NAMES:
            recipes.state(file, source, index.checkout, payload)
    if os.path.basename(file.uri) in builds.NAMES:
        builds.state(file, source, index.checkout, payload)
    if facts.language != "project":
        statements.state(file, facts, chain[0], payload)
        statements.suite(file, facts, links, payload, _path)
    told = [
        Unresolved(file.uri, broken.line, os.path.basename(file.uri), broken.reason)
        for broken in facts.broken
    ]
    return told + [
        Unresolved(file.uri, loose.line, loose.name, loose.reason) for loose in links.loose
    ]


def _path(entity: CodeEntity) -> str:
    return dict(entity.attrs).get("path", "")


def _map_symbols(file: FileText, facts: FileFacts, found: Linker, payload: Payload) -> None:
    """Functions and classes, each below what holds it."""
    symbols = found.symbols(file.uri)
    places = {
        symbol.name: _first_line(file.text, symbol.place) for symbol in reversed(facts.symbols)
    }
    for name in reversed(places if symbols else ()):
        holder = re.split(r"(?:\.|::)(?!.*(?:\.|::))", name)[0]
        parent = (symbols.get(holder) if holder != name else None) or found.entity(file.uri)
        if parent != symbols[name]:
            payload.edge(
                "PARENT_OF",
                payload.entity(_bare(parent)),
                payload.entity(symbols[name]),
                (file, places[name]),
            )


def _first_line(text: str, place: Place) -> Place:
    rows = text[place.start : place.end].splitlines()
    return Place(
        place.line, place.line, place.start, place.start + len(rows[0]) if rows else place.end
    )


def _bare(entity: CodeEntity) -> CodeEntity:
    """As another unit names it: what describes an entity is said once, by its own unit."""
    return entity._replace(description="")
