"""Which version of an external package a project asks for, by its lock or manifest."""

from __future__ import annotations

import re
from typing import Any

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.tuples import NamedTuple

# Distributions whose import name differs from their own beyond '-' and '_'. Used only when a manifest names the distribution.
_IMPORT_NAMES = {
    "pyyaml": ("yaml",),
    "pillow": ("PIL",),
    "beautifulsoup4": ("bs4",),
    "scikit-learn": ("sklearn",),
    "scikit-image": ("skimage",),
    "opencv-python": ("cv2",),
    "opencv-python-headless": ("cv2",),
    "python-dateutil": ("dateutil",),
    "python-dotenv": ("dotenv",),
    "python-docx": ("docx",),
    "attrs": ("attr", "attrs"),
    "protobuf": ("google",),
    "pyjwt": ("jwt",),
    "msgpack-python": ("msgpack",),
    "mysqlclient": ("MySQLdb",),
    "psycopg2-binary": ("psycopg2",),
    "pyzmq": ("zmq",),
    "pyserial": ("serial",),
    "setuptools": ("setuptools", "pkg_resources"),
    "gitpython": ("git",),
}
_REQUIREMENT = re.compile(
    r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?\s*([^;#\s)][^;#)]*)?"
)


class External(NamedTuple):
    """``version`` is as the lock or manifest writes it: '2.31.0' when pinned, '>=2,<3' when not."""

    distribution: str
    version: str


class Externals:
    """The declared dependencies of each project, found through its nearest manifest or lock upwards."""

    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout
        self._python: dict[str, dict[str, External]] = {}

    def python(self, import_name: str, project: str) -> External | None:
        """The declared distribution behind a top-level import name; None if no manifest from ``project`` upwards names it."""
        top = import_name.partition(".")[0]
        while True:
            if project not in self._python:
                self._python[project] = _python_project(self._checkout, project)
            found = self._python[project].get(top) or self._python[project].get(_normal(top))
            if found is not None or not project:
                return found
            project = parent_folder(project)


def _python_project(checkout: Checkout, project: str) -> dict[str, External]:
    """By import name. Ranges of the manifest first, then overwritten by what a lock pins."""
    found: dict[str, External] = {}
    for requirement in _manifest_requirements(checkout, project):
        _add(found, requirement)
    for lock in ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"):
        data = checkout.toml(join(project, lock)) or {}
        for package in data.get("package", data.get("packages", [])):
            if (
                isinstance(package, dict)
                and isinstance(package.get("name"), str)
                and isinstance(package.get("version"), str)
            ):
                _put(found, package["name"], package["version"])
    pipfile = checkout.json(join(project, "Pipfile.lock")) or {}
    for section in ("default", "develop"):
        for name, entry in _table(pipfile.get(section)).items():
            if isinstance(entry, dict) and isinstance(entry.get("version"), str):
                _put(found, name, entry["version"].removeprefix("=="))
    return found


def _manifest_requirements(checkout: Checkout, project: str) -> list[str]:
    data = checkout.toml(join(project, "pyproject.toml")) or {}
    about, tool = _table(data.get("project")), _table(data.get("tool"))
    written: list[Any] = list(about.get("dependencies", []))
    for group in (
        *_table(about.get("optional-dependencies")).values(),
        *_table(data.get("dependency-groups")).values(),
    ):
        written += group
    written += _table(data.get("build-system")).get("requires", [])
    poetry = _table(tool.get("poetry"))
    tables = [poetry.get("dependencies"), poetry.get("dev-dependencies")]
    tables += [_table(group).get("dependencies") for group in _table(poetry.get("group")).values()]
    for table in tables:
        for name, entry in _table(table).items():
            version = entry if isinstance(entry, str) else _table(entry).get("version", "")
            written.append(f"{name} {version if version != '*' else ''}")
    for name in sorted(checkout.names(project)):
        if name.endswith((".txt", ".in")) and "requirements" in name:
            text = checkout.text(join(project, name)) or ""
            written += [
                line for line in text.splitlines() if not line.lstrip().startswith(("#", "-"))
            ]
    config = checkout.text(join(project, "setup.cfg")) or ""
    block = re.search(r"(?m)^install_requires\s*=((?:\s*\n?[ \t]+.*)*)", config)
    written += (block.group(1) if block else "").splitlines()
    script = checkout.text(join(project, "setup.py")) or ""
    listed = re.search(r"install_requires\s*=\s*\[([^\]]*)\]", script)
    written += re.findall(r"['\"]([^'\"]+)['\"]", listed.group(1)) if listed else []
    return [entry for entry in written if isinstance(entry, str)]


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _add(found: dict[str, External], requirement: str) -> None:
    match = _REQUIREMENT.match(requirement)
    if match:
        version = (match.group(2) or "").strip()
        pinned = re.fullmatch(r"===?\s*([^,*\s]+)", version)
        _put(
            found,
            match.group(1),
            pinned.group(1) if pinned else "" if version.startswith("@") else version,
        )


def _put(found: dict[str, External], distribution: str, version: str) -> None:
    for name in _IMPORT_NAMES.get(_normal(distribution), (_normal(distribution),)):
        if version or name not in found:
            found[name] = External(distribution, version)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
