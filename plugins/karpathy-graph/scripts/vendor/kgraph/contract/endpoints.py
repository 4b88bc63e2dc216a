"""Which nodes a text at an edge's end can mean: by id, then exact name, folded name, folded alias; the payload before the graph."""

from __future__ import annotations

from collections.abc import Iterable
from json.encoder import encode_basestring_ascii as _quoted

from kgraph.contract.nodes import Nodes
from kgraph.contract.view import Held, View
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple


class End(NamedTuple):
    """A node that an end can mean. ``held`` is there for a node that the graph has and the payload hasn't."""

    id: str
    type: str
    name: str
    held: Held | None = None


Ends = tuple[End, ...]

_CROWD = 8


class Directory:
    """All names of the payload's nodes, and after ``ask`` of the graph's, each with what it can mean.

    ``plain`` gives type and id of the one node that a text means by exact name; ``find`` knows all other cases.
    """

    def __init__(self, nodes: Nodes, clashing: set[str], complete: bool = True) -> None:
        self._nodes = nodes
        self._clashing = clashing
        self._complete = complete  # false: the list of nodes can't be read, so any end may be in it
        self._by_id: dict[str, int] | None = None
        self._named: dict[str, Ends] = {}
        self._folded: dict[str, Ends] = {}
        self._aliases: dict[str, Ends] = {}
        self._found: dict[str, Ends] = {}
        self._ends: dict[str, End] = {}
        # most payloads have one node for each name and no ids of their own: then this table is all that is needed
        self.plain: dict[str | None, tuple[str, str]] = dict(
            zip(nodes.names, zip(nodes.types, nodes.ids, strict=True), strict=True)
        )
        if (
            len(self.plain) != nodes.count
            or nodes.given
            or None in self.plain
            or not self.plain.keys().isdisjoint(nodes.ids)
        ):
            self.plain = {}
            self._sort_out()

    def find(self, text: str) -> Ends:
        """What the text can mean in the payload, or in the graph if it was asked; () if nothing has that name."""
        found = self._found.get(text)
        if found is None:
            if self._by_id is None:
                self._index()
            number = (self._by_id or {}).get(text)
            if number is not None:
                found = (self._end(number),)
            elif text in self._named:
                found = self._named[text]
            else:
                folded = fold(text)
                found = self._folded.get(folded) or self._aliases.get(folded, ())
            self._found[text] = found
        return found

    def is_refused(self, text: str) -> bool:
        """Whether the text names a node of the payload that was refused, so that nothing more need be said about the end."""
        if not self._complete or text in self._clashing:
            return True
        refused = self._nodes.refused
        return bool(refused) and (text in refused or fold(text) in refused)

    def ask(self, texts: Iterable[str], view: View) -> dict[str, Held]:
        """Look up in the graph what the payload doesn't name; returns the withdrawn nodes whose ids were named."""
        asked = [text for text in dict.fromkeys(texts) if not self.find(text)]
        if not asked:
            return {}
        by_id = view.by_ids(asked)
        folds = {text: fold(text) for text in asked}
        by_name = view.by_names(list(dict.fromkeys(folds.values())))
        withdrawn: dict[str, Held] = {}
        for text, folded in folds.items():
            held = by_id.get(text)
            if held is not None and held.live:
                self._found[text] = (self._of_graph(held),)
                continue
            if held is not None:
                withdrawn[text] = held
            named = by_name.get(folded, [])
            steps = (
                [item for item in named if item.name == text],
                [item for item in named if fold(item.name) == folded],
                named,
            )
            ends: Ends = ()
            for item in next((step for step in steps if step), []):
                ends = _joined(ends, self._of_graph(item))
            self._found[text] = ends
        return withdrawn

    def _end(self, number: int) -> End:
        # one End for each id: nodes that are one by identity are one meaning
        id_ = self._nodes.ids[number]
        end = self._ends.get(id_)
        if end is None:
            event = self._nodes.events[number] or {}
            end = self._ends[id_] = End(id_, self._nodes.types[number], event["name"])
        return end

    def _of_graph(self, held: Held) -> End:
        # a node that the payload asserts too is the payload's, under whatever name the edge knows it
        own = (self._by_id or {}).get(held.id)
        return End(held.id, held.type, held.name, held) if own is None else self._end(own)

    def _sort_out(self) -> None:
        """Leave in ``plain`` only names that mean one node, whose id is safe to write as it is and no other node's id."""
        self._index()
        by_id = self._by_id or {}
        for name, ends in self._named.items():
            if len(ends) == 1 and name not in by_id and _quoted(ends[0].id) == f'"{ends[0].id}"':
                self.plain[name] = (ends[0].type, ends[0].id)

    def _index(self) -> None:
        nodes = self._nodes
        by_id: dict[str, int] = {}
        for number, event in enumerate(nodes.events):
            if event is None:
                continue
            by_id.setdefault(nodes.ids[number], number)
            end = self._end(number)
            self._named[event["name"]] = _joined(self._named.get(event["name"], ()), end)
            folded = nodes.folds[number]
            self._folded[folded] = _joined(self._folded.get(folded, ()), end)
            for alias in event.get("aliases", ()):
                key = fold(alias)
                self._aliases[key] = _joined(self._aliases.get(key, ()), end)
        for number, key in enumerate(nodes.keys):
            if key:  # an id that repair has forgotten comes back as the one that type and identity key make
                by_id.setdefault(key, number)
        self._by_id = by_id


def _joined(ends: Ends, end: End) -> Ends:
    """One more meaning of a name. Of a crowd only a few of each type are kept: enough to be ambiguous, and the cost stays linear."""
    if end in ends or (len(ends) >= _CROWD and sum(other.type == end.type for other in ends) >= 3):
        return ends
    return (*ends, end)
