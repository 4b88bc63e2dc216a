"""How many small faults planted in the source the tests notice: ``python benchmarks/mutants.py [PACKAGE…] [--sample N] [--seed N]``.

For each package a sample of mutants is drawn: a comparison shifted or turned round, 'and' for 'or', a sign, a number, a truth value, a
'not' or a statement left out. Each is put into a copy of the tree, and the package's own tests are run until the first that fails. Printed are the
share of mutants that were killed, and every survivor as a place and a change. A mutant that takes ten times as long as the tests
without it counts as killed.

mutmut and cosmic-ray do this for a whole package. They need an hour a package here, since the tests of one stage read all the stages before it;
a sample of twenty says nearly as much in minutes.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TESTS = {
    "contract": "stages/test_contract*.py stages/test_endpoints.py laws/test_contract*.py",
    "evidence": "stages/test_evidence.py laws/test_evidence.py stories/test_citations.py",
    "index": "contracts/test_indexes.py laws/test_undo.py stories/test_engine_events.py stories/test_engine_log.py "
    "stories/test_index_heals.py laws/test_engine.py",
    "resolve": "stages/test_resolve*.py laws/test_resolve.py stories/test_not_one.py",
    "sources": "stages/test_sources*.py laws/test_sources.py",
    "extract": "stages/test_run_judging.py stories/test_extract_offline.py stories/test_extract_door.py stories/test_extract_model.py "
    "stories/test_extract_batch.py stories/test_hand_in.py",
    "retrieve": "stages/test_retrieve*.py stages/test_ground_table.py laws/test_retrieve*.py stories/test_ground.py stories/test_outdated.py",
    "language": "stages/test_language.py stages/test_prose*.py stages/test_contract_advice.py",
}
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add}


class Mutant(NamedTuple):
    """A fault: the place, what it changes, and the whole module with it."""

    path: Path
    line: int
    change: str
    source: str


def mutants(path: Path) -> Iterator[Callable[[], Mutant]]:
    """Every fault that can be planted in the functions of a module, each made when it is asked for."""
    tree = ast.parse(path.read_text("utf-8"))
    inside = [
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in function.body
        for node in ast.walk(statement)
    ]
    numbers = {id(node): at for at, node in enumerate(ast.walk(tree))}
    for node in {id(node): node for node in inside}.values():
        for label, plant in _faults(node):
            yield (
                lambda at=numbers[id(node)], label=label, plant=plant, line=getattr(node, "lineno", 0): (
                    _planted(path, tree, (at, line, label), plant)
                )
            )


def _planted(
    path: Path, tree: ast.Module, where: tuple[int, int, str], plant: Callable[[ast.AST], None]
) -> Mutant:
    at, line, label = where
    changed = copy.deepcopy(tree)
    node = next(node for number, node in enumerate(ast.walk(changed)) if number == at)
    before = ast.unparse(node)
    plant(node)
    return Mutant(
        path, line, f"{label}: {before}"[:110], ast.unparse(ast.fix_missing_locations(changed))
    )


def _faults(node: ast.AST) -> Iterator[tuple[str, Callable[[ast.AST], None]]]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        other = COMPARED[type(node.ops[0])]
        yield other.__name__, lambda node: node.ops.__setitem__(0, other())
    elif isinstance(node, ast.BoolOp):
        swapped = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield swapped.__name__, lambda node: setattr(node, "op", swapped())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "without not", _drop_not
    elif isinstance(node, ast.BinOp) and type(node.op) in COUNTED and not _is_text(node):
        operator = COUNTED[type(node.op)]
        yield operator.__name__, lambda node: setattr(node, "op", operator())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "turned", lambda node: setattr(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "one more", lambda node: setattr(node, "value", node.value + 1)
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "left out", _leave_out


def _leave_out(node: ast.AST) -> None:
    """A statement that does nothing in the place of this one."""
    node.__class__ = ast.Expr
    node.__dict__.update(value=ast.Constant(None))


def _drop_not(node: ast.AST) -> None:
    """``bool(x)`` in the place of ``not x``."""
    operand = node.__dict__["operand"]
    node.__class__ = ast.Call
    node.__dict__.update(func=ast.Name("bool", ast.Load()), args=[operand], keywords=[])


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(end, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(end, ast.Constant) and isinstance(end.value, str))
        for end in (node.left, node.right)
    )


class Trial:
    """A copy of the tree in which mutants are tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("src", "tests", "examples", "schema", "plugins", "docs", "tools"):
            shutil.copytree(ROOT / name, folder / name, symlinks=True)
        for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"):
            shutil.copy(ROOT / name, folder / name)

    def passes(self, tests: list[str], limit: float) -> bool:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "--no-header",
        ]
        process = subprocess.Popen(
            [*command, *tests], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(self.folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}, start_new_session=True,
        )  # fmt: skip
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return False

    def kills(self, mutant: Mutant, tests: list[str], limit: float) -> bool:
        path = self.folder / mutant.path.relative_to(ROOT)
        whole = path.read_text("utf-8")
        path.write_text(mutant.source, "utf-8")
        try:
            return not self.passes(tests, limit)
        finally:
            path.write_text(whole, "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="*", default=list(TESTS))
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        for package in options.packages:
            tests = sorted(
                str(path.relative_to(ROOT))
                for pattern in TESTS[package].split()
                for path in (ROOT / "tests").glob(pattern)
            )
            began = time.monotonic()
            if not trial.passes(tests, 1200):
                print(f"{package}: its tests fail without any mutant")
                continue
            limit = 10 * (time.monotonic() - began) + 20
            modules = sorted((ROOT / "src" / "kgraph" / package).rglob("*.py"))
            every = [made for path in modules for made in mutants(path)]
            chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))
            survivors = []
            for made in chosen:
                mutant = made()
                if not trial.kills(mutant, tests, limit):
                    survivors.append(mutant)
                    where = mutant.path.relative_to(ROOT / "src" / "kgraph")
                    print(f"    survived {where}:{mutant.line}  {mutant.change}", flush=True)
            killed = len(chosen) - len(survivors)
            print(
                f"{package}: {killed} of {len(chosen)} killed ({killed / len(chosen):.0%}); {len(every)} can be planted",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
