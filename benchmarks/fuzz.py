"""Mutated payloads through decode, repair and check: every one must get a documented answer, and none may raise.

    python benchmarks/fuzz.py [COUNT [SEED]]

100,000 if not given. Prints how often each answer was given; exit status 1 if one was undocumented.
"""

from __future__ import annotations

import json
import random
import sys
import time
import traceback
from collections import Counter
from typing import Any

from kgraph.contract import Admission, Held, MemoryView, Options, admit, check
from kgraph.contract.repair import repair
from kgraph.ontology import NODE_TYPES, PREDICATES, RULES

SEEDS: list[dict[str, Any]] = [
    {
        "nodes": [
            {"type": "Source", "name": "notes.md", "uri": "./docs/notes.md"},
            {"type": "Entity", "name": "Vendor X", "description": "component supplier of the yard", "aliases": ["VendorX Ltd"], "id": "v"},
            {"type": "Claim", "name": "Vendor X supplied the valve", "valid_from": "2026-03-11", "valid_to": "2026-04-01T10:00:00Z"},
            {"type": "Claim", "name": "the valve was late", "inference": True},
        ],
        "edges": [
            {"predicate": "SUPPORTS", "source": "notes.md", "target": "Vendor X supplied the valve", "source_doc": "notes.md#parts",
             "confidence": 0.92, "quote": "the valve came from Vendor X"},
            {"predicate": "MENTIONS", "source": "Vendor X supplied the valve", "target": "v"},
            {"type": "DEPENDS_ON", "from": "Vendor X", "to": "held", "kind": "call", "attrs": {"line": 3}},
        ],
        "run_id": "r1", "usage": {"input_tokens": 3},
    },
    {
        "nodes": [
            {"type": "AgentRun", "name": "run-1"},
            {"type": "Artifact", "name": "report.pdf", "version": 1},
            {"type": "Evaluation", "name": "gate", "rubric": "each claim is cited", "result": {"passed": True}},
            {"type": "Metric", "name": "latency"}, {"type": "Task", "name": "write it up"}, {"type": "Commit", "name": "abc123"},
        ],
        "edges": [
            {"predicate": "PRODUCED", "source": "run-1", "target": "report.pdf"},
            {"predicate": "EVALUATES", "source": "gate", "target": "report.pdf"},
            {"predicate": "MENTIONS", "source": "write it up", "target": "latency"},
        ],
    },
]  # fmt: skip

OLD = Held("s", "Source", "old.md", uri="old.md")
ODD_VALUES: list[Any] = [
    None, True, False, 0, -1, 7, 0.3, 1.5, 10**30, "", " ", "x", "\n", "\u2028", "\u202e", "\ud800", "\x00", "日本", "e\u0301", "v", "held",
    "gone", "notes.md", "Vendor X", "2026-02-30", [], {}, [[]], [None], ["a", "a"], {"a": {"b": []}}, "x" * 2001,
    *NODE_TYPES, *PREDICATES, float("nan"), float("inf"),
]  # fmt: skip
ODD_KEYS = [
    "type", "name", "id", "predicate", "source", "target", "from", "to", "nodes", "edges", "attrs", "aliases", "confidence", "kind", "uri",
    "inference", "version", "rubric", "region", "", "a b", "\ud800", "qualifier", "valid_from", "valid_to", "quote", "unknown",
]  # fmt: skip
ODD_TEXTS = [
    "{", "}", "[", "]", ",", ",,", '"', "\\", "\\ud800", "NaN", "1e999", "null", "```json\n", "\n", "\u2028", "\ufeff", "'",
    "//", "{}", ":", "-", "0",
]  # fmt: skip


def main(arguments: list[str]) -> int:
    count, seed = (int(word) for word in (arguments + ["100000", "1"][len(arguments) :])[:2])
    chance = random.Random(seed)
    view = MemoryView(
        [Held("held", "Entity", "Held"), Held("gone", "Entity", "Gone", live=False), OLD]
    )
    answers: Counter[str] = Counter()
    undocumented = 0
    start = time.monotonic()
    for number in range(count):
        data = mutated(chance)
        try:
            given = answer(data, view, chance)
        except Exception:  # noqa: BLE001 - finding any is what this is for
            undocumented += 1
            traceback.print_exc()
            print(f"number {number} of seed {seed}: {data[:2000]!r}")
            continue
        answers.update(given)
        strange = given - RULES.keys() - {"accepted", "refused", "no payload", "repaired"}
        if strange:
            undocumented += 1
            print(f"number {number} of seed {seed}: {sorted(strange)} for {data[:2000]!r}")
    for name, times in sorted(answers.items()):
        print(f"{name:12} {times}")
    print(
        f"{count} payloads in {time.monotonic() - start:.0f} s, {undocumented} undocumented answers"
    )
    return 1 if undocumented else 0


def answer(data: bytes | str, view: MemoryView, chance: random.Random) -> set[str]:
    """The codes and outcomes for one text, read as it is and read with repair."""
    options = Options(
        strict=chance.random() < 0.3,
        unit_sources=frozenset({"docs/notes.md"}) if chance.random() < 0.3 else None,
        read_source=(lambda uri: "Vendor X (VX) and VENDOR X") if chance.random() < 0.3 else None,
    )
    admission = admit(data, view, options)
    given = {*codes(admission), "accepted" if admission.admitted else "refused"}
    found = repair(data, view, options)
    if found.payload is None:
        if not found.problems:
            given.add("nothing said")
        return given | {"no payload"}
    if found.repairs:
        given.add("repaired")
    again = check(found.payload, view, options)
    if admission.admitted and not found.repairs and again != admission:
        given.add("repair changed a sound payload")
    if admission.admitted:
        later = MemoryView()
        later.write(admission)
        again_there, names_the_graph = (
            admit(data, later, options),
            any(word in str(data).lower() for word in ("old.md", "held")),
        )
        if again_there.ids_edges != admission.ids_edges and not names_the_graph:
            given.add("written twice is not once")
    return given | set(codes(again)) | {problem.code for problem in found.problems}


def codes(admission: Admission) -> list[str]:
    return [
        problem.code for problem in (*admission.errors, *admission.violations, *admission.warnings)
    ]


def mutated(chance: random.Random) -> bytes | str:
    """A payload with some values changed, and sometimes with its text cut, spliced or wrapped."""
    payload = json.loads(json.dumps(chance.choice(SEEDS)))
    for _ in range(chance.choice((0, 1, 1, 2, 3, 6))):
        change(payload, chance)
    text = json.dumps(payload, ensure_ascii=chance.random() < 0.7)
    for _ in range(chance.choice((0, 0, 0, 0, 0, 0, 1, 3))):
        at = chance.randrange(len(text) + 1)
        put, cut = (
            text[:at] + chance.choice(ODD_TEXTS) + text[at:],
            text[:at] + text[at + chance.randrange(1, 9) :],
        )
        text = chance.choice((put, cut, text[at:] + text[:at]))
    if chance.random() < 0.15:
        text = f"Here: {chance.choice(ODD_TEXTS)}\n```json\n{text}\n```\n{chance.choice(ODD_TEXTS)}"
    if chance.random() < 0.05:
        data = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
        return bytes(data)
    return text


def change(payload: dict[str, Any], chance: random.Random) -> None:
    """Put an odd value, an odd key, a copy or a hole somewhere into the payload."""
    places = [payload, *containers(payload)]
    place = chance.choice(places)
    chosen = chance.choice(
        (chance.choice(ODD_VALUES), chance.choice(ODD_VALUES), chance.choice(places))
    )
    value = json.loads(
        json.dumps(chosen)
    )  # a copy, so that a later change reaches no other payload
    if isinstance(place, dict):
        keys = [*place, chance.choice(ODD_KEYS)]
        key = chance.choice(keys)
        if chance.random() < 0.3:
            place.pop(key, None)
        else:
            place[key] = value
    elif chance.random() < 0.3 and place:
        place.pop(chance.randrange(len(place)))
    else:
        place.insert(chance.randrange(len(place) + 1), value)


def containers(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value
    found: list[Any] = []
    for item in inner:
        if isinstance(item, (dict, list)):
            found += [item, *containers(item)]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
