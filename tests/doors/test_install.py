"""install: an agent gets what it reads, a person's own text stays, and all of it can be taken back to the byte."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from doors.prose import PLUGIN
from kgraph.install import PLATFORMS
from kgraph.install.entries import json_entry, toml_entry

OWN = {
    ".mcp.json": '{\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n',
    ".cursor/mcp.json": "{}",
    ".codex/config.toml": 'model = "m"\n\n[mcp_servers.other]\ncommand = "x"',
    "AGENTS.md": "# Ours\n\nNo new line at the end",
    ".gemini/settings.json": '{"ui": {"theme": "dark"}, "mcpServers": {}}\n',
}


def kgraph(
    folder: Path, *arguments: str, status: int = 0, home: Path | None = None
) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "kgraph", "install", "--json", *arguments],
        cwd=folder,
        env={"HOME": str(home or folder), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in OWN.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("platform", [*PLATFORMS, "all"])
def test_installing_twice_is_installing_once_and_uninstalling_brings_every_byte_back(
    platform: str, project: Path
) -> None:
    before = files(project)
    kgraph(project, "--platform", platform, "--dry-run")
    assert files(project) == before
    assert kgraph(project, "--platform", platform)["written"]
    after = files(project)
    assert kgraph(project, "--platform", platform)["written"] == []
    assert files(project) == after
    kgraph(project, "--platform", platform, "--uninstall")
    assert files(project) == before


def test_every_platform_gets_all_skills_with_links_that_lead_somewhere(tmp_path: Path) -> None:
    kgraph(tmp_path, "--platform", "all")
    for platform in PLATFORMS.values():
        skills = tmp_path / platform.skills
        assert {path.parent.name for path in skills.glob("*/SKILL.md")} == {
            path.parent.name for path in PLUGIN.glob("skills/*/SKILL.md")
        }
        for page in skills.rglob("*.md"):
            for target in page.read_text("utf-8").split("](")[1:]:
                place = target.split(")")[0].split("#")[0]
                assert (page.parent / place).exists(), (page, place)


def test_the_entries_of_other_servers_stay_and_ours_is_read_by_a_parser(project: Path) -> None:
    kgraph(project, "--platform", "all")
    servers = json.loads((project / ".mcp.json").read_text())["mcpServers"]
    assert servers["other"] == {"command": "x"}
    assert servers["kgraph"]["args"][-1] == "mcp"
    tables = tomllib.loads((project / ".codex/config.toml").read_text())
    assert tables["model"] == "m" and set(tables["mcp_servers"]) == {"other", "kgraph"}
    assert (project / "AGENTS.md").read_text().startswith(OWN["AGENTS.md"])


def test_a_file_of_someone_else_is_left_and_named(tmp_path: Path) -> None:
    own = tmp_path / ".claude" / "skills" / "karpathy-graph" / "SKILL.md"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    (tmp_path / ".mcp.json").write_text("// with a comment\n{}")
    answer = kgraph(tmp_path, "--platform", "claude-code", status=1)
    assert own.read_text() == "mine"
    assert (tmp_path / ".mcp.json").read_text() == "// with a comment\n{}"
    assert {Path(error["path"]).name for error in answer["errors"]} == {"SKILL.md", ".mcp.json"}


def test_what_was_changed_since_survives_uninstalling(tmp_path: Path) -> None:
    kgraph(tmp_path, "--platform", "gemini")
    page = tmp_path / ".gemini" / "skills" / "karpathy-graph" / "SKILL.md"
    page.write_text(page.read_text() + "\nA note of mine.\n")
    kgraph(tmp_path, "--platform", "gemini", "--uninstall", status=1)
    assert list(files(tmp_path)) == [page.relative_to(tmp_path).as_posix()]


def test_for_a_user_it_goes_to_the_home_folder(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    kgraph(project, "--platform", "claude-code", "--user", home=home)
    assert (home / ".claude" / "skills" / "karpathy-graph" / "SKILL.md").is_file()
    assert "kgraph" in json.loads((home / ".claude.json").read_text())["mcpServers"]
    assert list(project.iterdir()) == []


def test_without_a_platform_the_agents_that_are_there_are_meant(tmp_path: Path) -> None:
    assert "--platform" in kgraph(tmp_path, status=2)["errors"][0]["hint"]
    (tmp_path / ".cursor").mkdir()
    assert kgraph(tmp_path)["platforms"] == ["cursor"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"a": 1}',
        '{"s": {}}',
        '{"s": {"b": [1, {"s": 2}]}, "c": 2}',
        '\n{ "s" : { } }\n',
    ],
)
def test_a_json_entry_adds_one_member_and_keeps_the_rest(text: str) -> None:
    before = json.loads(text or "{}")
    added = json_entry(text, "s", "k", {"x": 1})
    assert added is not None
    after = json.loads(added.into(text))
    assert after == before | {"s": before.get("s", {}) | {"k": {"x": 1}}}
    assert json_entry(added.into(text), "s", "k", {"x": 1}) is None


@pytest.mark.parametrize("text", ["[]", '{"s": []}', "{,}", "// c\n{}"])
def test_a_file_that_is_no_plain_json_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        json_entry(text, "s", "k", {})


def test_a_toml_entry_is_a_table_of_its_own() -> None:
    added = toml_entry("[a]\nb = 1", "mcp_servers", "kgraph", ("k", "mcp"))
    assert added is not None
    whole = tomllib.loads(added.into("[a]\nb = 1"))
    assert whole == {"a": {"b": 1}, "mcp_servers": {"kgraph": {"command": "k", "args": ["mcp"]}}}
