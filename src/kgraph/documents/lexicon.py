"""The word lists of the offline extractor, by name: what is general English comes from ``kgraph.language``, the rest from ``nouns.txt``."""

from __future__ import annotations

from kgraph.language import inflection, lists


def _nouns(section: str) -> frozenset[str]:
    return lists.words("nouns.txt", section, "kgraph.documents")


FUNCTION = lists.function_words()
AUXILIARIES = lists.auxiliaries()
LANGUAGE_WORDS = lists.common_words()
VERB_FORMS = inflection.verb_forms()
NOUN_TOO = inflection.nouns_too()
PAST = inflection.irregular_pasts()

GENERAL = _nouns("general")
ADJECTIVES = _nouns("adjectives")
HEADS = _nouns("heads")
HEDGES = _nouns("hedges")
CALENDAR = _nouns("calendar")
ORDINARY_CAPITALS = _nouns("ordinary_capitals")
DEMONYMS = _nouns("demonyms")
COMMON_NOUNS = _nouns("common_nouns")
GENERIC_TITLES = _nouns("generic_titles")
BOILERPLATE_HEADINGS = _nouns("boilerplate_headings")

# Languages in Latin letters that write common nouns without a capital, so that a capital inside a sentence marks a name.
CAPITALS_MARK_NAMES = frozenset({"en", "fr", "es", "it", "pt", "nl", "sv", "pl", "tr", "ru"})
