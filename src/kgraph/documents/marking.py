"""Which marks of the author are terms: what is set in code, bold, links or quotation marks, and what only looks so."""

from __future__ import annotations

import re
from bisect import bisect_right
from urllib.parse import unquote

from kgraph.documents.lexicon import (
    AUXILIARIES,
    CALENDAR,
    COMMON_NOUNS,
    FUNCTION,
    GENERAL,
    HEADS,
    NOUN_TOO,
    ORDINARY_CAPITALS,
    VERB_FORMS,
)
from kgraph.documents.masking import FILL, Mark
from kgraph.documents.passages import Passage
from kgraph.documents.terms import STRENGTH, Glossary, Mention, Term
from kgraph.documents.tokens import Sentence, Token
from kgraph.language.inflection import singular
from kgraph.language.scripts import is_unspaced

_CODE = re.compile(r"(?:--?)?[@$%~]?[\w][\w./:@#+<>*\[\]-]*(?:\(\))?$")
# A name in code: an identifier, a path, a file, an option, a call; not an expression, a value or a pattern.
_TOKEN = re.compile(
    r"(?:--)?[^\W\d][\w.-]*(?:[ /][\w.-]+)*/?(?:\(\))?|[./~]{1,3}[\w./-]*[^\W\d][\w./-]*|@[\w./-]+|\d+[\w-]*[^\W\d][\w-]*"
)
_DOCUMENT = re.compile(r"\.(?:md|markdown|rst|txt|adoc|html?|pdf)(?:[#?]|$)", re.IGNORECASE)
_HANGUL = re.compile("[\uac00-\ud7af]")
_LITERAL = frozenset(
    "true false null none nil undefined yes no y n ok and or not if else for while return import from".split()
)
_LABELS = frozenset(
    """note notes warning tip important caution info example examples status date author authors impact summary context decision
    consequences
    pros cons good bad neutral result output input before after usage update updates edit todo fixme tl;dr question answer q a remark
    remarks hint attention danger problem solution""".split()
)
_DEFINING = re.compile(
    r"(?:called|known\s+as|termed|named|dubbed|referred\s+to\s+as|as\s+a|the\s+term|denoted)[\s\x01\"“]*$",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\d{1,2}:\d{2}")
_URLISH = re.compile(r"(?:https?:|www\.|mailto:|\S+@\S+\.)")
_LOOSE = " \t\r\n:：.,;!" + FILL


def term_of(mark: Mark, passage: Passage, language: str) -> tuple[str, str] | None:
    """The spelling and the kind of the term that a mark makes, or None if it makes none."""
    text = " ".join(mark.text.split())
    if mark.kind != "code":
        text = text.lstrip("-–—` ")
    if mark.kind == "code":
        return (text, "code") if _is_code_name(text) else None
    if mark.kind == "link":
        return (
            (text.strip(_LOOSE), "link")
            if not mark.target.startswith("#") and _is_link_name(text, passage, mark, language)
            else None
        )
    if mark.kind == "strong":
        return _strong(text, mark, passage, language)
    if mark.kind == "emphasis":
        before = passage.text[: mark.start - passage.start][-40:]
        return (
            (text, "defined")
            if _DEFINING.search(before) and _is_phrase(text, language, 4)
            else None
        )
    if mark.kind == "quoted":
        before = passage.text[: mark.start - passage.start][-40:]
        if _is_title(text):
            return text.rstrip(",.;:"), "quoted"
        return (
            (text, "defined")
            if _DEFINING.search(before) and _is_phrase(text, language, 3)
            else None
        )
    return None


def marked_name(sentence: Sentence, start: int, last: Token) -> Mark | None:
    """The mark that a capitalised head noun ('Service', from ``start`` to ``last``) goes with: the one before it, which begins its name
    ('`Svc` Service'), or one without text where the noun only says what the marked thing after it is ('the Service `svc`')."""
    marks = sentence.passage.marks
    if not marks or singular(last.lower) not in HEADS:
        return None
    base = sentence.start
    at = bisect_right(marks, start, key=lambda mark: mark.start)
    if (
        at
        and marks[at - 1].end <= start
        and _is_beside(sentence.text[max(0, marks[at - 1].end - base) : start - base])
    ):
        found = term_of(marks[at - 1], sentence.passage, "en")
        if found is not None and not found[0].endswith((":", ".")):
            return marks[at - 1]._replace(text=found[0])
    if (
        start == last.start
        and at < len(marks)
        and _is_beside(sentence.text[last.end - base : marks[at].start - base])
    ):
        return marks[at]._replace(text="")
    return None


def _is_beside(gap: str) -> bool:
    """Whether only white space and a mark's own signs stand between."""
    return (
        len(gap) <= 600
        and " " in gap
        and len(shown := gap.replace(FILL, "")) <= 4
        and not shown.strip(" \n\"“”'’«»")
    )


def is_navigation(passage: Passage) -> bool:
    """Whether a passage is a row of links rather than words: a menu, a choice of languages."""
    links = [mark for mark in passage.marks if mark.kind == "link"]
    if len(links) < 4:
        return False
    words = sum(map(str.isalpha, passage.text))
    return sum(map(str.isalpha, "".join(mark.text for mark in links))) * 5 > words * 4


class Meant:
    """Tells where a word that is code in one place is only a word in another: 'du' and `du`, 'some' and `Some`."""

    def __init__(self, language: str) -> None:
        self._short = 3 if language == "en" else 4
        self._passage: Passage | None = None
        self._starts: list[int] = []
        self._ends: list[int] = []

    def only(self, sentence: Sentence, mentions: list[Mention]) -> list[Mention]:
        """The mentions without those of an everyday word that is a term as code alone, where it isn't set as code."""
        return [
            mention
            for mention in mentions
            if not self._is_everyday(mention.term) or self._is_code(sentence.passage, mention)
        ]

    def _is_everyday(self, term: Term) -> bool:
        if term.strength > STRENGTH["code"] or set(term.kinds) != {"code"}:
            return False
        word = term.name.lower()
        return word.isalpha() and (
            len(word) <= self._short
            or word in FUNCTION
            or word in GENERAL
            or word in VERB_FORMS
            or word in COMMON_NOUNS
        )

    def _is_code(self, passage: Passage, mention: Mention) -> bool:
        if self._passage is not passage:
            self._passage = passage
            marks = [mark for mark in passage.marks if mark.kind == "code"]
            self._starts, self._ends = [mark.start for mark in marks], [mark.end for mark in marks]
        at = bisect_right(self._starts, mention.start) - 1
        return at >= 0 and mention.end <= self._ends[at]


def _is_code_name(text: str) -> bool:
    if " " in text:  # 'Token Vault' is a name, 'git commit' a command
        words = text.split()
        return (
            len(words) <= 5
            and all(word[0].isupper() and word.replace("-", "").isalnum() for word in words)
            and not text.isupper()
        )
    if not 2 <= len(text) <= 80 or text.lower() in _LITERAL or not any(map(str.isalpha, text)):
        return False
    if text[0] == "-" and len(text.lstrip("-")) < 3:
        return False  # an option of one letter is another thing with every program
    return _CODE.match(text) is not None and not text.startswith(("http:", "https:"))


def drop_code_tokens(glossary: Glossary) -> None:
    """Take out what is set as code and names no thing: an everyday word, a piece of an expression."""
    for term in glossary.terms:
        if set(term.kinds) != {"code"}:
            continue
        name = term.name
        plain = name.isalpha() and name.islower()
        everyday = plain and (name in FUNCTION or name in GENERAL or name in COMMON_NOUNS)
        if (
            _TOKEN.fullmatch(name) is None
            or everyday
            or ("." in name and any(len(part) < 2 for part in name.strip("./").split(".")))
        ):
            glossary.remove(term)


def _is_link_name(text: str, passage: Passage, mark: Mark, language: str) -> bool:
    bare = text.strip(_LOOSE)
    words = bare.split()
    if (
        not bare
        or len(bare) > 60
        or len(words) > 6
        or _URLISH.match(bare)
        or bare[0] in "#(["
        or not any(map(str.isalpha, bare))
    ):
        return False
    if (
        _DOCUMENT.search(mark.target) is not None
        and "://" not in mark.target
        and not _is_title(bare)
    ):
        return False  # it names a document, and what it calls it is a phrase
    if bare.startswith(("http", "www.")) or _CLOCK.match(bare):
        return False
    if is_unspaced(bare) or _HANGUL.search(bare) is not None:
        return bare.replace(" ", "_") in unquote(
            mark.target
        )  # such scripts mark no names: only a page of that name bears it out
    low = [word.lower() for word in words]
    if all(
        word in FUNCTION
        or word in GENERAL
        or word in _LITERAL
        or word in CALENDAR
        or word in ("link", "readme", "docs", "this", "pr", "click")
        for word in low
    ):
        return False
    if len(words) == 1:
        if language not in ("en", "und") and not bare[0].isupper():
            return False
        return (
            len(bare) > 2
            and (low[0] not in VERB_FORMS or bare[0].isupper())
            and (language != "en" or bare[0].isupper() or mark.target.startswith("http"))
        )
    if any(word in AUXILIARIES for word in low):
        return False
    first = words[0]
    opens = not passage.text[: mark.start - passage.start].strip(_LOOSE + '*_("“[')
    capitals = sum(word[0].isupper() or word[0].isdigit() for word in words)
    return (
        first[0].isupper()
        and first.lower() not in VERB_FORMS
        and first.lower() not in FUNCTION
        and (capitals * 2 >= len(words) or not opens)
    )


def _strong(text: str, mark: Mark, passage: Passage, language: str) -> tuple[str, str] | None:
    label = text.endswith((":", "：")) or passage.text[
        mark.end - passage.start : mark.end - passage.start + 80
    ].lstrip(" \r\n\t\x01")[:1] in (":", "：", "–", "—")
    bare = text.strip(_LOOSE)
    if not _is_phrase(bare, language, 5) or text[-1:] in ".!?。！？,;":
        return None
    opens = not passage.text[: mark.start - passage.start].strip(_LOOSE + "*_")
    if label and opens:
        return (
            (bare, "defined")
            if bare.lower() not in _LABELS and singular(bare.lower()) not in _LABELS
            else None
        )
    return bare, "strong"


def _is_phrase(text: str, language: str, longest: int) -> bool:
    words = text.split()
    if not words or len(text) > 50 or len(words) > longest or not any(map(str.isalpha, text)):
        return False
    if is_unspaced(text):
        return 2 <= len(text) <= 6 and not any(stop in text for stop in "，。、！？；")
    if any(stop in text for stop in ",;!?") or text.endswith("."):
        return False
    if _HANGUL.search(text) is not None and text.endswith(("요", "다", "까", "오")):
        return False  # a sentence
    low = [word.lower() for word in words]
    if len(words) == 1:
        word = low[0]
        if (
            word in FUNCTION
            or word in GENERAL
            or word in ORDINARY_CAPITALS
            or word in CALENDAR
            or len(word) < 3
        ):
            return False
        return (
            language != "en"
            or not (word in VERB_FORMS and word not in NOUN_TOO)
            and not word.endswith("ly")
        )
    if language == "en" and (
        any(word in AUXILIARIES for word in low)
        or low[0] in FUNCTION
        or low[-1] in FUNCTION
        or (low[0] in VERB_FORMS and low[0] not in NOUN_TOO)
    ):
        return False
    return not all(word in FUNCTION for word in low)


def _is_title(text: str) -> bool:
    """Title case: every word of weight has a capital, and there is more to it than one ordinary word."""
    words = [word for word in re.split(r"\s+", text.strip(" ,.;:!?")) if word]
    if not 1 <= len(words) <= 8 or text.rstrip()[-1:] in "?":
        return False
    weighty = [word for word in words if word.lower() not in FUNCTION]
    if (
        not weighty
        or not words[0][0].isupper()
        or not all(word[0].isupper() or word[0].isdigit() for word in weighty)
    ):
        return False
    return len(words) > 1 or (
        len(words[0]) > 3 and words[0].lower() not in GENERAL | ORDINARY_CAPITALS | VERB_FORMS
    )
