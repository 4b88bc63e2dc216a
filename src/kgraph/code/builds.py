"""Cargo.toml, build.rs, pom.xml and Gradle scripts: what a build makes, where the file names it and a version stands there as well.

Nothing is worked out that a reader couldn't point at: a name or version with a variable that the file itself doesn't set is no name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.facts import Place
from kgraph.code.payload import FileText, Payload
from kgraph.code.places import Lines
from kgraph.tuples import NamedTuple

GRADLE = ("build.gradle", "build.gradle.kts")
NAMES = ("Cargo.toml", "build.rs", "pom.xml", *GRADLE)


class Made(NamedTuple):
    """``run`` is the command or the build's own step; ``spans`` are what names the output and what says how it is made."""

    run: str
    output: str
    version: str
    named: tuple[int, int]
    said: tuple[int, int]


def state(file: FileText, source: str, checkout: Checkout, payload: Payload) -> None:
    """Adds each output with the run that makes it."""
    lines = Lines(file.text)
    for made in outputs(file, checkout):
        here = parent_folder(file.uri)
        run = payload.node("AgentRun", made.run, qualifier=here)
        artifact = payload.node(
            "Artifact",
            made.output,
            qualifier="" if made.output.startswith(f"{here}/") else here,
            version=made.version,
        )
        payload.edge("PRODUCED", run, artifact, (file, _place(lines, made.said)))
        payload.edge("MENTIONS", source, artifact, (file, _place(lines, made.named)))


def outputs(file: FileText, checkout: Checkout) -> Iterator[Made]:
    name = file.uri.rpartition("/")[2]
    if name == "Cargo.toml":
        yield from _cargo(file, checkout)
    elif name == "build.rs":
        yield from _build_script(file, checkout)
    elif name == "pom.xml":
        yield from _maven(file, checkout)
    elif name in GRADLE:
        yield from _gradle(file, checkout)


def _place(lines: Lines, span: tuple[int, int]) -> Place:
    return lines.range(*span)


# -- Cargo -------------------------------------------------------------------------------------------------------------------------


def cargo_version(folder: str, checkout: Checkout) -> str:
    """A package's version, from its workspace where it says so; '' if there is none."""
    package = (checkout.toml(join(folder, "Cargo.toml")) or {}).get("package")
    version = package.get("version") if isinstance(package, dict) else None
    while isinstance(version, dict) and version.get("workspace") is True:
        shared = (checkout.toml(join(folder, "Cargo.toml")) or {}).get("workspace")
        inner = shared.get("package") if isinstance(shared, dict) else None
        if isinstance(inner, dict) and isinstance(inner.get("version"), str):
            return str(inner["version"])
        if not folder:
            return ""
        folder = parent_folder(folder)
    return version if isinstance(version, str) else ""


def _cargo(file: FileText, checkout: Checkout) -> Iterator[Made]:
    """What 'cargo build' makes: the programs and the library of a package, in cargo's own terms."""
    folder = parent_folder(file.uri)
    manifest = checkout.toml(file.uri) or {}
    package, version = manifest.get("package"), cargo_version(folder, checkout)
    if not isinstance(package, dict) or not isinstance(package.get("name"), str) or not version:
        return
    name = str(package["name"])
    own = _line(file.text, "package", "name", name)
    found: dict[str, tuple[int, int] | None] = {}
    for entry in manifest.get("bin") or ():
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            found[f"{entry['name']} (bin)"] = _line(file.text, "[bin]", "name", str(entry["name"]))
    if package.get("autobins") is not False:
        if checkout.is_file(join(folder, "src/main.rs")) and not _has_path(
            manifest.get("bin"), "src/main.rs"
        ):
            found.setdefault(f"{name} (bin)", own)
        for other in sorted(checkout.names(join(folder, "src/bin"))):
            stem = other.removesuffix(".rs")
            if not _has_path(manifest.get("bin"), f"src/bin/{other}"):
                found.setdefault(f"{stem} (bin)", own)
    library = manifest.get("lib")
    named = (
        str(library["name"])
        if isinstance(library, dict) and isinstance(library.get("name"), str)
        else ""
    )
    if isinstance(library, dict) or checkout.is_file(join(folder, "src/lib.rs")):
        found[f"{named or name.replace('-', '_')} (lib)"] = (
            _line(file.text, "lib", "name", named) if named else own
        )
    for output, span in found.items():
        if span is not None:
            yield Made("cargo build", output, version, span, span)


def _has_path(entries: object, path: str) -> bool:
    return isinstance(entries, list) and any(
        isinstance(entry, dict) and entry.get("path") == path for entry in entries
    )


def _line(text: str, table: str, key: str, value: str) -> tuple[int, int] | None:
    """Where a table of a TOML file gives a key a value."""
    for head in re.finditer(
        rf"(?m)^\[{re.escape(table)}\][ \t]*(?:#.*)?$"
        if table != "[bin]"
        else r"(?m)^\[\[bin\]\][ \t]*(?:#.*)?$",
        text,
    ):
        following = re.compile(r"(?m)^\[").search(text, head.end())
        end = following.start() if following else len(text)
        found = re.compile(rf"(?m)^[ \t]*{key}[ \t]*=[ \t]*[\"']{re.escape(value)}[\"']").search(
            text, head.end(), end
        )
        if found:
            return found.start() + len(found.group()) - len(found.group().lstrip()), found.end()
    return None


_JOINED = re.compile(
    r"""(?:\.join\(|concat!\(\s*env!\("OUT_DIR"\)\s*,\s*)"/?(?P<path>[\w./-]+\.\w+)"\s*\)"""
)


def _build_script(file: FileText, checkout: Checkout) -> Iterator[Made]:
    """What a build script writes below OUT_DIR under a name that it spells out."""
    version = cargo_version(parent_folder(file.uri), checkout)
    if "OUT_DIR" not in file.text or not version:
        return
    for found in _JOINED.finditer(file.text):
        before = file.text[max(0, file.text.rfind("\n", 0, found.start())) : found.start()]
        if re.search(r"out|OUT_DIR|dest", before):
            yield Made(
                "build.rs",
                join("OUT_DIR", found.group("path")),
                version,
                found.span("path"),
                found.span(),
            )


# -- Maven -------------------------------------------------------------------------------------------------------------------------


class Element(NamedTuple):
    """An XML element without children: its path ('project/build/finalName'), text, and where it stands, tags included."""

    path: str
    text: str
    span: tuple[int, int]


_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z_][\w.:-]*)[^<>]*?(?P<empty>/?)>")


def elements(text: str) -> list[Element]:
    """The leaves of an XML text; comments are no part of it, entities stay as they are written."""
    bare = re.sub(
        r"<!--.*?-->|<\?.*?\?>", lambda found: " " * len(found.group()), text, flags=re.DOTALL
    )
    found: list[Element] = []
    stack: list[tuple[str, int]] = []  # name, end of its opening tag
    leaf = False
    for tag in _TAG.finditer(bare):
        if tag.group("empty"):
            continue
        if not tag.group("close"):
            stack.append((tag.group("name"), tag.end()))
            leaf = True
        elif stack and stack[-1][0] == tag.group("name"):
            _, start = stack.pop()
            inner = bare[start : tag.start()]
            if leaf and inner.strip():
                begin = start + len(inner) - len(inner.lstrip())
                path = "/".join([name for name, _ in stack] + [tag.group("name")])
                whole = (bare.rindex("<", 0, begin), tag.end())
                found.append(Element(path, inner.strip(), whole))
            leaf = False
    return found


def pom_properties(leaves: list[Element]) -> dict[str, str]:
    found = {
        leaf.path.rpartition("/")[2]: leaf.text
        for leaf in leaves
        if leaf.path.startswith("project/properties/")
    }
    for key in ("groupId", "artifactId", "version"):
        for path in (f"project/parent/{key}", f"project/{key}"):
            own = next((leaf.text for leaf in leaves if leaf.path == path), None)
            if own is not None:
                found[f"project.{key}"] = own
    return found | {"project.build.directory": "target", "project.basedir": "", "basedir": ""}


def filled(text: str, properties: dict[str, str]) -> str:
    """A text with its properties put in; '' if one is not known here."""
    for _ in range(5):
        text = re.sub(
            r"\$\{([^{}]+)\}", lambda found: properties.get(found.group(1), found.group(0)), text
        )
    return "" if "${" in text else text


def _maven(file: FileText, checkout: Checkout) -> Iterator[Made]:
    del checkout
    folder = parent_folder(file.uri)
    leaves = elements(file.text)
    properties = pom_properties(leaves)
    first: dict[str, Element] = {}
    for leaf in leaves:
        first.setdefault(leaf.path, leaf)
    artifact, version = (
        first.get("project/artifactId"),
        filled(properties.get("project.version", ""), properties),
    )
    if artifact is None or not version:
        return
    packaging = first["project/packaging"].text if "project/packaging" in first else "jar"
    stated = first.get("project/build/finalName")
    base = filled(stated.text, properties) if stated is not None else f"{artifact.text}-{version}"
    if packaging in ("jar", "war", "ear") and base:
        span = (stated or artifact).span
        yield Made("mvn package", join(folder, f"target/{base}.{packaging}"), version, span, span)
    for made in _generated(leaves, properties, version):
        yield made._replace(output=join(folder, made.output))


def _generated(leaves: list[Element], properties: dict[str, str], version: str) -> Iterator[Made]:
    """The folders that plugins are told to generate sources into. A plugin's run is called as its file calls it."""
    plugin, goal = None, None
    for leaf in leaves:
        tail = leaf.path.rpartition("plugins/plugin/")[2]
        if leaf.path.endswith("plugins/plugin/artifactId"):
            plugin, goal = leaf, None
        elif tail == "executions/execution/goals/goal":
            goal = leaf
        elif (
            plugin is not None
            and "/plugin/" in leaf.path
            and re.search(r"configuration/\w*(?:[oO]utput|[gG]enerated|target)\w*$", tail)
        ):
            path = filled(leaf.text, properties).lstrip("/")
            if path and "generated" in path:
                yield Made(
                    f"{plugin.text}:{goal.text}" if goal else plugin.text,
                    join("", path),
                    version,
                    leaf.span,
                    (goal or plugin).span,
                )


# -- Gradle ------------------------------------------------------------------------------------------------------------------------

_VERSION = re.compile(r"(?m)^\s*(?:project\.)?version\s*(?:=\s*)?['\"](?P<text>[\w.+-]+)['\"]")
_JAR_NAME = re.compile(r"\barchive(?:File)?Name(?:\.set\(|\s*=\s*)\s*['\"](?P<text>[\w.+-]+)['\"]")
_BASE_NAME = re.compile(
    r"\b(?:archivesBaseName|archivesName|archiveBaseName)(?:\.set\(|\s*=\s*)\s*['\"](?P<text>[\w.+-]+)['\"]"
)
_ROOT_NAME = re.compile(r"(?m)^\s*rootProject\.name\s*=\s*['\"](?P<text>[\w.+-]+)['\"]")
_JAVA = re.compile(
    r"(?m)^[ \t]*(?P<said>id[ (]*['\"](?:java|java-library|application|(?P<war>war))['\"]\)?|`?(?:java|java-library|application)`?(?=\s*$)"
    r"|apply plugin:\s*['\"](?:java|java-library|application|(?P<old_war>war))['\"]|kotlin\(\"jvm\"\))"
)
_TASK = re.compile(
    r"(?m)^[ \t]*(?:def \w+ = |val \w+ = )?"
    r"(?P<said>tasks\.(?:register|create)(?:<\w+>)?\(\s*['\"](?P<one>\w+)['\"]|task\s+(?P<two>\w+)\b)"
)
_INTO = re.compile(
    r"\b(?:outputs\.(?:dir|file)|outputDir(?:ectory)?(?:\.set)?|destinationDir(?:ectory)?(?:\.set)?|into)\b[ (=]*"
    r"(?:(?P<inside>layout\.buildDirectory\.(?:dir|file))|file|files)?[ (]*['\"](?P<path>[^'\"\n]+)['\"]"
)


def _gradle(file: FileText, checkout: Checkout) -> Iterator[Made]:
    folder, text = parent_folder(file.uri), file.text
    stated = _VERSION.search(text)
    version = (
        stated.group("text")
        if stated
        else _property(checkout.text(join(folder, "gradle.properties")), "version")
    )
    applied = _JAVA.search(text)
    if not version:
        return
    if applied is not None:
        jar, base = _JAR_NAME.search(text), _BASE_NAME.search(text)
        span = (jar or base or stated or applied).span("text" if jar or base or stated else "said")
        kind = "war" if applied.group("war") or applied.group("old_war") else "jar"
        name = (
            jar.group("text")
            if jar
            else f"{base.group('text') if base else _gradle_name(folder, checkout)}-{version}.{kind}"
        )
        yield Made(
            "gradle build", join(folder, f"build/libs/{name}"), version, span, applied.span("said")
        )
    tasks = list(_TASK.finditer(text))
    for place, task in enumerate(tasks):
        end = tasks[place + 1].start() if place + 1 < len(tasks) else len(text)
        for found in _INTO.finditer(text, task.end(), end):
            path = re.sub(
                r"^\$\{?(?:buildDir|projectDir|layout\.buildDirectory(?:\.get\(\))?)\}?/",
                "build/",
                found.group("path"),
            )
            if "$" not in path:
                whole = join(folder, f"build/{path}" if found.group("inside") else path)
                yield Made(
                    f"gradle {task.group('one') or task.group('two')}",
                    whole,
                    version,
                    found.span("path"),
                    task.span("said"),
                )


def _gradle_name(folder: str, checkout: Checkout) -> str:
    for name in ("settings.gradle", "settings.gradle.kts"):
        found = _ROOT_NAME.search(checkout.text(join(folder, name)) or "")
        if found:
            return found.group("text")
    return folder.rpartition("/")[2] or checkout.root_name


def _property(text: str | None, name: str) -> str:
    found = re.search(rf"(?m)^\s*{name}\s*[=:]\s*([\w.+-]+)\s*$", text or "")
    return found.group(1) if found else ""


# -- names -------------------------------------------------------------------------------------------------------------------------


def project_name(uri: str, checkout: Checkout) -> tuple[str, str]:
    """What a build file calls its project, and how it describes it; ('', '') where it gives no name."""
    name, folder = uri.rpartition("/")[2], parent_folder(uri)
    if name == "Cargo.toml":
        package = (checkout.toml(uri) or {}).get("package")
        table = package if isinstance(package, dict) else {}
        words = table.get("description")
        return str(table.get("name") or ""), words if isinstance(words, str) else ""
    if name == "pom.xml":
        leaves = elements(checkout.text(uri) or "")
        found = {leaf.path: leaf.text for leaf in reversed(leaves)}
        return found.get("project/artifactId", ""), " ".join(
            found.get("project/description", "").split()
        )
    return (_gradle_name(folder, checkout), "") if name in GRADLE else ("", "")
