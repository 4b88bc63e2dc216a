"""Japanese sentences by their particles: what each marks, and the predicate at the end with its voice, tense and denial.

Parts may stand in any order. Active and passive are one where the endings tell; what isn't understood is not the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

_PART = re.compile(
    r"(?P<words>[^\u3040-\u309f\s]+(?:(?:の|さん|氏|様|や|しい(?=[^\u3040-\u309f])|い(?=[^\u3040-\u309f])|な(?=[^\u3040-\u309f])|と(?=[^\u3040-\u309f]+(?:が|を|は|に)))[^\u3040-\u309f\s]*)*)"
    r"(?P<particle>によって|により|から|まで|より|では|には|へは|は|が|を|に|で|へ|も)(?=[^\u3040-\u309f]|$|おいて)"
)
_CLEFT = re.compile(r"(?P<clause>.+[たるい])のは(?P<thing>.+?)(?:だ|である|です|であった|だった)$")
_TITLES = re.compile(r"(さん|様|氏)$")
_POLITE = (
    ("されています", "されている"), ("されました", "された"), ("しています", "している"), ("しました", "した"), ("ています", "ている"), ("られました", "られた"),
    ("れました", "れた"), ("ていました", "ていた"), ("であります", "だ"), ("である", "だ"), ("です", "だ"), ("でした", "だった"), ("であった", "だった"),
    ("します", "する"), ("されます", "される"),
)  # fmt: skip
# How verbs end politely, and plainly: 送りました, 送った. In this order, since the longer endings hold the shorter ones.
_POLITE_PASTS = (
    ("りました", "った"), ("ちました", "った"), ("いました", "った"), ("きました", "いた"), ("ぎました", "いだ"), ("みました", "んだ"), ("びました", "んだ"),
    ("にました", "んだ"), ("ました", "た"),
)  # fmt: skip
_DENIES = ("ない", "なかった", "ません", "ず", "ぬ", "なく")
# The row of the syllable before れ in a passive, and how the same verb ends in the active past.
_ROWS = {
    "か": ("いた",),
    "が": ("いだ",),
    "さ": ("した",),
    "た": ("った",),
    "な": ("んだ",),
    "ば": ("んだ",),
    "ま": ("んだ",),
    "ら": ("った",),
    "わ": ("った",),
}


class Frame(NamedTuple):
    doer: str
    object: str
    rest: frozenset[tuple[str, str]]
    verb: str
    ending: str


def same(asked: str, known: str, names: Mapping[str, frozenset[int]]) -> bool:
    """Whether two Japanese sentences say the same."""
    one, other = (_frame(_normal(text), names) for text in (asked, known))
    if one is None or other is None:
        return False
    return one == other


def _normal(text: str) -> str:
    plain = re.sub(r"[\s。、．，！？「」]", "", unicodedata.normalize("NFKC", text))
    for polite, form in sorted(_POLITE, key=lambda pair: -len(pair[0])):
        if plain.endswith(polite):
            return plain[: -len(polite)] + form
    for polite, form in _POLITE_PASTS:
        if plain.endswith(polite):
            return plain[: -len(polite)] + form
    return plain


def _frame(text: str, names: Mapping[str, frozenset[int]]) -> Frame | None:
    cleft = _CLEFT.fullmatch(text)
    if cleft:
        thing, clause = cleft["thing"], cleft["clause"]
        marked = re.search(r"(から|まで|に|で)$", thing)
        particle = (
            "" if marked else "を" if re.search("[がは]", clause) and "を" not in clause else "が"
        )
        text = f"{thing}{particle}{clause}"
    parts: list[tuple[str, str]] = []
    at = 0
    while found := _PART.match(text, at):
        if found.end() == len(text):
            return None
        parts.append((found["particle"], _thing(found["words"], names)))
        at = found.end()
    predicate = text[at:]
    if not parts or not predicate or re.search("[はがを]", predicate):
        return None
    return _arranged(parts, predicate, names)


def _thing(words: str, names: Mapping[str, frozenset[int]]) -> str:
    """A part by the thing that it names, else by its words."""
    plain = _TITLES.sub("", words)
    ids = names.get(fold(plain))
    return "#" + ",".join(map(str, sorted(ids))) if ids else plain


def _arranged(
    parts: list[tuple[str, str]], predicate: str, names: Mapping[str, frozenset[int]]
) -> Frame | None:
    stem, ending, passive = _predicate(predicate)
    simple = [
        ({"により": "によって", "には": "に", "では": "で", "へは": "へ"}.get(mark, mark), thing)
        for mark, thing in parts
    ]
    marks = [mark for mark, _ in simple]
    if any(marks.count(mark) > 1 for mark in ("は", "が", "を", "も")) or "も" in marks:
        return None
    held = dict(simple)
    topic = held.pop("は", "")
    doer, thing = held.pop("が", ""), held.pop("を", "")
    if passive:
        agent = next((mark for mark in ("によって", "から", "に") if mark in held), "")
        doer, thing = (held.pop(agent) if agent else ""), thing or doer or topic
    elif topic:
        doer, thing = (doer, topic) if doer and not thing else (doer or topic, thing)
    if not passive and not thing and not held and stem == "":
        return None
    return Frame(
        doer, thing, frozenset(held.items()), stem if stem else _thing(predicate, names), ending
    )


def _predicate(text: str) -> tuple[str, str, bool]:
    """(the verb without what is inflected, the rest of it as the active has it, whether it is passive)."""
    found = re.match(r"[^\u3040-\u309f]*", text)
    stem = found[0] if found else ""
    tail = text[len(stem) :]
    if any(sign in tail for sign in _DENIES) or not stem:
        return text, "", False
    for passive, active in (
        ("されている", "している"),
        ("された", "した"),
        ("される", "する"),
        ("されていた", "していた"),
    ):
        if tail == passive:
            return stem, active, True
    row = re.fullmatch(
        r"(?P<before>\w*?)(?P<row>[かがさたなばまらわ])れ(?P<end>た|ている|ていた)", tail
    )
    if row and row["end"] == "た":
        if row["row"] == "ら" and row["before"]:
            return stem, f"{row['before']}た", True
        return stem, f"{row['before']}{_ROWS[row['row']][0]}", True
    return stem, tail, False
