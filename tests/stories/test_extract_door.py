"""``extract`` and what belongs to it, as it is typed: one JSON answer, the right exit status, nothing lost by Ctrl-C."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kgraph.cli import main
from kgraph.testing.fake_providers import Answer, Asked, Fail, FakeProvider, Listing, Say, Slow

REPLIES = Path(__file__).parent.parent / "replies"
KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("KGRAPH_ROOT", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "docs").mkdir()
    for side in ("East", "North"):
        Path("docs", f"{side.lower()}.md").write_text(
            f"# {side}\n\nThe {side} Gate opens the {side} Lock.\n"
        )
    return tmp_path


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["--name", "t", "--json", *words])
    return status, json.loads(capsys.readouterr().out)


def outcomes(answer: dict[str, Any]) -> dict[str, str]:
    return {unit["unit"]: unit["outcome"] for unit in answer["units"]}


def north(asked: Asked) -> bool:
    return 'uri: "docs/north.md"' in asked.text


def good(asked: Asked) -> Answer:
    text = (REPLIES / "good.json").read_text()
    return Say(text if north(asked) else text.replace("North", "East").replace("north", "east"))


def test_extract_makes_the_graph_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = typed(capsys, "extract", "docs")
    assert (status, answer["ok"], answer["created"]) == (0, True, True)
    assert outcomes(answer) == {"docs/east.md": "done", "docs/north.md": "done"}
    assert set(answer["units"][0]) >= {
        "unit",
        "source",
        "outcome",
        "detail",
        "nodes",
        "edges",
        "tokens",
        "cost",
    }
    assert answer["cost"] == 0 and answer["repairs"] == [] and answer["totals"]["units"] == 2


def test_the_source_root_holds_the_paths_even_from_the_side(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "elsewhere").mkdir()
    os.chdir(folder / "elsewhere")
    status, answer = typed(capsys, "extract", "../docs")
    assert status == 0 and list(outcomes(answer)) == ["docs/east.md", "docs/north.md"]


def test_a_model_is_chosen_by_name_and_address(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeProvider(
        "openai", lambda asked: Say("What?") if north(asked) else good(asked)
    ) as fake:
        status, answer = typed(
            capsys,
            "extract",
            "--model",
            "openai/m",
            "--base-url",
            fake.base_url,
            "--retries",
            "1",
            "docs",
        )
        assert (status, answer["ok"]) == (1, False)
        assert (
            outcomes(answer) == {"docs/east.md": "done", "docs/north.md": "invalid"}
            and len(fake.asked) == 3
        )
        monkeypatch.setenv("OPENAI_BASE_URL", fake.base_url)
        status, answer = typed(capsys, "extract", "--model", "openai/m", "--retries", "0", "docs")
        assert (
            outcomes(answer) == {"docs/east.md": "skipped", "docs/north.md": "invalid"}
            and len(fake.asked) == 4
        )
        assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in fake.asked)


def test_a_key_in_the_environment_selects_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeProvider("openai", good) as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.base_url)
        assert typed(capsys, "extract", "docs")[0] == 0
    assert fake.asked == []


@pytest.mark.parametrize("words", [
    ["--model", "gpt-4o"], ["--model", "acme/x"], ["--model", "openai/x"], ["--extractor", "model"], ["--extractor", "command"],
    ["--extractor", "offline", "--model", "ollama/x"], ["--model", "ollama/x", "--command", "cat"], ["--unit-tokens", "0"],
    ["--model", "ollama/x", "--price", "cheap"], ["--command", "cat", "--max-cost", "1"], ["--batch"], ["--model", "ollama/x", "--batch"],
    ["--passes", "3"], ["--max-cost", "-1"],
])  # fmt: skip
def test_what_cant_be_meant_is_refused_before_anything_is_done(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    status, answer = typed(capsys, "extract", *words, "docs")
    assert status == 2 and answer["errors"][0]["code"] == "E201" and answer["errors"][0]["hint"]


def test_a_program_reads_the_prompt_and_writes_the_reply(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = "import sys; n = 'docs/north.md' in sys.stdin.read(); print(open(sys.argv[1]).read() if n else 'I am unable to help.')"
    line = shlex.join([sys.executable, "-S", "-c", code, str(REPLIES / "chatty.txt")])
    status, answer = typed(capsys, "extract", "--command", line, "docs")
    assert status == 1 and outcomes(answer) == {"docs/east.md": "refused", "docs/north.md": "done"}
    assert answer["cost"] is None and answer["units"][1]["tokens_estimated"] is True
    assert {repair["unit"] for repair in answer["repairs"]} == {"docs/north.md"}


def test_dry_run_tells_what_it_would_cost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)  # nothing is asked, so no key is needed
    status, answer = typed(capsys, "extract", "--dry-run", "--model", "openai/gpt-4o", "docs")
    assert (
        status == 0
        and answer["dry_run"]
        and answer["estimate"]["units"] == 2
        and answer["estimate"]["cost"] > 0
    )


def test_an_agent_is_given_units_and_prompts_and_hands_payloads_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, listed = typed(capsys, "units", "docs")
    assert status == 0 and [(unit["unit"], unit["state"]) for unit in listed["units"]] == [
        ("docs/east.md", "new"),
        ("docs/north.md", "new"),
    ]
    status, shown = typed(capsys, "prompt", "docs/north.md")
    assert (
        status == 0
        and "The North Gate opens the North Lock." in shown["text"]
        and shown["schema"]["type"] == "object"
    )
    payload = f"@{REPLIES / 'good.json'}"
    status, refused = typed(capsys, "ingest", "--unit", "docs/east.md", payload)
    assert (
        status == 2
        and refused["errors"][0]["code"] == "E112"
        and outcomes(refused) == {"docs/east.md": "invalid"}
    )
    status, done = typed(capsys, "ingest", "--unit", "docs/north.md", payload)
    assert status == 0 and outcomes(done) == {"docs/north.md": "done"}
    status, foreign = typed(
        capsys, "ingest", "--unit", "docs/north.md", f"@{REPLIES / 'foreign-quote.json'}"
    )
    assert (
        status == 1
        and outcomes(foreign) == {"docs/north.md": "unsupported"}
        and foreign["warnings"][0]["code"] == "W301"
    )
    status, listed = typed(capsys, "units", "docs")
    assert [(unit["unit"], unit["state"]) for unit in listed["units"]] == [
        ("docs/east.md", "unfinished"),
        ("docs/north.md", "unchanged"),
    ]
    status, _ = typed(capsys, "verify")
    assert status == 0
    assert typed(capsys, "prompt", "docs/nowhere.md")[0] == 2
    status, told = typed(capsys, "extract", "--extractor", "agent", "docs")
    assert status == 1 and told["todo"] == 1 and "kgraph prompt" in told["next"]


def test_ctrl_c_keeps_what_is_done_and_the_next_run_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that never answers for the second document, and a real signal."""
    code = (
        "import sys, time; t = sys.stdin.read(); n = 'docs/north.md' in t\n"
        "open('asked', 'a').write('x')\n"
        "time.sleep(0 if n else 60); print(open(sys.argv[1]).read())"
    )
    line = shlex.join([sys.executable, "-S", "-c", code, str(REPLIES / "good.json")])
    words = [
        sys.executable,
        "-c",
        "from kgraph.cli import main; raise SystemExit(main())",
        "--name",
        "t",
        "--json",
    ]
    source = str(Path(__file__).parents[2] / "src")
    child = subprocess.Popen(
        [*words, "extract", "--command", line, "docs"],
        env={**os.environ, "PYTHONPATH": source},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    log = folder / ".karpathy-graphs" / "t" / "log.jsonl"
    for _ in range(600):
        if log.exists() and b'"North Gate"' in log.read_bytes():
            break
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert child.stderr is not None
    said = next(line for line in child.stderr if b"on the way" in line)
    child.send_signal(signal.SIGINT)  # the first waits for what is paid for, the second doesn't
    out, err = child.communicate(timeout=30)
    assert b"1 answer that is on the way" in said
    answer = json.loads(out)
    assert child.returncode == 130, err
    assert outcomes(answer) == {"docs/east.md": "pending", "docs/north.md": "done"}
    status, second = typed(capsys, "extract", "docs")
    assert status == 0 and outcomes(second) == {"docs/east.md": "done", "docs/north.md": "skipped"}


def test_the_manifest_may_name_a_model_but_neither_a_program_nor_an_address(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """A graph may come with someone's repository: it must not run their program or send the key to their server."""
    typed(capsys, "init")
    path = folder / ".karpathy-graphs" / "t" / "manifest.json"
    held = json.loads(path.read_text())
    with FakeProvider("openai", lambda asked: Fail(500)) as fake:
        path.write_text(
            json.dumps(
                {
                    **held,
                    "extractor": "command",
                    "command": "touch owned",
                    "base_url": fake.base_url,
                }
            )
        )
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        assert typed(capsys, "extract", "docs")[0] == 0
        path.write_text(json.dumps({**held, "extractor": "openai/m", "base_url": fake.base_url}))
        status, answer = typed(capsys, "extract", "--refresh", "docs")
        assert status == 2 and "kgraph trust" in answer["errors"][0]["hint"]
        assert typed(capsys, "trust")[0] == 0
        monkeypatch.delenv("OPENAI_API_KEY")
        status, answer = typed(capsys, "extract", "--refresh", "docs")
        assert status == 2 and "OPENAI_API_KEY" in answer["errors"][0]["hint"]
    assert fake.asked == [] and not (folder / "owned").exists()


def test_a_second_ctrl_c_doesnt_wait_for_a_provider_that_is_still_thinking(folder: Path) -> None:
    words = [
        sys.executable,
        "-c",
        "from kgraph.cli import main; raise SystemExit(main())",
        "--name",
        "t",
        "--json",
    ]
    source = str(Path(__file__).parents[2] / "src")
    with FakeProvider("openai", lambda asked: Slow(60.0, Say("{}"))) as fake:
        child = subprocess.Popen(
            [*words, "extract", "--model", "openai/m", "--base-url", fake.base_url, "docs"],
            env={**os.environ, "PYTHONPATH": source},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(600):
            if len(fake.asked) == 2:
                break
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        assert child.stderr is not None
        assert any(b"on the way" in line for line in child.stderr)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    assert set(outcomes(json.loads(out)).values()) == {"pending"}


def test_a_dry_run_leaves_nothing_behind_and_names_the_same_units(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    status, planned = typed(capsys, "extract", "docs", "--dry-run")
    assert status == 0 and sorted(str(path) for path in tmp_path.rglob("*")) == before
    assert [unit["unit"] for unit in planned["units"]] == [
        unit["unit"] for unit in typed(capsys, "extract", "docs")[1]["units"]
    ]


def test_a_folder_without_anything_readable_is_said_to_be_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("bin").mkdir()
    Path("bin", "x.bin").write_bytes(b"\0\1\2" * 50)
    status, answer = typed(capsys, "extract", "bin")
    assert status == 0
    assert answer["note"].startswith("there is nothing to read in 'bin'; not read: 1 binary")
    assert answer["note"].endswith(": bin/x.bin")
    assert "note" not in typed(capsys, "extract", "docs")[1]


def test_models_lists_the_providers_and_what_one_offers(capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = typed(capsys, "models")
    assert status == 0 and {"openai", "groq", "azure", "bedrock"} <= {
        row["provider"] for row in answer["providers"]
    }
    with FakeProvider(
        "ollama", lambda asked: Say("x"), Listing({"models": [{"name": "small:1b"}]})
    ) as fake:
        status, answer = typed(capsys, "models", "ollama", "--base-url", fake.base_url)
    assert status == 0 and answer["models"] == [
        {"model": "ollama/small:1b", "price": {"input": 0.0, "output": 0.0}}
    ]
