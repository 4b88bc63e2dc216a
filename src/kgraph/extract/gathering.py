"""From paths to work: which units there are, which of them are unchanged, which documents have gone. Reads files, writes nothing."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence, Set

from kgraph import code
from kgraph.code import CodeIndex, CodeUnit
from kgraph.errors import KgraphError, MissingExtra, UsageError
from kgraph.extract.ledger import (
    DOCUMENT,
    UNIT,
    DocumentEntry,
    Place,
    UnitEntry,
    document_entries,
    gone_event,
    moved_event,
    unit_entries,
)
from kgraph.extract.prompt import parts_of
from kgraph.extract.store import Store
from kgraph.model import Document, Json, Unit
from kgraph.sources import (
    WITHOUT_TEXT,
    File,
    Limits,
    Rules,
    Unreadable,
    as_uri,
    is_utf8,
    on_disk,
    read_bytes,
    walk,
)
from kgraph.sources.limits import DEFAULT
from kgraph.sources.reading import load
from kgraph.tuples import NamedTuple
from kgraph.units import cut, halve, tokens

LAST = "\U0010ffff"
_MOST_FOLDERS = 20_000  # around what is mapped, that are looked through for what its names mean


class Task(NamedTuple):
    """One unit that has to be extracted. Exactly one of ``unit`` and ``code_unit`` is set. ``former``: what is known of its last time."""

    id: str
    sources: tuple[str, ...]
    sha256: str
    tokens: int
    former: UnitEntry | None
    unit: Unit | None = None
    code_unit: CodeUnit | None = None


class Renamed(NamedTuple):
    """What a document was called before, and the notes that tell its units' new names."""

    entry: DocumentEntry
    notes: tuple[dict[str, Json], ...]


class Group(NamedTuple):
    """What is replaced together: the units of a document, or one unit of code. ``ended``: former units that are no more."""

    key: str
    files: tuple[File, ...]
    documents: tuple[DocumentEntry, ...]  # as they are to be known once all of it is finished
    tasks: tuple[Task, ...]
    unchanged: tuple[UnitEntry, ...]
    ended: tuple[UnitEntry, ...]
    read: Document | None = (
        None  # the text as it is now, for the citations of units that are unchanged in a file that isn't
    )
    renamed: Renamed | None = None

    @property
    def fresh(self) -> bool:
        """Nothing of it was extracted before, so nothing has to be replaced."""
        return (
            not self.ended
            and not self.unchanged
            and all(task.former is None or not task.former.places for task in self.tasks)
        )


class Unread(NamedTuple):
    """A file that is there and can't be read. Its old facts stay."""

    uri: str
    reason: str
    hint: str = ""


class Work(NamedTuple):
    """Everything that a run will do, in the order of the units' ids. ``code_index`` is what the code extractor knows of all files."""

    groups: tuple[Group, ...]
    unread: tuple[Unread, ...]
    vanished: tuple[DocumentEntry, ...]
    known: Mapping[str, DocumentEntry]  # documents that the ledger has, below the given paths
    skipped_files: Mapping[str, tuple[str, ...]]  # by reason
    code_index: CodeIndex | None


class Scope(NamedTuple):
    """``maker`` names extractor and model; ``own_folders`` are never read (the graphs' own)."""

    paths: tuple[str, ...]
    maker: str
    unit_tokens: int
    again: bool
    own_folders: tuple[str, ...] = ()
    limits: Limits = DEFAULT
    code_level: str = ""  # '' as the graph has it, 'module' where it has none
    ignore: tuple[str, ...] = ()  # patterns, as of an ignore file in the source root


def gather(store: Store, scope: Scope) -> Work:
    """Raises UsageError for a path that isn't there and never was extracted from."""
    root = store.source_root
    for path in scope.paths:
        if not is_utf8(_uri(path, root)):
            raise UsageError(
                f"the name '{path}' is not UTF-8, so nothing could be cited by it",
                "give the file another name",
            )
    known = _known(store, scope)
    present, absent = _parted(scope.paths)
    for path in absent:
        if not any(
            uri == (given := _uri(path, root)) or uri.startswith(given + "/") for uri in known
        ):
            raise UsageError(f"there is no '{path}'", "give a file or a folder")
    walked = walk(
        present,
        root,
        Rules(file_bytes=scope.limits.file_bytes, excluded=scope.own_folders, ignore=scope.ignore),
    )
    reading = _Reading(store, scope, known, {file.uri for file in walked.files})
    groups: list[Group] = []
    code_files: list[File] = []
    for file in walked.files:
        if code.language_of(file.uri) is not None:
            code_files.append(file)
        elif language := code.unmapped(file.uri):
            reading.without_text.append((f"{language} is not mapped", file.uri))
        else:
            groups += reading.document(file)
    code_groups, index = reading.code_units(code_files, _beside(scope, root, code_files))
    groups += code_groups
    skipped = {
        reason: found for reason, found in walked.skipped.items() if reason != "excluded"
    }  # the graphs' own folder
    for reason, uri in reading.without_text:
        skipped[reason] = (*skipped.get(reason, ()), uri)
    there = {file.uri for file in walked.files}
    there |= reading.renamed
    missing = [entry for uri, entry in sorted(known.items()) if uri not in there and not entry.gone]
    vanished = tuple(entry for entry in missing if reading.has_gone(entry))
    return Work(
        tuple(sorted(groups, key=lambda group: group.key)),
        tuple(reading.unread),
        vanished,
        reading.known,
        skipped,
        index,
    )


def _beside(scope: Scope, root: str, given: Sequence[File]) -> list[File]:
    """The code that lies around what is to be mapped: a name means what it would mean if all of it was. None where that is no end of
    folders, as when the source root is a home."""
    if not given or any(os.path.realpath(path) == os.path.realpath(root) for path in scope.paths):
        return []
    folders = sum(1 for _ in zip(range(_MOST_FOLDERS), os.walk(root), strict=False))
    if folders == _MOST_FOLDERS:
        return []
    rules = Rules(
        file_bytes=scope.limits.file_bytes, excluded=scope.own_folders, ignore=scope.ignore
    )
    known = {file.uri for file in given}
    return [
        file
        for file in walk([root], root, rules).files
        if file.uri not in known and code.language_of(file.uri) is not None
    ]


def _known(store: Store, scope: Scope) -> dict[str, DocumentEntry]:
    """What the ledger has of documents below the given paths."""
    found: dict[str, DocumentEntry] = {}
    for path in scope.paths:
        uri = _uri(path, store.source_root)
        found |= document_entries(store.notes_of(DOCUMENT, uri, uri))
        below = "" if uri == "." else uri + "/"
        found |= document_entries(store.notes_of(DOCUMENT, below, below + LAST))
    return found


def _uri(path: str, root: str) -> str:
    real = os.path.realpath(path)
    relative = os.path.relpath(real, os.path.realpath(root))
    return as_uri(real if relative.startswith("..") else relative)


def _parted(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    present: list[str] = []
    absent: list[str] = []
    for path in paths:
        (present if os.path.exists(path) else absent).append(path)
    return present, absent


class _Reading:
    """Reads files one by one and compares them with the ledger."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        known: Mapping[str, DocumentEntry],
        there: Set[str] = frozenset(),
    ) -> None:
        self._store = store
        self._scope = scope
        self.known = known
        self.renamed: set[str] = set()  # former addresses of files that are elsewhere now
        self._lost = _by_digest(entry for uri, entry in known.items() if uri not in there)
        self.unread: list[Unread] = []
        self.without_text: list[
            tuple[str, str]
        ] = []  # reasons and uris of files that turned out to have none

    def document(self, file: File) -> list[Group]:
        try:
            data = load(file.path, self._scope.limits)
            entry = self.known.get(file.uri)
            former = self._former([entry] if entry else [])
            digest = f"{hashlib.sha256(data).hexdigest()}/{self._scope.unit_tokens}"
            if self._is_unchanged(entry, former, digest):
                return [Group(file.uri, (file,), (), (), tuple(former.values()), ())]
            if (moved := self._moved(file, entry, data, digest)) is not None:
                return [moved]
            document = read_bytes(data, file.uri, path=file.path, limits=self._scope.limits)
        except Unreadable as problem:
            if problem.reason in WITHOUT_TEXT and not file.named:
                self.without_text.append((problem.reason, file.uri))
            else:
                self.unread.append(Unread(file.uri, str(problem)))
            return []
        except MissingExtra as problem:
            self.unread.append(Unread(file.uri, problem.message, problem.hint))
            return []
        units = cut(document, self._scope.unit_tokens)
        tasks = [_task(unit, former) for unit in units]
        return [self._compared(file.uri, (file,), tasks, former, digest)._replace(read=document)]

    def _moved(
        self, file: File, known: DocumentEntry | None, data: bytes, digest: str
    ) -> Group | None:
        """The group of a file that has another's bytes, where that one was read and is gone: it was renamed, and nothing is read again."""
        old = self._lost.get(digest)
        if old is None or old.uri in self.renamed or (known is not None and not known.gone):
            return None
        former = self._former([old])
        if not self._is_unchanged(old, former, digest):
            return None
        self.renamed.add(old.uri)
        document = read_bytes(data, file.uri, path=file.path, limits=self._scope.limits)
        hashes = {unit.id: unit.sha256 for unit in cut(document, self._scope.unit_tokens)}
        names = {
            entry.unit: file.uri + entry.unit.removeprefix(old.uri) for entry in former.values()
        }
        notes = [gone_event(entry) for entry in former.values()]
        for entry in former.values():
            name = names[entry.unit]
            notes.append(moved_event(entry, name, file.uri, hashes.get(name, entry.sha256)))
        now = old._replace(
            uri=file.uri, name=os.path.basename(file.uri), units=tuple(sorted(names.values()))
        )
        renamed = Renamed(old, tuple(notes))
        return Group(file.uri, (file,), (now,), (), tuple(former.values()), (), document, renamed)

    def _is_unchanged(
        self, entry: DocumentEntry | None, former: Mapping[str, UnitEntry], digest: str
    ) -> bool:
        if entry is None or entry.gone or self._scope.again or not former or entry.sha256 != digest:
            return False
        return all(self._still_holds(unit) for unit in former.values())

    def _still_holds(self, unit: UnitEntry) -> bool:
        """Finished by the same maker, and not taken back since. What a model or an agent did is good enough for the offline extractor:
        a run that forgets to name the model must not put less in its place."""
        if not unit.finished or self._scope.maker not in (unit.maker, "offline"):
            return False
        if not unit.places or any(self._store.lives(place) for place in unit.places):
            return True
        return any(self._store.withheld(place) for place in unit.places)

    def _former(self, entries: Sequence[DocumentEntry]) -> dict[str, UnitEntry]:
        found: dict[str, UnitEntry] = {}
        for entry in entries:
            for name in entry.units:
                found |= unit_entries(self._store.notes_of(UNIT, name, name))
        return found

    def _compared(
        self,
        key: str,
        files: tuple[File, ...],
        tasks: Sequence[Task],
        former: Mapping[str, UnitEntry],
        digest: str = "",
    ) -> Group:
        """Tasks whose unit is unchanged fall out, and so do the parts of one that was split."""
        wanted: list[Task] = []
        unchanged: list[UnitEntry] = []
        seen: set[str] = set()
        for task in tasks:
            seen.add(task.id)
            entry = task.former
            if (
                entry is not None
                and entry.sha256 == task.sha256
                and not self._scope.again
                and self._still_holds(entry)
            ):
                unchanged.append(entry)
                if entry.parts:
                    more, kept = self._parts(task, entry, former, seen)
                    wanted += more
                    unchanged += kept
            else:
                wanted.append(task)
        ended = tuple(entry for name, entry in former.items() if name not in seen)
        names = [*(task.id for task in wanted), *(entry.unit for entry in unchanged)]
        # Code has no digest of its own here: where nothing is to do, nothing is to be noted.
        noted = files if digest or wanted or ended else ()
        documents = tuple(self._entry(file, sorted(names), digest) for file in noted)
        return Group(key, files, documents, tuple(wanted), tuple(unchanged), ended)

    def _parts(
        self, task: Task, entry: UnitEntry, former: Mapping[str, UnitEntry], seen: set[str]
    ) -> tuple[list[Task], list[UnitEntry]]:
        """A unit that was split before: its parts, done and still to do."""
        found = parts_when_split(task.unit) if task.unit is not None else []
        wanted: list[Task] = []
        kept: list[UnitEntry] = []
        for part in found:
            seen.add(part.id)
            known = former.get(part.id)
            half = _task(part, former)
            if known is not None and known.sha256 == part.sha256 and self._still_holds(known):
                kept.append(known)
                if known.parts:
                    more, further = self._parts(half, known, former, seen)
                    wanted, kept = wanted + more, kept + further
            else:
                wanted.append(half)
        return wanted, kept

    def _entry(self, file: File, units: Sequence[str], digest: str) -> DocumentEntry:
        known = self.known.get(file.uri)
        name = os.path.basename(file.uri)
        place: Place | None = known.asserted if known and not known.gone else None
        return DocumentEntry(
            file.uri, name, known.source_id if known else "", "", digest, tuple(units), place, False
        )

    def has_gone(self, entry: DocumentEntry) -> bool:
        """Whether a document that the walk didn't give is no longer there, or was put out of scope by an ignore rule."""
        path = on_disk(self._store.source_root, entry.uri)
        if not os.path.lexists(path):
            return True
        reason = (
            next((file.note for file in walk([path], self._store.source_root).files), "")
            if os.path.exists(path)
            else "broken link"
        )
        if reason in ("", "ignored"):
            return True
        self.unread.append(Unread(entry.uri, f"it was read before and can't be read now: {reason}"))
        return False

    # -- code ----------------------------------------------------------------------------------------------------------------------

    def code_units(
        self, files: Sequence[File], beside: Sequence[File]
    ) -> tuple[list[Group], CodeIndex | None]:
        """Modules and packages. What one means depends on all the others, so all of them are read each time: what lies ``beside`` the
        given files, too, and what of that is in the graph and has come to mean something else is mapped anew."""
        if not files:
            return [], None
        if beside:
            self.known = {**self._everything(), **self.known}
        every = self.known
        by_uri = {file.uri: file for file in (*files, *beside)}
        level = self._scope.code_level or self._level(every)
        options = code.CodeOptions(
            level, cache_folder=os.path.join(self._store.folder, "cache", "code")
        )
        plan = code.plan(
            [code.SourceFile(file.uri, file.path) for file in by_uri.values()],
            self._store.source_root,
            options,
        )
        given = {file.uri for file in files}
        groups = []
        for unit in plan.units:
            members = tuple(by_uri[file.uri] for file in unit.files)
            asked = any(file.uri in given for file in members)
            if asked or self._scope.maker == "offline":
                former = self._former([every[file.uri] for file in members if file.uri in every])
                known = former.get(unit.id)
                if asked or (known is not None and _at_level(known.sha256) == level):
                    groups += self._code_unit(unit, members, former, asked)
        return groups, plan.known

    def _everything(self) -> Mapping[str, DocumentEntry]:
        """What the ledger has of all documents."""
        return document_entries(self._store.notes_of(DOCUMENT, "", LAST))

    def _level(self, entries: Mapping[str, DocumentEntry]) -> str:
        """How deep the code of the graph was mapped."""
        for entry in entries.values():
            if not entry.gone and code.language_of(entry.uri) is not None:
                for unit in self._former([entry]).values():
                    if _at_level(unit.sha256) == "symbol":
                        return "symbol"
        return "module"

    def _code_unit(
        self,
        unit: CodeUnit,
        members: tuple[File, ...],
        former: Mapping[str, UnitEntry],
        asked: bool,
    ) -> list[Group]:
        """What is to be done about one unit; nothing for one that can't be mapped, or that lies beside and means what it meant."""
        if unit.problem and not asked:
            return []
        if unit.problem and unit.optional:
            told = (
                f"{unit.problem.partition(' code')[0].removeprefix('reading ')} is not mapped here"
            )
            reason = f"{told}: pip install 'karpathy-graph[{unit.extra}]'"
            self.without_text += [(reason, file.uri) for file in members]
            return []
        if unit.problem:
            hint = f"pip install 'karpathy-graph[{unit.extra}]'" if unit.extra else ""
            self.unread.append(Unread(members[0].uri, unit.problem, hint))
            return []
        if self._scope.maker != "offline":
            return self._code_as_text(unit, members, former)
        sources = tuple(file.uri for file in members)
        size = sum(os.path.getsize(file.path) for file in members) // 3
        task = Task(unit.id, sources, unit.sha256, size, former.get(unit.id), code_unit=unit)
        group = self._compared(unit.id, members, [task], former)
        return [group] if asked or group.tasks else []

    def _code_as_text(
        self, unit: CodeUnit, members: tuple[File, ...], former: Mapping[str, UnitEntry]
    ) -> list[Group]:
        """A module or package as a model reads it."""
        documents: list[Document] = []
        for file in members:
            try:
                documents.append(
                    read_bytes(
                        load(file.path, self._scope.limits),
                        file.uri,
                        path=file.path,
                        limits=self._scope.limits,
                    )
                )
            except (Unreadable, KgraphError) as problem:
                self.unread.append(Unread(file.uri, str(problem)))
                return []
        digest = hashlib.sha256(
            "\0".join((unit.id, *(document.sha256 for document in documents))).encode()
        ).hexdigest()
        whole = Unit(unit.id, unit.kind, tuple(documents), (), (), digest)
        units = [whole]
        if tokens_of(whole) > self._scope.unit_tokens:
            units = [
                part for document in documents for part in cut(document, self._scope.unit_tokens)
            ]
        return [self._compared(unit.id, members, [_task(one, former) for one in units], former)]


def _at_level(digest: str) -> str:
    """How deep a unit of code was mapped, by the hash of all that it said."""
    return digest.partition("/")[2]


def _by_digest(entries: Iterable[DocumentEntry]) -> dict[str, DocumentEntry]:
    """Documents by their bytes, of those that no other document shares them with."""
    found: dict[str, list[DocumentEntry]] = {}
    for entry in entries:
        if entry.sha256 and entry.source_id and not entry.gone:
            found.setdefault(entry.sha256, []).append(entry)
    return {digest: some[0] for digest, some in found.items() if len(some) == 1}


def _task(unit: Unit, former: Mapping[str, UnitEntry]) -> Task:
    return Task(unit.id, uris_of(unit), unit.sha256, tokens_of(unit), former.get(unit.id), unit)


def parts_when_split(unit: Unit) -> list[Unit]:
    """The smaller units that stand for this one, or none if it can't be split."""
    parts = halve(unit)
    return [] if len(parts) == 1 and parts[0].id == unit.id else parts


def uris_of(unit: Unit) -> tuple[str, ...]:
    return tuple(document.uri for document in unit.documents)


def tokens_of(unit: Unit) -> int:
    return sum(tokens(part.text) for part in parts_of(unit))
