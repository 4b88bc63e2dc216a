"""Who calls whom in Go. Methods of concrete types are known for certain; a call through an interface may enter several."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kgraph.code.facts import FileFacts
from kgraph.code.flow import OUTSIDE, SEVERAL, Flow, Value, unknown
from kgraph.code.go.names import BUILTINS, PLAIN

Package = tuple[
    str, str
]  # folder, and which of its packages: '' the one that is imported, 'test' its external test, or a name


class GoFlow(Flow):
    depth_first = False  # the shallowest of what is embedded

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        package_of: Callable[[str], Package],
        imported: Callable[[str, str], str | None],
    ) -> None:
        """``imported`` gives the folder of a package of the run that a path means in a file, None if it is outside or not there."""
        super().__init__(files)
        self._package_of, self._imported = package_of, imported
        self._scopes: dict[
            Package, dict[str, str]
        ] = {}  # name of a symbol → the first file that has it
        self._globals: dict[Package, dict[str, str]] = {}
        self._names_of: dict[Package, str] = {}
        for uri, facts in files.items():
            package = package_of(uri)
            self._names_of.setdefault(package, facts.module)
            for symbol in facts.symbols:
                self._scopes.setdefault(package, {}).setdefault(symbol.name, uri)
            for name in self.body(uri).more.get("globals", ()):
                self._globals.setdefault(package, {}).setdefault(name, uri)

    def outer(self, uri: str, name: str, at: int) -> Value:
        found = self._global(self._package_of(uri), name)
        if found is not None:
            return found
        dotted: list[str | None] = []
        for one in self._files[uri].imports:
            alias = one.names[0][1]
            folder = self._imported(one.target, uri)
            if alias == ".":
                dotted.append(folder)
            elif alias == "_":
                continue
            elif (alias or self._own_name(one.target, folder)) == name:
                return Value("module", folder) if folder is not None else OUTSIDE
        if name in PLAIN or name in BUILTINS:
            return OUTSIDE
        for folder in dotted:
            found = self._global((folder, ""), name) if folder is not None else None
            if found is not None:
                return found
        return OUTSIDE if None in dotted else unknown("no such name in the package or its imports")

    def inside(self, module: Value, name: str) -> Value:
        return self._global((module.uri, ""), name) or unknown("no such name in the package")

    def method(self, owner: Value, name: str, given: int) -> Value | None:
        about = self.about(owner)
        if about["kind"] == "interface" and name in about.get("methods", ()):
            return SEVERAL
        symbol = f"{owner.name}.{name}"
        place = self._scopes.get(self._package_of(owner.uri), {}).get(symbol)
        return Value("function", place, symbol) if place is not None else None

    def absent(self, of: Value, name: str) -> Value:
        about = self.about(of)
        under = about.get("under")
        if (
            about["kind"] == "named" and under and under[0] in ("n", ".")
        ):  # the fields of what it is made from, not the methods
            below = self.value(["t", under], of.uri)
            field = self.about(below)["fields"].get(name) if below.kind == "object" else None
            if field is not None:
                return self.bound([0, 0, *field], below.uri)
        return super().absent(of, name)

    def bases(self, found: Value) -> list[Value]:
        return [
            self.made(above) if above.kind == "type" else above for above in super().bases(found)
        ]

    def _global(self, package: Package, name: str) -> Value | None:
        place = self._scopes.get(package, {}).get(name)
        if place is not None and "." not in name:
            return self.symbol(place, name)
        place = self._globals.get(package, {}).get(name)
        if place is None:
            return None
        return self.bound([0, 0, *self.body(place).more["globals"][name]], place)

    def _own_name(self, path: str, folder: str | None) -> str:
        """What a package is called where it is imported: what its clause says, else the last part of its path without a version."""
        if folder is not None:
            return self._names_of.get((folder, ""), "")
        parts = [part for part in path.split("/") if not re.fullmatch(r"v\d+", part)]
        return re.sub(r"^go-|\.v\d+$|[.-]go$", "", parts[-1]).replace("-", "_") if parts else ""
