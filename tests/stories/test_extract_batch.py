"""``extract --batch``: one batch for all units, corrections in the next, and a batch that outlives its run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from kgraph.compose import Place
from kgraph.extract.executors import parted
from kgraph.extract.progress import Silent
from kgraph.extract.request import RunAnswer, RunRequest
from kgraph.extract.run import Batches, Tools
from kgraph.graph import Graph
from kgraph.models.batching import BatchPort
from kgraph.models.port import Request
from kgraph.models.prices import Price
from kgraph.models.providers import Place as Address
from kgraph.models.providers import open_batches
from kgraph.models.scripted import Scripted
from kgraph.models.secrets import Mask
from kgraph.testing.fake_batches import FakeBatches
from kgraph.testing.fake_providers import Clock, Fail, Say

GOOD = (Path(__file__).parent.parent / "replies" / "good.json").read_text(encoding="utf-8")
FORMATS = ("anthropic", "openai", "gemini")
KEYS = {
    "ANTHROPIC_API_KEY": "sk-test-0123456789",
    "OPENAI_API_KEY": "sk-test-0123456789",
    "GEMINI_API_KEY": "sk-test-0123456789",
}


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Graph]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for side in ("East", "North"):
        Path("docs", f"{side.lower()}.md").write_text(
            f"# {side}\n\nThe {side} Gate opens the {side} Lock.\n"
        )
    made = Place("t").create()
    yield made
    made.close()


def good(text: str) -> Say:
    side = "East" if "docs/east.md" in text else "North"
    return Say(
        GOOD.replace("North", side).replace("north", side.lower()),
        input_tokens=1000,
        output_tokens=100,
    )


class Narrow:
    """A batch interface that takes one request at a time."""

    most_bytes = 10

    def __init__(self, port: BatchPort) -> None:
        self.name, self.submit, self.results, self.close = (
            port.name,
            port.submit,
            port.results,
            port.close,
        )


def run(
    graph: Graph, fake: FakeBatches, run_id: str = "r", stop: bool = False, narrow: bool = False
) -> RunAnswer:
    clock = Clock()
    name = fake._format
    port = open_batches(f"{name}/m", Address(fake.base_url, KEYS, 10.0, time.monotonic))
    batches = Batches(Narrow(port) if narrow else port, clock.sleep, 1.0)
    asked = chain([False] * 3, repeat(stop))
    tools = Tools(
        Silent(), lambda: next(asked), Mask(), Scripted([], f"{name}/m"), Price(1.0, 1.0), batches
    )
    return graph.extract(RunRequest(("docs",), run_id), tools)


def outcomes(answer: RunAnswer) -> list[str]:
    return [result.outcome for result in answer.units]


@pytest.mark.parametrize("wire_format", FORMATS)
def test_all_units_go_in_one_batch_and_come_back(graph: Graph, wire_format: str) -> None:
    with FakeBatches(wire_format, good, polls=2) as fake:
        answer = run(graph, fake)
    assert outcomes(answer) == ["done", "done"] and [len(batch) for batch in fake.batches] == [2]
    assert answer.cost == pytest.approx(2 * 0.0011) and graph.verify()["evidence"] == {
        "verified": 2
    }
    assert not any(Path(graph.path, "cache", "batches").iterdir())


@pytest.mark.parametrize("wire_format", FORMATS)
def test_what_must_be_corrected_goes_in_a_second_batch_and_a_failure_fails_alone(
    graph: Graph, wire_format: str
) -> None:
    def script(text: str) -> Say | Fail:
        if "docs/east.md" in text:
            return Fail(500, "no luck")
        return good(text) if "A former answer" in text else Say("What?")

    with FakeBatches(wire_format, script) as fake:
        answer = run(graph, fake)
    assert outcomes(answer) == ["failed", "done"] and [len(batch) for batch in fake.batches] == [
        2,
        1,
    ]
    assert "no luck" in answer.units[0].detail


def test_a_batch_that_outlives_its_run_is_fetched_by_the_next(graph: Graph) -> None:
    with FakeBatches("openai", good, polls=1_000_000) as fake:
        stopped = run(graph, fake, stop=True)
        assert stopped.exit_status == 130 and outcomes(stopped) == ["pending", "pending"]
        fake.finish()
        second = run(graph, fake, run_id="r2")
    assert outcomes(second) == ["done", "done"] and len(fake.batches) == 1


def test_a_batch_that_failed_is_told_and_then_sent_again(graph: Graph) -> None:
    with FakeBatches("openai", good) as fake:
        fake.fail_all = True
        first = run(graph, fake)
        assert outcomes(first) == ["failed", "failed"] and "'failed'" in first.units[0].detail
        fake.fail_all = False
        assert (
            outcomes(run(graph, fake, run_id="r2")) == ["done", "done"] and len(fake.batches) == 2
        )


def test_requests_are_parted_so_that_no_batch_is_too_large() -> None:
    requests = {str(number): Request("i", "x" * 1000, None, 10) for number in range(7)}
    requests["large"] = Request("i", "y" * 5000, None, 10)
    parts = parted(requests, 3500)
    assert [key for part in parts for key in part] == list(requests)
    assert [len(part) for part in parts] == [3, 3, 1, 1]
    assert parted({}, 3500) == []


@pytest.mark.parametrize("wire_format", FORMATS)
def test_a_run_that_needs_several_batches_loses_nothing(graph: Graph, wire_format: str) -> None:
    with FakeBatches(wire_format, good) as fake:
        answer = run(graph, fake, narrow=True)
    assert outcomes(answer) == ["done", "done"] and [len(batch) for batch in fake.batches] == [1, 1]
    assert not any(Path(graph.path, "cache", "batches").iterdir())
