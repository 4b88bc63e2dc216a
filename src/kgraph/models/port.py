"""What a language model is to kgraph: text and a schema go in, a ``Reply`` comes out. No tools, no memory; streaming where a provider has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from kgraph.model import Json, Reply
from kgraph.tuples import NamedTuple


class Request(NamedTuple):
    """One call. ``instructions`` are the same for every unit of a run, ``prompt`` is not.

    ``schema`` is a JSON Schema in the strict subset (everything required and nullable, no free maps), or None for free text.
    ``temperature`` None leaves the provider's own default, since some models refuse any other.
    """

    instructions: str
    prompt: str
    schema: Json = None
    max_output_tokens: int = 16_000
    temperature: float | None = None


class Model(Protocol):
    """``name`` is ``provider/model``. ``complete`` may be called from several threads; it raises ``CallFailed`` and nothing else.

    ``close`` may be called while another thread is in ``complete``: what is running ends.
    """

    @property
    def name(self) -> str: ...

    def complete(self, request: Request) -> Reply: ...

    def close(self) -> None: ...


@runtime_checkable
class StreamingModel(Model, Protocol):
    """A model that can be overheard: ``heard`` gets the text of the reply in pieces while it is written; the reply is the same."""

    def complete_overheard(self, request: Request, heard: Callable[[str], None]) -> Reply: ...
