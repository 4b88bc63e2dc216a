"""Java: types by their full name, packages by theirs; imports single, static and on demand; Maven and Gradle for what is outside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kgraph.code.builds import elements, filled, pom_properties
from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.facts import CodeEntity, Dependency, FileFacts, Import, Links, Loose
from kgraph.code.flow import Answer, drawn
from kgraph.code.kept import Kept
from kgraph.code.languages import UnitShape
from kgraph.code.naming import told_apart
from kgraph.code.places import first_sentence

if TYPE_CHECKING:
    from kgraph.code.java.calls import JavaFlow


class JavaLinker:
    """A file is the type that it is named after; several files of one package in one build module are its parts."""

    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        self._files = files
        self._level = level
        self._calls: JavaFlow | None = None
        self._builds = _Builds(checkout)
        self._types: dict[str, list[str]] = {}
        self._packages: dict[str, str] = {}
        for uri, facts in sorted(files.items(), key=lambda entry: ("/test/" in entry[0], entry[0])):
            self._packages.setdefault(facts.module, uri)
            names = {symbol.name for symbol in facts.symbols if symbol.kind == "class"} | {
                _stem(uri)
            }
            for name in names:
                self._types.setdefault(
                    f"{facts.module}.{name}" if facts.module else name, []
                ).append(uri)
        self._entities = told_apart(
            {uri: self._plain(uri) for uri in files},
            map(self._package, filter(None, self._packages)),
        )
        self._symbols = Kept(self._symbols_of, 256)
        if level == "symbol":
            from kgraph.code.java.calls import JavaFlow

            self._calls = JavaFlow(files, self._file_of, self._packages)

    def units(self) -> list[UnitShape]:
        return [UnitShape(uri, "module", self.entity(uri).name, (uri,)) for uri in self._files]

    def entity(self, uri: str) -> CodeEntity:
        facts = self._files[uri]
        return self._package(facts.module) if _stem(uri) == "package-info" else self._entities[uri]

    def _plain(self, uri: str) -> CodeEntity:
        facts = self._files[uri]
        name = f"{facts.module}.{_stem(uri)}" if facts.module else _stem(uri)
        copies = self._types[name]
        qualifier = "" if copies[0] == uri else self._builds.of(uri)
        doc = next((symbol.doc for symbol in facts.symbols if symbol.name == _stem(uri)), "")
        return CodeEntity(
            name, "class", qualifier, first_sentence(doc), (("language", "java"), ("path", uri))
        )

    def ancestors(self, uri: str) -> list[CodeEntity]:
        package = self._files[uri].module
        here = self.entity(uri)
        return [here, self._package(package)] if package and here.kind != "package" else [here]

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        return self._symbols(uri) if self._level == "symbol" else {}

    def _symbols_of(self, uri: str) -> Mapping[str, CodeEntity]:
        facts, home = self._files[uri], self.entity(uri)
        found = {}
        for symbol in reversed(facts.symbols):
            name = f"{facts.module}.{symbol.name}" if facts.module else symbol.name
            if symbol.name == _stem(uri):
                found[symbol.name] = home
            else:
                attrs = (("language", "java"), ("path", uri))
                found[symbol.name] = CodeEntity(
                    name, symbol.kind, self._copy(name, uri), first_sentence(symbol.doc), attrs
                )
        return told_apart(found)

    def _copy(self, name: str, uri: str) -> str:
        """What tells a symbol from one of the same name in another build module."""
        outer = name
        while outer and outer not in self._types:
            outer = outer.rpartition(".")[0]
        copies = self._types.get(outer, [uri])
        return "" if copies[0] == uri else self._builds.of(uri)

    def _file_of(self, name: str, uri: str) -> str:
        return self._nearest(self._types[name], uri) if name in self._types else ""

    def links(self, uri: str) -> Links:
        here = self.entity(uri)
        dependencies, loose = [], []
        for found in self._files[uri].imports:
            target = self._target(found, uri)
            if target is None:
                loose.append(
                    Loose(
                        found.place.line, found.target, "no such type or package among the sources"
                    )
                )
            elif target != here:
                dependencies.append(Dependency(here, target, "import", found.place))
        said = self._calls.answer(uri) if self._calls is not None else Answer()
        dependencies += drawn(said, here, self.symbols, uri)
        return Links(tuple(dict.fromkeys(dependencies)), (*loose, *said.loose), said.outside)

    def _target(self, found: Import, uri: str) -> CodeEntity | None:
        path, star = found.target, found.names[0][0] == "*"
        if star and found.form == "import" and path in self._packages:
            return self._package(path)
        here = path
        while (
            "." in here or here in self._types
        ):  # the type itself, or the one whose member or inner type is named
            if here in self._types:
                return self.entity(self._nearest(self._types[here], uri))
            here = here.rpartition(".")[0]
        if path.rpartition(".")[0] in self._packages or any(
            path.startswith(f"{package}.") for package in self._packages if package.count(".") > 1
        ):
            return None
        outer = (
            path
            if star and found.form == "import"
            else path.rpartition(".")[0]
            if found.form == "static"
            else path
        )
        package = ".".join(
            part for part in outer.split(".") if part[:1].islower() or part[:1] == "_"
        )
        if star and found.form == "import":
            package = path
        return self._external(package or path, uri)

    def _nearest(self, uris: list[str], importer: str) -> str:
        build = self._builds.of(importer)
        return next((uri for uri in uris if self._builds.of(uri) == build), uris[0])

    def _external(self, package: str, uri: str) -> CodeEntity:
        if package.startswith(("java.", "jdk.", "sun.")) or package == "java":
            return CodeEntity(
                package,
                "external",
                "java",
                "",
                (("language", "java"), ("standard_library", "true")),
            )
        attrs = [("language", "java")]
        artifact = self._builds.artifact(package, uri)
        if artifact is not None:
            attrs += [
                ("artifact", artifact[0]),
                *([("version", artifact[1])] if artifact[1] else []),
            ]
        return CodeEntity(package, "external", "maven", "", tuple(attrs))

    def _package(self, package: str) -> CodeEntity:
        return CodeEntity(package, "package", "", "", (("language", "java"),))


class _Builds:
    """Maven and Gradle modules: the nearest folder with a build file, and what it depends on."""

    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout
        self._declared: dict[str, list[tuple[str, str, str]]] = {}

    def of(self, uri: str) -> str:
        folder = parent_folder(uri)
        while folder and not self._checkout.names(folder) & {
            "pom.xml",
            "build.gradle",
            "build.gradle.kts",
        }:
            folder = parent_folder(folder)
        return folder

    def artifact(self, package: str, uri: str) -> tuple[str, str] | None:
        """'group:artifact' and version, where exactly one declared artifact has a group that the package begins with."""
        folder = self.of(uri)
        while True:
            fits = [
                entry
                for entry in self._of(folder)
                if package == entry[0] or package.startswith(f"{entry[0]}.")
            ]
            longest = max((len(entry[0]) for entry in fits), default=0)
            best = {
                (f"{group}:{name}", version)
                for group, name, version in fits
                if len(group) == longest
            }
            if len(best) == 1:
                return best.pop()
            if not folder or best:
                return None
            folder = parent_folder(folder)

    def _of(self, folder: str) -> list[tuple[str, str, str]]:
        """What the build file of a folder depends on; where it leaves a version out, what the files above it or a lock say."""
        if folder not in self._declared:
            found: dict[tuple[str, str], str] = {}
            for group, name, version in (*self._maven(folder), *self._gradle(folder)):
                if group and not found.get((group, name)):
                    found[group, name] = version
            above = (
                {}
                if not folder
                else {entry[:2]: entry[2] for entry in self._of(parent_folder(folder))}
            )
            self._declared[folder] = sorted(
                (*key, version or above.get(key, "")) for key, version in found.items()
            )
        return self._declared[folder]

    def _maven(self, folder: str) -> Iterator[tuple[str, str, str]]:
        leaves = elements(self._checkout.text(join(folder, "pom.xml")) or "")
        properties = self._properties(folder) | pom_properties(leaves)
        fields: dict[str, str] = {}
        for leaf in leaves:
            holder, _, key = leaf.path.rpartition("/")
            if holder.endswith(("dependencies/dependency", "plugins/plugin")) and key in (
                "groupId",
                "artifactId",
                "version",
            ):
                if key in fields or (key == "groupId" and fields):
                    yield _coordinates(fields, properties)
                    fields = {}
                fields[key] = leaf.text
        if fields:
            yield _coordinates(fields, properties)

    def _properties(self, folder: str) -> dict[str, str]:
        """Those of the files above: modules inherit them."""
        found: dict[str, str] = {}
        while folder:
            folder = parent_folder(folder)
            found = (
                pom_properties(elements(self._checkout.text(join(folder, "pom.xml")) or "")) | found
            )
        return found

    def _gradle(self, folder: str) -> Iterator[tuple[str, str, str]]:
        lock = self._checkout.text(join(folder, "gradle.lockfile")) or ""
        yield from re.findall(r"(?m)^([\w.-]+):([\w.-]+):([\w.+-]+)=", lock)
        text = "".join(
            self._checkout.text(join(folder, name)) or ""
            for name in ("build.gradle", "build.gradle.kts")
        )
        yield from re.findall(r"['\"]([\w.-]+):([\w.-]+)(?::([\w.+-]+))?['\"]", text)
        catalog = self._checkout.toml(join(folder, "gradle/libs.versions.toml")) or {}
        versions = catalog.get("versions")
        for entry in (
            (catalog.get("libraries") or {}).values()
            if isinstance(catalog.get("libraries"), dict)
            else ()
        ):
            yield _of_catalog(entry, versions if isinstance(versions, dict) else {})


def _coordinates(fields: dict[str, str], properties: dict[str, str]) -> tuple[str, str, str]:
    group, name = (
        filled(fields.get("groupId", ""), properties),
        filled(fields.get("artifactId", ""), properties),
    )
    return group, name, filled(fields.get("version", ""), properties)


def _of_catalog(entry: object, versions: dict[str, object]) -> tuple[str, str, str]:
    """A library of a Gradle version catalog: 'group:name:version', or a table with a version or a reference to one."""
    if isinstance(entry, str):
        group, name, version = (*entry.split(":"), "", "", "")[:3]
        return group, name, version
    table = entry if isinstance(entry, dict) else {}
    module = str(table.get("module") or f"{table.get('group', '')}:{table.get('name', '')}")
    stated = table.get("version", "")
    if isinstance(stated, dict):
        stated = versions.get(str(stated.get("ref")), "")
    return (
        module.partition(":")[0],
        module.partition(":")[2],
        stated if isinstance(stated, str) else "",
    )


def _stem(uri: str) -> str:
    return uri.rpartition("/")[2].rpartition(".")[0]
