"""The quick way to write an event gives the same text as the plain one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgraph.events.canonical import canonical, canonical_event

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(), values, max_size=8))
def test_both_ways_of_writing_an_event_agree(event: dict[str, Any]) -> None:
    assert canonical_event(event) == canonical(event)
    assert json.loads(canonical_event(event)) == event


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_event({"confidence": value})
