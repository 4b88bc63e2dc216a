"""Files that say how a project is built, measured and held together: what they state in so many words, and nothing worked out from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from kgraph.code.builds import project_name
from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.facts import CodeEntity, FileFacts, Links, Place
from kgraph.code.languages import UnitShape
from kgraph.code.payload import FileText, Payload
from kgraph.code.places import Lines
from kgraph.parsing import json_value

_CONTRACT = re.compile(
    r"(?m)^\[\[tool\.importlinter\.contracts\]\]\s*$|^\[importlinter:contract:[^\]]+\]\s*$"
)
_NAME = re.compile(r"(?m)^name\s*=\s*(\"[^\"\n]+\"|'[^'\n]+'|[^\s\"'][^\n]*)")
_COVERAGE = re.compile(
    r"(?m)^[ \t]*(?:\"?--cov-fail-under[= ]|fail_under\s*=\s*)\"?(\d+(?:\.\d+)?)"
)
_OWNERS = re.compile(
    r"(?m)^[ \t]*(?P<rule>(?P<path>[^\s#]+)(?P<owners>(?:[ \t]+(?:@[\w./-]+|[\w.+-]+@[\w.-]+))+))[ \t]*(?:#.*)?$"
)
_OUTPUT_KEYS = ("main", "module", "browser", "types", "bin")
_THRESHOLDS = ("branches", "functions", "lines", "statements")


def parse(text: str, level: str) -> FileFacts:
    del level
    return FileFacts("project", lines=len(Lines(text)))


class ProjectLinker:
    """Each of these files is a unit; its Entity is the project that it describes."""

    def __init__(self, files: Mapping[str, FileFacts], checkout: Checkout, level: str) -> None:
        del level
        self._files = files
        self._checkout = checkout

    def units(self) -> list[UnitShape]:
        return [UnitShape(uri, "module", uri, (uri,)) for uri in self._files]

    def entity(self, uri: str) -> CodeEntity:
        folder = parent_folder(uri)
        if uri.endswith("CODEOWNERS"):
            folder = folder.removesuffix(".github").removesuffix("docs").strip("/")
        name, words = project_name(uri, self._checkout)
        if name:
            return CodeEntity(name, "project", "", words, (("path", folder or "."),))
        return project_at(folder, self._checkout, uri.endswith("package.json"))

    def ancestors(self, uri: str) -> list[CodeEntity]:
        return [self.entity(uri)]

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        del uri
        return {}

    def links(self, uri: str) -> Links:
        del uri
        return Links()


def project_at(folder: str, checkout: Checkout, npm_first: bool = False) -> CodeEntity:
    """The project of a folder, called as its manifest calls it."""
    manifest = checkout.json(join(folder, "package.json")) or {}
    about = (checkout.toml(join(folder, "pyproject.toml")) or {}).get("project", {})
    for table in (manifest, about) if npm_first else (about, manifest):
        if isinstance(table, dict) and isinstance(table.get("name"), str) and table["name"].strip():
            words = table.get("description")
            kind = "package" if table is manifest else "project"
            return CodeEntity(
                table["name"],
                kind,
                "",
                words if isinstance(words, str) else "",
                (("path", folder or "."),),
            )
    return CodeEntity(
        folder.rpartition("/")[2] or checkout.root_name,
        "project",
        "",
        "",
        (("path", folder or "."),),
    )


def state(file: FileText, source: str, modules: Mapping[str, CodeEntity], payload: Payload) -> None:
    """Adds what the file states. ``modules`` are the run's modules by name and by path."""
    name = file.uri.rpartition("/")[2]
    if name == "CODEOWNERS":
        _owners(file, source, modules, payload)
    if name in ("pyproject.toml", "setup.cfg", ".importlinter"):
        _contracts(file, source, modules, payload)
    if name in ("pyproject.toml", "setup.cfg", ".coveragerc", "tox.ini", "pytest.ini"):
        for found in _COVERAGE.finditer(file.text):
            _metric(file, source, ("coverage", found.group(1)), found.span(), payload)
    if name.endswith(".json"):
        _json_file(file, source, name, payload)


def _contracts(
    file: FileText, source: str, modules: Mapping[str, CodeEntity], payload: Payload
) -> None:
    heads = list(_CONTRACT.finditer(file.text))
    for head in heads:
        following = re.search(r"(?m)^\[", file.text[head.end() :])
        end = head.end() + following.start() if following else len(file.text)
        named = _NAME.search(file.text, head.end(), end)
        if named is None:
            continue
        words = named.group(1).strip().strip("\"'")
        if len(words.split()) < 3:
            continue  # a label, no statement
        start = named.start(1) + named.group(1).index(words)
        claim = _claim(file, source, words, (start, start + len(words)), payload)
        for module in dict.fromkeys(re.findall(r"[A-Za-z_][\w.]*", file.text[named.end() : end])):
            if claim and module in modules and "." in module:
                payload.edge(
                    "MENTIONS", claim, payload.entity(modules[module]._replace(description=""))
                )


def _owners(
    file: FileText, source: str, modules: Mapping[str, CodeEntity], payload: Payload
) -> None:
    for found in _OWNERS.finditer(file.text):
        claim = _claim(file, source, found.group("rule"), found.span("rule"), payload)
        for owner in found.group("owners").split():
            if claim:
                payload.edge("MENTIONS", claim, payload.entity(CodeEntity(owner, "owner")))
        path = found.group("path").strip("/").removesuffix("/**").removesuffix("/*")
        owned = modules.get(path) or modules.get(f"{path}/__init__.py")
        if claim and owned is not None:
            payload.edge("MENTIONS", claim, payload.entity(owned._replace(description="")))


def _json_file(file: FileText, source: str, name: str, payload: Payload) -> None:
    try:
        data = json_value(file.text)
    except ValueError:
        return  # a broken manifest states nothing
    if name == ".size-limit.json" and isinstance(data, list):
        data = {"size-limit": data}
    if not isinstance(data, dict):
        return
    if name == "package.json":
        _build(file, source, data, payload)
    for entry in data.get("size-limit") or ():
        if isinstance(entry, dict) and isinstance(entry.get("limit"), str):
            spot = _spot(
                file.text,
                json.dumps(entry["limit"]),
                json.dumps(entry.get("path", "")) if isinstance(entry.get("path"), str) else "",
            )
            label = entry.get("name") or entry.get("path")
            if spot and isinstance(label, str):
                _metric(
                    file,
                    source,
                    (f"size of {label}" if " " not in label else label, entry["limit"]),
                    spot,
                    payload,
                )
    thresholds = (
        data.get("jest", {}).get("coverageThreshold", {}).get("global", {})
        if isinstance(data.get("jest"), dict)
        else {}
    )
    thresholds = data if name == ".nycrc.json" else thresholds
    for key in _THRESHOLDS:
        spot = _spot(file.text, f'"{key}"')
        if isinstance(thresholds.get(key), int | float) and spot:
            limit = str(thresholds[key])
            stated = _spot(file.text, limit, f'"{key}"')
            if stated:
                _metric(file, source, (f"coverage of {key}", limit), (spot[0], stated[1]), payload)
    for message in _messages(data.get("rules")):
        spot = _spot(file.text, json.dumps(message, ensure_ascii=False))
        if spot and len(message.split()) > 2:
            _claim(file, source, message, (spot[0] + 1, spot[1] - 1), payload)


def _build(file: FileText, source: str, data: dict[str, object], payload: Payload) -> None:
    """What the build script makes, where the manifest says both how and which version."""
    scripts, version = data.get("scripts"), data.get("version")
    command = scripts.get("build") if isinstance(scripts, dict) else None
    if not isinstance(command, str) or not command.strip() or not isinstance(version, str):
        return
    spot = _spot(file.text, json.dumps(command, ensure_ascii=False))
    for key in _OUTPUT_KEYS:
        output = data.get(key)
        if (
            not isinstance(output, str)
            or not re.match(r"(?:\./)?(?:dist|build|lib|out|es|esm|cjs)/", output)
            or spot is None
        ):
            continue
        run = payload.node("AgentRun", command)
        artifact = payload.node("Artifact", join(parent_folder(file.uri), output), version=version)
        payload.edge("PRODUCED", run, artifact, (file, _place(file, spot)))
        made = _spot(file.text, json.dumps(output), f'"{key}"')
        if made:
            payload.edge("MENTIONS", source, artifact, (file, _place(file, made)))


def _messages(rules: object) -> Iterator[str]:
    """The sentences that lint rules about imports give as their reason."""
    if isinstance(rules, dict):
        for name, setting in rules.items():
            if "restricted" in name or "boundaries" in name:
                yield from _texts(setting)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("message"), str):
            yield str(value["message"])
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _metric(
    file: FileText, source: str, measure: tuple[str, str], span: tuple[int, int], payload: Payload
) -> None:
    """``measure`` is the Metric's name and the threshold that the file sets."""
    name, threshold = measure
    metric = payload.node(
        "Metric", name, qualifier=parent_folder(file.uri), attrs={"threshold": threshold}
    )
    payload.edge("MENTIONS", source, metric, (file, _place(file, span)))


def _claim(file: FileText, source: str, words: str, span: tuple[int, int], payload: Payload) -> str:
    """A Claim in the file's own words; '' where they make no name."""
    name = " ".join(words.split())
    if not name or len(name) > 2000 or not name.isprintable():
        return ""
    claim = payload.node("Claim", name)
    payload.edge("SUPPORTS", source, claim, (file, _place(file, span)), confidence=1.0)
    return claim


def _spot(text: str, wanted: str, after: str = "") -> tuple[int, int] | None:
    begun = text.find(after) if after else 0
    at = text.find(wanted, max(begun, 0))
    return (at, at + len(wanted)) if at >= 0 else None


def _place(file: FileText, span: tuple[int, int]) -> Place:
    lines = Lines(file.text)
    return lines.range(*span)
