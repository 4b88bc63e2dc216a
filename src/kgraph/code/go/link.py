"""Go: packages are folders, modules are what a go.mod names; imports resolve by the longest module path, ``replace`` and go.work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.facts import CodeEntity, Dependency, FileFacts, Links, Loose
from kgraph.code.flow import Answer, drawn
from kgraph.code.kept import Kept
from kgraph.code.languages import UnitShape
from kgraph.code.naming import told_apart
from kgraph.code.places import first_sentence
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.code.go.calls import GoFlow

Package = tuple[
    str, str
]  # folder, and which of its packages: '' the one that is imported, 'test' its external test, or a name


class _Module(NamedTuple):
    folder: str
    path: str
    required: Mapping[str, str]  # module path → version
    replaced: Mapping[str, str]  # module path → folder


class GoLinker:
    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        self._files = files
        self._modules = _modules({parent_folder(uri) for uri in files}, checkout)
        self._main = _main_names(files)
        self._packages: dict[Package, list[str]] = {}
        for uri in sorted(files):
            self._packages.setdefault(self._home(uri), []).append(uri)
        self._names = _distinct(self._packages, self._plain_package)
        self._symbols = Kept(self._symbols_of, 256)
        self._calls: GoFlow | None = None
        if level == "symbol":
            from kgraph.code.go.calls import GoFlow

            self._calls = GoFlow(files, self._home, self._folder)

    def units(self) -> list[UnitShape]:
        found = []
        for (_, _), uris in self._packages.items():
            first = uris[0]
            found.append(
                UnitShape(
                    first if len(uris) == 1 else self.entity(first).name,
                    "package",
                    self.entity(first).name,
                    tuple(uris),
                )
            )
        return found

    def entity(self, uri: str) -> CodeEntity:
        folder, which = self._home(uri)
        docs = [
            self._files[other].doc
            for other in self._packages[folder, which]
            if self._files[other].doc
        ]
        return self._package(folder, which, first_sentence(max(docs, key=len)) if docs else "")

    def ancestors(self, uri: str) -> list[CodeEntity]:
        module = self._module_of(parent_folder(uri))
        here = self.entity(uri)
        if module is None or here.name == module.path:
            return [here]
        return [
            here,
            CodeEntity(
                module.path, "package", "", "", (("language", "go"), ("path", module.folder or "."))
            ),
        ]

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        return self._symbols(self._home(uri))

    def _symbols_of(self, package: Package) -> dict[str, CodeEntity]:
        """Of all files of a package: one symbol may be written in several, for as many systems."""
        found: dict[str, CodeEntity] = {}
        for uri in self._packages[package]:
            home = self._package(*package, "")
            attrs = (("language", "go"), ("path", uri))
            for symbol in self._files[uri].symbols:
                described = CodeEntity(
                    f"{home.name}.{symbol.name}",
                    symbol.kind,
                    home.qualifier,
                    first_sentence(symbol.doc),
                    attrs,
                )
                found.setdefault(symbol.name, described)
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
        said = self._calls.answer(uri) if self._calls is not None else Answer()
        dependencies += drawn(said, here, self.symbols, uri)
        return Links(tuple(dict.fromkeys(dependencies)), (*loose, *said.loose), said.outside)

    def _home(self, uri: str) -> Package:
        folder, name = parent_folder(uri), self._files[uri].module
        if uri.endswith("_test.go") and name.endswith("_test"):
            return folder, "test"
        return folder, "" if name in ("", self._main[folder]) else name

    def _folder(self, path: str, uri: str) -> str | None:
        """The folder of the package that an import path means, None if it is none of the run."""
        target = self._target(path, uri)
        if isinstance(target, str) or target.kind == "external":
            return None
        folder = dict(target.attrs)["path"]
        return "" if folder == "." else folder

    def _target(self, path: str, uri: str) -> CodeEntity | str:
        """The package that an import path means, or why there is none."""
        own = self._module_of(parent_folder(uri))
        if path.startswith("."):
            folder = join(parent_folder(uri), path)
            return (
                self._package(folder, "", "")
                if (folder, "") in self._packages
                else "no such package among the sources"
            )
        for module_path, folder in self._local_modules(own):
            if path == module_path or path.startswith(f"{module_path}/"):
                inner = join(folder, path[len(module_path) + 1 :] or ".")
                if (inner, "") in self._packages:
                    return self._package(inner, "", "")
                return "no such package among the sources"
        if "." not in path.partition("/")[0]:
            return CodeEntity(
                path, "external", "go", "", (("language", "go"), ("standard_library", "true"))
            )
        required = own.required if own else {}
        matches = [name for name in required if path == name or path.startswith(f"{name}/")]
        if matches:
            name = max(matches, key=len)
            return CodeEntity(
                name, "external", "go", "", (("language", "go"), ("version", required[name]))
            )
        return (
            "no go.mod requires this module"
            if own
            else CodeEntity(path, "external", "go", "", (("language", "go"),))
        )

    def _local_modules(self, own: _Module | None) -> list[tuple[str, str]]:
        """Module paths and their folders, longest first; what the own go.mod replaces counts before what other modules are called."""
        found = {module.path: module.folder for module in self._modules}
        if own is not None:
            found |= own.replaced
            found[own.path] = own.folder
        return sorted(found.items(), key=lambda entry: -len(entry[0]))

    def _module_of(self, folder: str) -> _Module | None:
        fits = [
            module
            for module in self._modules
            if not module.folder
            or folder == module.folder
            or folder.startswith(f"{module.folder}/")
        ]
        return max(fits, key=lambda module: len(module.folder), default=None)

    def _package(self, folder: str, which: str, description: str) -> CodeEntity:
        found = self._names.get((folder, which))
        return (found or self._plain_package(folder, which))._replace(description=description)

    def _plain_package(self, folder: str, which: str) -> CodeEntity:
        module = self._module_of(folder)
        name = folder or "main"
        if module is not None:
            rest = folder[len(module.folder) :].strip("/") if module.folder else folder
            name = f"{module.path}/{rest}" if rest else module.path
        copies = [
            other for other in self._modules if module is not None and other.path == module.path
        ]
        qualifier = (
            module.folder
            if module is not None and len(copies) > 1 and copies[0] is not module
            else ""
        )
        if which not in ("", "test"):  # a program beside a package, kept out of its build by a tag
            qualifier = f"{qualifier} package {which}".strip()
        shown = f"{name}_test" if which == "test" else name
        return CodeEntity(
            shown, "package", qualifier, "", (("language", "go"), ("path", folder or "."))
        )


def _distinct(
    packages: Iterable[Package], entity: Callable[[str, str], CodeEntity]
) -> dict[Package, CodeEntity]:
    """Folders whose names differ in case alone are two packages."""
    return told_apart({package: entity(*package) for package in sorted(packages)})


def _main_names(files: Mapping[str, FileFacts]) -> dict[str, str]:
    """What each folder's package is called: as most of its files say, and rather not 'main'."""
    counted: dict[str, dict[str, int]] = {}
    for uri, facts in files.items():
        names = counted.setdefault(parent_folder(uri), {})
        if facts.module and not (uri.endswith("_test.go") and facts.module.endswith("_test")):
            names[facts.module] = names.get(facts.module, 0) + 1
    return {
        folder: max(names, key=lambda name: (name != "main", names[name], name), default="")
        for folder, names in counted.items()
    }


def _modules(folders: set[str], checkout: Checkout) -> list[_Module]:
    every = set(folders)
    for folder in folders:
        while folder:
            folder = parent_folder(folder)
            every.add(folder)
    found: list[_Module] = []
    for folder in sorted(every, key=lambda name: (name.count("/"), name)):
        found += filter(None, [_module(folder, checkout.text(join(folder, "go.mod")) or "")])
    return found


def _module(folder: str, text: str) -> _Module | None:
    """What a go.mod says: directives alone on their line or in blocks; ``exclude`` and ``retract`` require nothing."""
    path = block = ""
    required: dict[str, str] = {}
    replaced: dict[str, str] = {}
    for row in text.splitlines():
        parts = [part.strip('"`') for part in row.partition("//")[0].split()]
        if not parts or parts == [")"]:
            block = block if parts == [] else ""
            continue
        if len(parts) == 2 and parts[1] == "(":
            block = parts[0]
            continue
        verb, rest = (block, parts) if block else (parts[0], parts[1:])
        if verb == "module" and rest:
            path = rest[0]
        elif verb == "require" and len(rest) == 2:
            required.setdefault(rest[0], rest[1])
        elif verb == "replace" and "=>" in rest:
            old, new = rest[0], rest[rest.index("=>") + 1 :]
            if new and new[0].startswith("."):
                replaced[old] = join(folder, new[0])
            elif len(new) == 2:
                required[old] = new[1]
    return _Module(folder, path, required, replaced) if path else None
