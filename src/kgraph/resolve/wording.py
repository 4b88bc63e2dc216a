"""Signals and objections in words, for people."""

from __future__ import annotations

from kgraph.resolve.records import Features, Likeness, Objection, Reason, Signal

LIKENESS = {
    Likeness.SAME: "the names are equal",
    Likeness.FORM: "the names differ in case, width, accents or punctuation only",
    Likeness.CODE: "the names have one code, as of a model or part",
    Likeness.AFFIX: "the names differ in a legal form, title, article or remark only",
    Likeness.ORDER: "the names are the same words in another order",
    Likeness.ACRONYM: "one name is the acronym of the other",
    Likeness.PERSON: "the names are forms of one person's name",
    Likeness.SPELLING: "the names differ by a slip of spelling or an ending",
    Likeness.SOUND: "the names sound alike in Latin letters",
    Likeness.PART: "one name contains the other",
    Likeness.NEAR: "the names are alike",
    Likeness.EDITION: "one name is the other with a number or a word for another version",
    Likeness.SHARED: "the names share a word",
    Likeness.NONE: "the names have nothing in common",
}

_OBJECTIONS = {
    Reason.DISTINCT: "the two were judged to be distinct",
    Reason.KINDS: "the kinds differ: {left} and {right}",
    Reason.QUALIFIERS: "the qualifiers differ: {left} and {right}",
    Reason.IDENTIFIERS: "the identifiers differ: {left} and {right}",
    Reason.NUMBERS: "the numbers differ: {left} and {right}",
    Reason.YEARS: "the years of {left} differ: {right}",
    Reason.CODES: "the codes differ: {left} and {right}",
    Reason.LETTERS: "the letters differ: {left} and {right}",
    Reason.EDITIONS: "the editions differ: {left} and {right}",
    Reason.EXCLUSIVE: "'{left}' and '{right}' exclude each other",
    Reason.REMARKS: "the remarks differ: ({left}) and ({right})",
    Reason.PEOPLE: "the names of people differ: {left} and {right}",
    Reason.GENERATIONS: "one is senior, the other junior",
    Reason.WORDS: "the names differ in a part: {left} and {right}",
    Reason.SHARED_ALIAS: "several things are called '{left}'",
    Reason.TOGETHER: "one sentence names both",
    Reason.LINKED: "an edge leads from one to the other",
    Reason.DATED: "the years of {left} differ: {right}",
    Reason.FIGURES: "the figures of {left} differ: {right}",
}

_SIGNALS = {
    Signal.STATED_ALIAS: "one is called by the other's name in what a source says of it",
    Signal.WRITTEN_ALIKE: "they are one name in two ways of writing it",
    Signal.SAME_DESCRIPTION: "their descriptions are the same",
    Signal.DESCRIPTIONS_DIFFER: "their descriptions share no word",
    Signal.NEIGHBOUR: "they share a neighbour that few have",
}


def objection(one: Objection) -> str:
    """Why the two are held to be two things."""
    return _OBJECTIONS[one.reason].format(left=one.left, right=one.right)


def in_words(features: Features) -> str:
    """The features as a sentence, the names first."""
    one, two = features.closest
    parts = [f"'{one}' and '{two}': {LIKENESS[features.relation]}"]
    if features.identifiers:
        parts.append(f"both have {', '.join(features.identifiers)}")
    parts += [_SIGNALS[signal] for signal in features.signals if signal in _SIGNALS]
    if features.shared_words and Signal.SAME_DESCRIPTION not in features.signals:
        words = ", ".join(f"'{word}'" for word in features.shared_words[:4])
        parts.append(f"their descriptions share {words}")
    if features.attributes_agree:
        parts.append(f"they agree in {', '.join(features.attributes_agree)}")
    if features.attributes_differ:
        parts.append(f"they differ in {', '.join(features.attributes_differ)}")
    return "; ".join(parts)
