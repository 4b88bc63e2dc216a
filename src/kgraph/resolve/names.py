"""A name taken apart: tokens, core, numbers, initials, and how it sounds when written in Latin letters."""

from __future__ import annotations

import re
import unicodedata

from kgraph.language.folding import fold_accents
from kgraph.language.scripts import is_all_unspaced, is_unspaced
from kgraph.resolve import vocabulary as known
from kgraph.tuples import NamedTuple


class Name(NamedTuple):
    """``tokens``: all words; ``core``: without legal forms, honorifics, articles and what stands in brackets (never empty).

    ``compact``: the core without spaces. ``gloss``: words in brackets and after a comma. ``initials``: what an acronym of it could be;
    ``codes``: words of letters and digits, such as numbers of models and parts.
    """

    text: str
    tokens: tuple[str, ...]
    core: tuple[str, ...]
    compact: str
    gloss: tuple[str, ...]
    quoted: tuple[str, ...]
    numbers: frozenset[str]
    codes: frozenset[str]
    generation: str
    initials: tuple[str, ...]
    is_acronym: bool
    comma: bool
    caseless: bool


_WORD = re.compile(r"[^\W_]*\d(?:\.\d+)+|[^\W_]+(?:[+#]+(?!\w))?")
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}(?=(\s+[^\W\d_]{2,})?)")
_BRACKETED = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|（([^（）]*)）|【([^【】]*)】")
_QUOTED = re.compile(r"[\"“”«»„]([^\"“”«»„]{1,40})[\"“”«»„]")
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ`](?=\w)")
_CODE = re.compile(r"(?<![\w-])[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*(?![\w-])")
_LETTER = re.compile(r"[a-z]")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


def parse(text: str) -> Name:
    """Take a name apart. Pure; a name of signs alone keeps them as its one token."""
    if text.isascii():
        wide = text
    else:
        wide = unicodedata.normalize("NFKC", text)
    quoted = tuple(
        fold_accents(word) for found in _QUOTED.findall(wide) for word in _WORD.findall(found)
    )
    body, gloss = wide, []
    if "(" in wide or "[" in wide or "（" in wide or "【" in wide:
        for groups in _BRACKETED.findall(wide):
            gloss += words("".join(groups))
        body = _BRACKETED.sub(" ", wide)
        if not _WORD.search(body):
            body, gloss = wide, []
    if quoted:
        body = _QUOTED.sub(" ", body) if _WORD.search(_QUOTED.sub(" ", body)) else body
    tokens = tuple(words(body)) or (fold_accents(wide).strip() or wide,)
    core, generation = _core(tokens, body)
    numbers = _numbers(core, wide) | _numbers(tuple(gloss), "")
    head = body.partition(",")[0] if "," in body else body
    return Name(
        text,
        tokens,
        core,
        "".join(core),
        tuple(gloss),
        quoted,
        numbers,
        _codes(body),
        generation,
        _initials(tokens, core, body),
        len(core) == 1 and 2 <= len(core[0]) <= 6 and _shouts(head, core[0]),
        "," in body,
        not any(char.isupper() for char in wide),
    )


def words(text: str) -> list[str]:
    """The folded words of a text; scripts without spaces are one word a run (see ``pieces``)."""
    text = _APOSTROPHE.sub("", text)
    if "." in text:
        text = _DOTTED.sub(_join_dotted, text)
    return _WORD.findall(fold_accents(text))


def pieces(token: str) -> list[str]:
    """What a word is found by: itself, or its pairs of characters where the script has no spaces."""
    if len(token) < 3 or not is_all_unspaced(token):
        return [token]
    return [token[at : at + 2] for at in range(len(token) - 1)]


def _join_dotted(found: re.Match[str]) -> str:
    letters = found.group(0).replace(".", "")
    followed = found.group(1)
    # 'J.R.R. Tolkien' has three initials; 'the U.N.' is one word.
    if (followed and followed.strip()[0].isupper()) or letters.islower():
        return " ".join(letters) + " "
    return letters + " "


def _shouts(head: str, core: str) -> bool:
    raw = head.replace(".", "").split()
    return any(word.isupper() and fold_accents(word) == core for word in raw) or (
        core.isalpha() and len(core) <= 5 and head.islower()
    )


def _core(tokens: tuple[str, ...], body: str) -> tuple[tuple[str, ...], str]:
    generation = ""
    kept = list(tokens)
    if len(kept) > 2 and kept[-1] in known.GENERATIONS:
        generation = known.GENERATIONS[kept.pop()]
    while len(kept) > 1 and kept[-1] in known.LEGAL_FORMS and not body.islower():
        kept.pop()
    while len(kept) > 1 and (
        kept[0] in known.ARTICLES
        or (kept[0] in known.HONORIFICS and len(kept) > 1 and body.strip()[:1].isupper())
    ):
        kept.pop(0)
    if not is_unspaced(body):
        return tuple(kept), generation
    whole = "".join(kept)
    for form in known.LEGAL_FORMS:
        if not form.isascii() and len(whole) > len(form) + 1:
            if whole.endswith(form):
                return (whole.removesuffix(form),), generation
            if whole.startswith(form):
                return (whole.removeprefix(form),), generation
    return tuple(kept), generation


def _numbers(core: tuple[str, ...], body: str) -> frozenset[str]:
    found = {canonical(number) for number in _NUMBER.findall(body)}
    last = len(core) - 1
    for at, token in enumerate(core):
        if token in known.NUMBER_WORDS:
            found.add(known.NUMBER_WORDS[token])
        elif (
            at
            and token in known.ROMAN
            and (
                len(token) > 1
                or (at == last and (token in "vx" or not body or body.rstrip().endswith(" I")))
            )
        ):
            found.add(known.ROMAN[token])
    return frozenset(found)


def _codes(body: str) -> frozenset[str]:
    found = (fold_accents(code).replace("-", "").replace("/", "") for code in _CODE.findall(body))
    return frozenset(
        code
        for code in found
        if len(code) >= 5 and sum(char.isdigit() for char in code) >= 2 and _LETTER.search(code)
    )


def canonical(number: str) -> str:
    """A number or version without leading zeros and without '.0' at its end."""
    parts = [part.lstrip("0") or "0" for part in number.split(".")]
    while len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return ".".join(parts)


def _initials(tokens: tuple[str, ...], core: tuple[str, ...], body: str) -> tuple[str, ...]:
    if len(core) < 2:
        camel = _CAMEL.split(body.strip()) if len(core) == 1 else []
        return ("".join(part[0] for part in camel).lower(),) if len(camel) > 1 else ()
    content = [token for token in core if token not in known.LINKING_WORDS]
    found = {
        "".join(token[0] for token in content),
        "".join(token[0] for token in core),
        "".join(token[0] for token in tokens),
    }
    found.add("".join(token[0] for token in tokens if token not in known.LINKING_WORDS))
    return tuple(sorted(word for word in found if len(word) > 1))


# -- how a name sounds ---------------------------------------------------------------------------------------------------------------


def romanised(text: str) -> str:
    """Latin letters for Cyrillic, Greek, Arabic, Hebrew, Hangul and kana; ideographs stay as they are (their sound isn't in Unicode)."""
    folded = fold_accents(text)
    if folded.isascii():
        return folded
    return "".join(_letter(char) for char in folded)


def _letter(char: str) -> str:
    if char.isascii():
        return char
    if "가" <= char <= "힣":
        at = ord(char) - 0xAC00
        return (
            known.HANGUL_INITIALS[at // 588]
            + known.HANGUL_VOWELS[at % 588 // 28]
            + known.HANGUL_FINALS[at % 28]
        )
    written = char.translate(known.LETTERS)
    if written != char:
        return written
    if "\u3040" <= char <= "\u30ff":
        name = unicodedata.name(char, "")
        return (
            ""
            if "SOUND MARK" in name
            else name.rpartition("LETTER ")[2].removeprefix("SMALL ").lower()
        )
    return char


_SOUNDS = (
    (re.compile(r"[^a-z]"), ""),
    (re.compile(r"tsch|tch|sch|sh|ch|cz|zh"), "x"),
    (re.compile(r"ph|th"), lambda found: "f" if found.group() == "ph" else "t"),
    (re.compile(r"ck|q|c(?![eiy])|kh|gh"), "k"),
    (re.compile(r"c|ts|tz"), "s"),
    (re.compile(r"[vwb]"), "f"),
    (re.compile(r"z"), "s"),
    (re.compile(r"j|y"), "i"),
    (re.compile(r"(?<!^)[aeiouh]+"), ""),
    (re.compile(r"^[aeiou]+"), "a"),
    (re.compile(r"(.)\1+"), r"\1"),
)


def sound(compact: str) -> str:
    """The consonants of a name as they sound, roughly alike over European languages; empty if nothing of it can be romanised."""
    sounded = romanised(compact)
    for pattern, written in _SOUNDS:
        sounded = pattern.sub(written, sounded)
    return sounded
