"""Ties what the files of one family import and refer to. A name is tied where it has one meaning; nothing is guessed beyond that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.facts import CodeEntity, Dependency, FileFacts, Import, Links, Loose, Place
from kgraph.code.languages import UnitShape
from kgraph.code.naming import told_apart
from kgraph.code.places import first_sentence
from kgraph.code.suites import is_of_tests
from kgraph.code.tagged.clauses import Clause, clauses
from kgraph.code.tagged.files import Files, literal
from kgraph.code.tagged.rules import Imports, Rules, rules
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

_CLASSES = (
    "class",
    "type",
    "interface",
    "module",
    "struct",
    "trait",
    "object",
    "enum",
    "table",
    "view",
    "message",
    "service",
)
_BESIDE = re.compile(r"__DIR__|__FILE__|BASH_SOURCE|dirname\b[^)]*\$0")  # seen from the file itself
_MOST_COMMON = 3  # letters: a method's name of no more says nothing of whose it is


class Found(NamedTuple):
    """A definition: its file and its name inside the file."""

    uri: str
    name: str


class Meaning(NamedTuple):
    """What an import brings: files, a namespace or folder of the run, or something outside; and what it is called here."""

    files: tuple[str, ...] = ()
    space: str = ""
    outside: str = ""
    alias: str = ""
    missing: str = ""  # why it means nothing


class TaggedLinker:
    """All files of a family."""

    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        self._files = files
        self._checkout = checkout
        self._level = level
        self._paths = Files(files)
        self._folders = {folder for uri in files for folder in _above(uri)}
        self._rules = {uri: rules(facts.language) for uri, facts in files.items()}
        self._by_last: dict[str, list[Found]] = {}
        self._kinds: dict[Found, str] = {}
        self._local: set[Found] = set()
        self._spaces: dict[str, list[str]] = {}
        self._by_full: dict[str, list[Found]] = {}
        for uri, facts in files.items():
            self._add(uri, facts)
        self._tops = {space.partition(".")[0] for space in self._spaces}
        self._imported: dict[str, list[tuple[Import, Meaning]]] = {}
        self._reach: dict[str, list[str]] = {}
        self._symbols: dict[str, Mapping[str, CodeEntity]] = {}

    def _add(self, uri: str, facts: FileFacts) -> None:
        space = self._space_of(uri)
        if space:
            self._spaces.setdefault(space, []).append(uri)
        for name, kind, local in facts.body["defs"]:
            found = Found(uri, name)
            self._by_last.setdefault(self._key(uri, name.rpartition(".")[2]), []).append(found)
            self._by_full.setdefault(
                f"{space}.{name}" if space and self._rules[uri].declared else name, []
            ).append(found)
            self._kinds[found] = kind
            if local:
                self._local.add(found)

    def _key(self, uri: str, name: str) -> str:
        return fold(name) if self._rules[uri].fold else name

    # -- the linker's questions --------------------------------------------------------------------------------------------------------

    def units(self) -> list[UnitShape]:
        return [UnitShape(uri, "module", uri, (uri,)) for uri in self._files]

    def entity(self, uri: str) -> CodeEntity:
        facts = self._files[uri]
        attrs = (("language", facts.language), ("path", uri))
        return CodeEntity(uri, "module", "", first_sentence(facts.doc), attrs)

    def ancestors(self, uri: str) -> list[CodeEntity]:
        space = self._space_of(uri)
        return [self.entity(uri), self._space(space, uri)] if space else [self.entity(uri)]

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        if uri not in self._symbols:
            self._symbols[uri] = (
                told_apart(dict(self._named(uri))) if self._level == "symbol" else {}
            )
        return self._symbols[uri]

    def links(self, uri: str) -> Links:
        here = self.entity(uri)
        dependencies: dict[Dependency, None] = {}
        loose: list[Loose] = []
        for found, meaning in self._meanings(uri):
            if meaning.missing:
                loose.append(Loose(found.place.line, _short(found.target), meaning.missing))
            for target in self._targets(meaning, uri):
                if target != here:
                    dependencies[Dependency(here, target, found.kind, found.place)] = None
        outside = 0
        for kind, name, receiver, scope, place in self._files[uri].body["refs"]:
            outside += not self._refer(
                uri, (kind, name, receiver, scope), Place(*place), (dependencies, loose)
            )
        return Links(tuple(dependencies), tuple(loose), outside)

    # -- names -------------------------------------------------------------------------------------------------------------------------

    def _named(self, uri: str) -> Iterator[tuple[str, CodeEntity]]:
        facts, space = self._files[uri], self._space_of(uri)
        declared = self._rules[uri].declared
        home = space if declared and space else "" if declared else uri
        for symbol in facts.symbols:
            full = f"{home}.{symbol.name}" if home else symbol.name
            attrs = (("language", facts.language), ("path", uri))
            yield symbol.name, CodeEntity(full, symbol.kind, "", first_sentence(symbol.doc), attrs)

    def _space_of(self, uri: str) -> str:
        """The namespace that a file declares, the folder whose files are one module, or the module that its folder is."""
        how = self._rules[uri]
        if how.imports.by == "folder":
            return parent_folder(uri) or "."
        if how.imports.by == "module":
            return next((name for name, _ in _modules(uri, how.imports.roots)), "")
        return self._files[uri].module if how.declared else ""

    def _space(self, name: str, uri: str) -> CodeEntity:
        facts = self._files[uri]
        attrs: list[tuple[str, str]] = [("language", facts.language)]
        if self._rules[uri].imports.by == "folder":
            attrs.append(("path", name))
        else:
            attrs.append(("namespace", "true"))
        return CodeEntity(name, "package", "", "", tuple(attrs))

    # -- imports -----------------------------------------------------------------------------------------------------------------------

    def _meanings(self, uri: str) -> list[tuple[Import, Meaning]]:
        if uri not in self._imported:
            self._imported[uri] = [
                (found, meaning)
                for found in self._files[uri].imports
                for meaning in self._mean(found, uri)
            ]
        return self._imported[uri]

    def _mean(self, found: Import, uri: str) -> Iterator[Meaning]:
        how = self._rules[uri].imports
        alias = found.names[0][1] if found.names else ""
        if found.form == "clause":
            for clause in clauses(found.target):
                yield self._by_clause(clause, uri, how)
        elif found.form == "outside":
            yield Meaning(outside=found.target, alias=alias)
        elif how.by == "folder":
            yield self._by_folder(found.target, uri)
        else:
            yield self._by_path(found, uri, how)._replace(alias=alias)

    def _by_path(self, found: Import, uri: str, how: Imports) -> Meaning:
        path = literal(found.target)
        if not path:
            return Meaning(missing="put together when it runs")
        beside = bool(_BESIDE.search(found.target))
        near = beside or (found.form in ("path", "relative") and path == found.target.strip("\"'"))
        if path in how.system and (found.form == "system" or how.strict and not near):
            return Meaning(outside=path)
        if any(path.startswith(one) for one in how.system if one.endswith("/")):
            return Meaning(outside=path)
        files = self._proper(self._paths.find(path, uri, how, near), uri)
        if found.form == "relative" or beside:
            files = [
                one
                for one in files
                if one
                in {join(parent_folder(uri), candidate) for candidate in self._near(path, how)}
            ]
        if len(files) > 1:
            return Meaning(
                missing="several files of that name, none of them nearer than the others"
            )
        if files:
            return Meaning(tuple(one for one in files if one != uri))
        if (
            found.form != "system"
            and (how.strict or found.form == "relative")
            and path not in how.system
        ):
            return Meaning(missing="no such file in the sources")
        if path.startswith((".", "/")):
            return Meaning(missing="no such file in the sources")
        return Meaning(outside=_outside(path, "/" if not how.dots else how.dots, how.outside))

    def _proper(self, files: Iterable[str], uri: str) -> list[str]:
        """What a file may mean of some files: what is not of tests doesn't lean on what is."""
        found = list(dict.fromkeys(files))
        return found if is_of_tests(uri) else [one for one in found if not is_of_tests(one)]

    def _near(self, path: str, how: Imports) -> list[str]:
        return [
            *(f"{path}{ending}" for ending in how.endings),
            *(f"{path}/{name}" for name in how.mains),
        ]

    def _by_folder(self, written: str, uri: str) -> Meaning:
        folder = join(parent_folder(uri), written) or "."
        if not written.startswith("."):
            return Meaning(outside=written)
        return (
            Meaning(space=folder)
            if folder in self._spaces
            else Meaning(missing="no such folder in the sources")
        )

    def _by_clause(self, clause: Clause, uri: str, how: Imports) -> Meaning:
        if how.by == "module":
            name = clause.name.partition(".")[0]
            return Meaning(space=name, alias="") if name in self._spaces else Meaning(outside=name)
        own = self._space_of(uri)
        for name in _prefixed(clause.name, own) if how.relative else [clause.name]:
            if not clause.all and (files := self._declaring(name, uri)):
                return Meaning(files, alias=clause.alias)
            if name in self._spaces:
                return Meaning(space=name, alias=clause.alias)
            above = name
            while "." in above:  # what stands in a class, an object or an enum
                if files := self._declaring(above, uri):
                    return Meaning(files, alias=clause.alias)
                above = above.rpartition(".")[0]
        if (
            self._proper(self._spaces.get(clause.name.rpartition(".")[0], ()), uri)
            and not clause.all
        ):
            return Meaning(missing="no such name in its namespace")
        if any(space.startswith(clause.name + ".") for space in self._spaces):
            return Meaning(space=clause.name, alias=clause.alias)
        first, _, rest = clause.name.partition(".")
        outside = _outside(clause.name, ".", how.outside)
        if how.outside == "first" and first in self._tops and "." in rest:
            outside = f"{first}.{rest.partition('.')[0]}"  # another package of the same makers
        return Meaning(outside=outside, alias=clause.alias)

    def _declaring(self, name: str, uri: str) -> tuple[str, ...]:
        return tuple(self._proper((found.uri for found in self._by_full.get(name, ())), uri))

    def _targets(self, meaning: Meaning, uri: str) -> Iterator[CodeEntity]:
        how = self._rules[uri].imports
        for file in meaning.files:
            yield self.entity(file)
        if meaning.space:
            yield self._space(meaning.space, self._spaces.get(meaning.space, [uri])[0])
        if meaning.outside:
            attrs = [("language", self._rules[uri].family)]
            standard = meaning.outside in how.system
            if standard:
                attrs.append(("standard_library", "true"))
            yield CodeEntity(
                meaning.outside,
                "external",
                self._rules[uri].family if standard else how.registry or self._rules[uri].family,
                "",
                tuple(attrs),
            )

    # -- references --------------------------------------------------------------------------------------------------------------------

    def _refer(
        self,
        uri: str,
        asked: tuple[str, str, str, str],
        place: Place,
        into: tuple[dict[Dependency, None], list[Loose]],
    ) -> bool:
        """Adds the edge of a reference, or why there is none. False for what is plainly none of the family's."""
        kind, name, receiver, scope = asked
        dependencies, loose = into
        found, sure = self._resolve(uri, name, receiver, scope)
        if kind in ("inherits", "instantiates", "references"):
            found = [
                one for one in found if self._kinds[one] not in ("function", "method", "macro")
            ] or ([] if kind != "references" else found)
        if not is_of_tests(uri):
            found = [one for one in found if not is_of_tests(one.uri)]
        if not found:
            return False
        homes = {self._entity_of(one) for one in found}
        if len(homes) > 1:
            loose.append(
                Loose(
                    place.line,
                    f"{receiver}.{name}" if receiver else name,
                    "several things of that name",
                )
            )
            return True
        source, target = self.symbols(uri).get(scope) or self.entity(uri), homes.pop()
        if target != source:
            shown = "instantiates" if kind == "call" and self._kinds[found[0]] in _CLASSES else kind
            dependencies[
                Dependency(source, target, shown if sure else f"possible-{shown}", place)
            ] = None
        return True

    def _entity_of(self, found: Found) -> CodeEntity:
        return self.symbols(found.uri).get(found.name) or self.entity(found.uri)

    def _resolve(self, uri: str, name: str, receiver: str, scope: str) -> tuple[list[Found], bool]:
        how = self._rules[uri]
        own = Found(uri, f"{receiver}.{name}")
        if own in self._kinds:
            return [own], True
        if receiver in how.selves and receiver:
            return self._member(uri, _class_of(scope, self._kinds, uri), name), True
        if not receiver:
            return self._plain(uri, name, scope), True
        holders = [
            one
            for one in self._plain(uri, receiver.rpartition(".")[2], scope)
            if self._kinds[one] in _CLASSES
        ]
        members = [
            member for holder in holders for member in self._member(holder.uri, holder.name, name)
        ]
        if members or holders:
            return members, True
        for _found, meaning in self._meanings(uri):
            if meaning.alias and meaning.alias == receiver:
                inside = [
                    one
                    for one in self._by_last.get(self._key(uri, name), ())
                    if one.uri in meaning.files
                ]
                return inside, True
        spaced = self._by_full.get(f"{receiver}.{name}", [])
        if spaced and how.visible == "folder":
            spaced = [one for one in spaced if parent_folder(one.uri) == parent_folder(uri)]
        if spaced or how.visible == "folder":
            return spaced, True
        if len(name) <= _MOST_COMMON:
            return [], False
        methods = [
            one
            for one in self._by_last.get(self._key(uri, name), ())
            if "." in one.name and self._kinds[one] in ("function", "method")
        ]
        return (
            (methods, False) if len({self._entity_of(one) for one in methods}) == 1 else ([], False)
        )

    def _plain(self, uri: str, name: str, scope: str) -> list[Found]:
        """What a name without anything before it means: the nearest definition outwards from where it stands."""
        alike = self._by_last.get(self._key(uri, name), [])
        own = [one for one in alike if one.uri == uri]
        here = scope
        while own:
            inside = [one for one in own if one.name.rpartition(".")[0] == here]
            if inside:
                return inside
            if not here:
                break
            here = here.rpartition(".")[0]
        if not alike:
            return self._aliased(uri, name)
        inherited = self._inherited(uri, scope, name)
        if inherited:
            return inherited
        how = self._rules[uri]
        seen = [
            one
            for one in alike
            if one not in self._local and "." not in one.name or self._kinds[one] in _CLASSES
        ]
        for visible in self._visible(uri, how):
            found = [one for one in seen if one.uri in visible]
            if found:
                return found
        if how.linked:
            linked = [one for one in seen if one not in self._local]
            return linked if len({self._entity_of(one) for one in linked}) == 1 else []
        return own if len(own) == 1 and own[0] not in self._local else []

    def _aliased(self, uri: str, name: str) -> list[Found]:
        for found, meaning in self._meanings(uri):
            if meaning.alias == name and meaning.files and found.form == "clause":
                last = next(iter(clauses(found.target))).name.rpartition(".")[2]
                return [
                    one
                    for one in self._by_last.get(self._key(uri, last), ())
                    if one.uri in meaning.files
                ]
        return []

    def _visible(self, uri: str, how: Rules) -> Iterator[set[str]]:
        """The files that a plain name may come from, the nearest first."""
        if how.visible == "global":
            yield set(self._files)
            return
        if how.visible == "folder":
            yield {one for one in self._files if parent_folder(one) == parent_folder(uri)}
            return
        imported = {file for _, meaning in self._meanings(uri) for file in meaning.files}
        spaces = [meaning.space for _, meaning in self._meanings(uri) if meaning.space]
        yield set(self._closure(uri)) if how.visible == "includes" else imported
        space = self._space_of(uri)
        if space:
            yield set(self._spaces.get(space, ()))
        if spaces:
            yield {file for one in spaces for file in self._spaces.get(one, ())}

    def _closure(self, uri: str) -> list[str]:
        """What a file includes, and what that includes."""
        if uri not in self._reach:
            seen: dict[str, None] = {}
            waiting = [uri]
            while waiting:
                here = waiting.pop()
                for _, meaning in self._meanings(here):
                    new = [file for file in meaning.files if file not in seen]
                    seen |= dict.fromkeys(new)
                    waiting += new
            self._reach[uri] = list(seen)
        return self._reach[uri]

    def _member(self, uri: str, holder: str, name: str) -> list[Found]:
        """A member of a class, in any of its parts, else of what it inherits from."""
        if not holder:
            return [
                one
                for one in self._by_last.get(self._key(uri, name), ())
                if one.uri == uri and "." in one.name
            ]
        seen = {holder}
        level = [Found(uri, holder)]
        while level:
            found = [
                one
                for above in level
                for one in self._by_last.get(self._key(uri, name), ())
                if one.name.rpartition(".")[0] == above.name
                and (one.uri == above.uri or self._same(one.uri, above.uri))
            ]
            if found:
                return found
            bases = [base for above in level for base in self._bases(above)]
            level = [base for base in bases if base.name not in seen]
            seen.update(base.name for base in bases)
        return []

    def _same(self, one: str, other: str) -> bool:
        """Whether two files may hold parts of one class: declared in one namespace, or named by no file."""
        how = self._rules[one]
        return how.visible == "namespace" and self._space_of(one) == self._space_of(other)

    def _bases(self, holder: Found) -> list[Found]:
        found = []
        for kind, name, _receiver, scope, _ in self._files[holder.uri].body["refs"]:
            if (
                kind == "inherits"
                and scope == holder.name
                and name != holder.name.rpartition(".")[2]
            ):
                found += [
                    one for one in self._plain(holder.uri, name, "") if self._kinds[one] in _CLASSES
                ]
        return found

    def _inherited(self, uri: str, scope: str, name: str) -> list[Found]:
        holder = _class_of(scope, self._kinds, uri)
        return self._member(uri, holder, name) if holder else []


def _class_of(scope: str, kinds: Mapping[Found, str], uri: str) -> str:
    """The class that a place stands in, '' for none."""
    here = scope
    while here:
        if kinds.get(Found(uri, here)) in _CLASSES:
            return here
        outer = here.rpartition(".")[0]
        if outer and Found(uri, outer) not in kinds:
            return outer  # a method that is written outside of its class
        here = outer
    return ""


def _outside(name: str, parted_by: str, how: str) -> str:
    if how == "whole":
        return name
    parts = name.split(parted_by)
    if how == "first":
        return parts[0]
    small = [part for part in parts if not part[:1].isupper()]
    return (
        parted_by.join(parts[: len(small)] if small == parts[: len(small)] else parts[:-1]) or name
    )


def _prefixed(name: str, space: str) -> list[str]:
    """A name as it may be meant from inside a namespace, the innermost first."""
    found = []
    while space:
        found.append(f"{space}.{name}")
        space = space.rpartition(".")[0]
    return [*found, name]


def _modules(uri: str, roots: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The folder right below a root: (its name, its path)."""
    parts = uri.split("/")
    for number, part in enumerate(parts[:-2]):
        if part in roots:
            yield parts[number + 1], "/".join(parts[: number + 2])


def _above(uri: str) -> Iterator[str]:
    folder = parent_folder(uri)
    while folder:
        yield folder
        folder = parent_folder(folder)


def _short(text: str) -> str:
    return re.sub(r"\s+", " ", text)[:200]
