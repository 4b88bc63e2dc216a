"""One tokeniser, one inflector, one folding, one set of word lists."""

from __future__ import annotations

import pytest

from kgraph.contract.words import is_statement
from kgraph.language import folding, inflection, lists, scripts, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The 2 R&D-teams", ["the", "2", "r", "d", "teams"]),
        ("", []),
        ("Straße ＡＢＣ", ["strasse", "abc"]),
        ("使用Redis缓存", ["使用", "redis", "缓存"]),
        ("LG전자", ["lg", "전자"]),
        ("कृषि मंत्री", ["कृषि", "मंत्री"]),
        ("snake_case", ["snake", "case"]),
    ],
)
def test_words_are_runs_of_letters_digits_and_marks(text: str, expected: list[str]) -> None:
    assert tokens.words_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wi-Fi, R&D and C++.", ["Wi-Fi", "R&D", "and", "C++"]),
        ("L’État's @ada", ["L’État's", "@ada"]),
        ("用Redis", ["用", "Redis"]),
    ],
)
def test_compounds_keep_the_signs_inside_names(text: str, expected: list[str]) -> None:
    assert [found[0] for found in tokens.compounds(text)] == expected


def test_only_scripts_of_the_index_are_cut_into_pairs() -> None:
    assert tokens.pairs("缓存层") == ["缓存", "存层"]
    assert tokens.pairs("전자") == ["전자"]
    assert tokens.pairs("缓") == ["缓"]
    assert tokens.pairs("cache") == ["cache"]


def test_scripts_are_told_apart() -> None:
    assert (
        scripts.is_unspaced("a 缓") and scripts.is_unspaced("ไทย") and scripts.is_unspaced("カナ")
    )
    assert not scripts.is_unspaced("전자") and scripts.is_paired("전")
    assert not scripts.is_unspaced("Ünïcode") and not scripts.is_paired("é")
    assert scripts.is_ideographic("a缓") and not scripts.is_ideographic("カナ")
    assert scripts.is_all_unspaced("缓カ") and not scripts.is_all_unspaced("a缓")
    assert not scripts.is_all_unspaced("abc")


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("froze", "freeze"), ("crashed", "crash"), ("supplies", "supply"), ("planned", "plan"), ("caches", "cache"),
        ("written", "write"), ("making", "make"), ("laid", "lay"), ("worn", "wear"), ("tried", "try"),
    ],
)  # fmt: skip
def test_a_form_leads_to_its_base(word: str, base: str) -> None:
    assert base in inflection.bases(word)
    assert inflection.same_word(word, base) or word.endswith("ing")


@pytest.mark.parametrize(
    "verb", ["froze", "crashed", "broke", "failed", "fell", "restarted", "led"]
)
def test_regular_and_irregular_pasts_make_a_statement_alike(verb: str) -> None:
    assert is_statement(f"The checkout service {verb} at noon")
    assert inflection.is_past(verb) and verb in inflection.verb_forms()


@pytest.mark.parametrize(
    "name",
    [
        "purpose built server",
        "self managed Kubernetes",
        "Order processing unit",
        "crashed at noon",
        "Redis froze",
    ],
)
def test_a_past_before_a_noun_is_an_adjective(name: str) -> None:
    assert not is_statement(name)


@pytest.mark.parametrize(
    ("plural", "one"),
    [("services", "service"), ("boxes", "box"), ("leaves", "leaf"), ("policies", "policy"), ("ties", "tie"), ("bus", "bus"), ("physics", "physics")],
)  # fmt: skip
def test_singulars(plural: str, one: str) -> None:
    assert inflection.singular(plural) == one


def test_a_stem_is_shared_by_forms() -> None:
    assert (
        len({inflection.stem(word) for word in ("service", "services", "serviced", "servicing")})
        == 1
    )
    assert inflection.stem("gas") == "gas"


def test_stop_words_carry_grammar_and_not_meaning() -> None:
    stop = lists.stop_words()
    assert {"the", "of", "is", "don't", "which", "and", "not"} <= stop
    assert not {"without", "against", "second", "two", "use", "time"} & stop
    assert stop < lists.function_words()
    assert "der" in lists.stop_words_of_questions() and "der" not in stop


def test_foldings_go_from_strict_to_lenient() -> None:
    assert folding.fold("Ｒedis  ÉTÉ") == "redis été"
    assert (
        folding.fold_hyphens("Load-Balancer") == "load balancer"
        and folding.fold_hyphens("-") == "-"
    )
    assert folding.fold_accents("Été") == "ete" and folding.fold_accents("ガ") == "ガ"
