"""Which nodes a text at an edge's end can mean: by id, then exact name, folded name, folded alias; the payload before the graph."""

from __future__ import annotations

from collections.abc import Iterable
from json.encoder import encode_basestring_ascii as _quoted
from typing import NamedTuple

from kgraph.contract.nodes import Nodes
from kgraph.contract.view import Held, View
from kgraph.ontology import fold


class End(NamedTuple):
    """A node that an end can mean. ``quoted`` is its id as a JSON string; ``held`` is there for a node of the graph alone."""

    id: str
    type: str
    quoted: str
    name: str
    held: Held | None = None


Ends = tuple[End, ...]

_CROWD = 8


class Directory:
    """All names of the payload's nodes, and after ``ask`` of the graph's, each with what it can mean.

    ``names`` is also the memo: a text that was looked up once is found there.
    """

    def __init__(self, nodes: Nodes, clashing: set[str], complete: bool = True) -> None:
        self._nodes = nodes
        self._clashing = clashing
        self._complete = complete  # false: the list of nodes can't be read, so any end may be in it
        self._by_id: dict[str, Ends] = {}
        self._folded: dict[str, Ends] = {}
        self._aliases: dict[str, Ends] | None = None
        self.names: dict[str, Ends] = {}
        names = self.names
        by_id = self._by_id
        for event, id_ in zip(nodes.events, nodes.ids, strict=True):
            if event is None:
                continue
            name = event["name"]
            ends = by_id.get(id_)
            if ends is None:
                ends = by_id[id_] = (End(id_, event["type"], _quoted(id_), name),)
            names[name] = _joined(names[name], ends[0]) if name in names else ends
        for number in nodes.given:
            # an id that repair has forgotten comes back as the one that type and key make
            if nodes.keys[number]:
                by_id.setdefault(nodes.keys[number], by_id[nodes.ids[number]])
        for id_ in by_id.keys() & names.keys():
            names[id_] = by_id[id_]

    def find(self, text: str) -> Ends:
        """What the text can mean in the payload; () if nothing there has that name."""
        found = self.names.get(text)
        if found is None:
            found = self._by_id.get(text)
            if found is None:
                if self._aliases is None:
                    self._aliases = self._index_folded()
                folded = fold(text)
                found = self._folded.get(folded) or self._aliases.get(folded, ())
            if found:
                self.names[text] = found
        return found or ()

    def is_refused(self, text: str) -> bool:
        """Whether the text names a node of the payload that was refused, so that nothing more need be said about the end."""
        if not self._complete or text in self._clashing:
            return True
        refused = self._nodes.refused
        return bool(refused) and (text in refused or fold(text) in refused)

    def ask(self, texts: Iterable[str], view: View) -> dict[str, Held]:
        """Look up in the graph what the payload doesn't name; returns the withdrawn nodes whose ids were named."""
        asked = [text for text in dict.fromkeys(texts) if text not in self.names]
        if not asked:
            return {}
        by_id = view.by_ids(asked)
        folds = {text: fold(text) for text in asked}
        by_name = view.by_names(list(dict.fromkeys(folds.values())))
        withdrawn: dict[str, Held] = {}
        for text, folded in folds.items():
            held = by_id.get(text)
            if held is not None and held.live:
                self.names[text] = (self._end(held),)
                continue
            if held is not None:
                withdrawn[text] = held
            named = by_name.get(folded, [])
            steps = (
                [item for item in named if item.name == text],
                [item for item in named if fold(item.name) == folded],
                named,
            )
            found = next((step for step in steps if step), [])
            if found:
                ends: Ends = ()
                for item in found:
                    ends = _joined(ends, self._end(item))
                self.names[text] = ends
        return withdrawn

    def _end(self, held: Held) -> End:
        # a node that the payload asserts too is the payload's, under whatever name the edge knows it
        own = self._by_id.get(held.id)
        return own[0] if own and own[0].id == held.id else End(held.id, held.type, _quoted(held.id), held.name, held)

    def _index_folded(self) -> dict[str, Ends]:
        aliases: dict[str, Ends] = {}
        for number, event in enumerate(self._nodes.events):
            if event is None:
                continue
            end = self._by_id[self._nodes.ids[number]][0]
            folded = self._nodes.folds[number]
            self._folded[folded] = _joined(self._folded.get(folded, ()), end)
            for alias in event.get("aliases", ()):
                key = fold(alias)
                aliases[key] = _joined(aliases.get(key, ()), end)
        return aliases


def _joined(ends: Ends, end: End) -> Ends:
    """One more meaning of a name. Of a crowd only a few of each type are kept: they are enough to be ambiguous, and keep the cost linear."""
    if end in ends or len(ends) >= _CROWD and sum(other.type == end.type for other in ends) >= 3:
        return ends
    return (*ends, end)
