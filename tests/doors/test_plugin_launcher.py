"""The launcher: the plugin's folder, copied alone, is kgraph on a machine that has Python and nothing else."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from doors.prose import PLUGIN, ROOT, build_engine, cache

LAUNCHER = PLUGIN / "scripts" / "kgraph.py"


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin's folder alone, far from the checkout, with the engine as it is now."""
    folder = tmp_path_factory.mktemp("elsewhere") / "karpathy-graph"
    shutil.copytree(PLUGIN, folder, ignore=shutil.ignore_patterns("__pycache__", "engine.zip"))
    build_engine(folder)
    return folder


def run(
    launcher: Path, *arguments: str, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("KGRAPH", "PYTHON"))
    }
    return subprocess.run(
        [sys.executable, "-I", "-S", str(launcher), *arguments],
        cwd=cwd,
        env=clean | {"XDG_CACHE_HOME": cache()} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_launcher_stays_under_a_hundred_lines_and_imports_the_standard_library_only() -> None:
    text = LAUNCHER.read_text("utf-8")
    imported = {
        alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {str(node.module) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    assert len(text.splitlines()) < 100
    assert {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names} == {
        "kgraph.cli"
    }


def test_an_old_python_can_read_the_launcher_and_is_refused_in_a_plain_sentence(
    plugin: Path, tmp_path: Path
) -> None:
    ast.parse(LAUNCHER.read_text("utf-8"), feature_version=(3, 4))
    pretend = (
        "import sys; sys.version_info = (3, 9, 2); sys.argv = ['kgraph.py', 'stats', '--json'];"
        f"import runpy; runpy.run_path({str(plugin / 'scripts' / 'kgraph.py')!r}, run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", pretend],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "kgraph needs Python 3.11 or newer, and this is Python 3.9" in done.stderr
    assert json.loads(done.stdout)["errors"][0]["code"] == "E201"
    assert "Traceback" not in done.stderr


def test_a_plugin_without_its_engine_says_what_to_copy(tmp_path: Path) -> None:
    alone = tmp_path / "kgraph.py"
    shutil.copyfile(LAUNCHER, alone)
    done = run(alone, "list", cwd=tmp_path)
    assert done.returncode == 2
    assert "scripts/engine.zip" in done.stderr
    assert json.loads(done.stdout)["ok"] is False


def test_the_command_in_the_environment_is_run_instead(tmp_path: Path) -> None:
    show = tmp_path / "show.py"
    show.write_text(
        "import json, os, sys; print(json.dumps([sys.argv[1:], os.environ.get('KGRAPH')])); sys.exit(7)\n"
    )
    done = run(
        LAUNCHER,
        "--name",
        "a b",
        "stats",
        cwd=tmp_path,
        KGRAPH=f"'{sys.executable}' '{show}' first",
    )
    assert done.returncode == 7
    assert json.loads(done.stdout) == [["first", "--name", "a b", "stats"], None]


def test_a_command_in_the_environment_that_is_not_there_is_a_plain_refusal(tmp_path: Path) -> None:
    done = run(LAUNCHER, "stats", cwd=tmp_path, KGRAPH="no-such-command-here")
    assert done.returncode == 2
    assert "KGRAPH" in json.loads(done.stdout)["errors"][0]["message"]


def archive_tool() -> ModuleType:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import archive
    finally:
        sys.path.remove(str(ROOT / "tools"))
    return archive


def test_the_same_source_gives_the_same_archive_and_a_changed_one_is_named(tmp_path: Path) -> None:
    tool = archive_tool()
    package = tmp_path / "src" / "kgraph"
    (package / "testing").mkdir(parents=True)
    for name in ("__init__.py", "schema.sql", "testing/suite.py"):
        (package / name).write_text(f"{name}\n")
    source, first, second = str(tmp_path / "src"), tmp_path / "1.zip", tmp_path / "2.zip"
    assert tool.difference(source, str(first)).endswith("is not there")
    tool.build(source, str(first))
    os.utime(package / "schema.sql", (1, 1))
    tool.build(source, str(second))
    assert first.read_bytes() == second.read_bytes()
    assert tool.difference(source, str(first)) == ""
    (package / "schema.sql").write_text("other\n")
    assert "kgraph/schema.sql" in tool.difference(source, str(first))
    first.write_bytes(first.read_bytes()[:-64] + b"0" * 64)
    assert "damaged" in tool.difference(source, str(first))


def where_from(launcher: Path, cwd: Path, **environment: str) -> str:
    """The folder or archive of the engine that the launcher runs, as the engine itself sees it."""
    script = (
        f"import runpy, sys; sys.argv = ['kgraph.py', '--version']; sys.path[:0] = ['.']\n"
        f"try:\n runpy.run_path({str(launcher)!r}, run_name='__main__')\n"
        "except SystemExit:\n print(sys.modules['kgraph'].__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script],
        cwd=cwd,
        env=os.environ | {"KGRAPH": ""} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1]


def test_in_a_checkout_the_source_itself_runs(tmp_path: Path) -> None:
    assert Path(where_from(LAUNCHER, tmp_path)).resolve() == ROOT / "src" / "kgraph" / "__init__.py"


def test_the_engine_is_unpacked_once_for_its_owner_alone_and_its_byte_code_is_kept(
    plugin: Path, tmp_path: Path
) -> None:
    launcher, caches = plugin / "scripts" / "kgraph.py", tmp_path / "cache"
    ran = Path(where_from(launcher, tmp_path, XDG_CACHE_HOME=str(caches)))
    (folder,) = (caches / "kgraph").iterdir()
    assert ran == folder / "kgraph" / "__init__.py"
    assert folder.stat().st_mode & 0o077 == 0
    assert list((folder / "kgraph" / "cli" / "__pycache__").glob("door.*.pyc"))
    made = folder.stat().st_ctime_ns
    assert Path(where_from(launcher, tmp_path, XDG_CACHE_HOME=str(caches))) == ran
    assert folder.stat().st_ctime_ns == made


def test_an_unpacked_engine_that_others_may_write_to_is_not_run(
    plugin: Path, tmp_path: Path
) -> None:
    launcher, caches = plugin / "scripts" / "kgraph.py", tmp_path / "cache"
    where_from(launcher, tmp_path, XDG_CACHE_HOME=str(caches))
    (folder,) = (caches / "kgraph").iterdir()
    folder.chmod(0o777)
    assert "engine.zip" in where_from(launcher, tmp_path, XDG_CACHE_HOME=str(caches))


def test_many_first_calls_at_once_leave_one_engine(plugin: Path, tmp_path: Path) -> None:
    launcher, caches = plugin / "scripts" / "kgraph.py", tmp_path / "cache"
    calls = [
        subprocess.Popen(
            [sys.executable, str(launcher), "--version"],
            env=os.environ | {"KGRAPH": "", "XDG_CACHE_HOME": str(caches)},
            stdout=subprocess.DEVNULL,
        )
        for _ in range(4)
    ]
    assert [call.wait() for call in calls] == [0] * 4
    assert len(list((caches / "kgraph").iterdir())) == 1


DOCUMENT = """# Night train

The **Night Train** leaves the **Harbour Station** at 22:40.

## Engine

The Night Train depends on the *Depot North* (DN) for its engine.
"""

PAYLOAD = {
    "nodes": [
        {"type": "Source", "name": "train.md", "uri": "train.md"},
        {
            "type": "Entity",
            "name": "Night Train",
            "description": "the sleeper that leaves at 22:40",
        },
        {"type": "Entity", "name": "Harbour Station", "description": "where the sleeper starts"},
        {"type": "Claim", "name": "The Night Train leaves the Harbour Station at 22:40."},
    ],
    "edges": [
        {
            "predicate": "SUPPORTS",
            "source": "train.md",
            "target": "The Night Train leaves the Harbour Station at 22:40.",
            "source_doc": "train.md#night-train",
            "confidence": 0.95,
            "quote": "leaves the **Harbour Station** at 22:40",
        },
        {
            "predicate": "MENTIONS",
            "source": "The Night Train leaves the Harbour Station at 22:40.",
            "target": "Night Train",
        },
        {
            "predicate": "MENTIONS",
            "source": "The Night Train leaves the Harbour Station at 22:40.",
            "target": "Harbour Station",
        },
    ],
}


@pytest.mark.parametrize("where", ["cache", "/dev/null"], ids=["unpacked", "from the archive"])
def test_the_folder_alone_makes_fills_asks_and_draws_a_graph(
    plugin: Path, tmp_path: Path, where: str
) -> None:
    launcher = plugin / "scripts" / "kgraph.py"
    (tmp_path / "train.md").write_text(DOCUMENT)
    (tmp_path / "payload.json").write_text(json.dumps(PAYLOAD))

    def answer(*arguments: str) -> dict[str, object]:
        done = run(
            launcher,
            "--json",
            *arguments,
            cwd=tmp_path,
            XDG_CACHE_HOME=os.path.join(tmp_path, where),
        )
        assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
        parsed = json.loads(done.stdout)
        assert next(iter(parsed)) == "ok" and parsed["ok"] is True
        return dict(parsed)

    answer("init", "--name", "trains")
    assert answer("--name", "trains", "--run-id", "r1", "ingest", "@payload.json")["evidence"] == {
        "verified": 1
    }
    assert answer("--name", "trains", "validate")["errors"] == []
    assert answer("--name", "trains", "verify")["problems"] == []
    assert "Night Train" in str(
        answer("--name", "trains", "query", "night train", "--format", "context")["text"]
    )
    assert answer("--name", "trains", "path", "Night Train", "Harbour Station")["found"] is True
    assert answer("--name", "trains", "show", "Night Train")["node"]
    files = answer("--name", "trains", "render")["files"]
    assert isinstance(files, dict) and files
    assert answer("--name", "more", "extract", "train.md")["units"]
    assert answer("list")["graphs"]


def test_an_environment_with_an_older_kgraph_does_not_shadow_the_copy(
    plugin: Path, tmp_path: Path
) -> None:
    other = tmp_path / "kgraph"
    other.mkdir()
    (other / "__init__.py").write_text("raise SystemExit('the wrong one')\n")
    done = subprocess.run(
        [sys.executable, str(plugin / "scripts" / "kgraph.py"), "--version"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "KGRAPH": "", "XDG_CACHE_HOME": cache()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
