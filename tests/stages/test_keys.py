"""Where the keys of models come from."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from kgraph.errors import UsageError
from kgraph.models.providers import key_variables
from kgraph.models.secrets import in_keyring, mask_of, with_stored_key

NAMES = ("GEMINI_API_KEY", "GOOGLE_API_KEY")


class KeyringError(Exception):
    pass


class NoKeyringError(KeyringError):
    pass


def keyring_that(monkeypatch: pytest.MonkeyPatch, says: dict[str, str] | KeyringError) -> None:
    """The outside: the ``keyring`` package."""

    def get_password(service: str, name: str) -> str | None:
        if isinstance(says, KeyringError):
            raise says
        return says.get(f"{service}/{name}")

    package, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    package.get_password = get_password  # type: ignore[attr-defined]
    errors.KeyringError, errors.NoKeyringError = KeyringError, NoKeyringError  # type: ignore[attr-defined]
    package.errors = errors  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", package)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)


def test_the_environment_comes_first() -> None:
    environ = {"GOOGLE_API_KEY": "here"}
    assert with_stored_key(environ, NAMES, lambda name: "there") is environ


def test_a_key_in_the_keyring_is_used_and_masked_where_the_environment_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keyring_that(monkeypatch, {"kgraph/GOOGLE_API_KEY": "very-secret-words"})
    environ = with_stored_key({"PATH": "/bin"}, NAMES)
    assert environ == {"PATH": "/bin", "GOOGLE_API_KEY": "very-secret-words"}
    assert "very-secret-words" not in mask_of(environ)("it says very-secret-words")


def test_without_the_package_or_a_keyring_there_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring_that(monkeypatch, NoKeyringError("none"))
    assert in_keyring("OPENAI_API_KEY") == ""
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert in_keyring("OPENAI_API_KEY") == ""


def test_a_keyring_that_is_locked_is_a_refusal_that_says_what_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keyring_that(monkeypatch, KeyringError("locked"))
    with pytest.raises(UsageError, match="locked"):
        in_keyring("OPENAI_API_KEY")


def test_each_provider_says_which_variables_it_reads() -> None:
    assert key_variables("gemini/m") == NAMES
    assert key_variables("recorded/folder") == ()
