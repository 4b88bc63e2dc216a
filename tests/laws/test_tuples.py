"""Our named tuples beside the standard ones: whatever can be done with one can be done with the other, to the same effect."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgraph import tuples


class Ours(tuples.NamedTuple):
    """Some fields."""

    x: int
    y: str = "why"
    z: tuple[int, ...] = ()

    def twice(self) -> int:
        return 2 * self.x


class Theirs(typing.NamedTuple):
    """Some fields."""

    x: int
    y: str = "why"
    z: tuple[int, ...] = ()

    def twice(self) -> int:
        return 2 * self.x


class Ours_derived(Ours):
    pass


def both(do: Callable[[typing.Any], object]) -> tuple[object, object]:
    return tuple(_outcome(do, kind) for kind in (Ours, Theirs))  # type: ignore[return-value]


def _outcome(do: Callable[[typing.Any], object], kind: type) -> object:
    try:
        return str(do(kind)).replace(kind.__name__, "_")
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


WAYS: list[Callable[[typing.Any], object]] = [
    lambda kind: kind(1),
    lambda kind: kind(1, "b", (2,)),
    lambda kind: kind(y="b", x=3),
    lambda kind: kind(),
    lambda kind: kind(1, x=2),
    lambda kind: kind(1, "b", (), 4),
    lambda kind: kind(1, other=2),
    lambda kind: kind(1) == (1, "why", ()),
    lambda kind: hash(kind(1)),
    lambda kind: kind(1)._replace(y="c"),
    lambda kind: kind(1)._replace(q="c"),
    lambda kind: kind(1)._asdict(),
    lambda kind: kind._make([1, 2, 3]),
    lambda kind: kind._make([1, 2]),
    lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__),
    lambda kind: kind(4).twice(),
    lambda kind: [*kind(1)],
    lambda kind: kind(2) < kind(3),
    lambda kind: typing.get_type_hints(kind),
    lambda kind: [(one.name, one.default) for one in inspect.signature(kind).parameters.values()],
    lambda kind: pickle.loads(pickle.dumps(kind(5))),
    lambda kind: copy.deepcopy(kind(5, z=(1,))),
    lambda kind: setattr(kind(1), "x", 2),
    lambda kind: setattr(kind(1), "w", 2),
    lambda kind: kind(1).__dict__,
]


@pytest.mark.parametrize("do", WAYS, ids=range(len(WAYS)))
def test_what_is_done_with_ours_comes_out_as_with_the_standard_ones(
    do: Callable[[typing.Any], object],
) -> None:
    ours, theirs = both(do)
    assert ours == theirs


@given(st.integers(), st.text(), st.lists(st.integers()).map(tuple))
def test_fields_come_back_as_given(x: int, y: str, z: tuple[int, ...]) -> None:
    one = Ours(x, y, z)
    assert (one.x, one.y, one.z) == (x, y, z) == tuple(one)
    assert repr(one) == repr(Theirs(x, y, z)).replace("Theirs", "Ours")


def test_a_class_derived_from_one_makes_its_own_kind() -> None:
    assert type(Ours_derived(1)) is Ours_derived
    assert isinstance(Ours_derived(1)._replace(x=2), Ours_derived)


def test_a_pattern_takes_it_apart() -> None:
    match Ours(1, "b"):
        case Ours(x, y):
            assert (x, y) == (1, "b")


def test_a_first_instance_can_be_made_by_many_threads_at_once() -> None:
    for _ in range(20):
        kind = type(tuples.NamedTuple)(
            "Fresh", (tuples.NamedTuple,), {"__annotations__": {"a": "int"}}
        )
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(kind, range(50))) == [(n,) for n in range(50)]


@pytest.mark.parametrize(
    ("space", "error"),
    [
        ({"__annotations__": {"a": "int", "b": "int"}, "a": 1}, TypeError),
        ({"__annotations__": {"_a": "int"}}, ValueError),
        ({"__annotations__": {"a": "int"}, "__init__": print}, AttributeError),
    ],
)
def test_a_class_that_can_not_be_is_refused(
    space: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        type(tuples.NamedTuple)("Wrong", (tuples.NamedTuple,), dict(space))
