"""A damaged log is salvaged: what is whole goes on, what isn't is listed, and nothing is deleted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgraph
from kgraph.cli import main
from kgraph.log.jsonl import JsonlLog
from stages.ground_worlds import things


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with kgraph.create(path="g") as made:
        for name in ("Alpha", "Beta", "Gamma", "Delta"):
            assert made.ingest(things(**{name: "a thing"})).exit_status == 0
    return Path("g", "log.jsonl")


def recovered(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    status = main(["--path", "g", "recover", "--json"])
    return status, json.loads(capsys.readouterr().out)


def is_green_and_can_be_written() -> None:
    with kgraph.open("g") as opened:
        assert not opened.validate().errors and opened.rebuild().errors == []
        assert opened.ingest(things(Omega="a thing")).exit_status == 0
        assert opened.show("Alpha") and opened.show("Omega")


def test_whole_lines_before_the_damage_stay_and_the_rest_is_listed(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = log.read_bytes().replace(b"Gamma", b"Gammb", 1)
    log.write_bytes(damaged)
    with kgraph.open("g") as opened:
        assert opened.validate().errors
    status, found = recovered(capsys)
    lines = damaged.splitlines(keepends=True)
    assert (status, found["lines"]) == (1, 3)
    rows = found["left_out"]
    assert isinstance(rows, list)
    at = [len(b"".join(lines[:3])), len(b"".join(lines[:4]))]
    assert [row["position"] for row in rows] == at
    assert "id does not match" in rows[0]["reason"] and "it follows" in rows[1]["reason"]
    assert log.read_bytes() == b"".join(lines[:3])
    assert Path("g", "log.damaged").read_bytes() == damaged
    is_green_and_can_be_written()


def test_what_stands_behind_the_damage_is_brought_back_the_way_that_is_told(
    log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log.write_bytes(log.read_bytes().replace(b"Gamma", b"Gammb", 1))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["--path", "g", "recover"]) == 1
    told = capsys.readouterr().out
    assert "1 line of these has lost no more than what went before" in told
    Path("h").mkdir()
    Path("h", "log.jsonl").write_bytes(Path("g", "log.damaged").read_bytes())
    main(["--path", "h", "export", "rest.json"])
    assert main(["--path", "g", "import", "rest.json"]) == 0
    with kgraph.open("g") as opened:
        assert opened.show("Delta")
    is_green_and_can_be_written()


def test_what_was_kept_aside_is_forgotten_with_the_rest(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.write_bytes(log.read_bytes() + b"no line\n")
    recovered(capsys)
    assert b"Beta" in Path("g", "log.damaged").read_bytes()
    with kgraph.open("g") as opened:
        opened.forget(("node", "Beta"), "a wish")
    assert not Path("g", "log.damaged").exists() and b"Beta" not in log.read_bytes()


def test_a_line_that_stands_apart_from_the_damage_stays_though_it_comes_behind_it(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    log.write_bytes(b"".join([lines[0], b"<<<<<<< ours\n", *lines[1:]]) + b'{"after":["half')
    status, found = recovered(capsys)
    assert (status, found["lines"], log.read_bytes()) == (1, 5, whole)
    is_green_and_can_be_written()


def test_a_whole_log_is_left_alone(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = log.read_bytes()
    status, found = recovered(capsys)
    assert (status, found["left_out"], found["aside"], found["lines"]) == (0, [], "", 5)
    assert log.read_bytes() == before and not Path("g", "log.damaged").exists()


def test_a_file_kept_aside_before_is_not_written_over(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("g", "log.damaged").write_bytes(b"of last year")
    damaged = log.read_bytes() + b"no line\n"
    log.write_bytes(damaged)
    status, found = recovered(capsys)
    assert status and found["ok"] is False
    assert (log.read_bytes(), Path("g", "log.damaged").read_bytes()) == (damaged, b"of last year")


def test_the_damaged_log_is_whole_though_the_process_dies(
    log: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    damaged = log.read_bytes() + b"no line\n"
    log.write_bytes(damaged)
    with monkeypatch.context() as dying:
        dying.setattr(JsonlLog, "rewrite", killed)
        with kgraph.open("g") as opened, pytest.raises(Killed):
            opened.recover()
    assert log.read_bytes() == Path("g", "log.damaged").read_bytes() == damaged


def test_a_beginning_in_the_old_layout_stays_as_it_was(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = Path(__file__).parents[1].joinpath("golden", "v1.0.0.jsonl").read_bytes()
    log.write_bytes(old + b"no line\n")
    status, found = recovered(capsys)
    assert (status, log.read_bytes()) == (1, old)
    assert len(found["left_out"]) == 1  # type: ignore[arg-type]
