"""A rationale has to say something: why these two are one thing, not that they are."""

from __future__ import annotations

from kgraph.language.lists import stop_words_of_questions
from kgraph.language.scripts import is_unspaced
from kgraph.model import Problem
from kgraph.resolve import names
from kgraph.resolve import vocabulary as known

_EMPTY = known.words(
    "duplicate duplicates dup dupe same identical equal match matches matching merge merged alias entity entities thing things node nodes"
    " record records name names obvious obviously clearly yes true ok okay synonym because exact exactly correct right sure reason fix"
    " cleanup todo test none na distinct different"
)
_EXPECTED = "say in a sentence what shows it: what the descriptions, sources or neighbours have in common, or where one is called the other"


def check_rationale(text: str) -> Problem | None:
    """None if it says something; otherwise a problem (E201, path ``$.rationale``) that says what is expected."""
    if not text.strip():
        return Problem("E201", "$.rationale", "the rationale is empty", _EXPECTED)
    words = names.words(text)
    if not words:
        return Problem(
            "E201", "$.rationale", f"the rationale has no word: {text.strip()!r}", _EXPECTED
        )
    if len(words) == 1 and not is_unspaced(words[0]):
        return Problem(
            "E201", "$.rationale", f"one word is no rationale: {text.strip()!r}", _EXPECTED
        )
    telling = {
        piece
        for word in words
        if word not in stop_words_of_questions() and word not in _EMPTY
        for piece in names.pieces(word)
    }
    if not telling or (len(telling) < 2 and len(words) < 3):
        return Problem(
            "E201",
            "$.rationale",
            f"the rationale only repeats the verdict: {text.strip()!r}",
            _EXPECTED,
        )
    return None
