"""What looks like a credential: it must not come into a log that is kept for ever, shared, and shown to models.

The table has what can be told by its form alone: prefixes that their issuers chose so that they can be found, blocks of private keys,
addresses with a password in them, and values that somebody assigned to a name like ``password``. Forms as their issuers document them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kgraph.tuples import NamedTuple

MASKED = "[masked]"

_PLACEHOLDER = re.compile(
    r"(?i)^(?:[<\[{$%*x.]|your|my|example|changeme|change_me|password|passwd|secret|pass|user|test|dummy|redacted|masked|none|null)|\.\.\.|\*\*\*|xxxx"
)

# (what it is, its form). A group, where there is one, is the secret part that must not be a placeholder.
_FORMS = (
    ("an AWS access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    ("an AWS secret key", r"(?i:aws.{0,20}?(?:secret|key).{0,20}?)[\"'=:\s]{1,4}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})"),
    ("a GitLab token", r"\bgl(?:pat|ptt|dt|rt|soat)-[A-Za-z0-9_-]{20,}"),
    ("a Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("a Slack webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{30,}"),
    ("a Stripe key", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("a Google API key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("an Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("an OpenAI key", r"\bsk-(?:proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{20,}"),
    ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("a Groq key", r"\bgsk_[A-Za-z0-9]{30,}"),
    ("an npm token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("a PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    ("a SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{32,}"),
    ("a Telegram token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    ("a DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    ("a JSON web token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("a private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ("an Azure storage key", r"(?i:AccountKey=)([A-Za-z0-9/+=]{40,})"),
    ("an address with a password", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,100}:([^\s:/@\"'<>]{3,200})@[A-Za-z0-9\[]"),
    (
        "a password that is assigned",
        r"(?i:\b[\w.-]{0,40}?(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret)\b[\"']?\s{0,3}[=:]\s{0,3})"
        r"[\"']?(?=[^\s\"',;]{0,60}\d)(?=[^\s\"',;]{0,60}[A-Za-z])([^\s\"',;]{8,100})",
    ),
)  # fmt: skip
_ALL = tuple((what, re.compile(form)) for what, form in _FORMS)
# What every form has: where none of it stands, nothing has to be looked at closely.
_HINTS = re.compile(
    r"AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat_|gl[pdrs]|xox|hooks\.slack|k_live_|k_test_|AIza|sk-|hf_|gsk_|npm_|pypi-|SG\.|:AA|_v1_|eyJ|"
    r"PRIVATE KEY|(?i:accountkey|://[^\s/]*:|password|passwd|pwd|secret|key|token)"
)
TEXTS = {
    "node": ("name", "description", "aliases", "qualifier", "uri", "rubric", "result", "version", "attrs"),
    "edge": ("quote", "source_doc", "attrs"),
}  # fmt: skip


class Secret(NamedTuple):
    """Where an item holds what looks like a credential, and of what kind; never the credential itself."""

    member: str
    what: str


def secret_in(text: str) -> str:
    """What kind of credential a text holds; '' for none."""
    found = next(_found(text), None)
    return found[0] if found else ""


def masked(text: str) -> str:
    """The text with everything that looks like a credential left out."""
    for _, start, end in sorted(_found(text), key=lambda one: -one[1]):
        text = text[:start] + MASKED + text[end:]
    return text


def _found(text: str) -> Iterator[tuple[str, int, int]]:
    if not _HINTS.search(text):
        return
    for what, form in _ALL:
        for match in form.finditer(text):
            secret = match[1] if match.lastindex else match[0]
            if not match.lastindex or not _PLACEHOLDER.search(secret):
                yield what, match.start(), match.end()


def secrets_of(item: Any, kind: str) -> Secret | None:
    """The first credential in a node or an edge of a payload."""
    if not isinstance(item, Mapping):
        return None
    for member in TEXTS[kind]:
        for text in _texts(item.get(member)):
            what = secret_in(text)
            if what:
                return Secret(member, what)
    return None


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, and ``key: value`` of a map, since a name may say what a value is."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            yield from (f"{key}: {inner}" for key, inner in one.items() if isinstance(inner, str))
            waiting += [inner for inner in one.values() if not isinstance(inner, str)]
        elif isinstance(one, list | tuple):
            waiting += one


class Cleaned(NamedTuple):
    """A payload without the items that hold credentials. ``lost``: each with its path in the payload as it was."""

    payload: dict[str, Any]
    lost: tuple[tuple[str, Secret], ...]


def cleaned(payload: Mapping[str, Any]) -> Cleaned:
    """Leave out each node or edge that holds a credential, the edges of such a node, and a claim that nothing supports any more by that."""
    nodes, edges = (
        items if isinstance(items, list) else []
        for items in (payload.get("nodes"), payload.get("edges"))
    )
    lost: list[tuple[str, Secret]] = []
    bad_nodes: set[int] = set()
    bad_edges: set[int] = set()
    for kind, items, bad in (("node", nodes, bad_nodes), ("edge", edges, bad_edges)):
        for at, item in enumerate(items):
            secret = secrets_of(item, kind)
            if secret:
                lost.append((f"$.{kind}s[{at}].{secret.member}", secret))
                bad.add(at)
    if not lost:
        return Cleaned(dict(payload), ())
    supported = _supported(edges, set())
    still = _supported(edges, bad_edges)
    for at, node in enumerate(nodes):
        names = _called([node])
        if names & supported and not names & still:
            bad_nodes.add(at)
    gone = _called([nodes[at] for at in bad_nodes])
    kept_edges = [
        edge
        for at, edge in enumerate(edges)
        if at not in bad_edges and not (isinstance(edge, Mapping) and gone & set(_ends(edge)))
    ]
    kept_nodes = [node for at, node in enumerate(nodes) if at not in bad_nodes]
    return Cleaned({**payload, "nodes": kept_nodes, "edges": kept_edges}, tuple(lost))


def _supported(edges: Sequence[Any], without: set[int]) -> set[str]:
    """What edges tie to a source."""
    return {
        name
        for at, edge in enumerate(edges)
        if at not in without and isinstance(edge, Mapping)
        for name in _ends(edge)[:1 if edge.get("predicate") == "DERIVED_FROM" else 2][-1:]
        if edge.get("predicate") in ("SUPPORTS", "DERIVED_FROM")
    }  # fmt: skip


def _ends(edge: Mapping[str, Any]) -> list[str]:
    found = (edge.get("source", edge.get("from")), edge.get("target", edge.get("to")))
    return [end if isinstance(end, str) else "" for end in found]


def _called(nodes: Sequence[Any]) -> set[str]:
    """By what edges may name these nodes."""
    return {
        str(node[key])
        for node in nodes
        if isinstance(node, Mapping)
        for key in ("id", "name", "uri")
        if node.get(key)
    }
