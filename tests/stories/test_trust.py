"""A graph's folder comes from anywhere. It chooses no host, no paid model and no folder of the user's before the user confirmed it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import kgraph
from kgraph.cli import main
from kgraph.errors import NotAllowed
from kgraph.trust import Trust, within
from stages.ground_worlds import things

PAYLOAD = things(Vault="a store", Valve="a part")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with nothing confirmed yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return tmp_path / "settings"


def of_another_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))


def rewritten(folder: Path, **fields: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def test_sources_outside_the_folder_are_not_read_before_the_user_confirms(
    tmp_path: Path,
    settings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "away").mkdir()
    (tmp_path / "private.md").write_text("the secret words stand here\n")
    folder = tmp_path / "g"
    kgraph.create(path=str(folder)).close()
    rewritten(folder, source_root=str(tmp_path))
    monkeypatch.chdir(tmp_path / "away")
    of_another_user(monkeypatch, tmp_path)
    with kgraph.open(str(folder)) as graph:
        assert graph.source_root == str(folder)
        assert len(graph.notices) == 1 and "kgraph trust" in graph.notices[0]
        with pytest.raises(NotAllowed):
            graph.store()
    assert main(["--path", str(folder), "extract", str(tmp_path / "private.md")]) == 2
    assert main(["--path", str(folder), "stats", "--json"]) == 0
    assert capsys.readouterr().err.count("outside of it") == 3  # refused and noted; noted
    assert main(["--path", str(folder), "trust", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["asks"] == [
        {"what": "source_root", "value": str(tmp_path), "confirmed": True}
    ]
    with kgraph.open(str(folder)) as graph:
        assert graph.source_root == str(tmp_path) and not graph.notices
    rewritten(folder, source_root="/")  # another value is another choice
    with kgraph.open(str(folder)) as graph:
        assert graph.source_root == str(folder)


def test_who_made_the_graph_has_confirmed_where_its_sources_are(
    tmp_path: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "away").mkdir()
    folder = str(tmp_path / "g")
    kgraph.create(path=folder, source_root=str(tmp_path / "docs")).close()
    monkeypatch.chdir(tmp_path / "away")
    with kgraph.open(folder) as graph:
        assert graph.source_root == str(tmp_path / "docs")


def test_where_the_user_stands_needs_no_confirming(
    tmp_path: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kgraph.create(path="g").close()
    of_another_user(monkeypatch, tmp_path)
    with kgraph.open("g") as graph:
        assert graph.source_root == str(tmp_path)
    kgraph.create(name="main").close()
    monkeypatch.chdir("/")
    with kgraph.open(str(tmp_path / ".karpathy-graphs" / "main")) as graph:
        assert graph.source_root == str(tmp_path)  # its place says so, not its manifest


def test_a_lost_manifest_brings_no_other_root_back(
    tmp_path: Path, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "away").mkdir()
    folder = tmp_path / "g"
    kgraph.create(path=str(folder), source_root="/").close()
    (folder / "manifest.json").unlink()
    monkeypatch.chdir(tmp_path / "away")
    of_another_user(monkeypatch, tmp_path)
    with kgraph.open(str(folder)) as graph:
        assert graph.source_root == str(folder)


def test_a_model_that_the_manifest_names_is_not_asked_before_the_user_confirms(
    tmp_path: Path,
    settings: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-" + "k" * 30)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    (tmp_path / "a.md").write_text("# A\n\nText.\n")
    kgraph.create(path="g").close()
    rewritten(tmp_path / "g", extractor="openai/dear")
    assert main(["--path", "g", "extract", "a.md"]) == 2
    assert "you have not confirmed it" in capsys.readouterr().err
    assert main(["--path", "g", "extract", "a.md", "--extractor", "offline"]) == 0
    assert main(["--path", "g", "trust", "--json"]) == 0
    assert main(["--path", "g", "extract", "a.md", "--refresh", "--dry-run", "--json"]) == 0


class _Thief(BaseHTTPRequestHandler):
    stolen: list[str] = []

    def do_POST(self) -> None:
        asked = len(json.loads(self.rfile.read(int(self.headers["content-length"])))["input"])
        self.stolen.append(self.headers.get("authorization", ""))
        body = json.dumps({"data": [{"embedding": [1.0, 2.0]}] * asked}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def thief() -> Iterator[str]:
    _Thief.stolen = []
    server = HTTPServer(("127.0.0.1", 0), _Thief)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_key_goes_to_no_host_that_a_file_of_vectors_names(
    tmp_path: Path,
    settings: Path,
    thief: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("httpx")
    pytest.importorskip("numpy")
    from kgraph.graph.embedding import Embedding

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-" + "k" * 30)
    with kgraph.create(path="g") as graph:
        graph.ingest(PAYLOAD)
        graph.embed(Embedding("openai/m", thief))
        assert len(_Thief.stolen) == 1
    of_another_user(monkeypatch, tmp_path)
    assert main(["--path", "g", "query", "disk", "--json"]) == 0
    assert "were not used" in capsys.readouterr().err
    with kgraph.open("g") as graph, pytest.raises(NotAllowed):
        graph.embed()
    with kgraph.open("g") as graph, pytest.raises(NotAllowed):
        graph.embed(Embedding("openai/m"))  # the model is the user's, the address is not
    assert len(_Thief.stolen) == 1
    assert main(["--path", "g", "trust", "--show", "--json"]) == 0
    asks = json.loads(capsys.readouterr().out)["asks"]
    assert [(row["what"], row["confirmed"]) for row in asks] == [
        ("source_root", False),
        ("embedding_model", False),
        ("embedding_host", False),
    ]
    assert main(["--path", "g", "trust", "--json"]) == 0
    with kgraph.open("g") as graph:
        graph.embed(Embedding())
    assert len(_Thief.stolen) == 1  # nothing new to embed, and nothing refused


def test_a_broken_file_of_confirmations_confirms_nothing(tmp_path: Path, settings: Path) -> None:
    trust = Trust(str(tmp_path))
    assert trust.confirm("source_root", "/x") and trust.confirmed("source_root", "/x")
    assert not Trust(str(tmp_path / "other")).confirmed("source_root", "/x")
    for broken in (b"", b"[]", b"\xff", b'{"folder": 1, "confirmed": 3}', b"[" * 100_000):
        Path(trust.path).write_bytes(broken)
        assert not trust.confirmed("source_root", "/x")
    assert trust.confirm("source_root", "/x")


def test_within_follows_links(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "out").symlink_to("/")
    assert within(str(tmp_path / "in" / "a"), [str(tmp_path / "in")])
    assert not within(str(tmp_path / "in" / "out"), [str(tmp_path / "in")])
    assert not within(str(tmp_path / "inner"), [str(tmp_path / "in")])
