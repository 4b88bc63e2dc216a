"""``kgraph serve`` played in a real browser: ask, cite, open the source; review by keyboard; correct and undo; two writers; hostile texts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("starlette", reason="needs the extra 'serve'")

from doors.prose import ROOT
from kgraph.cli import main

VAULT = """# Vault outage

The Token Vault ran out of disk on 11 March 2026. Checkout reads the Token Vault for every payment.

Nobody but Ida Moe had looked at the alarms.
"""
HOSTILE = "# <img src=x onerror=alert(1)>\n\nThe **<script>alert(2)</script> Gate** reads the **Token Vault** for every payment.\n"
AXE = ROOT / "explorer" / "node_modules" / "axe-core" / "axe.min.js"


def until(page: Any, script: str, arg: Any = None) -> None:
    """Wait for a script to become true. Playwright's own waiting evaluates strings in the page, which the page's policy refuses."""
    for _ in range(150):
        if page.evaluate(script, arg):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never true: {script}\n{page.inner_text('body')[:1500]}")


class Server:
    """A served graph in a process of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kgraph", "--name", "t", "serve", *words], cwd=folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(self.process.communicate()[1])
        self.base = "http://" + urlsplit(self.address).netloc
        self.token = self.address.partition("token=")[2]

    def call(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        given = {"Authorization": f"Bearer {self.token}", **{key.replace("_", "-"): value for key, value in headers.items()}}  # fmt: skip
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, headers=given)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, _parsed(response.read())
        except urllib.error.HTTPError as error:
            return error.code, _parsed(error.read())

    def write(self, path: str, body: Any) -> tuple[int, Any]:
        return self.call(path, body, X_Kgraph="1")

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=20)


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.decode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("serve")
    (made / "docs").mkdir()
    (made / "docs" / "vault.md").write_text(VAULT)
    (made / "docs" / "hostile.md").write_text(HOSTILE)
    subprocess.run([sys.executable, "-m", "kgraph", "--name", "t", "--quiet", "extract", "docs"], cwd=made, check=True, capture_output=True)  # fmt: skip
    nodes = [{"type": "Source", "name": "vault.md", "uri": "docs/vault.md"}]
    edges = []
    for at in range(20):
        for name, text in ((f"Gateway {at:02d}", "routes calls of the harbour"), (f"Gate way {at:02d}", "a router of calls in the harbour")):  # fmt: skip
            nodes.append({"type": "Entity", "name": name, "description": text})
            edges.append({"predicate": "MENTIONS", "source": "vault.md", "target": name})
    nodes.append({"type": "Claim", "name": "The Token Vault ran out of disk on 12 April 2019."})
    edges.append({"predicate": "SUPPORTS", "source": "vault.md", "target": nodes[-1]["name"], "confidence": 0.9,
                  "quote": "The Token Vault ran out of disk on 11 March 2026."})  # fmt: skip
    payload = json.dumps({"nodes": nodes, "edges": edges})
    subprocess.run([sys.executable, "-m", "kgraph", "--name", "t", "--quiet", "ingest", payload], cwd=made, check=True, capture_output=True)  # fmt: skip
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    made = Server(folder, "--allow-write")
    yield made
    made.stop()


@pytest.fixture
def page(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    opened = []

    def go(after: str = "", **context: Any) -> Any:
        made = chromium.new_context(**context)
        opened.append(made)
        one = made.new_page()
        one.problems = []
        one.asked = []
        one.on("pageerror", lambda problem: one.problems.append(str(problem)))
        one.on("dialog", lambda dialog: one.problems.append("dialog"))
        one.on("request", lambda request: one.asked.append(request.url))
        one.goto(server.address)
        one.wait_for_selector("#main:not([aria-busy])")
        if after:
            one.goto(server.base + after)
            one.wait_for_selector("#main:not([aria-busy]) #heading, .failure")
        return one

    yield go
    for context in opened:
        context.close()


def test_a_question_gives_statements_with_their_words_and_a_click_opens_the_source_with_them_marked(
    page: Callable[..., Any],
) -> None:
    one = page()
    one.fill("#question", "What does Checkout read?")
    one.press("#question", "Enter")
    one.wait_for_selector(".statements .citation a")
    assert "Checkout reads the Token Vault for every payment." in one.inner_text(".statements")
    one.click(".statements .citation a")
    one.wait_for_selector("mark.chosen")
    assert one.inner_text("mark.chosen") == "Checkout reads the Token Vault for every payment."
    assert "edge=" in one.url and "uri=docs%2Fvault.md" in one.url
    one.go_back()
    one.wait_for_selector(".statements")
    assert one.problems == []
    assert {urlsplit(url).netloc for url in one.asked if url.startswith("http")} == {urlsplit(one.url).netloc}  # fmt: skip


def test_twenty_candidates_are_reviewed_by_keyboard_and_the_last_decision_undone(
    page: Callable[..., Any], server: Server
) -> None:
    before = len(server.call("/api/v1/history?limit=200")[1]["transactions"])
    one = page("/?view=review&queue=candidates")
    seen = []
    for at in range(20):
        one.wait_for_selector("#item")
        key = one.get_attribute("#item", "data-key")
        seen.append(key)
        one.keyboard.press("s" if at % 2 else "d")
        until(one, "key => document.getElementById('item')?.dataset.key !== key", arg=key)
    assert len(set(seen)) == 20
    assert "20 decided" in one.inner_text("#progress")
    after = server.call("/api/v1/history?limit=200")[1]["transactions"]
    assert len(after) == before + 20
    assert all(one["reason"] or one["op"] for one in after[:20])
    one.keyboard.press("z")
    until(one, "document.getElementById('progress')?.textContent.startsWith('19 decided')")
    assert server.call("/api/v1/history?limit=1")[1]["transactions"][0]["op"] == "restore"
    assert one.problems == []


def test_a_claim_that_its_words_do_not_carry_waits_in_the_queue_and_is_withdrawn(
    page: Callable[..., Any], server: Server
) -> None:
    one = page("/?view=review&queue=doubtful")
    one.wait_for_selector("#item")
    assert "12 April 2019" in one.inner_text("#item")
    one.click("#decide-w")
    until(one, "document.getElementById('progress')?.textContent.includes('1 decided')")
    assert server.call("/api/v1/query?text=April+2019")[0] == 200
    assert all("12 April" not in row["name"] for row in server.call("/api/v1/query?text=April+2019")[1]["nodes"])  # fmt: skip


def test_a_name_is_corrected_in_the_page_and_undone_in_the_history(
    page: Callable[..., Any], server: Server
) -> None:
    one = page("/?view=node&ref=Checkout")
    form = one.locator("form.card", has_text="New name")
    form.locator("input[name=to]").fill("Checkout Desk")
    form.locator("input[name=reason]").fill("so it is called on the door")
    form.locator("button").click()
    until(one, "document.getElementById('heading')?.textContent === 'Checkout Desk'")
    one.goto(server.base + "/?view=log")
    one.click(".log li:first-child .undo")
    until(
        one,
        "document.querySelector('.log li')?.textContent.includes('restore') || document.querySelector('.log li')?.textContent.includes('retract')",
    )
    assert server.call("/api/v1/show?ref=Checkout")[1]["node"]["name"] == "Checkout"


def test_a_node_is_retracted_after_a_preview_of_what_falls(
    page: Callable[..., Any], server: Server
) -> None:
    server.write("/api/v1/ingest", {"payloads": [{"nodes": [{"type": "Entity", "name": "Lamp", "description": "of the quay"}], "edges": []}]})  # fmt: skip
    before = server.call("/api/v1/session")[1]["heads"]
    one = page("/?view=node&ref=Lamp")
    form = one.locator("form.card", has_text="Retract the whole node")
    form.locator("input[name=why]").fill("nobody lit it")
    form.locator("button[type=submit]").click()
    one.wait_for_selector(".preview")
    assert "1 nodes and 0 statements" in one.inner_text(".preview")
    assert server.call("/api/v1/session")[1]["heads"] == before
    one.click(".preview button.retract")
    one.wait_for_selector(".done")
    assert server.call("/api/v1/show?ref=Lamp")[0] == 400
    one.click(".done .undo")
    for _ in range(50):
        if server.call("/api/v1/show?ref=Lamp")[0] == 200:
            break
        one.wait_for_timeout(100)
    assert server.call("/api/v1/show?ref=Lamp")[0] == 200


def test_selected_words_become_a_claim_whose_quote_stands_in_the_file(
    page: Callable[..., Any], server: Server
) -> None:
    one = page("/?view=source&uri=docs%2Fvault.md")
    one.evaluate(
        """() => { const line = [...document.querySelectorAll('.words')].find(one => one.textContent.startsWith('Nobody'));
        const range = document.createRange(); range.selectNodeContents(line); getSelection().removeAllRanges(); getSelection().addRange(range); }"""
    )
    one.wait_for_selector("#picked-words")
    form = one.locator("form.card", has_text="Make a claim")
    form.locator("input[name=mentions]").fill("Token Vault")
    form.locator("button").click()
    one.wait_for_selector(".done")
    shown = server.call(
        "/api/v1/show?ref=Nobody%20but%20Ida%20Moe%20had%20looked%20at%20the%20alarms."
    )[1]
    tie = next(edge for edge in shown["edges"] if edge["predicate"] == "SUPPORTS")
    assert json.dumps(tie).count("verified") >= 1


def test_two_pages_and_the_command_line_write_at_once_and_each_hears_of_the_others(
    page: Callable[..., Any], server: Server, folder: Path
) -> None:
    first, second = page("/?view=log"), page("/?view=log")
    for one in (first, second):
        one.wait_for_timeout(300)
    call = [sys.executable, "-m", "kgraph", "--name", "t", "--quiet", "add-node", "--type", "Entity", "--description", "of two hands", "--name"]  # fmt: skip
    running = [subprocess.Popen([*call, f"Shell {at}"], cwd=folder, stdout=subprocess.DEVNULL) for at in range(4)]  # fmt: skip
    for at in range(4):
        status, answer = server.write("/api/v1/ingest", {"payloads": [{"nodes": [{"type": "Entity", "name": f"Page {at}", "description": "of two hands"}], "edges": []}]})  # fmt: skip
        assert (status, answer["ok"]) == (200, True)
    assert [one.wait() for one in running] == [0, 0, 0, 0]
    for one in (first, second):
        until(one, "Number(document.body.dataset.heard || 0) > 0")
    for name in [f"Shell {at}" for at in range(4)] + [f"Page {at}" for at in range(4)]:
        assert server.call(f"/api/v1/show?ref={name.replace(' ', '%20')}")[0] == 200


def test_nothing_of_a_hostile_document_runs_or_leaves(
    page: Callable[..., Any], server: Server
) -> None:
    one = page()
    for after in ("/?view=source&uri=docs%2Fhostile.md", "/?view=ask&q=%3Cscript%3Ealert(3)%3C%2Fscript%3E%20Gate", "/?view=explore&ref=Token%20Vault"):  # fmt: skip
        one.goto(server.base + after)
        one.wait_for_selector("#main:not([aria-busy]) #heading, .failure")
        one.wait_for_timeout(100)
    assert one.problems == []
    assert one.locator("main img, main script, main iframe").count() == 0
    assert {urlsplit(url).netloc for url in one.asked if url.startswith("http")} == {urlsplit(server.base).netloc}  # fmt: skip


def test_a_file_is_dropped_read_and_told_unit_by_unit(page: Callable[..., Any], server: Server, folder: Path) -> None:  # fmt: skip
    (folder / "new.md").write_text(
        "# Ferry\n\nThe **Ferry Desk** reads the **Berth Store** for every sale.\n"
    )
    one = page("/?view=add")
    one.set_input_files("#files", str(folder / "new.md"))
    one.wait_for_selector("#uploaded .badge")
    assert "done" in one.inner_text("#uploaded")
    assert (folder / "uploads" / "new.md").read_bytes() == (folder / "new.md").read_bytes()
    status, answer = server.call("/api/v1/upload?name=..%2F..%2Fnew.md", b"other", X_Kgraph="1")
    assert (status, "already" in answer["errors"][0]["message"]) == (409, True)
    assert not (folder.parent / "new.md").exists()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_no_serious_finding_of_axe_on_any_view(
    page: Callable[..., Any], server: Server, mode: str
) -> None:
    if not AXE.exists():
        if os.environ.get("CI"):
            pytest.fail("axe-core is not installed: npm ci in explorer/")
        pytest.skip("needs npm ci in explorer/")
    one = page(color_scheme=mode, viewport={"width": 420, "height": 800}, bypass_csp=True)
    for after in ("/?view=ask&q=What%20does%20Checkout%20read", "/?view=explore", "/?view=explore&ref=Token%20Vault", "/?view=node&ref=Token%20Vault",
                  "/?view=source&uri=docs%2Fvault.md", "/?view=review", "/?view=review&queue=candidates", "/?view=add", "/?view=log"):  # fmt: skip
        one.goto(server.base + after)
        one.wait_for_selector("#main:not([aria-busy]) #heading, .failure")
        one.add_script_tag(path=str(AXE))
        found = one.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [(row["id"], row["nodes"][0]["html"][:120]) for row in found["violations"] if row["impact"] in ("serious", "critical")]  # fmt: skip
        assert serious == [], after
        assert one.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), after


def test_without_the_token_from_elsewhere_or_without_the_header_nothing_is_answered(
    server: Server,
) -> None:
    add = {"payloads": [{"nodes": [], "edges": []}]}
    assert server.call("/api/v1/stats", Authorization="")[0] == 401
    assert server.call("/", Authorization="")[0] == 401
    assert server.call("/api/v1/stats", Authorization="Bearer wrong")[0] == 401
    assert server.call("/api/v1/stats", Host="evil.example")[0] == 421
    assert server.call("/api/v1/ingest", add)[0] == 403
    assert server.call("/api/v1/ingest", add, X_Kgraph="1", Origin="http://evil.example")[0] == 403
    assert server.call("/api/v1/ingest", add, X_Kgraph="1", Origin=server.base)[0] == 200


def test_a_browser_may_name_no_file_no_other_graph_and_no_model(server: Server) -> None:
    for path in ("/api/v1/query?text=x&path=/tmp", "/api/v1/ask?question=x&model=openai/x", "/api/v1/query?text=x&name=other", "/api/v1/ground?claim=x&record=true",
                 "/api/v1/show?ref=@/etc/passwd", "/api/v1/sql?query=select", "/api/v1/extract?paths=/etc"):  # fmt: skip
        status, answer = server.call(path)
        assert (status in (400, 404), answer["ok"]) == (True, False), path
    for body in ({"payloads": ["@/etc/passwd"]}, {"payloads": [3]}, [], {"lines": True}):
        assert server.write("/api/v1/ingest", body)[0] in (400, 404)
    assert server.write("/api/v1/extract", {})[0] == 404


def test_answers_are_the_command_lines_and_the_description_lists_what_is_answered(
    server: Server, folder: Path
) -> None:
    done = subprocess.run([sys.executable, "-m", "kgraph", "--name", "t", "--json", "stats"], cwd=folder, capture_output=True, text=True, check=True)  # fmt: skip
    told, shown = json.loads(done.stdout), server.call("/api/v1/stats")[1]
    assert told["stats"] == shown["stats"]
    described = server.call("/api/v1/openapi.json")[1]
    assert {"/api/v1/query", "/api/v1/ask", "/api/v1/resolve"} <= set(described["paths"])
    assert server.call("/api/v1/show?ref=--help")[1]["errors"][0]["code"] == "E204"


def test_a_server_that_only_reads_writes_nothing(folder: Path) -> None:
    reading = Server(folder)
    try:
        status, answer = reading.write("/api/v1/ingest", {"payloads": [{"nodes": [], "edges": []}]})
        assert (status, "--allow-write" in answer["errors"][0]["hint"]) == (403, True)
        assert reading.call("/api/v1/upload?name=x.md", b"x", X_Kgraph="1")[0] == 403
        assert reading.call("/api/v1/session")[1]["allow_write"] is False
    finally:
        reading.stop()


@pytest.mark.parametrize(
    "words",
    [("--host", "0.0.0.0"), ("--no-token", "--allow-write"), ("--host", "0.0.0.0", "--allow-remote", "--no-token")],
)  # fmt: skip
def test_an_open_door_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:  # fmt: skip
    monkeypatch.chdir(folder)
    assert main(["--name", "t", "--json", "serve", *words]) == 2
    assert json.loads(capsys.readouterr().out)["errors"][0]["hint"]
    assert main(["--name", "nowhere", "--json", "serve"]) == 2
