"""Ties the imports of JavaScript and TypeScript files to files of the run, to packages of the checkout, or to external ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from kgraph.code.checkout import Checkout
from kgraph.code.facts import CodeEntity, Dependency, FileFacts, Import, Links, Loose
from kgraph.code.flow import Answer, drawn
from kgraph.code.javascript.packages import Package
from kgraph.code.javascript.resolve import Resolver, Target
from kgraph.code.kept import Kept
from kgraph.code.languages import UnitShape
from kgraph.code.naming import told_apart
from kgraph.code.places import first_sentence

if TYPE_CHECKING:
    from kgraph.code.javascript.calls import JavaScriptFlow


class JavaScriptLinker:
    """All files of the family. A module's name is its package's name and its path below the package's folder."""

    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        self._files = files
        self._resolver = Resolver(files.keys(), checkout)
        self._entities: dict[str, CodeEntity] = {}
        self._alike = _alike(files)
        self._symbols = Kept(self._symbols_of, 256)
        self._calls: JavaScriptFlow | None = None
        if level == "symbol":
            from kgraph.code.javascript.calls import JavaScriptFlow

            self._calls = JavaScriptFlow(files, self.resolved)

    def units(self) -> list[UnitShape]:
        return [UnitShape(uri, "module", self.entity(uri).name, (uri,)) for uri in self._files]

    def entity(self, uri: str) -> CodeEntity:
        if uri not in self._entities:
            facts = self._files[uri]
            found = self._at(uri, "module", facts.language, first_sentence(facts.doc))
            if uri in self._alike:
                found = found._replace(qualifier=f"{found.qualifier} {self._alike[uri]}".strip())
            self._entities[uri] = found
        return self._entities[uri]

    def ancestors(self, uri: str) -> list[CodeEntity]:
        package = self._resolver.packages.named(uri)
        return (
            [self.entity(uri), self._package(package)]
            if package is not None
            else [self.entity(uri)]
        )

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        return self._symbols(uri)

    def _symbols_of(self, uri: str) -> Mapping[str, CodeEntity]:
        home = self.entity(uri)
        attrs = (("language", self._files[uri].language), ("path", uri))
        found = {
            symbol.name: CodeEntity(
                f"{home.name}.{symbol.name}",
                symbol.kind,
                home.qualifier,
                first_sentence(symbol.doc),
                attrs,
            )
            for symbol in reversed(self._files[uri].symbols)
        }
        return told_apart(found)

    def links(self, uri: str) -> Links:
        here = self.entity(uri)
        dependencies: dict[Dependency, None] = {}
        loose: list[Loose] = []
        for found in self._files[uri].imports:
            if found.form == "computed":
                loose.append(Loose(found.place.line, found.target[:200], "computed at run time"))
                continue
            target = self._resolver.resolve(found.target, uri, found.form)
            entity = self._target(target, uri)
            if entity is None:
                loose.append(Loose(found.place.line, found.target, target.name))
            elif entity != here:
                dependencies[Dependency(here, entity, found.kind, found.place)] = None
        said = self._calls.answer(uri) if self._calls is not None else Answer()
        dependencies |= dict.fromkeys(drawn(said, here, self.symbols, uri))
        return Links(tuple(dependencies), (*loose, *said.loose), said.outside)

    def resolved(self, found: Import, uri: str) -> str | None:
        """The file of the run that an import means; '' for something outside of it, None for what is not there."""
        target = self._resolver.resolve(found.target, uri, found.form)
        return target.name if target.kind == "file" else None if target.kind == "unknown" else ""

    def _target(self, target: Target, uri: str) -> CodeEntity | None:
        if target.kind == "file":
            return self.entity(target.name)
        if target.kind == "asset":
            return self._at(target.name, "asset", "", "")
        if target.kind == "package":
            package = next(
                found
                for found in self._resolver.packages.above(f"{target.name}/package.json")
                if found.folder == target.name
            )
            return self._package(package)
        if target.kind == "builtin":
            return CodeEntity(
                target.name,
                "external",
                "node",
                "",
                (("language", "javascript"), ("standard_library", "true")),
            )
        if target.kind == "external":
            version = self._resolver.packages.version(target.name, uri)
            attrs = [("language", "javascript"), *([("version", version)] if version else [])]
            return CodeEntity(target.name, "external", "npm", "", tuple(attrs))
        return None

    def _at(self, uri: str, kind: str, language: str, description: str) -> CodeEntity:
        package = self._resolver.packages.named(uri)
        name, qualifier = uri, ""
        if package is not None:
            name = f"{package.name}/{uri[len(package.folder) + 1 :] if package.folder else uri}"
            qualifier = self._copy(package)
        attrs = [*([("language", language)] if language else []), ("path", uri)]
        return CodeEntity(name, kind, qualifier, description, tuple(attrs))

    def _package(self, package: Package) -> CodeEntity:
        words = package.manifest.get("description")
        attrs = [("language", "javascript"), ("path", package.folder or ".")]
        version = package.manifest.get("version")
        if isinstance(version, str):
            attrs.append(("version", version))
        return CodeEntity(
            package.name,
            "package",
            self._copy(package),
            words if isinstance(words, str) else "",
            tuple(attrs),
        )

    def _copy(self, package: Package) -> str:
        """Two packages of one name in a checkout are two; the one nearest to the root bears the name alone."""
        first = self._resolver.packages.by_name.get(package.name, (package,))[0]
        return "" if first.folder == package.folder else package.folder


def _alike(files: Iterable[str]) -> dict[str, str]:
    """What tells files apart whose paths differ in case alone; nothing for the first of them."""
    seen: dict[str, int] = {}
    found = {}
    for uri in sorted(files):
        folded = uri.casefold()
        seen[folded] = seen.get(folded, 0) + 1
        if seen[folded] > 1:
            found[uri] = f"module {seen[folded]}" if seen[folded] > 2 else "module"
    return found
