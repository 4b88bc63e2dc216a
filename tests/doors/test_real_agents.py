"""The real clients, from npm, with a scripted model on loopback: installed as people install it, the plugin works in their project.

Each client has a home and a configuration of its own and a dummy key; telemetry and updates are off. Where npm can't bring a client the
test is skipped with the reason; in CI that is a failure.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from doors.prose import PLUGIN, ROOT, build_engine, cache
from doors.scripted_endpoint import Endpoint, Step, scripted

CLAUDE = "@anthropic-ai/claude-code@2.1.197"
CODEX = "@openai/codex@0.171.0"
GEMINI = "@google/gemini-cli@0.61.0"
SECONDS = 120

DOCUMENT = "# Night train\n\nThe Night Train leaves the Harbour Station at 22:40.\n"
SENTENCE = "The Night Train leaves the Harbour Station at 22:40"
PAYLOAD = {
    "nodes": [
        {"type": "Source", "name": "train.md", "uri": "docs/train.md"},
        {"type": "Entity", "name": "Night Train", "description": "the sleeper of 22:40"},
        {"type": "Claim", "name": SENTENCE},
    ],
    "edges": [
        {"predicate": "SUPPORTS", "source": "train.md", "target": SENTENCE, "confidence": 0.95, "quote": SENTENCE},
        {"predicate": "MENTIONS", "source": SENTENCE, "target": "Night Train"},
    ],
}  # fmt: skip
HAND_IN = "kgraph --name trains --run-id agent-1 ingest @extraction.json"
ASK = 'kgraph --name trains query "when does the Night Train leave" --format context'


@pytest.fixture(scope="session")
def npm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("npm")


def client(npm: Path, package: str, command: str) -> str:
    """The client's command, installed once; a skip, or in CI a failure, where that can't be done."""
    place = npm / command
    program = place / "node_modules" / ".bin" / command
    if not program.exists():
        place.mkdir(exist_ok=True)
        install = ["npm", "install", "--prefix", str(place), "--no-audit", "--no-fund", "--loglevel=error", package]  # fmt: skip
        try:
            done = subprocess.run(
                install, capture_output=True, text=True, timeout=300, check=False, cwd=place
            )
            wrong = done.stderr if done.returncode else ""
        except (OSError, subprocess.TimeoutExpired) as error:
            wrong = str(error)
        if wrong or not program.exists():
            reason = f"npm can't bring {package}: {wrong.strip()[:500]}"
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return str(program)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "train.md").write_text(DOCUMENT)
    (folder / "extraction.json").write_text(json.dumps(PAYLOAD))
    return folder


def surroundings(folder: Path, *, with_kgraph: bool) -> dict[str, str]:
    """An environment with a home of its own, this Python as ``python3``, and kgraph on the path only if asked for."""
    programs, home = folder / "programs", folder / "home"
    programs.mkdir()
    home.mkdir()
    names = {"python3": sys.executable}
    if with_kgraph:
        names["kgraph"] = str(Path(sys.executable).parent / "kgraph")
    for name, target in names.items():
        (programs / name).write_text(f'#!/bin/sh\nexec "{target}" "$@"\n')
        (programs / name).chmod(0o755)
    own = os.path.dirname(sys.executable)
    path = [part for part in os.environ["PATH"].split(os.pathsep) if part != own]
    return {
        "PATH": os.pathsep.join([str(programs), *path]), "HOME": str(home), "XDG_CACHE_HOME": cache(), "NO_COLOR": "1",
        "LANG": "C.UTF-8", "NO_PROXY": "127.0.0.1,localhost",
    }  # fmt: skip


def run(
    command: list[str], project: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command, cwd=project, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command[:4]}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done


def answer_in(text: str) -> dict[str, Any]:
    """The JSON answer of kgraph in what a client says of a command."""
    found = re.search(r"\{\"ok\".*\}", text)
    assert found, text
    parsed: dict[str, Any] = json.loads(found[0])
    return parsed


def read_by_the_model(endpoint: Endpoint) -> str:
    """Everything that the last request brought, in one text."""
    return "\n".join(_texts(endpoint.requests[-1]))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one)]


def first_lines(requests: list[dict[str, Any]], page: str = "# karpathy-graph") -> str:
    """The first shell lines of the skill's page, as the client handed it to the model."""
    text = next(one for one in reversed(_texts(requests[-1])) if page in one and "```sh" in one)
    return text.split("```sh\n", 1)[1].split("```", 1)[0].strip()


def test_claude_code_installs_the_plugin_from_the_marketplace_and_an_agent_works_with_it(
    npm: Path, project: Path, tmp_path: Path
) -> None:
    claude = client(npm, CLAUDE, "claude")
    market = tmp_path / "market"
    shutil.copytree(
        PLUGIN,
        market / "plugins" / "karpathy-graph",
        ignore=shutil.ignore_patterns("__pycache__", "engine.zip"),
    )
    shutil.copytree(ROOT / ".claude-plugin", market / ".claude-plugin")
    build_engine(market / "plugins" / "karpathy-graph")

    def bash(command: str) -> Step:
        return Step("Bash", {"command": command, "description": "ask kgraph"})

    steps = [
        Step("Skill", {"skill": "karpathy-graph:karpathy-graph"}),
        Step("Bash", lambda requests: {"command": first_lines(requests), "description": "first"}),
        bash(HAND_IN),
        bash(ASK),
        Step("mcp__plugin_karpathy-graph_kgraph__query", {"graph": "trains", "text": SENTENCE}),
        Step(text="The Night Train leaves at 22:40."),
    ]
    with scripted(steps) as endpoint:
        environment = surroundings(tmp_path, with_kgraph=False) | {
            "ANTHROPIC_BASE_URL": endpoint.address, "ANTHROPIC_API_KEY": "dummy", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "MCP_TIMEOUT": "60000",
        }  # fmt: skip
        run([claude, "plugin", "marketplace", "add", str(market)], project, environment)
        run([claude, "plugin", "install", "karpathy-graph@karpathy-graph"], project, environment)
        allowed = [
            "Bash",
            "Skill",
            "Read",
            "WaitForMcpServers",
            "mcp__plugin_karpathy-graph_kgraph",
        ]
        done = run(
            [claude, "-p", "When does the Night Train leave?", "--allowedTools", *allowed],
            project,
            environment,
        )
        skill, version, handed_in, asked, by_mcp = endpoint.results
        page = read_by_the_model(endpoint)
    assert "karpathy-graph" in skill
    assert "${CLAUDE_PLUGIN_ROOT}" not in page, (
        "the page reaches the model with its place filled in"
    )
    assert re.search(r"^kgraph \d", version), version
    assert answer_in(handed_in)["evidence"] == {"verified": 1}
    assert "22:40" in asked and "docs/train.md" in asked
    assert "22:40" in by_mcp
    assert "22:40" in done.stdout


def test_codex_reads_the_installed_skill_and_section_and_hands_in_a_payload(
    npm: Path, project: Path, tmp_path: Path
) -> None:
    codex = client(npm, CODEX, "codex")
    plugin = tmp_path / "plugin"
    shutil.copytree(PLUGIN, plugin, ignore=shutil.ignore_patterns("__pycache__", "engine.zip"))
    build_engine(plugin)
    environment = surroundings(tmp_path, with_kgraph=False)
    launcher = str(plugin / "scripts" / "kgraph.py")
    run(["git", "init", "-q"], project, environment)
    run(
        [sys.executable, "-I", launcher, "install", "--platform", "codex", "--json"],
        project,
        environment,
    )
    page = ".agents/skills/karpathy-graph/SKILL.md"

    def shell(command: str) -> Step:
        return Step("exec_command", {"cmd": command})

    define = (project / page).read_text().split("```sh\n", 1)[1].splitlines()[0]
    steps = [
        shell(f"cat {page}"),
        Step("exec_command", lambda requests: {"cmd": first_lines(requests)}),
        shell(f"{define}\n{HAND_IN}"),
        shell(f"{define}\n{ASK}"),
        Step(text="The Night Train leaves at 22:40."),
    ]
    with scripted(steps) as endpoint:
        home = Path(environment["HOME"]) / ".codex"
        home.mkdir()
        (home / "config.toml").write_text(
            f'model = "scripted"\nmodel_provider = "loopback"\n[model_providers.loopback]\nname = "loopback"\n'
            f'base_url = "{endpoint.address}/v1"\nwire_api = "responses"\nenv_key = "LOOPBACK_KEY"\n'
            f'[projects."{project}"]\ntrust_level = "trusted"\n[analytics]\nenabled = false\n'
        )
        done = run(
            [codex, "exec", "--dangerously-bypass-approvals-and-sandbox", "When does it leave?"],
            project,
            environment | {"LOOPBACK_KEY": "dummy", "CODEX_HOME": str(home)},
        )
        _, version, handed_in, asked = endpoint.results
        given = "\n".join(_texts(endpoint.requests[0]))
    assert "karpathy-graph: Builds" in given, "Codex lists the skill"
    assert "kgraph: begin" in given, "Codex reads the section in AGENTS.md"
    assert re.search(r"^kgraph \d", version, re.M), version
    assert answer_in(handed_in)["evidence"] == {"verified": 1}
    assert "22:40" in asked and "docs/train.md" in asked
    assert "22:40" in done.stdout


def test_gemini_activates_the_installed_skill_and_asks_with_kgraph_on_the_path(
    npm: Path, project: Path, tmp_path: Path
) -> None:
    gemini = client(npm, GEMINI, "gemini")
    environment = surroundings(tmp_path, with_kgraph=True)
    run(["kgraph", "install", "--platform", "gemini", "--json"], project, environment)

    def shell(command: str) -> Step:
        return Step("run_shell_command", {"command": command})

    steps = [
        Step("activate_skill", {"name": "karpathy-graph"}),
        Step("run_shell_command", lambda requests: {"command": first_lines(requests)}),
        shell(HAND_IN),
        shell(ASK),
        Step(text="The Night Train leaves at 22:40."),
    ]
    with scripted(steps) as endpoint:
        home = Path(environment["HOME"]) / ".gemini"
        home.mkdir()
        settings = {
            "privacy": {"usageStatisticsEnabled": False}, "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        }  # fmt: skip
        (home / "settings.json").write_text(json.dumps(settings))
        keys = {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": endpoint.address}
        done = run(
            [gemini, "--skip-trust", "--yolo", "-m", "gemini-2.5-flash", "-p", "When?"],
            project,
            environment | keys,
        )
        skill, version, handed_in, asked = endpoint.results
    assert "karpathy-graph" in skill
    assert re.search(r"kgraph \d", version), version
    assert "verified" in handed_in
    assert "22:40" in asked and "docs/train.md" in asked
    assert "22:40" in done.stdout
