"""Word lists from the data files: loaded when first asked for, so that a command which needs none pays nothing."""

from __future__ import annotations

from functools import cache

from kgraph import resources


@cache
def sections(package: str, name: str) -> dict[str, tuple[str, ...]]:
    """The sections of a word file by name, each with its lines. Lines that begin with '#' are comments."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in resources.text(package, name).splitlines():
        if line.startswith("["):
            lines = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return {section: tuple(texts) for section, texts in found.items()}


def words(name: str, section: str, package: str = "kgraph.language") -> frozenset[str]:
    """The words of one section of a word file."""
    return frozenset(word for line in sections(package, name)[section] for word in line.split())


def _closed(*names: str) -> frozenset[str]:
    return frozenset().union(*(words("data/closed.txt", name) for name in names))


@cache
def stop_words() -> frozenset[str]:
    """The closed classes of English: words that carry grammar rather than meaning."""
    return _closed(
        "articles",
        "pronouns",
        "determiners",
        "prepositions",
        "conjunctions",
        "auxiliaries",
        "adverbs",
    )


@cache
def particles() -> frozenset[str]:
    """Articles, prepositions and conjunctions of other European languages, as names and questions hold them."""
    return words("data/languages.txt", "particles")


@cache
def stop_words_of_questions() -> frozenset[str]:
    """Stop words of English and the particles of its neighbours: a question may be asked in any of them."""
    return stop_words() | particles()


@cache
def auxiliaries() -> frozenset[str]:
    """Auxiliary and modal verbs with their contractions."""
    return _closed("auxiliaries")


@cache
def function_words() -> frozenset[str]:
    """Words that are never a term: the closed classes, number words and the phrases that join sentences."""
    return (
        stop_words()
        | _closed("prepositions_with_meaning", "connectives")
        | frozenset(NUMBERS)
        | ORDINALS
    )


@cache
def common_words() -> dict[str, frozenset[str]]:
    """The commonest words of a language, by its two letters."""
    return {
        language: words("data/languages.txt", language)
        for language in sections("kgraph.language", "data/languages.txt")
        if language != "particles"
    }


_DIGITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: str(number) for number, word in enumerate(_DIGITS.split())} | {
    word: str(number * 10) for number, word in enumerate(_TENS.split(), 2)
}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
ORDINALS = frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth".split()
) | frozenset(SCALES)
