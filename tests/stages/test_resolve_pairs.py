"""Pairs of every kind in which names fail, with what the policies may make of them. All of them are made up here."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from kgraph.resolve import Comparison, Options, PolicyName, Reason, Record

SAME, LEFT = "same", "left"


class Case(NamedTuple):
    kind: str
    left: tuple[str, str]
    right: tuple[str, str]
    strict: str
    balanced: str


BAKERY = "bakery cooperative in the old harbour of Aarhus"
PUMP = "maker of pumps and valves for dairy plants"
VALVE = "regional supplier of ceramic valves for breweries"
SURVEY = "agency that maps the sea floor for shipping"
POET = "Portuguese poet and translator (1902–1971)"
RIVER_TOWN = "capital of the Orlava district in northern Velmark"
QUEUE = "message queue between the order desk and the warehouse"

CASES = [
    # legal forms and articles
    Case("suffix", ("Halvorsen Pumps", PUMP), ("Halvorsen Pumps Ltd", PUMP), SAME, SAME),
    Case("suffix", ("Halvorsen Pumps GmbH", PUMP), ("Halvorsen Pumps Inc.", PUMP), LEFT, SAME),
    Case("suffix", ("The Tidewater Survey", SURVEY), ("Tidewater Survey", SURVEY), SAME, SAME),
    Case(
        "suffix",
        ("株式会社白樺", "dairy producer in Hokkaido with three plants"),
        ("白樺", "dairy producer in Hokkaido with three plants"),
        LEFT,
        SAME,
    ),
    Case(
        "suffix",
        ("Halvorsen Pumps Ltd", PUMP),
        ("Halvorsen Pumps", "choir of retired sailors singing shanties"),
        LEFT,
        LEFT,
    ),
    # case, width, punctuation, order
    Case("form", ("OrderQueue", QUEUE), ("order_queue", QUEUE), LEFT, SAME),
    Case("form", ("order-queue", QUEUE), ("Order Queue", QUEUE), SAME, SAME),
    Case("form", ("ＫＯＭＥＴ Ａ", QUEUE), ("Komet A", QUEUE), SAME, SAME),
    Case("form", ("Pumps Halvorsen", PUMP), ("Halvorsen Pumps", PUMP), LEFT, SAME),
    Case("form", ("Café Solvår", BAKERY), ("Cafe Solvar", BAKERY), SAME, SAME),
    # acronyms
    Case("acronym", ("North Sea Mapping Agency", SURVEY), ("NSMA", SURVEY), LEFT, SAME),
    Case(
        "acronym", ("Baltic Institute for the Study of Ice", SURVEY), ("BISI", SURVEY), LEFT, SAME
    ),
    Case("acronym", ("North Sea Mapping Agency (NSMA)", SURVEY), ("NSMA", SURVEY), LEFT, SAME),
    Case("acronym", ("the N.S.M.A.", SURVEY), ("North Sea Mapping Agency", SURVEY), LEFT, SAME),
    Case(
        "acronym",
        ("National Sheep Market Association", "union of wool traders and shepherds"),
        ("NSMA", SURVEY),
        LEFT,
        LEFT,
    ),
    Case(
        "acronym",
        ("North Sea Mapping Agency", SURVEY),
        ("NSBA", "bureau of bridge accounts and tolls"),
        LEFT,
        LEFT,
    ),
    # spelling
    Case("typo", ("Halvorsen Pumps", PUMP), ("Halvorsn Pumps", PUMP), LEFT, SAME),
    Case("typo", ("Tidewater Survey", SURVEY), ("Tidewatre Survey", SURVEY), LEFT, SAME),
    Case("typo", ("Harbour Bakery", BAKERY), ("Harbor Bakery", BAKERY), LEFT, SAME),
    Case(
        "typo", ("Organisation of Millers", BAKERY), ("Organization of Millers", BAKERY), LEFT, SAME
    ),
    Case(
        "typo",
        ("Marlin", "bank for fishing cooperatives"),
        ("Merlin", "weather radar on a hill near Tromso"),
        LEFT,
        LEFT,
    ),
    Case(
        "typo",
        ("Lambia", "republic on the western plateau"),
        ("Zambra", "republic on the eastern coast"),
        LEFT,
        LEFT,
    ),
    # persons
    Case("person", ("Bob Ostergaard", POET), ("Robert Ostergaard", POET), LEFT, SAME),
    Case("person", ("J. Meireles", POET), ("João Meireles", POET), LEFT, SAME),
    Case("person", ("Meireles, João", POET), ("João Meireles", POET), SAME, SAME),
    Case(
        "person",
        ("Dr. Ilse Brandt", "head of the glacier laboratory since its founding"),
        ("Ilse Brandt", "head of the glacier laboratory since its founding"),
        SAME,
        SAME,
    ),
    Case("person", ("João M. Meireles", POET), ("João Meireles", POET), LEFT, SAME),
    Case("person", ("Meireles", POET), ("João Meireles", POET), LEFT, LEFT),
    Case(
        "person",
        ("J. Meireles", "midfielder of the national team"),
        ("M. Meireles", "midfielder of the national team"),
        LEFT,
        LEFT,
    ),
    Case(
        "person",
        ("Ann B. Thorne", "engineer at the tidal plant"),
        ("Ann C. Thorne", "engineer at the tidal plant"),
        LEFT,
        LEFT,
    ),
    Case(
        "person",
        ("Maria Colt", "engineer at the tidal plant"),
        ("Mario Colt", "engineer at the tidal plant"),
        LEFT,
        LEFT,
    ),
    Case(
        "person",
        ("Ann Thorne", "engineer at the tidal plant"),
        ("Jane Thorne", "engineer at the tidal plant"),
        LEFT,
        LEFT,
    ),
    Case(
        "person",
        ("Tom Reyes Jr.", "mayor and boat builder in Lund"),
        ("Tom Reyes Sr.", "mayor and boat builder in Lund"),
        LEFT,
        LEFT,
    ),
    Case(
        "person",
        ("Ann Thorne", "co-founder of Halvorsen Pumps"),
        ("Per Halvorsen", "co-founder of Halvorsen Pumps"),
        LEFT,
        LEFT,
    ),
    # one name, two things
    Case(
        "collision",
        ("Mercury", "liquid metal used in old thermometers"),
        ("Mercury", "innermost planet of our system"),
        LEFT,
        LEFT,
    ),
    Case(
        "collision",
        ("Ann Thorne", "engineer at the tidal plant"),
        ("Ann Thorne", "soprano in a touring opera company"),
        LEFT,
        LEFT,
    ),
    Case(
        "collision",
        ("Ann Thorne", "American engineer of tidal plants"),
        ("Ann Thorne", "American soprano in touring operas"),
        LEFT,
        LEFT,
    ),
    Case("collision", ("Mercury (planet)", ""), ("Mercury (element)", ""), LEFT, LEFT),
    Case("collision", ("Atlas", ""), ("Atlas", ""), LEFT, LEFT),
    Case(
        "collision",
        ("Reyes", "founder (born 1946) of a shipyard"),
        ("Reyes", "founder (born 1988) of a shipyard"),
        LEFT,
        LEFT,
    ),
    # numbers, versions, years, editions
    Case(
        "version",
        ("Fjordcup 2018", "sailing regatta in Bergen"),
        ("Fjordcup 2019", "sailing regatta in Bergen"),
        LEFT,
        LEFT,
    ),
    Case(
        "version",
        ("2018 Fjordcup", "sailing regatta in Bergen"),
        ("Fjordcup (2018)", "sailing regatta in Bergen"),
        LEFT,
        SAME,
    ),
    Case("version", ("Kestrel 2.1", QUEUE), ("Kestrel 2.2", QUEUE), LEFT, LEFT),
    Case("version", ("Kestrel v2", QUEUE), ("Kestrel V2.0", QUEUE), LEFT, SAME),
    Case("version", ("Kestrel", QUEUE), ("Kestrel 3", QUEUE), LEFT, LEFT),
    Case("version", ("Expedition IV", SURVEY), ("Expedition VI", SURVEY), LEFT, LEFT),
    Case("version", ("Expedition IV", SURVEY), ("Expedition 4", SURVEY), LEFT, SAME),
    Case("version", ("Pump 747", PUMP), ("Pump 747-8", PUMP), LEFT, LEFT),
    Case(
        "version",
        ("Vitamin B", "food supplement sold in tins"),
        ("Vitamin K", "food supplement sold in tins"),
        LEFT,
        LEFT,
    ),
    Case("version", ("Fourth Survey", SURVEY), ("Fifth Survey", SURVEY), LEFT, LEFT),
    # opposites and places
    Case(
        "contrast",
        ("North Orlava", "hill district with mines"),
        ("South Orlava", "hill district with mines"),
        LEFT,
        LEFT,
    ),
    Case("contrast", ("queue reader", QUEUE), ("queue writer", QUEUE), LEFT, LEFT),
    Case(
        "contrast",
        ("Harbour Hotel Paris", "hotel of the Harbour chain"),
        ("Harbour Hotel London", "hotel of the Harbour chain"),
        LEFT,
        LEFT,
    ),
    Case(
        "contrast",
        ("Fairview, OH", "small town with a mill"),
        ("Fairview, KS", "small town with a mill"),
        LEFT,
        LEFT,
    ),
    Case(
        "contrast",
        ("hypertension drug trial", SURVEY),
        ("hypotension drug trial", SURVEY),
        LEFT,
        LEFT,
    ),
    Case("contrast", ("G", "language for scripts"), ("G++", "language for scripts"), LEFT, LEFT),
    # other words for one thing
    Case(
        "synonym",
        ("Dolorin", "pain reliever with the ingredient veraprofen"),
        ("veraprofen", "pain reliever with the ingredient veraprofen"),
        LEFT,
        LEFT,
    ),
    Case("synonym", ("Orlavik", RIVER_TOWN), ("Aurlau", RIVER_TOWN), LEFT, LEFT),
    Case("synonym", ("Dawn Singer", POET), ("João Meireles", POET), LEFT, LEFT),
    Case(
        "synonym",
        ("Norvik Tools", "American maker of machine tools"),
        ("Grant & Sons", "American maker of machine tools"),
        LEFT,
        LEFT,
    ),
    Case(
        "synonym",
        ("Tidewater Survey", SURVEY + ", formerly Coast Depth Office"),
        ("Coast Depth Office", "agency that maps the sea floor"),
        SAME,
        SAME,
    ),
    # scripts
    Case("script", ("Ташкурган", RIVER_TOWN), ("Tashkurgan", RIVER_TOWN), LEFT, SAME),
    Case("script", ("Θεσσαλία", RIVER_TOWN), ("Thessalia", RIVER_TOWN), LEFT, SAME),
    Case("script", ("부산항", RIVER_TOWN), ("Busanhang", RIVER_TOWN), LEFT, SAME),
    Case("script", ("カラマツ", RIVER_TOWN), ("Karamatsu", RIVER_TOWN), LEFT, SAME),
    Case("script", ("مُحَمَّد بدر", POET), ("محمد بدر", POET), SAME, SAME),
    Case(
        "script",
        ("北山大学", "university with a forestry school"),
        ("南山大学", "university with a forestry school"),
        LEFT,
        LEFT,
    ),
    Case(
        "script",
        ("白樺牛乳", "dairy producer with three plants"),
        ("白樺物流", "trucking firm for frozen goods"),
        LEFT,
        LEFT,
    ),
    # codes of models and parts
    Case(
        "code",
        ("Halvorsen dairy pump KX-208W", PUMP),
        ("KX208W", "pump for dairy plants"),
        LEFT,
        LEFT,
    ),
    Case(
        "code",
        ("Halvorsen dairy pump KX-208W", PUMP),
        ("Halvorsen dairy pump KX-209W", PUMP),
        LEFT,
        LEFT,
    ),
    Case("code", ("KX208W white", PUMP), ("KX308W white", PUMP), LEFT, LEFT),
    # two texts on one thing in other words
    Case(
        "reworded",
        ("Halvorsen Pumps", PUMP),
        ("Halvorsen Pumps Ltd", "Danish producer of equipment for dairy farms"),
        LEFT,
        LEFT,
    ),
    Case(
        "reworded",
        ("Tidewater Survey", SURVEY),
        ("Tidewater Survey", "agency mapping the floor of the sea"),
        LEFT,
        SAME,
    ),
    Case(
        "reworded",
        ("Dept. of Tides", SURVEY),
        ("Department of Tides", "maps the sea floor so that shipping is safe"),
        LEFT,
        SAME,
    ),
    Case(
        "reworded",
        ("NSMA", SURVEY),
        ("North Sea Mapping Agency", "maps the sea floor so that shipping is safe"),
        LEFT,
        SAME,
    ),
    Case(
        "reworded",
        ("Ann Thorne", "engineer at the tidal plant"),
        ("Ann Thorne", "botanist of tidal grass"),
        LEFT,
        LEFT,
    ),
    Case(
        "reworded",
        ("Halvorsen Pumps Ltd", "American company"),
        ("Halvorsen Pumps", "American national team"),
        LEFT,
        LEFT,
    ),
    # parts, kinds and neighbours in the alphabet
    Case(
        "part", ("Halvorsen", PUMP), ("Halvorsen Insurance", "insurer of fishing boats"), LEFT, LEFT
    ),
    Case(
        "part",
        ("Tidewater Survey", SURVEY),
        ("Tidewater Survey building", "brick house on the quay"),
        LEFT,
        LEFT,
    ),
    Case(
        "part",
        ("billing service", "sends invoices to customers"),
        ("payment service", "charges the cards of customers"),
        LEFT,
        LEFT,
    ),
    Case("part", ("Valve Works", VALVE), ("Vulcan Works", PUMP), LEFT, LEFT),
]


def verdict(case: Case, policy: PolicyName) -> str:
    left = Record("a", "Entity", case.left[0], description=case.left[1], qualifier="1")
    right = Record("b", "Entity", case.right[0], description=case.right[1], qualifier="2")
    comparison = Comparison([left, right], Options())
    return SAME if comparison.merges(policy) else LEFT


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.kind}: {case.left[0]} / {case.right[0]}"
)
def test_strict_merges_what_is_clear_and_leaves_the_rest(case: Case) -> None:
    assert verdict(case, "strict") == case.strict


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.kind}: {case.left[0]} / {case.right[0]}"
)
def test_balanced_also_merges_what_context_makes_likely(case: Case) -> None:
    assert verdict(case, "balanced") == case.balanced


def test_the_table_covers_every_kind_with_both_answers() -> None:
    assert len(CASES) >= 60
    for kind in {case.kind for case in CASES} - {"collision", "contrast", "synonym", "code"}:
        assert {case.balanced for case in CASES if case.kind == kind} == {SAME, LEFT} or kind in (
            "form",
            "part",
        )


def test_what_an_edge_joins_is_two_things_however_alike_the_words() -> None:
    panel = Record(
        "a",
        "Entity",
        "Panel B",
        description="panel on the south transformer since the works",
        neighbours=frozenset({"b", "c"}),
    )
    feeder = Record(
        "b",
        "Entity",
        "south transformer",
        description="transformer of panel B since the works",
        neighbours=frozenset("ac"),
    )
    linked = Comparison([panel, feeder], Options()).pair("a", "b")
    apart = Comparison(
        [panel._replace(neighbours=frozenset("c")), feeder._replace(neighbours=frozenset("c"))],
        Options(),
    ).pair("a", "b")
    assert [one.reason for one in linked.features.against] == [Reason.LINKED]
    assert linked.score < apart.score


def test_only_features_that_tell_something_are_shown() -> None:
    left, right = (
        Record("a", "Entity", "Valve Works", description=VALVE),
        Record("b", "Entity", "Valve Works Ltd", description=PUMP),
    )
    told = Comparison([left, right], Options()).pair("a", "b").features.told()
    assert told["description_agreement"] == 0.0 and told["relation"] == "affix"
    assert not {
        key
        for key, value in told.items()
        if value in (False, [], None) and key != "description_agreement"
    }
    assert "neighbour_overlap" not in told


def engineers(*names: str) -> list[Record]:
    return [
        Record(f"n{at}", "Entity", name, ("Anna",), "on-call engineer", kind="person")
        for at, name in enumerate(names)
    ]


def test_two_people_who_share_a_given_name_and_an_alias_are_two() -> None:
    comparison = Comparison(engineers("Anna Schmidt", "Anna Weber"))
    assert not comparison.merges("strict") and not comparison.merges("balanced")
    assert {one.reason for one in comparison.pair("n0", "n1").features.against} >= {
        Reason.PEOPLE,
        Reason.SHARED_ALIAS,
    }


@pytest.mark.parametrize(
    ("one", "two", "reason"),
    [
        ({"qualifier": "Berlin office"}, {"qualifier": "Lisbon office"}, Reason.QUALIFIERS),
        ({"kind": "person"}, {"kind": "product"}, Reason.KINDS),
        ({"attrs": {"orcid": "0000-0001-2345-6789"}}, {"attrs": {"orcid": "0000-0001-2345-678X"}}, Reason.IDENTIFIERS),
        ({"statements": frozenset({"c"}), "neighbours": frozenset({"c"})},) * 2 + (Reason.TOGETHER,),
    ],
)  # fmt: skip
def test_what_blocks_blocks_every_policy(
    one: dict[str, object], two: dict[str, object], reason: Reason
) -> None:
    text = "keeps the tide tables of the harbour office"
    records = [
        Record("a", "Entity", "Jordan Vale", description=text)._replace(**one),
        Record("b", "Entity", "Jordan-Vale", description=text)._replace(**two),
    ]
    comparison = Comparison(records)
    assert reason in {said.reason for said in comparison.pair("a", "b").features.against}
    assert not comparison.merges("strict") and not comparison.merges("balanced")
    assert Comparison([one._replace(attrs={}, kind="", qualifier="", statements=frozenset()) for one in records]).merges("strict")  # fmt: skip


def test_a_sentence_that_names_both_is_evidence_for_neither() -> None:
    """Three names of one sentence, which was written down as what each of them is."""
    said = "OpenAI, Gemini and Ollama are providers that the adapter can call"
    records = [
        Record(str(at), "Entity", name, description=said, neighbours=frozenset({"c"}), statements=frozenset({"c"}))
        for at, name in enumerate(("OpenAI", "Gemini", "Ollama"))
    ]  # fmt: skip
    comparison = Comparison(records)
    assert not comparison.merges("strict") and not comparison.merges("balanced")
    assert not comparison.pairs(), "and it proposes none"


@pytest.mark.parametrize("policy", ["strict", "balanced"])
def test_an_identifier_that_two_alone_have_proves_and_one_that_three_have_does_not(
    policy: PolicyName,
) -> None:
    mail = {"mail": "i.brandt@tides.example"}
    records = [
        Record("a", "Entity", "Ilse Brandt", attrs=mail),
        Record("b", "Entity", "I. B.", attrs=mail),
    ]
    assert len(Comparison(records).merges(policy)) == 1
    third = Record("c", "Entity", "Tide desk", attrs=mail)
    assert Comparison([*records, third]).merges(policy) == []
