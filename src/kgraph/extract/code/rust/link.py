"""Rust: crates by Cargo.toml, modules by ``mod`` from each crate's root file, ``use`` trees and qualified paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import tree_sitter_rust
from tree_sitter import Node

from kgraph.extract.code.checkout import Checkout, join, parent_folder
from kgraph.extract.code.facts import CodeEntity, Dependency, FileFacts, Import, Links, Loose, Symbol
from kgraph.extract.code.languages import UnitShape
from kgraph.extract.code.naming import told_apart
from kgraph.extract.code.places import Bytes, first_sentence
from kgraph.extract.code.trees import below, broken, clean_comment, comment_before, parsed, word

_STANDARD = frozenset(("std", "core", "alloc", "proc_macro", "test"))
_WANTED = frozenset(("use_declaration", "extern_crate_declaration", "mod_item", "scoped_identifier", "scoped_type_identifier"))
_ITEMS = {
    "function_item": "function",
    "struct_item": "class",
    "enum_item": "class",
    "trait_item": "class",
    "union_item": "class",
    "type_item": "class",
}
_FUNCTIONS = frozenset(("function_item", "closure_expression"))


def parse(text: str, level: str) -> FileFacts:
    root, at = parsed(text, tree_sitter_rust.language)
    imports: list[Import] = []
    modules: list[list[Any]] = []  # [inline path, name, path attribute, line]
    for node in below(root, _WANTED, frozenset(("use_declaration", "scoped_identifier", "scoped_type_identifier"))):
        inside = _inline_path(node)
        place = at.place(node.start_byte, node.end_byte)
        if node.type == "mod_item":
            name = word(node.child_by_field_name("name"))
            modules.append([inside, name, _path_attribute(node), place.line, node.child_by_field_name("body") is not None])
        elif node.type == "extern_crate_declaration":
            imports.append(Import(place, word(node.child_by_field_name("name")), (("", ""),), "import", "extern", inside))
        elif node.type == "use_declaration":
            kind = "import-deferred" if _has_above(node, _FUNCTIONS) else "import"
            for used in _use_paths(node.child_by_field_name("argument"), ""):
                imports.append(Import(place, used, (("", ""),), kind, "use", inside))
        else:
            imports += _qualified(node, at, inside)
    body = {"modules": modules}
    inner_doc = "\n".join(word(node) for node in root.children if "comment" in node.type and word(node).startswith(("//!", "/*!")))
    symbols = tuple(_symbols(root, at)) if level == "symbol" else ()
    return FileFacts("rust", "", clean_comment(inner_doc), tuple(imports), symbols, broken=broken(root, at), lines=len(at), body=body)


def _use_paths(node: Node | None, before: str) -> Iterator[str]:
    """Every path of a use tree, without its aliases; 'a::*' for a glob."""
    if node is None:
        return
    if node.type == "use_as_clause":
        yield from _use_paths(node.child_by_field_name("path"), before)
    elif node.type == "use_list":
        for child in node.named_children:
            yield from _use_paths(child, before)
    elif node.type == "scoped_use_list":
        path = node.child_by_field_name("path")
        yield from _use_paths(node.child_by_field_name("list"), f"{before}{_clean(word(path))}::" if path else before)
    elif node.type == "use_wildcard":
        yield f"{before}{_clean(word(node).removesuffix('*').rstrip(': '))}::*".removeprefix("::") if before or node.named_children else "*"
    elif "comment" not in node.type:
        name = _clean(word(node))
        yield before.removesuffix("::") if name == "self" and before else f"{before}{name}"


def _clean(path: str) -> str:
    return re.sub(r"\s+|<.*>$", "", path).removeprefix("::")


def _qualified(node: Node, at: Bytes, inside: str) -> list[Import]:
    """A path in code that names its crate or module itself: 'crate::a::f', 'super::x', 'serde_json::to_string'."""
    path = _clean(word(node))
    if not re.fullmatch(r"[a-z_][a-z0-9_]*(?:::\w+)+", path) or path.startswith("self::"):
        return []
    kind = "import-deferred" if _has_above(node, _FUNCTIONS) else "import"
    return [Import(at.place(node.start_byte, node.end_byte), path, (("", ""),), kind, "path", inside)]


def _inline_path(node: Node) -> str:
    names = []
    here = node.parent
    while here is not None:
        if here.type == "mod_item":
            names.append(word(here.child_by_field_name("name")))
        here = here.parent
    return "::".join(reversed(names))


def _path_attribute(node: Node) -> str:
    here = node.prev_sibling
    while here is not None and here.type in ("attribute_item", "line_comment", "block_comment"):
        found = re.search(r"""#\[\s*path\s*=\s*"([^"]+)"\s*\]""", word(here))
        if found:
            return found.group(1)
        here = here.prev_sibling
    return ""


def _has_above(node: Node, types: frozenset[str]) -> bool:
    here = node.parent
    while here is not None and here.type not in types:
        here = here.parent
    return here is not None


def _symbols(root: Node, at: Bytes) -> Iterator[Symbol]:
    for node in below(root, frozenset(_ITEMS), frozenset(("block",))):
        owner = ""
        here = node.parent
        while here is not None and not owner:
            if here.type in ("impl_item", "trait_item"):
                owner = _clean(word(here.child_by_field_name("type") or here.child_by_field_name("name")))
            here = here.parent
        name = "::".join(part for part in (_inline_path(node), owner, word(node.child_by_field_name("name"))) if part)
        yield Symbol(name, _ITEMS[node.type], at.place(node.start_byte, node.end_byte), comment_before(node))


# -- crates ------------------------------------------------------------------------------------------------------------------------


class _Crate(NamedTuple):
    """``name`` is as code writes it; ``externals`` maps such names to (package, version); ``locals`` to folders of path dependencies."""

    folder: str
    name: str
    externals: Mapping[str, tuple[str, str]]
    locals: Mapping[str, str]
    description: str


class _Module(NamedTuple):
    root: str  # uri of the crate's root file
    path: tuple[str, ...]  # below the root


class RustLinker:
    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        self._files = files
        self._level = level
        self._crates = _crates({parent_folder(uri) for uri in files}, checkout)
        self._modules: dict[str, _Module] = {}
        self._trees: dict[str, dict[tuple[str, ...], str]] = {}  # root → path of a module → its file
        self._inline: dict[str, set[tuple[str, ...]]] = {}
        for uri in sorted(files):
            if self._is_root(uri):
                self._grow(uri, uri, (), parent_folder(uri))
        for uri in sorted(files):  # files that no root declares stand alone
            if uri not in self._modules:
                self._grow(uri, uri, (), parent_folder(uri))

    def units(self) -> list[UnitShape]:
        return [
            UnitShape(uri, "package" if not self._modules[uri].path else "module", self.entity(uri).name, (uri,)) for uri in self._files
        ]

    def entity(self, uri: str) -> CodeEntity:
        module = self._modules[uri]
        name, qualifier = self._root_name(module.root)
        kind = "package" if not module.path else "module"
        crate = self._crate_of(uri)
        words = first_sentence(self._files[uri].doc) or (crate.description if crate and kind == "package" and not qualifier else "")
        return CodeEntity("::".join((name, *module.path)), kind, qualifier, words, (("language", "rust"), ("path", uri)))

    def ancestors(self, uri: str) -> list[CodeEntity]:
        module = self._modules[uri]
        tree = self._trees[module.root]
        above = next((tree[module.path[:count]] for count in range(len(module.path) - 1, -1, -1) if module.path[:count] in tree), None)
        return [self.entity(uri), self.entity(above)] if above is not None and above != uri else [self.entity(uri)]

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        home = self.entity(uri)
        attrs = (("language", "rust"), ("path", uri))
        found = {
            symbol.name: CodeEntity(f"{home.name}::{symbol.name}", symbol.kind, home.qualifier, first_sentence(symbol.doc), attrs)
            for symbol in reversed(self._files[uri].symbols)
        }
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
        return Links(tuple(dict.fromkeys(dependencies)), tuple(loose))

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
        if self._known(module.root, (*inside, parts[0])):
            return self._deepest(module.root, inside, parts)
        crate = self._crate_of(uri)
        library = self._library(crate, parts[0], module.root) if crate else None
        if library is not None:
            return self._deepest(library, (), parts[1:])
        if parts[0] in _STANDARD:
            return CodeEntity(parts[0], "external", "rust", "", (("language", "rust"), ("standard_library", "true")))
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
            if self._known(root, (*start, *parts[:count])):
                best = (*start, *parts[:count])
                break
        while best not in tree:  # an inline module belongs to the file that holds it
            best = best[:-1]
        return self.entity(tree[best])

    def _known(self, root: str, path: tuple[str, ...]) -> bool:
        return path in self._trees[root] or path in self._inline[root]

    def _library(self, crate: _Crate, name: str, root: str) -> str | None:
        """The root file of a crate of the checkout: a path dependency, or the package's own library seen from its other targets."""
        folder = crate.folder if name == crate.name else crate.locals.get(name)
        if folder is None:
            return None
        file = next((uri for uri in self._trees if self._crate_folder(uri) == folder and _is_library(uri, folder)), None)
        return file if file != root else None

    # -- the tree of modules -------------------------------------------------------------------------------------------------------

    def _grow(self, root: str, uri: str, path: tuple[str, ...], folder: str) -> None:
        self._modules[uri] = _Module(root, path)
        self._trees.setdefault(root, {})[path] = uri
        self._inline.setdefault(root, set())
        for inside, name, written, _, has_body in self._files[uri].body["modules"]:
            inner = tuple(inside.split("::")) if inside else ()
            if has_body:
                self._inline[root].add((*path, *inner, name))
                continue
            base = join(folder, "/".join(inner)) if inner else folder
            own = parent_folder(uri)
            tries = [join(own if not inner else base, written)] if written else [join(base, f"{name}.rs"), join(base, f"{name}/mod.rs")]
            for candidate in tries:
                if candidate in self._files and candidate not in self._modules:
                    is_mod = candidate.endswith("/mod.rs") or bool(written)
                    self._grow(root, candidate, (*path, *inner, name), parent_folder(candidate) if is_mod else join(base, name))
                    break

    def _is_root(self, uri: str) -> bool:
        folder = self._crate_folder(uri)
        rest = uri[len(folder) + 1 :] if folder else uri
        return bool(
            re.fullmatch(r"src/(?:lib|main)\.rs|src/bin/[^/]+(?:/main)?\.rs|(?:tests|examples|benches)/[^/]+(?:/main)?\.rs|build\.rs", rest)
        )

    def _crate_folder(self, uri: str) -> str:
        crate = self._crate_of(uri)
        return crate.folder if crate else ""

    def _crate_of(self, uri: str) -> _Crate | None:
        fits = [crate for crate in self._crates if not crate.folder or uri.startswith(f"{crate.folder}/")]
        return max(fits, key=lambda crate: len(crate.folder), default=None)

    def _root_name(self, root: str) -> tuple[str, str]:
        """A library bears the crate's name; another target its own, with the package and its kind as qualifier."""
        crate = self._crate_of(root)
        if crate is None:
            return root.removesuffix(".rs").replace("/", "::"), ""
        rest = root[len(crate.folder) + 1 :] if crate.folder else root
        if rest == "src/lib.rs" or _is_library(root, crate.folder):
            return crate.name, ""
        parts = rest.removesuffix(".rs").removesuffix("/main").split("/")
        if rest == "src/main.rs":
            has_library = f"{crate.folder}/src/lib.rs".lstrip("/") in self._files
            return crate.name, f"{crate.name} bin" if has_library else ""
        return parts[-1], f"{crate.name} {'/'.join(parts[:-1]) or 'package'}"


def _is_library(uri: str, folder: str) -> bool:
    return uri == join(folder, "src/lib.rs")


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
            found.append(_Crate(folder, name, externals, local, words if isinstance(words, str) else ""))
    return found


def _dependencies(manifest: dict[str, Any], folder: str, checkout: Checkout) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    workspace, at, locked = _workspace(folder, checkout)
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
                    externals[written] = (package, locked.get(package) or str(fields.get("version", "")))
    return externals, local


def _workspace(folder: str, checkout: Checkout) -> tuple[dict[str, Any], str, dict[str, str]]:
    """The workspace's shared dependencies, its folder, and what its lock pins (names with two versions have none that is certain)."""
    here = folder
    while True:
        data = checkout.toml(join(here, "Cargo.toml")) or {}
        lock = checkout.toml(join(here, "Cargo.lock"))
        if "workspace" in data or lock is not None or not here:
            pinned: dict[str, set[str]] = {}
            for entry in (lock or {}).get("package", []):
                pinned.setdefault(str(entry.get("name")), set()).add(str(entry.get("version")))
            shared = _table(_table(data.get("workspace")).get("dependencies"))
            return shared, here, {name: versions.pop() for name, versions in pinned.items() if len(versions) == 1}
        here = parent_folder(here)


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
