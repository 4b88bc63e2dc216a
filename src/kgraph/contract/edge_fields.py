"""What the members of an edge may hold (E101, E103, E107, E108, E110, W214)."""

from __future__ import annotations

from typing import Any

from kgraph.contract.decode import kind_of
from kgraph.contract.fields import (
    KINDS_OF_EDGE,
    WIRE,
    field_fault,
    field_hint,
    interval_fault,
    merge_attrs,
)
from kgraph.contract.findings import Findings
from kgraph.contract.nodes import unknown_hint
from kgraph.ontology import PREDICATES

FLOOR = 0.5  # a confidence below is E108

ALLOWED = {
    name: predicate.allowed for name, predicate in PREDICATES.items() if not predicate.reserved
}
PREDICATE_NAMES = tuple(ALLOWED)
SYNONYMS = {"predicate": "type", "source": "from", "target": "to"}

_QUICK = frozenset(("quote", "source_doc", "confidence"))
_OWN_NAMES = frozenset(SYNONYMS)
_OTHER_NAMES = frozenset(SYNONYMS.values())


def members(number: int, item: dict[str, Any], event: dict[str, Any], findings: Findings) -> bool:
    """Check all members but the ends and put what they say into the event. False, and nothing done, if a synonym is among them."""
    left = len(item) - 3
    for key in ("quote", "source_doc"):  # nearly all edges have these three and no others
        value = item.get(key)
        if value.__class__ is str:
            left -= 1
            if value and not value.isspace():
                event[key] = value
    confidence = item.get("confidence")
    if (confidence.__class__ is float or confidence.__class__ is int) and FLOOR <= confidence <= 1:
        left -= 1
        event["confidence"] = confidence
    if not left:
        return True
    if not item.keys().isdisjoint(_OTHER_NAMES):
        return False
    unknown: dict[str, Any] = {}
    for key, value in item.items():
        if key not in _OWN_NAMES and not (key in _QUICK and key in event):
            _member(f"$.edges[{number}]", (key, value), event, (unknown, findings))
    if unknown:
        merge_attrs(f"$.edges[{number}]", event, unknown, findings)
    if "valid_to" in event:
        fault = interval_fault(event.get("valid_from"), event["valid_to"])
        if fault:
            hint = "intervals are half-open: `valid_to` is the first moment after"
            findings.error("E101", f"$.edges[{number}].valid_to", f"the interval {fault}", hint)
    return True


def under_own_names(number: int, item: Any, findings: Findings) -> dict[str, Any] | None:
    """The edge with ``type``, ``from`` and ``to`` under their own names (both given and different is E101); None if it is no object."""
    path = f"$.edges[{number}]"
    if not isinstance(item, dict):
        findings.error("E101", path, f"an edge must be an object, not {kind_of(item)}")
        return None
    plain = dict(item)
    for name, synonym in SYNONYMS.items():
        if synonym not in plain:
            continue
        other = plain.pop(synonym)
        if plain.get(name) is None:
            plain[name] = other
        elif other is not None and other != plain[name]:
            findings.error(
                "E101",
                f"{path}.{name}",
                f"`{name}` and its synonym `{synonym}` differ",
                "give one of them",
            )
    return plain


def report_ends(
    number: int, given: tuple[Any, Any, Any], findings: Findings
) -> tuple[str, tuple[str | None, str | None]]:
    """Report what is wrong with predicate, source and target; an end that can't be read comes back as None."""
    predicate, source, target = given
    path = f"$.edges[{number}].predicate"
    if predicate is None:
        findings.error(
            "E101", path, "an edge without `predicate`", f"one of {', '.join(PREDICATE_NAMES)}"
        )
    elif not isinstance(predicate, str):
        findings.error("E101", path, f"`predicate` must be text, not {kind_of(predicate)}")
    elif predicate not in PREDICATES:
        near = findings.nearest(predicate, PREDICATE_NAMES)
        findings.error(
            "E103",
            path,
            f"unknown predicate {predicate[:80]!r}",
            unknown_hint("E103", near, PREDICATE_NAMES),
        )
    elif predicate not in ALLOWED:
        findings.error("E110", path, f"{predicate} can't stand in a payload")
    texts = (
        _end_text(f"$.edges[{number}].source", source, findings),
        _end_text(f"$.edges[{number}].target", target, findings),
    )
    return predicate if isinstance(predicate, str) else "", texts


def _end_text(path: str, text: Any, findings: Findings) -> str | None:
    if isinstance(text, str) and text.strip():
        return text
    end = path.rpartition(".")[2]
    what = f"an edge without `{end}`" if text is None else f"`{end}` is blank"
    if text is not None and not isinstance(text, str):
        what = f"`{end}` must be text, not {kind_of(text)}"
    findings.error("E101", path, what, "the name, an alias or the id of a node")
    return None


def _member(
    path: str, member: tuple[str, Any], event: dict[str, Any], into: tuple[dict[str, Any], Findings]
) -> None:
    """One member beside the ends. Unknown ones are put by; null, blank and empty say nothing."""
    key, value = member
    unknown, findings = into
    kind = KINDS_OF_EDGE.get(key)
    if kind is None:
        unknown[key] = value
    elif value is None:
        return
    elif key == "confidence":
        _report_confidence(f"{path}.confidence", value, findings)
    elif fault := field_fault(kind, key, value):
        findings.error("E101", f"{path}.{key}", f"`{key}` {fault}", field_hint(kind))
    elif value.strip() if isinstance(value, str) else value != {}:
        event[WIRE["edge"] if key == "kind" else key] = value


def _report_confidence(path: str, value: Any, findings: Findings) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        shown = repr(value)[:40] if number else kind_of(value)
        findings.error("E107", path, f"the confidence is {shown}, no number in [0, 1]")
    else:
        findings.error("E108", path, f"a confidence of {value} is under the floor of {FLOOR}")
