"""Which dotted name each Python file has: import roots, regular and namespace packages, by folders, manifests and what the imports say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.tuples import NamedTuple

_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
_INIT = ("__init__.py", "__init__.pyi")


class Module(NamedTuple):
    """``root`` is the folder from which the dotted name is counted, ``project`` the nearest folder with a manifest."""

    name: str
    uri: str
    root: str
    project: str
    is_package: bool


class Layout(NamedTuple):
    """``by_name`` lists every file that has a dotted name (copies of a tree share one); ``folders`` are implicit packages by name."""

    by_uri: Mapping[str, Module]
    by_name: Mapping[str, tuple[Module, ...]]
    folders: Mapping[str, tuple[str, ...]]


def layout(uris: Iterable[str], absolute_imports: Iterable[str], checkout: Checkout) -> Layout:
    """Names for all files. ``absolute_imports`` are the dotted targets of the run, evidence for namespace packages."""
    files = sorted(uris)
    packages = {parent_folder(uri) for uri in files if uri.rpartition("/")[2] in _INIT}
    projects = _Projects(checkout)
    if "" in packages and (projects.has_manifest("") or not checkout.root_name.isidentifier()):
        packages.discard(
            ""
        )  # a stray __init__.py beside the manifest makes no package of the checkout
    wanted = {prefix for target in set(absolute_imports) for prefix in prefixes(target)}
    bases: dict[str, str] = {}
    modules: dict[str, Module] = {}
    for uri in files:
        folder = parent_folder(uri)
        project = projects.of(folder)
        if folder not in bases:
            bases[folder] = _base(folder, project, packages, projects, wanted)
        base = bases[folder]
        stem = uri.rpartition("/")[2].rpartition(".")[0]
        is_package = stem == "__init__" and folder in packages
        parts = _parts(folder, base, checkout)
        if not is_package:
            parts = [*parts, stem]
        name = ".".join(parts)
        if uri.endswith(".pyi") and f"{uri[:-1]}" in modules:
            continue  # the stub of a module that is here itself
        modules[uri] = Module(name, uri, "" if base == "/" else base, project, is_package)
    by_name: dict[str, list[Module]] = {}
    for module in modules.values():
        by_name.setdefault(module.name, []).append(module)
    for found in by_name.values():
        # Of a package and a module of one name beside each other Python takes the package.
        found.sort(
            key=lambda module: (
                module.root.count("/"), len(module.root), not module.is_package, module.uri,
            )
        )  # fmt: skip
    return Layout(
        modules,
        {name: tuple(found) for name, found in by_name.items()},
        _folders(modules.values(), by_name),
    )


class _Projects:
    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout
        self._of: dict[str, str] = {}
        self._roots: dict[str, tuple[str, ...]] = {}

    def has_manifest(self, folder: str) -> bool:
        return any(self._checkout.is_file(join(folder, name)) for name in _MANIFESTS)

    def of(self, folder: str) -> str:
        """The nearest folder at or above ``folder`` that holds a manifest; the source root if there is none."""
        if folder not in self._of:
            self._of[folder] = (
                folder
                if not folder or self.has_manifest(folder)
                else self.of(parent_folder(folder))
            )
        return self._of[folder]

    def source_folders(self, project: str) -> tuple[str, ...]:
        """Folders of a project that its manifest (or the custom of ``src``) puts on the import path, longest first."""
        if project not in self._roots:
            found = (
                {join(project, "src")} if self._checkout.is_folder(join(project, "src")) else set()
            )
            for written in _declared(self._checkout, project):
                found.add(join(project, written))
            self._roots[project] = tuple(sorted(found, key=lambda folder: (-len(folder), folder)))
        return self._roots[project]


def _declared(checkout: Checkout, project: str) -> Iterable[str]:
    """Import folders that a manifest names: setuptools ``where`` and ``package-dir``, poetry ``from``, hatch and pytest paths."""
    data = checkout.toml(join(project, "pyproject.toml")) or {}
    tool = data.get("tool", {})
    setuptools = tool.get("setuptools", {})
    packages = setuptools.get("packages", {})
    written: list[object] = []
    if isinstance(packages, dict):
        written += packages.get("find", {}).get("where", [])
    written += [folder for name, folder in setuptools.get("package-dir", {}).items() if name == ""]
    written += [
        entry.get("from", "")
        for entry in tool.get("poetry", {}).get("packages", [])
        if isinstance(entry, dict)
    ]
    written += [
        str(entry).rpartition("/")[0] for entry in _at(tool, "hatch.build.targets.wheel.packages")
    ]
    written += [entry for entry in _at(tool, "hatch.build.dev-mode-dirs") if entry != "."]
    written += _at(tool, "pytest.ini_options.pythonpath")
    config = checkout.text(join(project, "setup.cfg")) or ""
    written += re.findall(r"(?m)^package_dir\s*=\s*\n?\s*=\s*(\S+)", config) + re.findall(
        r"(?m)^where\s*=\s*(\S+)", config
    )
    script = checkout.text(join(project, "setup.py")) or ""
    written += re.findall(r"package_dir\s*=\s*\{\s*['\"]['\"]\s*:\s*['\"]([\w./-]+)['\"]", script)
    written += re.findall(
        r"find_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?['\"]([\w./-]+)['\"]", script
    )
    for entry in written:
        clean = str(entry).removeprefix("./").strip("/")
        if clean and clean != "." and ".." not in clean:
            yield clean


def _at(table: object, path: str) -> list[str]:
    for key in path.split("."):
        table = table.get(key, {}) if isinstance(table, dict) else {}
    return [str(entry) for entry in table] if isinstance(table, list) else []


def _base(
    folder: str, project: str, packages: set[str], projects: _Projects, wanted: set[str]
) -> str:
    """The folder from which the names of the modules in ``folder`` are counted; '/' stands for the folder above the source root."""
    floor = next(
        (root for root in projects.source_folders(project) if _within(folder, root)), project
    )
    top, here = "", folder
    found = False
    while _within(here, floor):
        if here in packages:
            top, found = here, True
        if here == floor:
            break
        here = parent_folder(here)
    if not found:
        return floor
    if top == "":
        return "/"
    base = parent_folder(top) if top != floor else parent_folder(floor)
    named = _namespace_base(top, base, floor, wanted)
    if (
        named is None
    ):  # nobody imports it: on an import path of the manifest it is a portion, elsewhere it stands for itself
        return floor if floor != project and _within(base, floor) else base
    return named


def _namespace_base(top: str, base: str, floor: str, wanted: set[str]) -> str | None:
    """A regular package below plain folders is a portion of a namespace package if the run imports it by the longer name only; None if
    it is imported by neither."""
    above = base
    while True:
        name = (top[len(above) + 1 :] if above else top).replace("/", ".")
        if name in wanted:
            return above
        if above == floor or not _within(above, floor):
            return None
        above = parent_folder(above)


def prefixes(dotted: str) -> list[str]:
    """'a.b.c' → ['a', 'a.b', 'a.b.c']"""
    parts = dotted.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _parts(folder: str, base: str, checkout: Checkout) -> list[str]:
    if base == "/":
        return [checkout.root_name, *(folder.split("/") if folder else [])]
    rest = folder[len(base) + 1 :] if base else folder
    return rest.split("/") if rest else []


def _folders(
    modules: Iterable[Module], by_name: Mapping[str, object]
) -> dict[str, tuple[str, ...]]:
    """Dotted names of implicit (namespace) packages: every prefix of a module's name that is no module itself."""
    found: dict[str, set[str]] = {}
    for module in modules:
        for prefix in prefixes(module.name)[:-1]:
            if prefix not in by_name:
                found.setdefault(prefix, set()).add(module.root)
    return {name: tuple(sorted(roots)) for name, roots in found.items()}


def _within(folder: str, root: str) -> bool:
    return not root or folder == root or folder.startswith(root + "/")
