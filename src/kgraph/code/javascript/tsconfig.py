"""What a tsconfig or jsconfig says of import paths, with everything that it extends and refers to."""

from __future__ import annotations

from typing import Any

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.tuples import NamedTuple

_NAMES = ("tsconfig.json", "jsconfig.json")
_DEEPEST = 12  # of extends in extends: a guard against circles


class Paths(NamedTuple):
    """``base`` is the folder of non-relative imports ('' counts, None: not set); ``patterns`` are (pattern, targets from the root)."""

    base: str | None
    patterns: tuple[tuple[str, tuple[str, ...]], ...]
    root_dirs: tuple[str, ...] = ()
    out_dir: str | None = None
    root_dir: str | None = None
    conditions: tuple[str, ...] = ()  # customConditions for package exports


class TypeScriptConfigs:
    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout
        self._of: dict[str, tuple[Paths, ...]] = {}

    def of(self, uri: str) -> tuple[Paths, ...]:
        """The settings of the nearest configuration above a file, then those of what it refers to."""
        return self._in(parent_folder(uri))

    def conditions(self, uri: str) -> frozenset[str]:
        return frozenset(name for paths in self.of(uri) for name in paths.conditions)

    def _in(self, folder: str) -> tuple[Paths, ...]:
        if folder not in self._of:
            name = next(
                (
                    join(folder, name)
                    for name in _NAMES
                    if self._checkout.is_file(join(folder, name))
                ),
                None,
            )
            if name is not None:
                found = [self.read(name), *self._referred(name)]
                others = sorted(
                    other
                    for other in self._checkout.names(folder)
                    if other.startswith("tsconfig.") and other.endswith(".json")
                )
                if not any(paths.patterns or paths.base is not None for paths in found):
                    found += [
                        self.read(join(folder, other))
                        for other in others
                        if join(folder, other) != name
                    ]
                self._of[folder] = tuple(found)
            else:
                self._of[folder] = self._in(parent_folder(folder)) if folder else ()
        return self._of[folder]

    def _referred(self, config: str) -> list[Paths]:
        data = self._checkout.json(config) or {}
        found = []
        for reference in data.get("references") or ():
            path = reference.get("path") if isinstance(reference, dict) else None
            if isinstance(path, str):
                target = join(parent_folder(config), path)
                file = target if target.endswith(".json") else join(target, "tsconfig.json")
                if parent_folder(file) == parent_folder(config) and self._checkout.is_file(file):
                    found.append(self.read(file))
        return found

    def read(self, config: str) -> Paths:
        """One configuration with what it extends; settings are relative to the file that makes them."""
        found: dict[str, tuple[Any, str]] = {}
        for options, folder in self._chain(config, 0):
            for key, value in options.items():
                found[key] = (value, folder)
        here = parent_folder(config)

        def path(value: object, folder: str) -> str:
            written = str(value)
            if written.startswith(
                "${configDir}"
            ):  # the folder of the configuration that is in use, not of the one that says so
                return join(here, f".{written.removeprefix('${configDir}')}")
            return join(folder, written)

        base = path(*found["baseUrl"]) if "baseUrl" in found else None
        patterns = []
        if "paths" in found and isinstance(found["paths"][0], dict):
            table, folder = found["paths"]
            for pattern, targets in table.items():
                anchored = tuple(
                    path(target, base if base is not None else folder)
                    for target in targets
                    if isinstance(target, str)
                )
                patterns.append((pattern, anchored))
        patterns.sort(key=lambda entry: (-len(entry[0].partition("*")[0]), "*" in entry[0]))
        roots = tuple(path(value, found["rootDirs"][1]) for value in _list(found.get("rootDirs")))
        out_dir = path(*found["outDir"]) if "outDir" in found else None
        root_dir = path(*found["rootDir"]) if "rootDir" in found else None
        return Paths(
            base,
            tuple(patterns),
            roots,
            out_dir,
            root_dir,
            tuple(map(str, _list(found.get("customConditions")))),
        )

    def _chain(self, config: str, depth: int) -> list[tuple[dict[str, Any], str]]:
        """The options of a configuration and of what it extends, the farthest first."""
        data = self._checkout.json(config)
        if data is None or depth > _DEEPEST:
            return []
        found: list[tuple[dict[str, Any], str]] = []
        written = data.get("extends")
        for target in (
            [written] if isinstance(written, str) else written if isinstance(written, list) else []
        ):
            file = self._extended(str(target), parent_folder(config))
            if file is not None:
                found += self._chain(file, depth + 1)
        options = data.get("compilerOptions")
        return [*found, (options if isinstance(options, dict) else {}, parent_folder(config))]

    def _extended(self, target: str, folder: str) -> str | None:
        """The file that ``extends`` names: a path, or a package found in a node_modules folder upwards."""
        if target.startswith("."):
            tries = [join(folder, target)]
        else:
            tries, here = [], folder
            while True:
                tries.append(join(here, f"node_modules/{target}"))
                if not here:
                    break
                here = parent_folder(here)
        for path in tries:
            for file in (path, f"{path}.json", f"{path}/tsconfig.json"):
                if self._checkout.is_file(file):
                    return file
        return None


def _list(found: tuple[Any, str] | None) -> list[object]:
    return found[0] if found is not None and isinstance(found[0], list) else []
