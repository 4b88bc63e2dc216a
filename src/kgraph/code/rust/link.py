"""Rust: crates by Cargo.toml, modules by ``mod`` from each crate's root file, ``use`` trees and qualified paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.facts import CodeEntity, Dependency, FileFacts, Import, Links, Loose
from kgraph.code.flow import Answer, drawn
from kgraph.code.kept import Kept
from kgraph.code.languages import UnitShape
from kgraph.code.naming import told_apart
from kgraph.code.places import first_sentence
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.code.rust.calls import RustFlow

_STANDARD = frozenset(("std", "core", "alloc", "proc_macro", "test"))


class _Crate(NamedTuple):
    """``name`` is as code writes it; ``externals`` maps such names to (package, version); ``locals`` to folders of path dependencies."""

    folder: str
    name: str
    externals: Mapping[str, tuple[str, str]]
    locals: Mapping[str, str]
    description: str
    roots: Mapping[
        str, str
    ]  # path of a target's root file → what the target is called, '' for the library


class _Module(NamedTuple):
    root: str  # uri of the crate's root file
    path: tuple[str, ...]  # below the root


class RustLinker:
    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        self._files = files
        self._crates = _crates({parent_folder(uri) for uri in files}, checkout)
        self._modules: dict[str, _Module] = {}
        self._trees: dict[
            str, dict[tuple[str, ...], str]
        ] = {}  # root → path of a module → its file
        self._libraries = {
            crate.folder: uri
            for uri in files
            for crate in [self._crate_of(uri)]
            if crate and _is_library(uri, crate)
        }
        self._inline: dict[str, set[tuple[str, ...]]] = {}
        for uri in sorted(files):
            if self._is_root(uri):
                self._grow(uri, uri, (), parent_folder(uri))
        for uri in sorted(files):  # files that no root declares stand alone
            if uri not in self._modules:
                self._grow(uri, uri, (), parent_folder(uri))
        self._entities = told_apart({uri: self._plain(uri) for uri in sorted(files)})
        self._names: set[tuple[str, str]] = {
            (fold(entity.name), entity.qualifier) for entity in self._entities.values()
        }
        self._symbols = Kept(self._symbols_of, 256)
        self._calls: RustFlow | None = None
        if level == "symbol":
            from kgraph.code.rust.calls import RustFlow

            self._calls = RustFlow(files, self)

    def units(self) -> list[UnitShape]:
        return [
            UnitShape(
                uri,
                "package" if not self._modules[uri].path else "module",
                self.entity(uri).name,
                (uri,),
            )
            for uri in self._files
        ]

    def entity(self, uri: str) -> CodeEntity:
        return self._entities[uri]

    def _plain(self, uri: str) -> CodeEntity:
        module = self._modules[uri]
        name, qualifier = self._root_name(module.root)
        kind = "package" if not module.path else "module"
        crate = self._crate_of(uri)
        words = first_sentence(self._files[uri].doc) or (
            crate.description if crate and kind == "package" and not qualifier else ""
        )
        return CodeEntity(
            "::".join((name, *module.path)),
            kind,
            qualifier,
            words,
            (("language", "rust"), ("path", uri)),
        )

    def ancestors(self, uri: str) -> list[CodeEntity]:
        module = self._modules[uri]
        tree = self._trees[module.root]
        above = next(
            (
                tree[module.path[:count]]
                for count in range(len(module.path) - 1, -1, -1)
                if module.path[:count] in tree
            ),
            None,
        )
        return (
            [self.entity(uri), self.entity(above)]
            if above is not None and above != uri
            else [self.entity(uri)]
        )

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        return self._symbols(uri)

    def _symbols_of(self, uri: str) -> Mapping[str, CodeEntity]:
        home = self.entity(uri)
        attrs = (("language", "rust"), ("path", uri))
        found = {}
        for symbol in reversed(self._files[uri].symbols):
            name, qualifier = f"{home.name}::{symbol.name}", home.qualifier
            if (fold(name), qualifier) in self._names:  # a module of that name is another thing
                qualifier = f"{qualifier} {symbol.kind}".strip()
            found[symbol.name] = CodeEntity(
                name, symbol.kind, qualifier, first_sentence(symbol.doc), attrs
            )
        return told_apart(found)

    def links(self, uri: str) -> Links:
        here = self.entity(uri)
        dependencies, loose = [], []
        for found in self._files[uri].imports:
            target = self._target(found, uri)
            if isinstance(target, str):
                if target:
                    loose.append(Loose(found.place.line, found.target, target))
            elif target != here:
                dependencies.append(Dependency(here, target, found.kind, found.place))
        for inside, name, _, line, has_body in self._files[uri].body["modules"]:
            path = (*self._modules[uri].path, *([*inside.split("::")] if inside else []), name)
            if not has_body and path not in self._trees[self._modules[uri].root]:
                loose.append(Loose(line, name, "the module's file is not among the sources"))
        said = self._calls.answer(uri) if self._calls is not None else Answer()
        dependencies += drawn(said, here, self.symbols, uri)
        return Links(tuple(dict.fromkeys(dependencies)), (*loose, *said.loose), said.outside)

    # -- what paths in code mean to the calls -----------------------------------------------------------------------------------------

    def module(self, uri: str) -> tuple[str, tuple[str, ...]]:
        return self._modules[uri]

    def file(self, root: str, path: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        tree, count = self._trees[root], len(path)
        while path[:count] not in tree:
            count -= 1
        return tree[path[:count]], path[count:]

    def known(self, root: str, path: tuple[str, ...]) -> bool:
        return path in self._trees[root] or path in self._inline[root]

    def crate(self, name: str, uri: str) -> str | None:
        crate = self._crate_of(uri)
        library = self._library(crate, name, self._modules[uri].root) if crate else None
        if library is not None:
            return library
        return "" if name in _STANDARD or (crate is not None and name in crate.externals) else None

    # -- paths ---------------------------------------------------------------------------------------------------------------------

    def _target(self, found: Import, uri: str) -> CodeEntity | str:
        """The module or crate that a path leads to; '' for a path of local things, else why it leads nowhere."""
        module = self._modules[uri]
        parts = found.target.removesuffix("::*").split("::")
        inside = (*module.path, *([*found.scope.split("::")] if found.scope else []))
        if parts[0] in ("crate", "self", "super"):
            start = () if parts[0] == "crate" else inside
            while parts and parts[0] in ("crate", "self", "super"):
                if parts[0] == "super":
                    if not start:
                        return "super above the crate's root"
                    start = start[:-1]
                parts = parts[1:]
            return self._deepest(module.root, start, parts)
        if self.known(module.root, (*inside, parts[0])):
            return self._deepest(module.root, inside, parts)
        crate = self._crate_of(uri)
        library = self._library(crate, parts[0], module.root) if crate else None
        if library is not None:
            return self._deepest(library, (), parts[1:])
        if parts[0] in _STANDARD:
            return CodeEntity(
                parts[0],
                "external",
                "rust",
                "",
                (("language", "rust"), ("standard_library", "true")),
            )
        external = crate.externals.get(parts[0]) if crate else None
        if external is not None:
            return CodeEntity(external[0], "external", "cargo", "", _attrs(external[1]))
        if found.form == "path" or len(parts) == 1 or not parts[0].islower():
            return ""
        return "neither a module here nor a crate that Cargo.toml names"

    def _deepest(self, root: str, start: tuple[str, ...], parts: list[str]) -> CodeEntity:
        """The module farthest along a path: what follows it are items."""
        tree = self._trees[root]
        best = start
        for count in range(len(parts), -1, -1):
            if self.known(root, (*start, *parts[:count])):
                best = (*start, *parts[:count])
                break
        while best not in tree:  # an inline module belongs to the file that holds it
            best = best[:-1]
        return self.entity(tree[best])

    def _library(self, crate: _Crate, name: str, root: str) -> str | None:
        """The root file of a crate of the checkout: a path dependency, or the package's own library seen from its other targets."""
        folder = crate.folder if name == crate.name else crate.locals.get(name)
        file = self._libraries.get(folder) if folder is not None else None
        return file if file != root else None

    # -- the tree of modules -------------------------------------------------------------------------------------------------------

    def _grow(self, root: str, uri: str, path: tuple[str, ...], folder: str) -> None:
        self._modules.setdefault(
            uri, _Module(root, path)
        )  # a program may declare a module that the library has as well
        self._trees.setdefault(root, {})[path] = uri
        self._inline.setdefault(root, set())
        for inside, name, written, _, has_body in self._files[uri].body["modules"]:
            inner = tuple(inside.split("::")) if inside else ()
            if has_body:
                self._inline[root].add((*path, *inner, name))
                continue
            base = join(folder, "/".join(inner)) if inner else folder
            own = parent_folder(uri)
            tries = (
                [join(own if not inner else base, written)]
                if written
                else [join(base, f"{name}.rs"), join(base, f"{name}/mod.rs")]
            )
            for candidate in tries:
                if candidate in self._files and candidate not in self._trees[root].values():
                    is_mod = candidate.endswith("/mod.rs") or bool(written)
                    self._grow(
                        root,
                        candidate,
                        (*path, *inner, name),
                        parent_folder(candidate) if is_mod else join(base, name),
                    )
                    break

    def _is_root(self, uri: str) -> bool:
        folder = self._crate_folder(uri)
        rest = uri[len(folder) + 1 :] if folder else uri
        crate = self._crate_of(uri)
        if crate is not None and rest in crate.roots:
            return True
        return bool(
            re.fullmatch(
                r"src/(?:lib|main)\.rs|src/bin/[^/]+(?:/main)?\.rs|(?:tests|examples|benches)/[^/]+(?:/main)?\.rs|build\.rs",
                rest,
            )
        )

    def _crate_folder(self, uri: str) -> str:
        crate = self._crate_of(uri)
        return crate.folder if crate else ""

    def _crate_of(self, uri: str) -> _Crate | None:
        fits = [
            crate
            for crate in self._crates
            if not crate.folder or uri.startswith(f"{crate.folder}/")
        ]
        return max(fits, key=lambda crate: len(crate.folder), default=None)

    def _root_name(self, root: str) -> tuple[str, str]:
        """A library bears the crate's name; another target its own, with the package and its kind as qualifier."""
        crate = self._crate_of(root)
        if crate is None:
            return root.removesuffix(".rs").replace("/", "::"), ""
        rest = root[len(crate.folder) + 1 :] if crate.folder else root
        if rest == "src/lib.rs" or _is_library(root, crate):
            return crate.name, ""
        if rest in crate.roots:
            return crate.roots[rest], f"{crate.name} target"
        parts = rest.removesuffix(".rs").removesuffix("/main").split("/")
        if rest == "src/main.rs":
            has_library = f"{crate.folder}/src/lib.rs".lstrip("/") in self._files
            return crate.name, f"{crate.name} bin" if has_library else ""
        return parts[-1], f"{crate.name} {'/'.join(parts[:-1]) or 'package'}"


def _is_library(uri: str, crate: _Crate) -> bool:
    stated = next((path for path, name in crate.roots.items() if not name), "src/lib.rs")
    return uri == join(crate.folder, stated)


def _attrs(version: str) -> tuple[tuple[str, str], ...]:
    return (("language", "rust"), *((("version", version),) if version else ()))


def _crates(folders: Iterable[str], checkout: Checkout) -> list[_Crate]:
    every = set(folders)
    for folder in list(every):
        while folder:
            folder = parent_folder(folder)
            every.add(folder)
    found = []
    for folder in sorted(every):
        manifest = checkout.toml(join(folder, "Cargo.toml")) or {}
        package = manifest.get("package")
        if isinstance(package, dict) and isinstance(package.get("name"), str):
            name = str(_table(manifest.get("lib")).get("name") or package["name"]).replace("-", "_")
            externals, local = _dependencies(manifest, folder, checkout)
            words = package.get("description")
            found.append(
                _Crate(
                    folder,
                    name,
                    externals,
                    local,
                    words if isinstance(words, str) else "",
                    _roots(manifest),
                )
            )
    return found


def _roots(manifest: dict[str, Any]) -> dict[str, str]:
    """The root files that a manifest names itself."""
    library = _table(manifest.get("lib"))
    found = {str(library["path"]): ""} if isinstance(library.get("path"), str) else {}
    for kind in ("bin", "test", "example", "bench"):
        for entry in manifest.get(kind) or ():
            if isinstance(entry, dict) and isinstance(entry.get("path"), str):
                found[str(entry["path"])] = str(entry.get("name", ""))
    script = _table(manifest.get("package")).get("build")
    return found | ({script: "build"} if isinstance(script, str) else {})


def _dependencies(
    manifest: dict[str, Any], folder: str, checkout: Checkout
) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    workspace, at, locked, picked = _workspace(folder, checkout)
    chosen = picked.get(str(_table(manifest.get("package")).get("name")), {})
    tables = [manifest, *_table(manifest.get("target")).values()]
    externals: dict[str, tuple[str, str]] = {}
    local: dict[str, str] = {}
    for table in tables:
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            for name, entry in _table(_table(table).get(kind)).items():
                base = folder
                if isinstance(entry, dict) and entry.get("workspace") is True:
                    entry, base = workspace.get(name, {}), at
                fields = {"version": entry} if isinstance(entry, str) else _table(entry)
                package = str(fields.get("package", name))
                written = name.replace("-", "_")
                if isinstance(fields.get("path"), str):
                    local[written] = join(base, fields["path"])
                else:
                    externals[written] = (
                        package,
                        chosen.get(package)
                        or locked.get(package)
                        or str(fields.get("version", "")),
                    )
    return externals, local


def _workspace(
    folder: str, checkout: Checkout
) -> tuple[dict[str, Any], str, dict[str, str], dict[str, dict[str, str]]]:
    """The workspace's shared dependencies, its folder, what its lock pins, and which of several versions it picks for each package."""
    here = folder
    while True:
        data = checkout.toml(join(here, "Cargo.toml")) or {}
        lock = checkout.toml(join(here, "Cargo.lock"))
        if "workspace" in data or lock is not None or not here:
            pinned: dict[str, set[str]] = {}
            picked: dict[str, dict[str, str]] = {}
            for entry in (lock or {}).get("package", []):
                pinned.setdefault(str(entry.get("name")), set()).add(str(entry.get("version")))
                pairs = [str(one).split() for one in entry.get("dependencies", [])]
                picked[str(entry.get("name"))] = {
                    pair[0]: pair[1] for pair in pairs if len(pair) > 1
                }
            shared = _table(_table(data.get("workspace")).get("dependencies"))
            return (
                shared,
                here,
                {name: versions.pop() for name, versions in pinned.items() if len(versions) == 1},
                picked,
            )
        here = parent_folder(here)


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
