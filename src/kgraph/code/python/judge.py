"""Which methods a call by name enters, once all that may stand before the dot is known."""

from __future__ import annotations

from collections.abc import Iterable

from kgraph.code.python.apply import MOST_LIVE, Applier, Edge, Open, Site
from kgraph.code.python.certainty import identity
from kgraph.code.python.scopes import Class, Function, Scope, Value
from kgraph.code.python.store import Store
from kgraph.code.suites import is_of_tests

_MOST_REPLACED = 2  # subclasses' methods beside which a class's own is still sure to be entered
MOST_POSSIBLE = 12  # methods that may stand at one call; more is a crossroads
_MOST_TARGETS = 2  # of a method call whose receivers were all seen being made; more is a crossroads


class Judge:
    def __init__(self, classes: Iterable[Class], store: Store, applier: Applier) -> None:
        self._store, self._apply = store, applier
        self.open: dict[Open, None] = {}
        self.possible: dict[Edge, None] = {}  # what a call may enter, but not for certain
        self._subclasses: dict[int, list[Class]] = {}
        for cls in classes:
            for base in store.order(cls)[1:]:
                if base is not None:
                    self._subclasses.setdefault(id(base), []).append(cls)

    def certain(self, site: Site, receivers: Iterable[Value]) -> list[Edge]:
        """What a method call enters: everything that was seen being made there, or what all that may stand there agree on."""
        found: dict[Function, None] = {}
        made = {
            function: None for _, function, (_, _, how) in receivers if how in ("made", "given")
        }
        found |= made
        open_ended = any(how == "given" for _, _, (_, _, how) in receivers)
        late = open_ended
        for _, function, (_, cls, how) in receivers:
            if how in ("said", "lent", "self"):
                open_ended = late = True
                found |= dict.fromkeys(
                    self._candidates(self._selves(cls, site.caller, how), site.name, function)
                )
        found = {function: None for function in found if not function.is_abstract}
        if not is_of_tests(site.caller.uri):  # a double of the tests stands in for nothing here
            found = {one: None for one in found if not is_of_tests(one.scope.uri)}
        most = (
            1
            if open_ended
            else MOST_LIVE
            if self._apply.is_live(site.caller) and not late
            else _MOST_TARGETS
        )
        if len({identity(("f", function)) for function in found}) > most:
            own = self._own(receivers, site) if len(found) <= _MOST_REPLACED + 1 else None
            if len(found) <= MOST_POSSIBLE:
                self.possible |= {
                    Edge(site.caller, function, "possible-call", site.place): None
                    for function in found
                    if function is not own
                }
            if own is not None:
                return [Edge(site.caller, own, "call", site.place)]
            self.open[
                Open(site.caller.uri, site.place, site.name, "call: several methods may stand here")
            ] = None
            return []
        return [Edge(site.caller, function, "call", site.place) for function in found]

    def _own(self, receivers: Iterable[Value], site: Site) -> Function | None:
        """The method of the very class in which the call is written, if objects that have it are made: it is entered, whatever
        subclasses enter besides."""
        owner = site.caller.owner
        if owner is None or not any(
            how == "self" and cls is owner for _, _, (_, cls, how) in receivers
        ):
            return None
        methods = [
            function
            for function in self._methods(owner, site.name)
            if not function.is_setter and not function.is_abstract
        ]
        if len({identity(("f", function)) for function in methods}) != 1:
            return None
        having = [
            cls
            for cls in self._selves(owner, site.caller, "self")
            if methods[0] in self._methods(cls, site.name)
        ]
        return methods[0] if any(id(cls) in self._apply.made for cls in having) else None

    def below(self, cls: Class) -> list[Class]:
        """All subclasses of a class."""
        return self._subclasses.get(id(cls), [])

    def _selves(self, cls: Class, caller: Scope, how: str) -> list[Class]:
        """The class and those of its subclasses that may stand there: ``self`` is of none that replaces the very method."""
        below = self._subclasses.get(id(cls), [])
        method = caller.function
        if (
            how != "self"
            or method is None
            or method.owner is not cls
            or ("past an override", method) in self._apply.facts
        ):
            return [cls, *below]
        return [
            cls,
            *(kind for kind in below if method in self._methods(kind, method.record["name"])),
        ]

    def _candidates(self, kinds: list[Class], name: str, own: Function) -> list[Function]:
        """The methods of that name among some classes."""
        found = {
            function: None
            for kind in kinds
            for function in self._methods(kind, name)
            if not function.is_setter
        }
        return list(found) or [own]

    def _methods(self, cls: Class, name: str) -> list[Function]:
        hit = self._store.find(cls, name)
        return [value[1] for value in hit[1] if value[0] == "f"] if hit else []
