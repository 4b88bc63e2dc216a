"""Go: packages are folders, modules are what a go.mod names; imports resolve by the longest module path, ``replace`` and go.work."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import tree_sitter_go

from kgraph.extract.code.checkout import Checkout, join, parent_folder
from kgraph.extract.code.facts import CodeEntity, Dependency, FileFacts, Import, Links, Loose, Symbol
from kgraph.extract.code.languages import UnitShape
from kgraph.extract.code.naming import told_apart
from kgraph.extract.code.places import first_sentence
from kgraph.extract.code.trees import below, broken, comment_before, parsed, word

_TOP = frozenset(("function_declaration", "method_declaration", "type_spec"))
_BODIES = frozenset(("block",))


def parse(text: str, level: str) -> FileFacts:
    root, at = parsed(text, tree_sitter_go.language)
    clause = next((node for node in root.children if node.type == "package_clause"), None)
    name = word(next((node for node in clause.children if node.type == "package_identifier"), None)) if clause else ""
    imports = []
    for spec in below(root, frozenset(("import_spec",)), _BODIES):
        path = word(spec.child_by_field_name("path"))[1:-1]
        place = at.place(spec.start_byte, spec.end_byte)
        if spec.parent is not None and spec.parent.type == "import_declaration":
            place = at.place(spec.parent.start_byte, spec.parent.end_byte)
        imports.append(Import(place, path, (("", word(spec.child_by_field_name("name"))),), "import", "import"))
    symbols = []
    for node in below(root, _TOP, _BODIES) if level == "symbol" else ():
        receiver = node.child_by_field_name("receiver")
        owner = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*\)$", word(receiver)) if receiver is not None else None
        plain = word(node.child_by_field_name("name"))
        kind = "class" if node.type == "type_spec" else "function"
        stated = node.parent if node.type == "type_spec" and node.parent is not None else node
        symbols.append(
            Symbol(f"{owner.group(1)}.{plain}" if owner else plain, kind, at.place(node.start_byte, node.end_byte), comment_before(stated))
        )
    doc = comment_before(clause) if clause else ""
    return FileFacts("go", name, doc, tuple(imports), tuple(symbols), broken=broken(root, at), lines=len(at))


class _Module(NamedTuple):
    folder: str
    path: str
    required: Mapping[str, str]  # module path → version
    replaced: Mapping[str, str]  # module path → folder


class GoLinker:
    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        self._files = files
        self._level = level
        self._modules = _modules({parent_folder(uri) for uri in files}, checkout)
        self._packages: dict[tuple[str, bool], list[str]] = {}
        for uri, facts in sorted(files.items()):
            self._packages.setdefault((parent_folder(uri), _is_outer_test(uri, facts)), []).append(uri)

    def units(self) -> list[UnitShape]:
        found = []
        for (_, _), uris in self._packages.items():
            first = uris[0]
            found.append(UnitShape(first if len(uris) == 1 else self.entity(first).name, "package", self.entity(first).name, tuple(uris)))
        return found

    def entity(self, uri: str) -> CodeEntity:
        folder, outer = parent_folder(uri), _is_outer_test(uri, self._files[uri])
        docs = [self._files[other].doc for other in self._packages[folder, outer] if self._files[other].doc]
        return self._package(folder, outer, first_sentence(max(docs, key=len)) if docs else "")

    def ancestors(self, uri: str) -> list[CodeEntity]:
        module = self._module_of(parent_folder(uri))
        here = self.entity(uri)
        if module is None or here.name == module.path:
            return [here]
        return [here, CodeEntity(module.path, "package", "", "", (("language", "go"), ("path", module.folder or ".")))]

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        home = self.entity(uri)
        attrs = (("language", "go"), ("path", uri))
        found = {
            symbol.name: CodeEntity(f"{home.name}.{symbol.name}", symbol.kind, "", first_sentence(symbol.doc), attrs)
            for symbol in reversed(self._files[uri].symbols)
        }
        return told_apart(found)

    def links(self, uri: str) -> Links:
        here = self.entity(uri)
        dependencies, loose = [], []
        for found in self._files[uri].imports:
            target = self._target(found.target, uri)
            if isinstance(target, str):
                loose.append(Loose(found.place.line, found.target, target))
            elif target != here:
                dependencies.append(Dependency(here, target, "import", found.place))
        return Links(tuple(dict.fromkeys(dependencies)), tuple(loose))

    def _target(self, path: str, uri: str) -> CodeEntity | str:
        """The package that an import path means, or why there is none."""
        own = self._module_of(parent_folder(uri))
        if path.startswith("."):
            folder = join(parent_folder(uri), path)
            return self._package(folder, False, "") if (folder, False) in self._packages else "no such package among the sources"
        for module_path, folder in self._local_modules(own):
            if path == module_path or path.startswith(f"{module_path}/"):
                inner = join(folder, path[len(module_path) + 1 :] or ".")
                if (inner, False) in self._packages:
                    return self._package(inner, False, "")
                return "no such package among the sources"
        if "." not in path.partition("/")[0]:
            return CodeEntity(path, "external", "go", "", (("language", "go"), ("standard_library", "true")))
        required = own.required if own else {}
        matches = [name for name in required if path == name or path.startswith(f"{name}/")]
        if matches:
            name = max(matches, key=len)
            return CodeEntity(name, "external", "go", "", (("language", "go"), ("version", required[name])))
        return "no go.mod requires this module" if own else CodeEntity(path, "external", "go", "", (("language", "go"),))

    def _local_modules(self, own: _Module | None) -> list[tuple[str, str]]:
        """Module paths and their folders, longest first; what the own go.mod replaces counts before what other modules are called."""
        found = {module.path: module.folder for module in self._modules}
        if own is not None:
            found |= own.replaced
            found[own.path] = own.folder
        return sorted(found.items(), key=lambda entry: -len(entry[0]))

    def _module_of(self, folder: str) -> _Module | None:
        fits = [
            module for module in self._modules if not module.folder or folder == module.folder or folder.startswith(f"{module.folder}/")
        ]
        return max(fits, key=lambda module: len(module.folder), default=None)

    def _package(self, folder: str, outer: bool, description: str) -> CodeEntity:
        module = self._module_of(folder)
        name = folder or "main"
        if module is not None:
            rest = folder[len(module.folder) :].strip("/") if module.folder else folder
            name = f"{module.path}/{rest}" if rest else module.path
        copies = [other for other in self._modules if module is not None and other.path == module.path]
        qualifier = module.folder if module is not None and len(copies) > 1 and copies[0] is not module else ""
        return CodeEntity(
            f"{name}_test" if outer else name, "package", qualifier, description, (("language", "go"), ("path", folder or "."))
        )


def _is_outer_test(uri: str, facts: FileFacts) -> bool:
    """Go's external test packages live in the same folder and import the package that they test."""
    return uri.endswith("_test.go") and facts.module.endswith("_test")


def _modules(folders: set[str], checkout: Checkout) -> list[_Module]:
    every = set(folders)
    for folder in folders:
        while folder:
            folder = parent_folder(folder)
            every.add(folder)
    found = []
    for folder in sorted(every, key=lambda name: (name.count("/"), name)):
        text = checkout.text(join(folder, "go.mod"))
        path = re.search(r"(?m)^module\s+\"?([^\s\"]+)", text) if text else None
        if text and path:
            required = dict(re.findall(r"(?m)^(?:require)?\s+\"?([\w.~/-]+\.[\w.~/-]+)\"?\s+(v[\w.+-]+)", text))
            required |= dict(re.findall(r"(?m)^require\s+\"?([^\s\"(]+)\"?\s+(v[\w.+-]+)", text))
            pairs = re.findall(r"(?m)^(?:replace)?\s*\"?([^\s\"()]+)\"?(?:\s+v\S+)?\s+=>\s+\"?(\.[^\s\"]*)", text)
            found.append(_Module(folder, path.group(1), required, {old: join(folder, new) for old, new in pairs}))
    return found
