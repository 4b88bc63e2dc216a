"""Which node a node is: its identity key, and the ids that are made from it."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted

from kgraph.events.hashing import sha256
from kgraph.ontology import NODE_TYPES, fold

_IN_SCHEME = str.maketrans("+.-", "000")


def key_id(type_: str, name: str, uri: str = "", qualifier: str = "") -> str:
    """The id that type and identity key make. ``uri`` (normalised) counts for a Source only, and goes before the name there."""
    key = "uri:" + uri if uri and type_ == "Source" else "name:" + fold(name)
    return id_of_key(type_, key, fold(qualifier.strip()))


def id_of_key(type_: str, key: str, qualifier: str = "") -> str:
    """A readable prefix and the first 80 bits of the hash of the canonical JSON of type, key and qualifier."""
    text = f'["{type_}",{_quoted(key)},{_quoted(qualifier) if qualifier else "null"}]'
    return f"{NODE_TYPES[type_].prefix}_{_digest(text)}"


def edge_id(predicate: str, source: str, target: str, kind: str = "") -> str:
    """The id of the edge between two nodes (given by id)."""
    text = (
        f'["{predicate}",{_quoted(source)},{_quoted(target)},{_quoted(kind) if kind else "null"}]'
    )
    return "edg_" + _digest(text)


def _digest(text: str) -> str:
    digest: str = sha256(text.encode()).hexdigest()
    return digest[:20]


def normalise_uri(uri: str, source_root: str = "") -> str:
    """One spelling for one source: relative to the source root, without './', '..' and fragment. The disk is never touched.

    Absolute paths and file URLs below ``source_root`` are made relative; other URLs lose their fragment only.
    """
    uri = uri.strip()
    path = uri.partition("#")[0]
    if _has_drive(path):
        path = path.replace("\\", "/")
    elif _has_scheme(path):
        if path[:5].lower() != "file:":
            return path
        path = _path_of_file_url(path)
    if not path:
        return ""
    root = _steps(source_root.replace("\\", "/")) if source_root else []
    absolute = path.startswith("/") or _has_drive(path)
    steps = _steps(path)
    if absolute and root and steps[: len(root)] == root:
        steps, absolute = steps[len(root) :], False
    elif not absolute and root and steps[:1] == [".."]:
        # a path that leaves the root and comes back: '../project/a.md' seen from '/home/project' is 'a.md'
        joined = _steps("/".join(("", *root, *steps)))
        if joined[: len(root)] == root:
            steps = joined[len(root) :]
    return ("/" if absolute and not _has_drive(path) else "") + "/".join(steps) or "."


def _path_of_file_url(uri: str) -> str:
    rest = uri[5:]
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        rest = slash + path if host.lower() in ("", "localhost") else "//" + rest[2:]
    first, *escaped = rest.encode().split(b"%")
    for part in escaped:
        try:
            first += bytes.fromhex(part[:2].decode()) + part[2:]
        except ValueError:
            first += b"%" + part
    rest = first.decode("utf-8", "replace")
    return rest[1:] if _has_drive(rest[1:]) else rest


def _has_scheme(uri: str) -> bool:
    scheme, colon, _ = uri.partition(":")
    return (
        bool(colon)
        and len(scheme) > 1
        and scheme.isascii()
        and scheme[0].isalpha()
        and scheme.translate(_IN_SCHEME).isalnum()
    )


def _has_drive(path: str) -> bool:
    return path[1:2] == ":" and path[2:3] in ("/", "\\") and path[0].isascii() and path[0].isalpha()


def _steps(path: str) -> list[str]:
    steps: list[str] = []
    rooted = path.startswith("/")
    for step in path.split("/"):
        if step in ("", "."):
            continue
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        elif step != ".." or not rooted:
            steps.append(step)
    return steps
