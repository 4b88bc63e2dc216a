"""Short versions of benchmarks/crash.py and benchmarks/parallel.py."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import pytest

from stories.incident import ROOT


def benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_killed_writers_lose_nothing_that_was_acknowledged_and_leave_nothing_in_part(tmp_path: Path) -> None:
    met = benchmark("crash").run(tmp_path, 8, random.Random(3))
    assert met["kills"] >= 8


@pytest.mark.parametrize("new", [True, False], ids=["a graph that all of them make", "a graph that is there"])
def test_processes_that_write_at_once_all_succeed(tmp_path: Path, new: bool) -> None:
    benchmark("parallel").run(tmp_path, 4, 3, new)
