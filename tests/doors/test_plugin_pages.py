"""The plugin's pages: an agent reads them and does what they say, so each command in them is run here."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import kgraph
from doors.prose import DEFINITION, PLUGIN, ROOT, bash, checkout, fences, run_page
from kgraph.install.pages import DEFINES, FINDS

SKILLS = sorted(PLUGIN.glob("skills/*/SKILL.md"))
PAGES = sorted(
    [
        PLUGIN / "AGENTS.md",
        *SKILLS,
        *PLUGIN.glob("references/*.md"),
        *PLUGIN.glob("agents/*.md"),
    ]
)
STEPS = ("extract", "resolve", "build", "query", "evaluate", "visualize", "swarm")
MAKES_ITS_GRAPH = {"karpathy-graph-build", "karpathy-graph-swarm"}
PLAIN = 'kgraph --name "<graph>" --run-id "$RUN_ID" ingest @extraction.json'
HAND_OVER = 'kgraph --name "<graph>" --run-id "$RUN_ID" ingest --unit '  # so that its citations are judged as the unit's


def test_every_page_finds_kgraph_in_the_same_two_lines() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        assert "PLUGIN_ROOT:-" not in text, "Claude Code replaces only the plain variable"
        if any(fence.kind == "sh" for fence in fences(page)):
            assert FINDS + DEFINES in text, page


def front_matter(page: Path) -> dict[str, str]:
    _, head, _ = page.read_text("utf-8").split("---\n", 2)
    return {
        key: value.strip() for key, _, value in (line.partition(":") for line in head.splitlines())
    }


def place(page: Path) -> str:
    return page.relative_to(PLUGIN).as_posix()


SHIFT_PLAN = """# Shift plan

The shift sees sales and departures on the **Operations Screen**. The door to the Operations Screen still says Harbour Desk.
"""
ON_THE_DOOR = "The door to the Operations Screen still says Harbour Desk"
SECOND_NAME = {
    "nodes": [
        {"type": "Source", "name": "shift-plan.md", "uri": "docs/shift-plan.md"},
        {
            "type": "Entity",
            "name": "Operations Screen",
            "description": "screen of the operations room that shows sales and departures",
        },
        {
            "type": "Entity",
            "name": "Harbour Desk",
            "description": "screen on which the operations room sees sales and departures",
        },
        {"type": "Claim", "name": ON_THE_DOOR},
    ],
    "edges": [
        {
            "predicate": "SUPPORTS",
            "source": "shift-plan.md",
            "target": ON_THE_DOOR,
            "confidence": 0.95,
            "quote": ON_THE_DOOR,
        },
        {"predicate": "MENTIONS", "source": ON_THE_DOOR, "target": "Operations Screen"},
        {"predicate": "MENTIONS", "source": ON_THE_DOOR, "target": "Harbour Desk"},
    ],
}


@pytest.fixture(scope="module")
def clone_with_a_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout whose ``docs/`` are the examples, and a graph ``demo`` of them in which one thing has two names."""
    clone = clone_with_documents(tmp_path_factory.mktemp("pages"))
    (clone / "docs" / "shift-plan.md").write_text(SHIFT_PLAN, "utf-8")
    (clone / "second-name.json").write_text(json.dumps(SECOND_NAME), "utf-8")
    run = "python3 plugins/karpathy-graph/scripts/kgraph.py --name demo"
    made = bash(f"{run} extract docs\n{run} --run-id by-hand ingest @second-name.json", clone)
    assert made.returncode == 0, made.stdout + made.stderr
    return clone


def clone_with_documents(folder: Path) -> Path:
    clone = checkout(folder)
    (clone / "examples").rename(clone / "docs")
    return clone


def test_there_is_a_skill_for_each_step() -> None:
    assert {page.parent.name for page in SKILLS} == {
        "karpathy-graph",
        *(f"karpathy-graph-{step}" for step in STEPS),
    }


@pytest.mark.parametrize("page", SKILLS, ids=place)
def test_a_skill_is_named_after_its_folder_and_says_what_it_does_and_when(page: Path) -> None:
    head = front_matter(page)
    assert head["name"] == page.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["name"]) and len(head["name"]) <= 64
    assert 80 <= len(head["description"]) <= 1024 and re.search(
        r"\bUse (when|after|before|whenever|for)\b", head["description"]
    )
    assert set(head) <= {
        "name",
        "description",
        "license",
        "compatibility",
        "metadata",
        "allowed-tools",
    }
    assert len(page.read_text("utf-8").splitlines()) < 200


@pytest.mark.parametrize("page", sorted(PLUGIN.glob("agents/*.md")), ids=place)
def test_an_agent_names_skills_that_are_there(page: Path) -> None:
    head = front_matter(page)
    known = {"karpathy-graph", *(skill.parent.name for skill in SKILLS)}
    assert head["name"] == page.stem
    assert 80 <= len(head["description"]) <= 1024
    assert {name.strip() for name in head["skills"].split(",")} <= known


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_every_command_in_a_page_does_what_the_page_says(
    page: Path, clone_with_a_graph: Path, tmp_path: Path
) -> None:
    if page.parent.name in MAKES_ITS_GRAPH:
        clone = clone_with_documents(tmp_path)
    else:
        clone = tmp_path / "clone"
        shutil.copytree(clone_with_a_graph, clone)
    commands = [fence for fence in fences(page) if fence.kind == "sh"]
    assert run_page(page, clone, {"<graph>": "demo"}) == len(commands)
    if commands:
        assert DEFINITION.search(page.read_text("utf-8")), (
            "a page that says kgraph says what that is"
        )


def test_the_extract_skill_hands_over_by_unit() -> None:
    lines = [
        line
        for fence in fences(PLUGIN / "skills" / "karpathy-graph-extract" / "SKILL.md")
        for line in fence.body.splitlines()
    ]
    assert [
        line for line in lines if line.startswith(HAND_OVER) and line.endswith("@extraction.json")
    ]


def test_the_payload_in_the_extract_skill_is_accepted_whole_with_every_quote_found(
    clone_with_a_graph: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(clone_with_a_graph, clone)
    shutil.rmtree(clone / ".karpathy-graphs")
    page = PLUGIN / "skills" / "karpathy-graph-extract" / "SKILL.md"
    payload = next(fence.body for fence in fences(page) if fence.kind == "json")
    (clone / "extraction.json").write_text(payload, "utf-8")
    done = bash(FINDS + DEFINES + "RUN_ID=r1\n" + PLAIN.replace("<graph>", "fresh"), clone)
    answer = json.loads(done.stdout)
    assert (
        done.returncode,
        answer["invariant_violations"],
        answer["errors"],
        answer["warnings"],
    ) == (0, [], [], [])
    assert answer["evidence"] == {"verified": 2}


def test_a_plugin_that_was_copied_elsewhere_is_found_by_its_root(
    clone_with_a_graph: Path, tmp_path: Path
) -> None:
    shutil.copytree(clone_with_a_graph / "plugins" / "karpathy-graph", tmp_path / "installed")
    definition = DEFINITION.search((PLUGIN / "AGENTS.md").read_text("utf-8"))
    assert definition
    done = bash(
        f"export CLAUDE_PLUGIN_ROOT='{tmp_path / 'installed'}'\n{definition[0]}\nkgraph list --json",
        tmp_path,
    )
    answer = json.loads(done.stdout)
    assert (answer["ok"], answer["graphs"]) == (True, [])


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_every_command_word_and_option_that_a_page_mentions_exists(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    known = (PLUGIN / "references" / "cli.md").read_text("utf-8")
    inline = re.findall(r"`([^`\n]+)`", text)
    words = {match[1] for span in inline if (match := re.match(r"kgraph ([a-z-]+)", span))}
    options = {
        option for span in inline for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", span)
    }
    assert {word for word in words if f"## {word}\n" not in known} == set()
    assert options - set(re.findall(r"--[a-z][a-z-]+", known)) - {"--help"} == set()


def test_the_manifests_say_one_version_and_one_name() -> None:
    plugin = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    marketplace = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    assert json.loads((ROOT / "marketplace.json").read_text("utf-8")) == marketplace
    assert (plugin["name"], plugin["version"]) == (PLUGIN.name, kgraph.__version__)
    assert [
        (entry["name"], (ROOT / entry["source"]).resolve()) for entry in marketplace["plugins"]
    ] == [(PLUGIN.name, PLUGIN)]


def test_what_an_agent_reads_before_its_first_hand_over_is_short() -> None:
    pages = [PLUGIN / "skills" / name / "SKILL.md" for name in ("karpathy-graph", "karpathy-graph-extract")]  # fmt: skip
    assert sum(len(page.read_bytes()) for page in pages) <= 12_000
