"""Which sentences are claims: verbatim, whole, and about at least two things that the text names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgraph.documents.lexicon import AUXILIARIES, HEDGES, NOUN_TOO, PAST, VERB_FORMS
from kgraph.documents.masking import FILL
from kgraph.documents.terms import Mention, Term
from kgraph.documents.tokens import Sentence
from kgraph.language.scripts import is_unspaced
from kgraph.tuples import NamedTuple

LONGEST = 2000  # characters that a name may have
MOST_MENTIONS = 16
LEAST_WORDS = 3  # 'Kafka feeds Redis.'
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_META = re.compile(
    r"[\W\x01]*(?:(?:in|throughout)\s+this\s+(?:essay|article|post|section|chapter|paper|guide|tutorial|document|page|talk|blog),?\s+(?:we|i|you)\b"
    r"|this\s+(?:essay|article|section|chapter|post|paper|blog\s+post)\s+(?:will\s+|aims\s+to\s+|also\s+)?(?:explor|discuss|delv|examin|look|cover|provid|present|seek|outlin|highlight|explain)"
    r"|(?:for\s+(?:more|further|additional)\s+(?:information|details)|see|refer\s+to|read|check\s+out|click|please|thanks|thank\s+you|note\s+that\s+this\s+(?:page|document))\b"
    r"|(?:we|i)\s+(?:will|are\s+going\s+to|'ll)\s+(?:explore|discuss|look|see|cover|examine|describe|delve|outline)\b)",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\[\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?\]")
_EMOJI = re.compile(r":[a-z_]+:|[:;]-?[)(DP]")
_OUTRIGHT = frozenset(
    [
        (verb, article)
        for verb in ("is", "are", "was", "were")
        for article in ("a", "an", "the", "one")
    ]
    + [("defined", "as"), ("consists", "of"), ("depends", "on"), ("caused", "by"), ("known", "as")]
)
_CONTRADICTION = re.compile(
    r"[\W\x01]*(?:this|that|it|the\s+(?:above|previous|preceding)\s+(?:claim|statement|sentence))\s+"
    r"(?:contradicts|is\s+(?:not\s+true|untrue|false|incorrect|wrong|no\s+longer\s+true)|was\s+(?:not\s+true|untrue|false|incorrect|wrong|disproved|refuted))\b",
    re.IGNORECASE,
)


_ADDRESS_NEXT = re.compile(rf"[ \t]{{0,3}}{FILL}{{8,1000}}")


class Claim(NamedTuple):
    """A sentence that became a claim. ``name`` is its words with white space collapsed, ``start:end`` its place in the document."""

    name: str
    start: int
    end: int
    terms: tuple[Term, ...]
    confidence: float
    instant: str = ""
    denies: str = ""  # the name of the claim before, where the sentence says that it isn't so


def is_sentence(sentence: Sentence) -> bool:
    """Whether there are words enough to say something of two things."""
    return len(sentence.tokens) >= LEAST_WORDS or (
        is_unspaced(sentence.text) and len(sentence.text) > 7
    )


def is_pronoun_led(sentence: Sentence) -> bool:
    """Whether a sentence can't be understood without the one before it: it begins with a word that only points back."""
    return bool(sentence.tokens) and sentence.tokens[0].lower in _POINTING


def is_statement(
    sentence: Sentence, language: str, log_entry: bool = False, decisive: bool = False
) -> bool:
    """Whether a sentence states something: not a question, an order, a heading, a lead-in or a line about the text itself.

    In a ``decisive`` section notes count as well: there a missing verb or an order ('Add an alert') is how such things are written.
    """
    text = sentence.text.rstrip(" \t\r\n\x01\"'”’)*_»")
    if not text or text[-1] in "?？؟:：⁇;…" or text.endswith(("...", "?!")):
        return False
    tokens = sentence.tokens
    if len(tokens) > 400 or (len(tokens) < LEAST_WORDS and not is_unspaced(text)):
        return False
    letters = sum([len(token.text) for token in tokens])
    if letters * 2 < len(text.replace(FILL, "").replace(" ", "")):
        return False  # mostly signs: a formula, a path, a drawing
    if is_unspaced(text):
        return len(text) > 7
    if language != "en":
        if _is_only_links(sentence):
            return False
        return text[-1] in ".!۔।॥។։" or sentence.passage.kind == "item"
    if _is_only_links(sentence):
        return False
    if _META.match(text) or (not log_entry and _is_aside(sentence.text) and text[-1] not in ".!"):
        return False
    if log_entry or decisive:
        return True
    return _has_verb(sentence) and not _is_order(sentence)


def _is_only_links(sentence: Sentence) -> bool:
    """Whether all its words are those of a link: an entry of a menu, a reference."""
    links = [mark for mark in sentence.passage.marks if mark.kind == "link"]
    return (
        bool(links)
        and bool(sentence.tokens)
        and all(
            any(link.start <= token.start and token.end <= link.end for link in links)
            for token in sentence.tokens
        )
    )


def _is_aside(text: str) -> bool:
    """Whether a sentence begins with a bracket that isn't the time of an entry: '[16:40] Ada restarted Redis'."""
    bare = text.lstrip(" \x01\"'“")
    return bare[:1] in ("(", "[") and _CLOCK.match(bare) is None


def claim_of(
    text: str, sentence: Sentence, mentions: Sequence[Mention], tied: Term | None, least: int = 1
) -> Claim | None:
    """The claim that a sentence makes, or None: too long, not plain text, or about fewer than ``least`` things. ``tied`` is a thing it
    speaks of unnamed."""
    terms = list(
        dict.fromkeys(
            [*([tied] if tied is not None else []), *(mention.term for mention in mentions)]
        )
    )
    if len(terms) < least or (least and len(terms) == 1 and _is_plain_word(sentence, mentions)):
        return None
    start, end = _verbatim(text, sentence)
    quote = text[start:end]
    name = " ".join(quote.split())
    if (
        not name
        or len(name) > LONGEST
        or len(quote) > 2 * LONGEST
        or _CONTROL.search(quote) is not None
    ):
        return None
    terms.sort(key=lambda term: -term.strength)
    return Claim(
        name, start, end, tuple(terms[:MOST_MENTIONS]), _confidence(sentence, mentions, tied)
    )


def _is_plain_word(sentence: Sentence, mentions: Sequence[Mention]) -> bool:
    """Whether all that is named is a lower-case word that only elsewhere is set as code: 'an alpha release' beside `alpha`."""
    return bool(mentions) and all(
        set(mention.term.kinds) <= {"code", "link"}
        and (
            word := sentence.text[mention.start - sentence.start : mention.end - sentence.start]
        ).islower()
        and word.isalpha()
        and sentence.text[mention.start - sentence.start - 1 : mention.start - sentence.start]
        != FILL
        for mention in mentions
    )


def denies_previous(sentence: Sentence) -> bool:
    """Whether a sentence says outright that the one before it isn't so."""
    return _CONTRADICTION.match(sentence.text) is not None


def _verbatim(text: str, sentence: Sentence) -> tuple[int, int]:
    """The sentence's place, taking in a delimiter that it opens or closes, so that markup stays whole."""
    start, end = sentence.start, sentence.end
    base = sentence.passage.start
    stop = min(sentence.passage.end, end + 40)
    while end < stop and sentence.passage.text[end - base] == FILL:
        end += 1
    begin = max(base, start - 40)
    while start > begin and sentence.passage.text[start - 1 - base] == FILL:
        start -= 1
    address = _ADDRESS_NEXT.match(sentence.passage.text, sentence.end - base)
    if address is not None and "://" in text[sentence.end : base + address.end()]:
        end = base + address.end()  # an address that ends the sentence belongs to it
        if _whole(text[sentence.start : end]):
            return sentence.start, end
    trimmed_start, trimmed_end = sentence.start, sentence.end
    if _whole(text[trimmed_start:trimmed_end]):
        return trimmed_start, trimmed_end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if _whole(text[start:end]) else (trimmed_start, trimmed_end)


def _whole(piece: str) -> bool:
    return (
        piece.count("**") % 2 == 0
        and piece.count("`") % 2 == 0
        and piece.count("[") == piece.count("]")
    )


def _has_verb(sentence: Sentence) -> bool:
    before = ""
    for token in sentence.tokens:
        low = token.lower
        if low in AUXILIARIES or (
            low in VERB_FORMS
            and low not in NOUN_TOO
            and not low.endswith("ing")
            and before not in ("to", "the", "a", "an", "of")
        ):
            return True
        if (
            len(low) > 4
            and low.endswith("ed")
            and low.islower()
            and before not in ("the", "a", "an")
        ):
            return True
        if (
            low in NOUN_TOO
            and before
            and before not in _BEFORE_NOUN
            and token is not sentence.tokens[-1]
            and (low.endswith("s") or before in _PERSONS)
        ):
            return True
        before = low
    return False


_POINTING = frozenset("it they this these that those he she its their his her".split())
_PERSONS = frozenset("i we you they he she it who which that to".split())
_BEFORE_NOUN = frozenset(
    "the a an of in on at by for with from and or this that these those its their our your my his her no any each every".split()
)
_IMPERATIVE_BUT = frozenset("need want have help change changes".split())


def _is_order(sentence: Sentence) -> bool:
    """Whether the sentence tells the reader to do something: a bare verb first, or 'don't'."""
    first = sentence.tokens[0].lower
    if first in (
        "don't",
        "don’t",
        "do",
        "let's",
        "make",
        "be",
        "let",
        "try",
        "ensure",
        "consider",
        "avoid",
    ):
        return True
    if (
        first not in VERB_FORMS
        or first in AUXILIARIES
        or first.endswith(("ed", "ing"))
        or first in PAST
        or first in _IMPERATIVE_BUT
    ):
        return False
    if first in NOUN_TOO and len(sentence.tokens) > 1:
        following = sentence.tokens[1].lower
        if first == "use":
            return following not in AUXILIARIES and following not in (
                "of",
                "in",
                "for",
                "and",
                "or",
            )
        return following in ("the", "a", "an", "your", "this", "these", "all", "any", "it", "them")
    return not (first.endswith("s") and first[:-1] in VERB_FORMS)


def _is_outright(sentence: Sentence) -> bool:
    return any(
        (first.lower, second.lower) in _OUTRIGHT
        for first, second in zip(sentence.tokens, sentence.tokens[1:], strict=False)
    )


def _confidence(sentence: Sentence, mentions: Sequence[Mention], tied: Term | None) -> float:
    """How outright the sentence states what ties its terms together: stated .9 and up, hedged or leaning on another sentence below."""
    words = {token.lower for token in sentence.tokens}
    if words & HEDGES:
        return 0.72 if "?" not in sentence.text else 0.6
    value = 0.95 if _is_outright(sentence) else 0.92
    named = {id(mention.term) for mention in mentions}
    if tied is not None and id(tied) not in named and len(named) < 2:
        value -= 0.05
    elif sentence.tokens and sentence.tokens[0].lower in (
        "this",
        "these",
        "it",
        "they",
        "he",
        "she",
        "that",
        "those",
    ):
        value -= 0.1
    if "if" in words or "unless" in words:
        value -= 0.07
    if len(sentence.tokens) > 45:
        value -= 0.03
    if all(mention.term.strength <= 1 for mention in mentions):
        value -= 0.04
    if sentence.passage.kind == "quote" or (":" in sentence.text and _EMOJI.search(sentence.text)):
        value -= 0.12
    return round(max(0.5, value), 2)
