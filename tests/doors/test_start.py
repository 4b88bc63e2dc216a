"""A start is cheap because of what it leaves unimported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from doors.prose import ROOT

COSTLY = {"asyncio", "concurrent.futures", "dataclasses", "email", "importlib.metadata", "inspect", "multiprocessing", "tomllib",
          "typing_extensions", "unittest", "urllib.request", "xml.etree"}  # fmt: skip
PRELUDE = "import sys; sys.path.insert(0, {source!r})\n"


def imported_by(script: str, folder: Path) -> set[str]:
    """The modules that are loaded after ``script``, in an interpreter that sees the standard library and the package only."""
    code = (
        PRELUDE.format(source=str(ROOT / "src"))
        + script
        + "\nimport json; print(); print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


CALL = """
import io
from kgraph.cli import main
shown, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO())
statuses = [main(arguments) for arguments in {arguments!r}]
sys.stdout = shown
assert statuses == [0] * len(statuses), statuses
"""


@pytest.mark.parametrize(
    "arguments",
    [
        [["--help"]],
        [["--name", "g", "init"], ["--name", "g", "stats"]],
        [
            ["--name", "g", "add-node", "--type", "Entity", "--name", "A thing"],
            ["--name", "g", "show", "A thing"],
            ["--name", "g", "query", "thing"],
        ],
    ],
    ids=["help", "init and stats", "write and read"],
)
def test_a_command_imports_nothing_that_costs_more_than_itself(
    arguments: list[list[str]], tmp_path: Path
) -> None:
    loaded = imported_by(CALL.format(arguments=arguments), tmp_path)
    assert {name for name in COSTLY if name in loaded} == set()


def test_help_does_not_load_what_only_other_commands_need(tmp_path: Path) -> None:
    loaded = imported_by(CALL.format(arguments=[["--help"]]), tmp_path)
    assert not loaded & {
        "sqlite3",
        "kgraph.extract",
        "kgraph.models",
        "kgraph.views",
        "kgraph.retrieve",
        "kgraph.resolve",
    }


def test_importing_the_package_loads_no_part_of_it_yet(tmp_path: Path) -> None:
    loaded = imported_by("import kgraph", tmp_path)
    assert {name for name in loaded if name.startswith("kgraph.")} == {"kgraph.version"}
