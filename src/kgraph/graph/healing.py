"""What is asked of a graph is asked once more when the index was at fault, and was made again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from kgraph.errors import UsageError

if TYPE_CHECKING:
    from kgraph.graph import Graph

LEFT_ALONE = ("close",)  # methods that ask nothing of the index

Kind = TypeVar("Kind", bound="type[Graph]")


def heals(kind: Kind) -> Kind:
    """Let every public method of a Graph be called once more after its index was found damaged and made again."""
    for name, member in list(vars(kind).items()):
        if not name.startswith("_") and name not in LEFT_ALONE and callable(member):
            setattr(kind, name, _again(member))
    return kind


def _again(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def called(graph: Graph, *arguments: Any, **named: Any) -> Any:
        written = len(graph.engine.written)
        try:
            return method(graph, *arguments, **named)
        except UnicodeEncodeError:
            raise UsageError(
                "an argument holds half a surrogate pair, which is no character and can't be written as UTF-8",
                "nothing in a graph does: give text",
            ) from None
        except Exception as error:  # whatever a damaged index makes of an answer
            if len(graph.engine.written) == written and graph.engine.heal(error):
                return method(graph, *arguments, **named)
            raise

    return called
