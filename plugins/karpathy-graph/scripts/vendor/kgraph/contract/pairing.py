"""Which two of the nodes that an edge's ends can mean are meant: E104, E106, E109, and E105 where there is none."""

from __future__ import annotations

from kgraph.contract.endpoints import Directory, End, Ends
from kgraph.contract.findings import Findings
from kgraph.contract.view import Held
from kgraph.ontology import PREDICATES, RULES, Predicate

_NEAREST_OF = 200  # names that a hint is looked for among
_SHOWN = 8


def judge_pairs(
    path: str, predicate: str, ends: tuple[Ends, Ends], findings: Findings | None
) -> tuple[End, End] | None:
    """The one pair that the signature lets pass and that is no self-loop. Without ``findings`` nothing is reported."""
    signature = PREDICATES[predicate]
    pairs = allowed_pairs(signature, ends)
    if len(pairs) == 1:
        return pairs[0]
    if findings is None:
        return None
    subjects, objects = ends
    if pairs:
        for end, several in (
            ("source", {s.id: s for s, _ in pairs}),
            ("target", {o.id: o for _, o in pairs}),
        ):
            if len(several) > 1:
                _ambiguous(f"{path}.{end}", list(several.values()), findings)
    elif any((s.type, o.type) in signature.allowed for s in subjects for o in objects):
        findings.error("E109", path, f"{predicate} from {_shown(subjects[0])} to itself")
    else:
        _signature(path, signature, ends, findings)
    return None


def allowed_pairs(signature: Predicate, ends: tuple[Ends, Ends]) -> list[tuple[End, End]]:
    """Every pair of candidates that the signature lets pass, self-loops left out."""
    subjects, objects = ends
    return [
        (s, o)
        for s in subjects
        for o in objects
        if s.id != o.id and (s.type, o.type) in signature.allowed
    ]


def report_unknown(
    path: str, text: str, asked: tuple[Directory, dict[str, Held]], findings: Findings
) -> None:
    """E105, with the nearest name of the payload, or with the word that the node was withdrawn."""
    directory, withdrawn = asked
    held = withdrawn.get(text)
    if held is not None:
        message = f"{text!r} is {held.type} {held.name!r}, which was withdrawn"
        findings.error("E105", path, message, "restore it, or assert it in the payload")
        return
    few = len(directory.plain) <= _NEAREST_OF and len(findings.errors) < _SHOWN
    near = findings.nearest(text, tuple(name for name in directory.plain if name)) if few else ""
    hint = RULES["E105"].hint.format(nearest=f"; did you mean {near!r}?" if near else "")
    findings.error("E105", path, f"{text[:200]!r} names no node of the payload or the graph", hint)


def _ambiguous(path: str, several: list[End], findings: Findings) -> None:
    shown = ", ".join(f"{end.id} ({_shown(end)})" for end in several[:_SHOWN])
    findings.error(
        "E106",
        path,
        f"{several[0].name!r} names several nodes",
        RULES["E106"].hint.format(candidates=shown),
    )


def _signature(
    path: str, signature: Predicate, ends: tuple[Ends, Ends], findings: Findings
) -> None:
    subjects, objects = ends
    swapped = next(
        (
            (o, s)
            for s in subjects
            for o in objects
            if (o.type, s.type) in signature.allowed and s.id != o.id
        ),
        None,
    )
    subject, object_ = signature.subject_words, signature.object_words
    remedy = ""
    if swapped is not None:
        subject, object_, remedy = swapped[0].type, swapped[1].type, ": swap source and target"
    hint = RULES["E104"].hint.format(
        predicate=signature.name, subject=subject, object=object_, remedy=remedy
    )
    findings.error(
        "E104",
        path,
        f"{signature.name} can't run from {_shown(subjects[0])} to {_shown(objects[0])}",
        hint,
    )


def _shown(end: End) -> str:
    return f"{end.type} {end.name!r}"
