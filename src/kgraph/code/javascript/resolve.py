"""From a specifier to a file of the run: relative paths, package exports and imports, workspaces, tsconfig paths."""

from __future__ import annotations

from collections.abc import Iterable, Set

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.javascript.packages import BUILTINS, Package, Packages, offered
from kgraph.code.javascript.tsconfig import Paths, TypeScriptConfigs
from kgraph.tuples import NamedTuple

_TYPED = (".ts", ".tsx", ".mts", ".cts")
_DECLARED = (
    ".d.ts",
    ".d.mts",
    ".d.cts",
)  # only where there is no code: they describe a module, they are not it
_PLAIN = (".js", ".jsx", ".mjs", ".cjs")
_BLOCKS = (".vue", ".svelte")
# What an output's ending may stand for in the sources.
_SOURCES = {
    ".js": (".ts", ".tsx", ".jsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",),
    ".d.ts": (".ts", ".tsx"), ".d.mts": (".mts",), ".d.cts": (".cts",),
}  # fmt: skip
_DECLARATIONS = {".js": ".d.ts", ".jsx": ".d.ts", ".mjs": ".d.mts", ".cjs": ".d.cts"}
_CONDITIONS = {
    "import": frozenset(("import", "node", "default", "module-sync")),
    "require": frozenset(("require", "node", "default", "module-sync")),
}
_OUTPUTS = ("dist", "lib", "build", "out", "esm", "cjs", "es")


class Target(NamedTuple):
    """``kind``: file (``name`` is its uri), asset (a file that is no source), external, builtin, package (a local one whose entry
    is not among the sources), unknown (``name`` says why)."""

    kind: str
    name: str


class Resolver:
    def __init__(self, files: Set[str], checkout: Checkout) -> None:
        self._files = files
        self._checkout = checkout
        self.packages = Packages(files, checkout)
        self._configs = TypeScriptConfigs(checkout)

    def resolve(self, specifier: str, uri: str, form: str) -> Target:
        """``form`` is 'require' or anything else for ESM."""
        written = specifier.rpartition("!")[2].partition("?")[0]
        if not written:
            return Target("unknown", "empty specifier")
        if "://" in written or written.startswith(
            ("data:", "virtual:", "\0", "bun:", "jsr:", "https:")
        ):
            return Target("unknown", "not a path and not a package")
        if written.startswith((".", "/")):
            return self._relative(written, uri)
        conditions = _CONDITIONS[
            "require" if form == "require" else "import"
        ] | self._configs.conditions(uri)
        if written.startswith("#"):
            found = self._own_import(written, uri, conditions)
            if found is not None:
                return found
        mapped = self._mapped(written, uri)
        if mapped is not None:
            return mapped
        return self._bare(written, uri, conditions)

    # -- paths ---------------------------------------------------------------------------------------------------------------------

    def _relative(self, written: str, uri: str) -> Target:
        path = (
            join("", written.lstrip("/"))
            if written.startswith("/")
            else join(parent_folder(uri), written)
        )
        found = self.file(path, uri, written.endswith(("/", "/.", "/..")) or written in (".", ".."))
        if found is not None:
            return found
        for paths in self._configs.of(
            uri
        ):  # rootDirs: several folders that are one to the importer
            for root in paths.root_dirs:
                if uri.startswith(f"{root}/"):
                    for other in paths.root_dirs:
                        moved = self.file(
                            join(other, join(parent_folder(uri)[len(root) + 1 :], written)), uri
                        )
                        if moved is not None:
                            return moved
        if path.startswith(".."):
            return Target("unknown", "outside the source root")
        return Target("unknown", "no such file among the sources")

    def file(self, path: str, importer: str, folder_only: bool = False) -> Target | None:
        """What stands at a path as a bundler finds it: the file, its source, the path with an ending, or the folder's entry."""
        if not folder_only:
            sources = [
                path[: -len(ending)] + other
                for ending, others in _SOURCES.items()
                if path.endswith(ending)
                for other in others
            ]
            exact = [path, *sources] if importer.endswith(_PLAIN) else [*sources, path]
            declared = [
                path[: -len(ending)] + other
                for ending, other in _DECLARATIONS.items()
                if path.endswith(ending)
            ]
            for candidate in (*exact, *declared, *(path + ending for ending in _endings(importer))):
                if candidate in self._files:
                    return Target("file", candidate)
            for asset in (path, f"{path}.json", f"{path}.node"):
                if self._checkout.is_file(asset):
                    return Target("asset", asset)
        return self._folder(path, importer)

    def _folder(self, path: str, importer: str) -> Target | None:
        manifest = self._checkout.json(join(path, "package.json"))
        for key in ("module", "main", "source", "types", "typings"):
            entry = manifest.get(key) if manifest else None
            if isinstance(entry, str):
                found = self.file(join(path, entry), importer)
                if found is not None and found.name != path:
                    return found
        for ending in _endings(importer):
            if join(path, f"index{ending}") in self._files:
                return Target("file", join(path, f"index{ending}"))
        return (
            Target("asset", join(path, "index.json"))
            if self._checkout.is_file(join(path, "index.json"))
            else None
        )

    # -- names ---------------------------------------------------------------------------------------------------------------------

    def _own_import(self, written: str, uri: str, conditions: frozenset[str]) -> Target | None:
        package = self.packages.scope(uri)
        if package is None:
            return None
        targets = offered(package.manifest.get("imports"), written, conditions)
        for target in targets:
            if target.startswith("."):
                found = self._entry(package, target, uri)
                if found is not None:
                    return found
            else:
                return self._bare(target, uri, conditions)
        return (
            Target("unknown", "the package's imports lead to no file of the sources")
            if targets
            else None
        )

    def _mapped(self, written: str, uri: str) -> Target | None:
        """tsconfig ``paths``, then ``baseUrl``."""
        for paths in self._configs.of(uri):
            for pattern, targets in paths.patterns:
                before, star, after = pattern.partition("*")
                if written == pattern or (
                    star
                    and written.startswith(before)
                    and written.endswith(after)
                    and len(written) >= len(before) + len(after)
                ):
                    rest = written[len(before) : len(written) - len(after)] if star else ""
                    for target in targets:
                        found = self.file(target.replace("*", rest, 1), uri)
                        if found is not None:
                            return found
            if paths.base is not None:
                found = self.file(join(paths.base, written), uri)
                if found is not None and found.kind == "file":
                    return found
        return None

    def _bare(self, written: str, uri: str, conditions: frozenset[str]) -> Target:
        parts = written.split("/")
        name = "/".join(parts[:2]) if written.startswith("@") and len(parts) > 1 else parts[0]
        plain = written.removeprefix("node:")
        if written.startswith("node:") or (
            plain.partition("/")[0] in BUILTINS and not self.packages.by_name.get(name)
        ):
            return Target("builtin", plain.partition("/")[0])
        local = self.packages.local(name, uri)
        if local is not None:
            return self._local(local, written[len(name) + 1 :], uri, conditions)
        if not name.replace("@", "").replace("/", "") or name.startswith("@/") or "~" in name:
            return Target("unknown", "an alias that no configuration of the sources explains")
        if self.packages.version(name, uri) is None and self.packages.has_manifest(uri):
            return Target("unknown", "no package.json declares this package")
        return Target("external", name)

    def _local(self, package: Package, rest: str, uri: str, conditions: frozenset[str]) -> Target:
        exports = package.manifest.get("exports")
        if exports is not None:
            targets = offered(exports, f"./{rest}" if rest else ".", conditions)
        elif rest:
            targets = [f"./{rest}"]
        else:
            targets = [
                entry
                for key in ("module", "main", "source", "types", "typings")
                if isinstance(entry := package.manifest.get(key), str)
            ]
            targets.append("./index")
        for target in targets:
            found = self._entry(package, target, uri)
            if found is not None:
                return found
        return (
            Target("package", package.folder)
            if targets or not rest
            else Target("unknown", "the package exports no such path")
        )

    def _entry(self, package: Package, target: str, uri: str) -> Target | None:
        """A file that a manifest names: itself, or, when it is a build's output, the source that it is built from."""
        path = join(package.folder, target)
        found = self.file(path, uri)
        if found is not None:
            return found
        for source in self._built_from(package, path):
            found = self.file(source, uri)
            if found is not None and found.kind == "file":
                return found
        return None

    def _built_from(self, package: Package, path: str) -> Iterable[str]:
        for paths in self._configs.of(join(package.folder, "package.json")):
            yield from _unbuilt(paths, path, package.folder)
        inner = path[len(package.folder) + 1 :] if package.folder else path
        parts = inner.split("/")
        while parts and parts[0] in _OUTPUTS:
            parts = parts[1:]
            yield join(package.folder, "/".join(["src", *parts]))


def _unbuilt(paths: Paths, path: str, folder: str) -> Iterable[str]:
    if paths.out_dir is not None and path.startswith(f"{paths.out_dir}/"):
        rest = path[len(paths.out_dir) + 1 :]
        for root in (paths.root_dir, join(folder, "src"), folder):
            if root is not None:
                yield join(root, rest)


def _endings(importer: str) -> tuple[str, ...]:
    if importer.endswith(_PLAIN):
        return (*_PLAIN, *_TYPED, *_BLOCKS, *_DECLARED)
    return (*_TYPED, *_PLAIN, *_BLOCKS, *_DECLARED)
