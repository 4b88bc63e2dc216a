"""Texts that are no payload, and where the fault in them is said to be."""

from __future__ import annotations

import gc
import json

import pytest

from kgraph.contract import MemoryView, admit, decode


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('{"a":1,"a":2}', ["$.a"]),
        ('{"a":1,"\\u0061":2}', ["$.a"]),
        ('{"a":NaN,"b":[1,{"c":1e999}]}', ["$.a", "$.b[1].c"]),
        ('{"a":-Infinity}', ["$.a"]),
        ('{"a":"\\ud800"}', ["$.a"]),
        ('{"a":"x\\uDC00y","b":"\\ud83d\\ude00"}', ["$.a"]),
        ('{"nodes":[{"\\ud800":1}]}', ['$.nodes[0]["\\ud800"]']),
        ('{"a":' + "9" * 5000 + "}", ["$.a"]),
        ("[]", ["$"]),
        ("3", ["$"]),
        ('"x"', ["$"]),
        ("", ["$"]),
        ('{"a":1', ["$"]),
        ('{"a":1,}', ["$"]),
        ('{"a":1}x', ["$"]),
        ("{'a':1}", ["$"]),
        ('{"a":"\x01"}', ["$"]),
        ('{"a":01}', ["$"]),
        ("\x00", ["$"]),
    ],
)
def test_faults_of_a_text_are_e101_at_their_place(text: str, paths: list[str]) -> None:
    _, problems = decode(text)
    assert [(problem.code, problem.path) for problem in problems] == [
        ("E101", path) for path in paths
    ]


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000, "{" * 100_000]
)
def test_a_bomb_of_brackets_is_refused_and_crashes_nothing(text: str) -> None:
    payload, problems = decode(text)
    assert payload is None and {problem.code for problem in problems} == {"E101"}


def test_sixty_four_levels_are_read_and_no_more() -> None:
    assert decode('{"a":' + "[" * 63 + "]" * 63 + "}")[1] == []
    deep = decode('{"a":' + "[" * 64 + "]" * 64 + "}")[1]
    assert [problem.path for problem in deep] == ["$.a" + "[0]" * 63]


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe{}", b'{"a":"\xed\xa0\x80"}', b'{"a":"\xc3"}', '{"a":"\u00e9"}'.encode("latin-1")],
)
def test_bytes_that_are_no_utf8_are_refused(data: bytes) -> None:
    payload, problems = decode(data)
    assert payload is None and problems[0].path == "$" and "UTF-8" in problems[0].message


def test_a_text_with_a_lone_surrogate_in_it_is_refused() -> None:
    assert [problem.path for problem in decode('{"a":"\ud800"}')[1]] == ["$.a"]


@pytest.mark.parametrize(
    "text",
    [
        '{"a":"\\\\ud800"}',
        '{"a":"\\ud83d\\ude00"}',
        '{"a":"\\\\\\ud83d\\ude00 \\\\udc00"}',
        '{"a":1e308,"b":-0.0}',
    ],
)
def test_what_only_looks_like_a_fault_is_none(text: str) -> None:
    assert decode(text) == (json.loads(text), [])


def test_a_byte_order_mark_is_tolerated_in_bytes_and_text() -> None:
    assert decode(b"\xef\xbb\xbf{}") == ({}, [])
    assert decode("\ufeff{}") == ({}, [])


def test_faults_of_the_text_and_of_the_payload_are_reported_together() -> None:
    text = '{"nodes":[{"type":"Persn","name":"x"},{"type":"Entity","name":"a","attrs":{"x":NaN}}],"edges":[]}'
    assert [(problem.code, problem.path) for problem in admit(text, MemoryView()).errors] == [
        ("E102", "$.nodes[0].type"),
        ("E101", "$.nodes[1].attrs.x"),
    ]


def test_decoding_leaves_the_collector_as_it_was() -> None:
    assert gc.isenabled()
    decode("{}")
    assert gc.isenabled()
    gc.disable()
    try:
        decode("{")
        assert not gc.isenabled()
    finally:
        gc.enable()
