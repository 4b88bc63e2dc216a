"""What looks like a credential is refused or left out, counted, and never shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgraph
from kgraph.cli import main
from kgraph.contract.credentials import cleaned, masked, secret_in
from stages.ground_worlds import said, things

# Put together here, so that no scanner takes this file for a leak.
SECRETS = {
    "an AWS access key": "AKIA" + "IOSFODNN7EXAMPLE",
    "a GitHub token": "ghp_" + "a1B2c3D4e5" * 4,
    "a Slack token": "xoxb-" + "123456789012-abcdefGHIJ",
    "a Stripe key": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "an OpenAI key": "sk-" + "proj-abcdEFGH1234abcdEFGH1234",
    "a Google API key": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "an address with a password": "postgres://app:" + "s3cr3tpw9@db.example.org/main",
    "a JSON web token": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "a password that is assigned": "DB_PASSWORD=" + "hunter2hunter2",
}  # fmt: skip
PLAIN = (
    "the password is kept in the vault",
    "set password: <your password>",
    "postgres://user:password@localhost/db",
    "postgres://app:${DB_PASSWORD}@db/main",
    "https://example.org/a:b@c",
    "token = next(tokens)",
    "secret: changeme",
    "the key AKIA is a prefix",
    "sk-learn and task-based-scheduling-of-tasks",
    "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "password = getpass.getpass()",
    "eyJ is how a token begins",
)


@pytest.mark.parametrize("what", SECRETS)
def test_a_credential_is_told_by_its_form_and_masked(what: str) -> None:
    text = f"they wrote {SECRETS[what]} there"
    assert secret_in(text) == what
    assert SECRETS[what] not in masked(text) and masked(text).startswith("they wrote ")


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_speaks_of_credentials_is_none(text: str) -> None:
    assert secret_in(text) == ""


@pytest.mark.parametrize("what", SECRETS)
def test_a_payload_with_one_is_refused_and_shows_it_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    secret = SECRETS[what]
    node = {
        "type": "Entity",
        "name": f"the key {secret}",
        "aliases": [secret],
        "attrs": {"x": [secret]},
    }
    payloads = (
        {"nodes": [node], "edges": []},
        {**said(f"it is {secret}", "a.md", [])},
        things(Vault=f"opened by {secret}"),
    )
    for payload in payloads:
        assert main(["--path", "g", "ingest", json.dumps(payload), "--json"]) == 2
        found = capsys.readouterr()
        assert "E113" in found.out and secret not in found.out + found.err
    assert (
        main(["--path", "g", "ingest", json.dumps(payloads[2]), "--allow-secrets", "--json"]) == 0
    )


def test_a_run_leaves_out_that_item_alone_and_counts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    secret = SECRETS["an AWS access key"]
    Path("a.md").write_text(
        f"# Pump\n\nThe `Pump` service depends on the `Valve` service.\n\nThe `Pump` service uses the key {secret} of the `Vault` service.\n"
    )
    assert main(["--path", "g", "extract", "a.md", "--json"]) == 0
    found = capsys.readouterr()
    answer = json.loads(found.out)
    assert answer["units"][0]["secrets"] >= 1 and answer["totals"]["secrets"] >= 1
    assert any(one["code"] == "E113" for one in answer["repairs"])
    assert secret not in found.out + found.err
    assert secret not in Path("g", "log.jsonl").read_text()
    with kgraph.open("g") as graph:
        assert graph.show("Valve")
    assert main(["--path", "g", "extract", "a.md", "--refresh", "--allow-secrets", "--json"]) == 0
    assert secret in Path("g", "log.jsonl").read_text()


def test_what_hangs_on_an_item_goes_with_it_and_nothing_else() -> None:
    secret = SECRETS["a GitHub token"]
    payload = {
        "nodes": [
            {"type": "Source", "name": "a.md"},
            {"type": "Claim", "name": "one"},
            {"type": "Claim", "name": "two"},
            {"type": "Entity", "name": secret},
            {"type": "Entity", "name": "Pump"},
        ],
        "edges": [
            {"predicate": "SUPPORTS", "source": "a.md", "target": "one", "quote": secret},
            {"predicate": "SUPPORTS", "source": "a.md", "target": "two", "quote": "two"},
            {"predicate": "MENTIONS", "source": "two", "target": secret},
            {"predicate": "MENTIONS", "source": "two", "target": "Pump"},
            {"predicate": "MENTIONS", "source": "one", "target": "Pump"},
        ],
    }
    found = cleaned(payload)
    assert [node["name"] for node in found.payload["nodes"]] == ["a.md", "two", "Pump"]
    assert found.payload["edges"] == [payload["edges"][1], payload["edges"][3]]
    assert [path for path, _ in found.lost] == ["$.nodes[3].name", "$.edges[0].quote"]
