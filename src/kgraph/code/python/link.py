"""Ties the imports of Python files to modules of the run or to external packages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.externals import External, Externals
from kgraph.code.facts import CodeEntity, Dependency, FileFacts, Import, Links, Loose, Symbol
from kgraph.code.languages import UnitShape
from kgraph.code.naming import told_apart
from kgraph.code.places import first_sentence
from kgraph.code.python.layout import Layout, Module, layout, prefixes
from kgraph.ontology import fold

if TYPE_CHECKING:
    from kgraph.code.python.calls import CallGraph


class PythonLinker:
    """All Python files of a run. ``entity`` and ``links`` answer for one file at a time."""

    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        absolute = (
            found.target
            for facts in files.values()
            for found in facts.imports
            if not found.target.startswith(".")
        )
        self._files = files
        self._layout: Layout = layout(files, absolute, checkout)
        self._modules = {fold(name) for name in (*self._layout.by_name, *self._layout.folders)}
        self._externals = Externals(checkout)
        self._entities: dict[str, CodeEntity] = {}
        self._symbols: dict[str, Mapping[str, CodeEntity]] = {}
        self._calls: CallGraph | None = None
        if level == "symbol":
            from kgraph.code.python.calls import CallGraph

            self._calls = CallGraph(files, self)

    def units(self) -> list[UnitShape]:
        found = []
        for uri in self._files:
            module = self.module(uri)
            found.append(
                UnitShape(uri, "package" if module.is_package else "module", module.name, (uri,))
            )
        return found

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        if self._calls is None or uri not in self._layout.by_uri:
            return {}
        if uri not in self._symbols:
            home = self.entity(uri)
            self._symbols[uri] = told_apart(
                {
                    symbol.name: self._symbol(symbol, home)
                    for symbol in reversed(self._files[uri].symbols)
                }
            )
        return self._symbols[uri]

    def _symbol(self, symbol: Symbol, home: CodeEntity) -> CodeEntity:
        name = f"{home.name}.{symbol.name}"
        qualifier = home.qualifier
        if fold(name) in self._modules:  # a module of that name is another thing, whatever its case
            qualifier = f"{qualifier} {symbol.kind}".strip()
        return CodeEntity(
            name,
            symbol.kind,
            qualifier,
            first_sentence(symbol.doc),
            (("language", "python"), ("path", self._path(home))),
        )

    def _path(self, home: CodeEntity) -> str:
        return dict(home.attrs)["path"]

    def module(self, uri: str) -> Module:
        """The module that a file is, or whose stub it is."""
        return self._layout.by_uri.get(uri) or self._layout.by_uri[uri[:-1]]

    def entity(self, uri: str) -> CodeEntity:
        module = self.module(uri)
        if module.uri not in self._entities:
            copies = self._layout.by_name[module.name]
            qualifier = "" if copies[0] is module else _place_of_copy(module)
            self._entities[module.uri] = CodeEntity(
                module.name,
                "package" if module.is_package else "module",
                qualifier,
                first_sentence(self._files[module.uri].doc),
                (("language", "python"), ("path", module.uri)),
            )
        return self._entities[module.uri]

    def ancestors(self, uri: str) -> list[CodeEntity]:
        """From the file's module up through the implicit packages to the first package with a file of its own (included)."""
        module = self.module(uri)
        chain = [self.entity(uri)]
        for prefix in reversed(prefixes(module.name)[:-1]):
            parent = self._nearest(prefix, module)
            if parent is not None:
                chain.append(self.entity(parent.uri))
                break
            chain.append(
                CodeEntity(
                    prefix,
                    "package",
                    chain[-1].qualifier,
                    "",
                    (("language", "python"), ("namespace", "true")),
                )
            )
        return chain

    def links(self, uri: str) -> Links:
        if uri not in self._layout.by_uri:
            return Links()
        module, here = self.module(uri), self.entity(uri)
        dependencies: list[Dependency] = []
        loose: list[Loose] = []
        for found in self._files[uri].imports:
            for target in self._targets(found, module, loose):
                if (target.name, target.qualifier) != (here.name, here.qualifier):
                    dependencies.append(Dependency(here, target, found.kind, found.place))
        dependencies += self._symbol_edges(uri)
        for call in self._calls.open(uri) if self._calls else ():
            loose.append(Loose(call.place[0], call.written or "(expression)", call.reason))
        return Links(tuple(dict.fromkeys(dependencies)), tuple(loose))

    def _symbol_edges(self, uri: str) -> list[Dependency]:
        found: list[Dependency] = []
        for caller, other, callee, kind, place in self._calls.edges(uri) if self._calls else ():
            source = self.symbols(uri).get(caller) or self.entity(uri)
            target = self.symbols(other).get(callee)
            if target is not None and target is not source:
                found.append(Dependency(source, target, kind, place))
        for caller, dotted, place in self._calls.outside(uri) if self._calls else ():
            source = self.symbols(uri).get(caller) or self.entity(uri)
            home = self.external(dotted, self.module(uri))
            if dotted != home.name:
                attrs = tuple(
                    one for one in home.attrs if one[0] in ("language", "standard_library")
                )
                symbol = home._replace(name=dotted, kind="external-symbol", attrs=attrs)
                found.append(Dependency(source, symbol, "call-outside", place))
        return found

    # -- what names mean to the call graph -----------------------------------------------------------------------------------------

    def bound(self, uri: str, dotted: str, level: int) -> tuple[str, str]:
        module = self.module(uri)
        base = self.base_of("." * level + dotted, module)
        if base is None:
            return "", ""
        home = self._nearest(base, module) if level else self.find(base, module)
        if home is not None:
            return "m", home.uri
        if base in self._layout.folders:
            return "ns", base
        top = base.partition(".")[0]
        return ("", "") if level or top in self._layout.by_name else ("x", base)

    def inside(self, package: str, kind: str, name: str) -> str:
        if kind == "m":
            home = self.module(package)
            found = self._within(home, name) or self._nearest(f"{home.name}.{name}", home)
        else:
            copies = self._layout.by_name.get(f"{package}.{name}", ())
            found = copies[0] if len(copies) == 1 else None
        return found.uri if found else ""

    # -- names -------------------------------------------------------------------------------------------------------------------

    def find(self, dotted: str, module: Module) -> Module | None:
        """The module of the run that ``dotted`` means in ``module``: a sibling of a script first, as on its import path, then by name."""
        folder = parent_folder(module.uri)
        script = module.root != folder and "__init__" not in module.uri
        sibling = self._sibling(dotted, module) if script else None
        if sibling is not None and not self._in_package(folder):
            return sibling
        found = self._nearest(dotted, module)
        top = dotted.partition(".")[0]
        if found is not None or sibling is None or top in sys.stdlib_module_names:
            return found
        # In a package: a file that is run from its own folder, if the name can be nothing else.
        known = top in self._layout.by_name or top in self._layout.folders
        return None if known or self._externals.python(top, module.project) else sibling

    def _sibling(self, dotted: str, module: Module) -> Module | None:
        """The module of that name in the same folder."""
        path = join(parent_folder(module.uri), dotted.replace(".", "/"))
        for candidate in (f"{path}/__init__.py", f"{path}.py"):
            found = self._layout.by_uri.get(candidate)
            if found is not None and found is not module:
                return found
        return None

    def base_of(self, target: str, module: Module) -> str | None:
        """The absolute dotted name of an import's target; None if it climbs above the top of its package."""
        level = len(target) - len(target.lstrip("."))
        if level == 0:
            return target
        parts = module.name.split(".")
        keep = len(parts) - level + (1 if module.is_package else 0)
        if keep < 1:
            return None
        rest = target[level:]
        return ".".join([*parts[:keep], *([rest] if rest else [])])

    def _targets(self, found: Import, module: Module, loose: list[Loose]) -> list[CodeEntity]:
        base = self.base_of(found.target, module)
        if base is None:
            loose.append(
                Loose(
                    found.place.line, found.target, "relative import beyond the top-level package"
                )
            )
            return []
        relative = found.target.startswith(".")
        home = self._nearest(base, module) if relative else self.find(base, module)
        if found.form == "import":
            return self._plain_import(base, home, module, found, loose)
        targets: list[CodeEntity] = []
        outside = False
        for name, _ in found.names:
            inner = None
            if name != "*":
                dotted = f"{base}.{name}"
                inner = (
                    self._nearest(dotted, module)
                    if relative or home is None
                    else self._within(home, name)
                )
                if inner is None and not relative:
                    inner = self.find(dotted, module) if home is None else None
            chosen = inner or home
            if chosen is not None:
                targets.append(self.entity(chosen.uri))
            else:
                outside = True
        if outside and not targets:
            targets += self._outside(base, module, found, loose)
        elif outside:
            loose.append(
                Loose(
                    found.place.line,
                    base,
                    "some of the imported names are no modules of this namespace package",
                )
            )
        return list(dict.fromkeys(targets))

    def _plain_import(
        self, base: str, home: Module | None, module: Module, found: Import, loose: list[Loose]
    ) -> list[CodeEntity]:
        if home is not None:
            return [self.entity(home.uri)]
        parent = self.find(base.rpartition(".")[0], module) if "." in base else None
        if (
            parent is not None
        ):  # Python does import the package before it looks for the missing module
            loose.append(Loose(found.place.line, base, f"no module of that name in {parent.name}"))
            return [self.entity(parent.uri)]
        return self._outside(base, module, found, loose)

    def _outside(
        self, base: str, module: Module, found: Import, loose: list[Loose]
    ) -> list[CodeEntity]:
        top = base.partition(".")[0]
        if base in self._layout.by_name:
            loose.append(
                Loose(
                    found.place.line,
                    base,
                    "several modules of that name, none of them nearer than the others",
                )
            )
            return []
        if found.target.startswith(".") or self._nearest(top, module) is not None:
            loose.append(Loose(found.place.line, base, "no such module in the sources"))
            return []
        if top in self._layout.folders and top not in sys.stdlib_module_names:
            declared = self._externals.python(base, module.project)
            if declared is None:
                loose.append(Loose(found.place.line, base, "no such module in the sources"))
                return []
        return [self.external(base, module)]

    def external(self, dotted: str, module: Module) -> CodeEntity:
        top = dotted.partition(".")[0]
        if top in sys.stdlib_module_names:
            return CodeEntity(
                top,
                "external",
                "python",
                "",
                (("language", "python"), ("standard_library", "true")),
            )
        known = self._externals.python(top, module.project) or External(top, "")
        attrs = [("language", "python")]
        if known.distribution != top:
            attrs.append(("distribution", known.distribution))
        if known.version:
            attrs.append(("version", known.version))
        return CodeEntity(top, "external", "pypi", "", tuple(sorted(attrs)))

    def _within(self, package: Module, name: str) -> Module | None:
        folder = parent_folder(package.uri) if package.is_package else ""
        if package.is_package:
            prefix = f"{folder}/{name}" if folder else name
            for candidate in (
                f"{prefix}/__init__.py",
                f"{prefix}.py",
                f"{prefix}/__init__.pyi",
                f"{prefix}.pyi",
            ):
                if candidate in self._layout.by_uri:
                    return self._layout.by_uri[candidate]
            return None
        return None

    def _in_package(self, folder: str) -> bool:
        prefix = f"{folder}/" if folder else ""
        return f"{prefix}__init__.py" in self._layout.by_uri

    def _nearest(self, dotted: str, module: Module) -> Module | None:
        """Of several files with one dotted name (copies of a tree) the one of the same import root or project as ``module``."""
        copies = self._layout.by_name.get(dotted, ())
        if len(copies) < 2:
            return copies[0] if copies else None
        tests: tuple[Callable[[Module], bool], ...] = (
            lambda copy: copy.root == module.root,
            lambda copy: copy.project == module.project,
            lambda copy: not copy.root or module.uri.startswith(f"{copy.root}/"),
        )
        for test in tests:
            fit = [copy for copy in copies if test(copy)]
            if fit:
                return max(fit, key=lambda copy: len(copy.root))
        return None


def _place_of_copy(module: Module) -> str:
    return module.root or module.uri
