"""npm packages of a checkout: which one a file belongs to, what each offers (``exports``, ``main``) and asks for, with versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.tuples import NamedTuple

BUILTINS = frozenset(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http "
    "http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream "
    "string_decoder sys test timers tls "
    "trace_events tty url util v8 vm wasi worker_threads zlib sqlite".split()
)  # without their inner parts ('fs/promises')
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


class Package(NamedTuple):
    """``folder`` holds the package.json; ``manifest`` is what it says."""

    folder: str
    name: str
    manifest: dict[str, Any]


class Packages:
    def __init__(self, files: Iterable[str], checkout: Checkout) -> None:
        self._checkout = checkout
        self._of: dict[str, Package | None] = {}
        self._scopes: dict[str, Package | None] = {}
        self._locks: dict[str, dict[str, str]] = {}
        folders = {parent_folder(uri) for uri in files}
        for folder in list(folders):
            while folder:
                folder = parent_folder(folder)
                folders.add(folder)
        found: dict[str, list[Package]] = {}
        for folder in sorted(folders, key=lambda name: (name.count("/"), name)):
            package = self._read(folder)
            if package is not None and package.name:
                found.setdefault(package.name, []).append(package)
        self.by_name = {name: tuple(packages) for name, packages in found.items()}

    def _read(self, folder: str) -> Package | None:
        if folder not in self._of:
            manifest = self._checkout.json(join(folder, "package.json"))
            name = manifest.get("name", "") if manifest else ""
            self._of[folder] = (
                Package(folder, name if isinstance(name, str) else "", manifest)
                if manifest is not None
                else None
            )
        return self._of[folder]

    def above(self, uri: str) -> Iterator[Package]:
        """The packages around a file, innermost first."""
        folder = uri
        while folder:
            folder = parent_folder(folder)
            package = self._read(folder)
            if package is not None:
                yield package

    def scope(self, uri: str) -> Package | None:
        """The innermost package around a file, which Node asks for ``imports`` and its own name."""
        folder = parent_folder(uri)
        if folder not in self._scopes:
            self._scopes[folder] = next(self.above(uri), None)
        return self._scopes[folder]

    def named(self, uri: str) -> Package | None:
        """The innermost package with a name: the one that people mean."""
        return next((package for package in self.above(uri) if package.name), None)

    def local(self, name: str, uri: str) -> Package | None:
        """A package of the checkout by name: a workspace, or the file's own; of several copies the nearest."""
        found = self.by_name.get(name, ())
        if len(found) < 2:
            return found[0] if found else None
        own = self.named(uri)
        if own is not None and own.name == name:
            return own

        def shared(package: Package) -> int:
            here, there = uri.split("/"), package.folder.split("/")
            return next(
                (
                    count
                    for count, (one, other) in enumerate(zip(here, there, strict=False))
                    if one != other
                ),
                min(len(here), len(there)),
            )

        return max(found, key=shared)

    # -- external packages ---------------------------------------------------------------------------------------------------------

    def version(self, name: str, uri: str) -> str | None:
        """What the lock pins or the manifest asks for, from the file upwards; None where nothing declares the package."""
        asked: str | None = None
        folder = uri
        while folder:
            folder = parent_folder(folder)
            pinned = self._lock(folder).get(name)
            if pinned is not None:
                return pinned
            package = self._read(folder)
            for kind in _DEPENDENCIES if package is not None and asked is None else ():
                table = package.manifest.get(kind) if package else None
                for wanted in (name, f"@types/{name.removeprefix('@').replace('/', '__')}"):
                    if (
                        asked is None
                        and isinstance(table, dict)
                        and isinstance(table.get(wanted), str)
                    ):
                        asked = "" if wanted != name else str(table[wanted])
            if asked is None and self._checkout.is_folder(join(folder, f"node_modules/{name}")):
                installed = (
                    self._checkout.json(join(folder, f"node_modules/{name}/package.json")) or {}
                )
                return str(installed.get("version", ""))
        return asked

    def has_manifest(self, uri: str) -> bool:
        return next(self.above(uri), None) is not None

    def _lock(self, folder: str) -> dict[str, str]:
        if folder not in self._locks:
            names = self._checkout.names(folder)
            found: dict[str, str] = {}
            if "package-lock.json" in names:
                found = _npm_lock(self._checkout.json(join(folder, "package-lock.json")) or {})
            elif "pnpm-lock.yaml" in names:
                found = _pnpm_lock(self._checkout.text(join(folder, "pnpm-lock.yaml")) or "")
            elif "yarn.lock" in names:
                found = _yarn_lock(self._checkout.text(join(folder, "yarn.lock")) or "")
            self._locks[folder] = found
        return self._locks[folder]


def _npm_lock(lock: dict[str, Any]) -> dict[str, str]:
    found = {}
    for key, entry in lock.get("packages", lock.get("dependencies", {})).items():
        name = key.rpartition("node_modules/")[2] if "packages" in lock else key
        top_level = "packages" not in lock or key == f"node_modules/{name}"
        if name and top_level and isinstance(entry, dict) and isinstance(entry.get("version"), str):
            found[name] = entry["version"]
    return found


def _pnpm_lock(text: str) -> dict[str, str]:
    """Top-level 'packages' entries ('/name@1.2.3', 'name@1.2.3(peer@2)'); a package with two versions has none that is certain."""
    found: dict[str, set[str]] = {}
    for match in re.finditer(
        r"(?m)^  ['\"]?/?((?:@[\w.-]+/)?[\w.-]+)[@/](\d[\w.+-]*)[^:\n]*:", text
    ):
        found.setdefault(match.group(1), set()).add(match.group(2))
    return {name: versions.pop() if len(versions) == 1 else "" for name, versions in found.items()}


def _yarn_lock(text: str) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for match in re.finditer(
        r"(?m)^\"?((?:@[\w.-]+/)?[\w.-]+)@[^\n]*:\n(?:  .*\n)*?  version:? \"?([^\"\n]+)", text
    ):
        found.setdefault(match.group(1), set()).add(match.group(2))
    return {name: versions.pop() if len(versions) == 1 else "" for name, versions in found.items()}


def offered(table: object, subpath: str, conditions: frozenset[str]) -> list[str]:
    """The targets that an ``exports`` or ``imports`` table gives for './sub' or '#name', best first."""
    if isinstance(table, str | list) or (
        isinstance(table, dict) and not any(str(key).startswith((".", "#")) for key in table)
    ):
        return list(_targets(table, "", conditions)) if subpath == "." else []
    if not isinstance(table, dict):
        return []
    if subpath in table:
        return list(_targets(table[subpath], "", conditions))
    for key in sorted(
        (key for key in table if "*" in key),
        key=lambda key: (-len(key.partition("*")[0]), -len(key)),
    ):
        before, _, after = key.partition("*")
        if (
            subpath.startswith(before)
            and subpath.endswith(after)
            and len(subpath) >= len(before) + len(after)
        ):
            return list(
                _targets(table[key], subpath[len(before) : len(subpath) - len(after)], conditions)
            )
    for key in sorted((key for key in table if key.endswith("/")), key=len, reverse=True):
        if subpath.startswith(key):
            return [target + subpath[len(key) :] for target in _targets(table[key], "", conditions)]
    return []


def _targets(value: object, star: str, conditions: frozenset[str]) -> Iterator[str]:
    if isinstance(value, str):
        yield value.replace("*", star)
    elif isinstance(value, list):
        for item in value:
            yield from _targets(item, star, conditions)
    elif isinstance(value, dict):
        chosen = [key for key in value if key in conditions]
        spare = [
            key for key in value if key not in conditions
        ]  # what is not built points at its sources under a name of its own
        for key in [*chosen, *spare]:
            yield from _targets(value[key], star, conditions)
