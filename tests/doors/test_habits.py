"""What people do by habit: no command, a slip of the pen, a folder below, a setting, a correction that is to last."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.cli import main
from kgraph.cli.options import parser_for
from kgraph.cli.table import COMMANDS, GROUPS

Say = Callable[..., Any]
NODE = ("add-node", "--type", "Entity", "--description", "the screen of the operations room")


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any) -> Say:
    monkeypatch.chdir(tmp_path)
    for name in ("KGRAPH_NAME", "KGRAPH_PATH", "KGRAPH_ROOT"):
        monkeypatch.delenv(name, raising=False)

    def said(*arguments: str, status: int = 0) -> Any:
        capsysbinary.readouterr()
        assert main(list(arguments)) == status
        out = capsysbinary.readouterr().out.decode()
        return json.loads(out) if out.startswith("{") else out

    return said


def test_no_command_stands_under_two_headings_and_help_shows_all(say: Say) -> None:
    named = [name for names in GROUPS.values() for name in names]
    assert len(named) == len(set(named)) and set(named) <= set(COMMANDS)
    assert all(f"\n  {name} " in say() for name in COMMANDS)


def test_kgraph_alone_shows_what_one_can_do_and_a_version_is_one_letter(say: Say) -> None:
    assert all(f"\n{heading}:\n" in say() for heading in GROUPS)
    assert say("-V") == say("--version") == f"kgraph {kgraph.__version__}\n"


def test_no_choice_in_any_help_is_empty_and_import_lists_its_formats() -> None:
    from importlib import import_module

    for name, (module, does) in COMMANDS.items():
        command = import_module(f"kgraph.cli.commands.{module}").COMMANDS[name]
        parser = parser_for(name, does, command.example)
        command.configure(parser)
        text = parser.format_help()
        assert "{," not in text and ",}" not in text, name
        if name == "import":
            assert "graphrag" in text and "jsonld" in text


def test_a_graph_is_found_from_a_folder_below(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "--name", "g")
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert say("stats")["graph"] == "g"
    say(*NODE, "--name", "Harbour Desk")
    assert not (below / ".karpathy-graphs").exists()


def test_a_graph_of_a_folder_that_anyone_may_write_to_is_not_taken(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("init", "--name", "g")
    below = tmp_path / "below"
    below.mkdir()
    tmp_path.chmod(0o777)
    monkeypatch.chdir(below)
    assert say("list")["graphs"] == []


def test_environment_and_settings_name_the_graph_and_an_option_wins(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two", "three"):
        say("init", "--name", name)
    (tmp_path / "pyproject.toml").write_text('[tool.kgraph]\nname = "one"\n')
    assert say("stats")["graph"] == "one"
    (tmp_path / "kgraph.toml").write_text('name = "two"\n')
    assert say("stats")["graph"] == "two"
    monkeypatch.setenv("KGRAPH_NAME", "three")
    assert say("stats")["graph"] == "three"
    monkeypatch.setenv("KGRAPH_PATH", ".karpathy-graphs/one")
    assert say("stats")["graph"] == "one"
    assert say("--name", "two", "stats")["graph"] == "two"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nmae = 'x'", "did you mean 'name'?"),
        ("name = 3", "is not a text"),
        ("ignore = 'x'", "is not a list of texts"),
        ("name =", "is not TOML"),
        ("source_roots = ['/etc']", "is outside of"),
        ("name = 'a'\npath = 'b'", "both say which graph"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_file(
    text: str, said: str, say: Say, tmp_path: Path
) -> None:
    (tmp_path / "kgraph.toml").write_text(text)
    message = say("stats", status=2)["errors"][0]["message"]
    assert said in message and "kgraph.toml" in message


def test_settings_give_source_roots_and_what_to_ignore(say: Say, tmp_path: Path) -> None:
    (tmp_path / "docs" / "old").mkdir(parents=True)
    for name in ("docs/a.md", "docs/old/b.md"):
        (tmp_path / name).write_text("# T\n\nThe **Night Train** leaves the **Harbour Station**.\n")
    (tmp_path / "kgraph.toml").write_text('name = "g"\nignore = ["old/"]\n')
    units = say("extract", "docs")["units"]
    assert {unit["source"] for unit in units} == {"docs/a.md"}


def test_a_model_in_the_settings_reads_only_when_a_model_is_asked_for(
    say: Say, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("The **Night Train** leaves the **Harbour Station**.\n")
    (tmp_path / "kgraph.toml").write_text('name = "g"\nmodel = "nobody/nothing"\n')
    assert say("extract", "a.md")["units"][0]["outcome"] == "done"
    refused = say("extract", "a.md", "--extractor", "model", status=2)
    assert "nobody" in refused["errors"][0]["message"]


def test_a_slip_is_answered_with_what_was_meant(say: Say) -> None:
    say("--name", "incidents", "init")
    say(*NODE, "--name", "Harbour Desk")
    for arguments, meant in (
        (("--name", "incidnets", "stats"), "incidents"),
        (("show", "Harbor Desk"), "Harbour Desk"),
        (("query", "", "--type", "Entitty"), "Entity"),
        (("qurey", "x"), "query"),
        (("query", "x", "--hopps", "1"), "--hops"),
    ):
        message = say(*arguments, status=2)["errors"][0]["message"]
        assert f"did you mean {meant}?" in message.replace("'", ""), message


def test_a_payload_may_be_a_bare_file_name_and_utf_16_is_called_by_its_name(
    say: Say, tmp_path: Path
) -> None:
    text = '{"nodes": [{"type": "Entity", "name": "A", "description": "the first"}], "edges": []}'
    (tmp_path / "p.json").write_text(text)
    (tmp_path / "wide.json").write_text(text, "utf-16")
    assert say("--name", "g", "ingest", "p.json")["nodes_added"]
    assert "UTF-16" in say("--name", "g", "ingest", "@wide.json", status=2)["errors"][0]["message"]


def test_a_new_name_lasts_when_the_sources_are_read_again_and_can_be_taken_back(say: Say) -> None:
    say("--name", "g", "init")
    say(*NODE, "--name", "Harbour Desk")
    done = say("rename", "Harbour Desk", "Operations Screen", "--reason", "its name since May")
    say("add-node", "--type", "Entity", "--name", "Harbour Desk", "--description", "a longer text than the one it had before, read again")  # fmt: skip
    node = say("show", "Harbour Desk")["node"]
    assert (node["name"], node["aliases"]) == ("Operations Screen", ["Harbour Desk"])
    assert say("rename", "Harbour Desk", "Operations Screen")["unchanged"] is True
    say("rebuild")
    assert say("show", "Operations Screen")["node"]["id"] == node["id"]
    say("restore", "--tx", done["tx"])
    assert say("show", "Harbour Desk")["node"]["name"] == "Harbour Desk"


def test_an_edited_description_holds_against_longer_ones(say: Say) -> None:
    say("--name", "g", "init")
    say(*NODE, "--name", "Harbour Desk")
    say("edit", "Harbour Desk", "--description", "screen", "--alias", "HD", "--kind", "system")
    say("add-node", "--type", "Entity", "--name", "Harbour Desk", "--description", "a longer text than the one it had before, read again")  # fmt: skip
    node = say("show", "HD")["node"]
    assert (node["description"], node["aliases"], node["kind"]) == ("screen", ["HD"], "system")


def test_a_name_that_is_taken_and_a_value_that_breaks_a_rule_are_refused(say: Say) -> None:
    say("--name", "g", "init")
    say(*NODE, "--name", "Harbour Desk")
    say(*NODE, "--name", "Pier Desk")
    assert "resolve" in say("rename", "Pier Desk", "Harbour Desk", status=2)["errors"][0]["hint"]
    assert say("edit", "Pier Desk", "--valid-from", "yesterday", status=2)["errors"]
    assert say("edit", "Pier Desk", status=2)["errors"]


def test_the_rules_of_a_prompt_stand_once_before_many_units_or_are_left_out(
    say: Say, tmp_path: Path
) -> None:
    say("--name", "g", "init")
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\nThe words of {name}.\n")
    rules = say("prompt", "--rules-only")
    both = say("prompt", "a.md", "b.md")
    assert both.startswith(rules.rstrip()) and both.count("## How to read") == 1
    assert "The words of a.md." in both and "The words of b.md." in both
    text = say("prompt", "a.md", "--text-only")
    assert "## How to read" not in text and "The words of a.md." in text
    assert say("prompt", status=2)["errors"]
    assert say("prompt", "a.md", "--rules-only", status=2)["errors"]


@pytest.mark.parametrize(("kind", "scheme"), [("neo4j", "bolt"), ("falkordb", "falkor")])
def test_a_push_to_where_no_server_listens_says_so_and_to_try_again(
    kind: str, scheme: str, say: Say
) -> None:
    pytest.importorskip(kind)
    say("--name", "g", "init")
    refused = say("push", kind, f"{scheme}://127.0.0.1:9", status=4)
    assert "127.0.0.1:9" in refused["errors"][0]["message"]
    assert "others on this machine" in say("push", kind, f"{scheme}://u:p@h", status=2)["errors"][0]["message"]  # fmt: skip
