"""The ratchet finds a planted improvement, refuses a planted overfit, obeys its constraints, and goes on after a kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kgraph.cli import main
from kgraph.evaluate.gold import key_of
from kgraph.evaluate.ratchet import split

NAMES = [f"Harbour {word}" for word in ("Anchor", "Beacon", "Crane", "Dock", "Engine", "Ferry", "Gate", "Hull", "Island", "Jetty", "Keel", "Lamp")]  # fmt: skip
GOLD = [{"claim": f"The {name} stands in Aldersund.", "decision": "approve"} for name in NAMES]

# what the toy builds do: hand in the statements that the change file lists
BUILD = """
import json, sys
from kgraph.cli import main
change, graph = sys.argv[1:]
names = open(change).read().split("\\n")
nodes = [{"type": "Source", "name": "register.md", "uri": "register.md"}]
edges = []
for name in filter(None, names):
    claim = f"The {name} stands in Aldersund."
    nodes += [{"type": "Claim", "name": claim}, {"type": "Entity", "name": name, "description": "a thing of the harbour"}]
    edges += [{"predicate": "SUPPORTS", "source": "register.md", "target": claim, "quote": claim, "confidence": 0.9},
              {"predicate": "MENTIONS", "source": claim, "target": name}]
sys.exit(main(["--path", graph, "--quiet", "--run-id", "build", "ingest", json.dumps({"nodes": nodes, "edges": edges})]))
"""


@pytest.fixture
def graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "register.md").write_text(
        "".join(f"The {name} stands in Aldersund.\n\n" for name in NAMES)
    )
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(one) + "\n" for one in GOLD))
    (tmp_path / "build.py").write_text(BUILD)
    worked, held = split(GOLD, 0.4)
    name_of = {key_of(one): name for one, name in zip(GOLD, NAMES, strict=True)}
    plant(tmp_path, "overfit.txt", [name_of[key_of(one)] for one in worked])
    plant(tmp_path, "better.txt", [name_of[key_of(one)] for one in (*worked[:2], *held[:2])])
    plant(tmp_path, "idle.txt", ["Harbour Nothing"])
    assert main(["--name", "t", "--quiet", "init"]) == 0
    capsys.readouterr()
    return tmp_path


def plant(folder: Path, name: str, names: list[str]) -> None:
    (folder / name).write_text("\n".join(names))


def ratchet(capsys: pytest.CaptureFixture[str], *changes: str, more: tuple[str, ...] = ()) -> tuple[int, dict[str, Any]]:  # fmt: skip
    build = f"{sys.executable} build.py {{change}} {{graph}}"
    words = [word for change in changes for word in ("--change", change)]
    status = main(["--name", "t", "--json", "ratchet", "--stage", "grounding", "--metric", "approved", "--gold", "gold.jsonl",
                   "--held-out", "0.4", "--build", build, *words, *more])  # fmt: skip
    return status, json.loads(capsys.readouterr().out)


def told(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["change"], one["verdict"]) for one in answer["trials"]]


def test_the_planted_improvement_is_kept_and_the_planted_overfit_is_refused_and_named(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, answer = ratchet(capsys, "idle.txt", "overfit.txt", "better.txt", more=("--plot", "trials.svg"))  # fmt: skip
    assert status == 0
    assert told(answer) == [("baseline", "kept"), ("idle.txt", "reverted"), ("overfit.txt", "reverted"), ("better.txt", "kept")]  # fmt: skip
    overfit, better = answer["trials"][2], answer["trials"][3]
    assert overfit["worked"] == 1.0 and overfit["held_out"] == 0.0
    assert "not what was held out" in overfit["why"]
    assert better["held_out"] > 0
    assert answer["kept"] == ["better.txt"]
    drawn = ElementTree.fromstring((graph / "trials.svg").read_text())
    assert len(drawn.findall(".//{http://www.w3.org/2000/svg}circle")) == 8


def test_every_trial_is_in_the_graph_as_commit_evaluation_and_metric_and_nothing_else_changes(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, answer = ratchet(capsys, "overfit.txt", "better.txt")
    assert main(["--name", "t", "--json", "stats"]) == 0
    counts = json.loads(capsys.readouterr().out)["stats"]["by_node_type"]
    assert counts == {"AgentRun": 1, "Commit": 3, "Evaluation": 3, "Metric": 1}
    assert main(["--name", "t", "--json", "show", f"{answer['run_id']} trial 2: kept"]) == 0
    shown = json.loads(capsys.readouterr().out)["node"]
    assert "approved of grounding" in json.dumps(shown)
    assert main(["--name", "t", "--quiet", "validate"]) == 0


def test_the_same_call_again_tries_nothing_again(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = ratchet(capsys, "overfit.txt", "better.txt")[1]
    again = ratchet(capsys, "overfit.txt", "better.txt")[1]
    assert (again["trials"], again["resumed"], first["resumed"]) == (first["trials"], 3, 0)
    plant(graph, "overfit.txt", [])
    other = ratchet(capsys, "overfit.txt", "better.txt")[1]
    assert other["run_id"] != first["run_id"]


@pytest.mark.parametrize("dies", [1, 2, 3])
def test_killed_in_any_trial_it_goes_on_with_the_same_verdicts(
    graph: Path, capsys: pytest.CaptureFixture[str], dies: int
) -> None:
    changes = ("idle.txt", "overfit.txt", "better.txt")
    (graph / "dying.py").write_text(
        "import os, signal, sys\n"
        "seen = int(open('seen').read()) + 1 if os.path.exists('seen') else 1\n"
        "open('seen', 'w').write(str(seen))\n"
        f"if seen == {dies}: os.kill(os.getppid(), signal.SIGKILL)\n" + BUILD
    )
    build = f"{sys.executable} dying.py {{change}} {{graph}}"
    words = [word for change in changes for word in ("--change", change)]
    call = [sys.executable, "-m", "kgraph", "--name", "t", "--json", "ratchet", "--stage", "grounding", "--metric", "approved",
            "--gold", "gold.jsonl", "--held-out", "0.4", "--build", build, *words]  # fmt: skip
    assert subprocess.run(call, capture_output=True, check=False).returncode == -9
    done = subprocess.run(call, capture_output=True, check=False)
    answer = json.loads(done.stdout)
    assert told(answer) == [("baseline", "kept"), ("idle.txt", "reverted"), ("overfit.txt", "reverted"), ("better.txt", "kept")]  # fmt: skip
    assert answer["resumed"] == dies
    os.remove("seen")
    plain = ratchet(capsys, *changes, more=("--run-id", "undisturbed"))[1]
    assert [one | {"run": ""} for one in plain["trials"]] == [one | {"run": ""} for one in answer["trials"]]  # fmt: skip


def test_a_broken_constraint_reverts_what_would_help(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lies = {
        "claim": "The Harbour Anchor stands in Aldersund.",
        "id": "planted",
        "decision": "revise",
    }
    with open(graph / "gold.jsonl", "a") as file:
        file.write(json.dumps(lies) + "\n")
    plant(graph, "all.txt", NAMES)
    _, answer = ratchet(capsys, "all.txt", more=("--require", "false approvals=0"))
    assert told(answer)[1] == ("all.txt", "reverted")
    assert "false approvals is 1.0000, the bound is 0.0" in answer["trials"][1]["why"]


def test_it_stops_on_patience_and_on_the_number_of_trials(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, answer = ratchet(capsys, "idle.txt", "overfit.txt", "better.txt", more=("--patience", "2"))
    assert (len(answer["trials"]), "--patience" in answer["stopped"]) == (3, True)
    _, answer = ratchet(capsys, "idle.txt", "overfit.txt", more=("--max-trials", "1", "--run-id", "short"))  # fmt: skip
    assert (len(answer["trials"]), "--max-trials" in answer["stopped"]) == (2, True)


def test_settings_are_changes_too_and_unknown_ones_are_refused(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (graph / "wide.json").write_text('{"hops": 3, "policy": "balanced"}')
    assert told(ratchet(capsys, "wide.json")[1])[1] == ("wide.json", "reverted")
    for text in ('{"hop": 3}', '{"hops": "3"}', "[]", "{", '{"policy": "wild"}', '{"builds": []}'):
        (graph / "odd.json").write_text(text)
        status, answer = ratchet(capsys, "odd.json")
        assert (status, answer["errors"][0]["code"]) == (2, "E201"), text


def test_a_build_that_fails_keeps_the_trials_before_it(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (graph / "bad.py").write_text("import sys\nsys.exit('no such thing')\n")
    status, answer = ratchet(capsys, "idle.txt", more=("--build", f"{sys.executable} bad.py", "--run-id", "r"))  # fmt: skip
    assert (status, "no such thing" in answer["errors"][0]["message"]) == (2, True)
    assert ratchet(capsys, "idle.txt", more=("--run-id", "r"))[1]["resumed"] == 1
