"""Who calls whom in Java: what the declared type of a value shows, where nothing below it may stand in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kgraph.code.facts import FileFacts
from kgraph.code.flow import OUTSIDE, SEVERAL, UNTYPED, Expr, Flow, Value, unknown
from kgraph.code.kept import Kept

# Classes that need no import and no source: a name that nothing else explains is one of these.
_LANG = frozenset(
    "Object String StringBuilder StringBuffer Math StrictMath System Thread Runnable Iterable Comparable CharSequence Number Integer Long "
    "Short Byte Double Float Boolean Character Void Enum Record Class ClassLoader Package Process ProcessBuilder Runtime ThreadLocal "
    "AutoCloseable Cloneable Appendable Readable Throwable Exception RuntimeException Error AssertionError ArithmeticException "
    "ArrayIndexOutOfBoundsException ArrayStoreException ClassCastException ClassNotFoundException CloneNotSupportedException "
    "IllegalArgumentException IllegalStateException IllegalAccessException IllegalMonitorStateException IndexOutOfBoundsException "
    "InstantiationException InterruptedException NegativeArraySizeException NoSuchFieldException NoSuchMethodException "
    "NullPointerException NumberFormatException ReflectiveOperationException SecurityException StringIndexOutOfBoundsException "
    "UnsupportedOperationException OutOfMemoryError StackOverflowError LinkageError NoClassDefFoundError ExceptionInInitializerError "
    "Override Deprecated FunctionalInterface SafeVarargs SuppressWarnings StackTraceElement InheritableThreadLocal ThreadGroup "
    "VirtualMachineError InternalError StackWalker Module ModuleLayer ProcessHandle".split()
)
_OBJECT = frozenset(
    "getClass hashCode equals toString notify notifyAll wait clone finalize".split()
)
_OF_ENUM = frozenset("name ordinal compareTo getDeclaringClass describeConstable".split())
# Members of the standard containers that give one of what they hold, and those that give another container of it.
_ONE = frozenset(
    "get getFirst getLast next previous peek poll pop remove orElse orElseGet orElseThrow first last element take getOrDefault put join "
    "elementAt firstElement lastElement pollFirst pollLast peekFirst peekLast removeFirst removeLast getValue getNow".split()
)
_SAME = frozenset(
    "stream parallelStream iterator listIterator filter sorted distinct limit skip findFirst findAny values subList reversed toList "
    "descendingIterator peekEach or".split()
)
# Interfaces that classes without a name implement most, with all that they have: what is called there by another name is the sources'.
_KNOWN = {
    "Runnable": {"run"},
    "Callable": {"call"},
    "Supplier": {"get"},
    "Consumer": {"accept", "andThen"},
    "Function": {"apply", "andThen", "compose"},
    "Predicate": {"test", "and", "or", "negate"},
    "Comparable": {"compareTo"},
    "Comparator": {
        "compare",
        "reversed",
        "thenComparing",
        "thenComparingInt",
        "thenComparingLong",
        "thenComparingDouble",
    },
    "Iterable": {"iterator", "forEach", "spliterator"},
    "Iterator": {"hasNext", "next", "remove", "forEachRemaining"},
    "AutoCloseable": {"close"},
    "Closeable": {"close"},
    "Serializable": set(),
    "Cloneable": set(),
}
Place = tuple[str, str]  # uri, symbol
_KEPT_ANEW = 4000  # methods of which it is remembered what defines them anew


class JavaFlow(Flow):
    def __init__(
        self,
        files: Mapping[str, FileFacts],
        found: Callable[[str, str], str],
        packages: Mapping[str, str],
    ) -> None:
        """``found`` gives the file of a type by its full name as seen from a file, '' if it is none of the run."""
        super().__init__(files)
        self._found, self._packages = found, packages
        self._below = self.below()
        self._anew: Kept[tuple[Place, str, int], frozenset[Place]] = Kept(
            lambda key: self._defined_anew(*key), _KEPT_ANEW
        )
        self._nameless: dict[Place, set[str]] = {}  # what classes without a name define anew
        for uri in files:
            for _, _, symbol, bases, methods in self.body(uri).more.get("frames", ()):
                for base in bases if not symbol else ():
                    above = self.value(base, uri)
                    if above.kind == "type":
                        self._nameless.setdefault((above.uri, above.name), set()).update(methods)

    # -- names -----------------------------------------------------------------------------------------------------------------------

    def special(self, expr: Expr, uri: str) -> Value:
        operator = expr[0]
        if operator == "T":
            return self._type(uri, expr[1], expr[2])
        if (
            operator == "g"
        ):  # List<T>, Map<K, V>: of the sources a type, else a container of the last
            base = self.value(expr[1], uri)
            is_container = base.kind == "outside" and base.name not in (
                "Class",
                "Comparable",
                "ThreadLocal",
            )
            return (
                Value("holder", inner=(self.instance(expr[2][-1], uri),)) if is_container else base
            )
        if operator == "m":
            return self._unqualified(uri, expr[1], expr[2], expr[3])
        if operator in ("this", "super"):
            return self._this(uri, expr[1], operator == "super")
        if operator == "make":
            made = self.value(expr[1], uri)
            return OUTSIDE if made.kind in ("holder", "object") else made
        return self._constructor_of(uri, expr)

    def outer(self, uri: str, name: str, at: int) -> Value:
        past: Value | None = None
        for frame in self._frames(uri, at):
            for owner in self._owners(uri, frame):
                if owner.kind != "type":
                    past = past or owner
                    continue
                for above in self.lineage(owner):
                    held = self.about(above)["fields"].get(name) if above.kind == "type" else None
                    if held is not None:
                        return self.bound([0, 0, *held], above.uri)
                    past = past or (above if above.kind != "type" else None)
        for one in self._files[uri].imports:
            if one.form == "static" and name in (
                one.target.rpartition(".")[2],
                one.names[0][0].replace("*", name),
            ):
                home = self._full(
                    one.target if one.names[0][0] == "*" else one.target.rpartition(".")[0], uri
                )
                field = self.about(home)["fields"].get(name) if home is not None else None
                if home is not None and field is not None:
                    return self.bound([0, 0, *field], home.uri)
        if name[:1].isupper():
            return self._type(uri, name, at)
        if any(package == name or package.startswith(f"{name}.") for package in self._packages):
            return Value("module", name)
        return (
            past
            if past is not None
            else OUTSIDE
            if any(found.form == "static" for found in self._files[uri].imports)
            else UNTYPED
        )

    def inside(self, module: Value, name: str) -> Value:
        full = f"{module.uri}.{name}"
        found = self._full(full, "")
        if found is not None:
            return found
        return Value("module", full) if name[:1].islower() else OUTSIDE

    def _type(self, uri: str, name: str, at: int) -> Value:
        if any(start <= at < end for start, end, *_ in self.body(uri).names.get(f"T:{name}", ())):
            return UNTYPED
        past: Value | None = None
        for frame in self._frames(uri, at):
            if frame[2] == name or frame[2].endswith(f".{name}"):
                return Value("type", uri, frame[2])
            for owner in self._owners(uri, frame):
                for above in self.lineage(owner) if owner.kind == "type" else ():
                    if (
                        above.kind == "type"
                        and self.kind(above.uri, f"{above.name}.{name}") == "class"
                    ):
                        return Value("type", above.uri, f"{above.name}.{name}")
                    past = past or (above if above.kind != "type" else None)
        if self.kind(uri, name) == "class":
            return Value("type", uri, name)
        imports = self._files[uri].imports
        for one in imports:
            if one.names[0][0] != "*" and one.target.rpartition(".")[2] == name:
                return self._full(one.target, uri) or Value("outside", name=name)
        package = self._files[uri].module
        same = self._full(f"{package}.{name}" if package else name, uri)
        if same is not None:
            return same
        starred = [one.target for one in imports if one.names[0][0] == "*"]
        for target in starred:
            here = self._full(f"{target}.{name}", uri)
            if here is not None:
                return here
        if name[:1].islower():  # the beginning of a full name
            ours = any(
                package == name or package.startswith(f"{name}.") for package in self._packages
            )
            return Value("module", name) if ours else OUTSIDE
        if (
            past is not None
            or name in _LANG
            or any(target not in self._packages for target in starred)
        ):
            return Value("outside", name=name)
        return unknown("no such type among the sources")

    def _full(self, name: str, uri: str) -> Value | None:
        """A type by its full name, also one inside another."""
        outer = name
        while outer:
            place = self._found(outer, uri)
            if place:
                package = self._files[place].module
                symbol = name[len(package) + 1 :] if package else name
                return Value("type", place, symbol) if self.kind(place, symbol) == "class" else None
            outer = outer.rpartition(".")[0]
        return None

    def _frames(self, uri: str, at: int) -> Iterator[list[Any]]:
        """The class bodies around a place, innermost first."""
        around = [
            frame for frame in self.body(uri).more.get("frames", ()) if frame[0] <= at < frame[1]
        ]
        return iter(sorted(around, key=lambda frame: -frame[0]))

    def _owners(self, uri: str, frame: list[Any]) -> list[Value]:
        return (
            [Value("type", uri, frame[2])]
            if frame[2]
            else [self.value(base, uri) for base in frame[3]]
        )

    def _this(self, uri: str, at: int, above: bool) -> Value:
        frame = next(self._frames(uri, at), None)
        if frame is None:
            return UNTYPED
        owners = self._owners(uri, frame)
        if not frame[2]:
            return (
                unknown("of a class without a name")
                if not above or len(owners) != 1
                else self.made(owners[0])._replace(exact=True)
            )
        if not above:
            return Value("object", uri, frame[2])
        bases = list(self.bases(owners[0]))
        return self.made(bases[0])._replace(exact=True) if bases else OUTSIDE

    # -- methods ---------------------------------------------------------------------------------------------------------------------

    def _unqualified(self, uri: str, name: str, given: int, at: int) -> Value:
        """The innermost class that has a method of that name decides, then the static imports."""
        past: Value | None = None
        for frame in self._frames(uri, at):
            if not frame[2] and name in frame[4]:
                return unknown("a method of a class without a name")
            for owner in self._owners(uri, frame):
                here = owner if owner.kind == "type" else None
                found = self._member(self.made(owner), name, given) if here is not None else owner
                if found.kind in ("function", "implicit") or found == SEVERAL:
                    return (
                        found
                        if past is None
                        else unknown("a base outside the sources may define it as well")
                    )
                if here is not None and any(
                    f"{above.name}.{name}" in self.body(above.uri).functions
                    for above in self.lineage(here)
                    if above.kind == "type"
                ):
                    return found
                above = self.lineage(here) if here is not None else [owner]
                past = next(
                    (one for one in above if one.kind != "type" and not self.lacks(one, name)), past
                )
        for one in self._files[uri].imports:
            if one.form == "static" and (
                one.names[0][0] == "*" or one.target.rpartition(".")[2] == name
            ):
                home = self._full(
                    one.target if one.names[0][0] == "*" else one.target.rpartition(".")[0], uri
                )
                if home is None:
                    past = OUTSIDE
                    continue
                hit = self._member(home, name, given)
                if hit.kind == "function":
                    return hit
        return past or (OUTSIDE if name in _OBJECT else unknown("no such method among the sources"))

    def method(self, owner: Value, name: str, given: int) -> Value | None:
        symbol = f"{owner.name}.{name}"
        if self.kind(owner.uri, symbol) == "class":
            return Value("type", owner.uri, symbol) if given < 0 else None
        if given < 0:  # a field: methods have names of their own
            return None
        if self._fitting(owner.uri, symbol, given):
            return Value("function", owner.uri, symbol)
        about = self.about(owner)
        if about["kind"] == "record" and given == 0 and name in about["fields"]:
            return Value("implicit", inner=(self.bound([0, 0, *about["fields"][name]], owner.uri),))
        if about["kind"] == "enum" and given in (0, 1) and name in ("values", "valueOf"):
            one = Value("object", owner.uri, owner.name)
            return Value(
                "implicit", inner=(one if name == "valueOf" else Value("holder", inner=(one,)),)
            )
        return None

    def _fitting(self, uri: str, symbol: str, given: int) -> list[list[Any]]:
        definitions = self.body(uri).functions.get(symbol, ())
        return [
            one
            for one in definitions
            if given < 0
            or len(one[2]) == given
            or ("variadic" in one[1] and given >= len(one[2]) - 1)
        ]

    def chosen(self, receiver: Value, found: Value, given: int) -> Value:
        owner, _, name = found.name.rpartition(".")
        fitting = self._fitting(found.uri, found.name, given)
        words = {word for one in fitting for word in one[1].split()}
        types = {tuple(one[2]) for one in fitting}
        for above in self.lineage(Value("type", found.uri, owner))[1:]:
            for other in (
                self._fitting(above.uri, f"{above.name}.{name}", given)
                if above.kind == "type"
                else ()
            ):
                if tuple(other[2]) not in types and not any(
                    self._alike(one, other[2]) for one in types
                ):
                    return unknown("overloaded in several classes")
        if receiver.kind == "type" or receiver.exact or words & {"static", "private", "final"}:
            return found if "abstract" not in words else SEVERAL
        anew = self._anew(((receiver.uri, receiver.name), name, given))
        if "abstract" not in words:
            return found if not anew else SEVERAL
        alone = (
            next(iter(anew))
            if len(anew) == 1 and not self._is_functional(Value("type", found.uri, owner))
            else None
        )
        return Value("function", *alone) if alone is not None and alone[1] else SEVERAL

    def _alike(self, one: tuple[str, ...], other: list[str]) -> bool:
        """Two lists of parameter types of which one may override the other: equal but for type parameters."""
        return len(one) == len(other) and all(
            left == right
            or min(len(left), len(right)) == 1
            or left.partition("<")[0] == right.partition("<")[0]
            for left, right in zip(one, other, strict=True)
        )

    def _defined_anew(self, owner: Place, name: str, given: int) -> frozenset[Place]:
        """The methods that types below define or inherit from beside; one without a name is ('', '')."""
        found: set[Place] = set()
        queue, seen = [owner], {owner}
        while queue:
            here = queue.pop()
            if name in self._nameless.get(here, ()):
                found.add(("", ""))
            for below in self._below.get(here, ()):
                if self._fitting(below[0], f"{below[1]}.{name}", given):
                    if any(
                        "abstract" not in one[1].split()
                        for one in self._fitting(below[0], f"{below[1]}.{name}", given)
                    ):
                        found.add((below[0], f"{below[1]}.{name}"))
                else:
                    found |= self._from_beside(below, owner, name, given)
                if below not in seen:
                    seen.add(below)
                    queue.append(below)
        return frozenset(found)

    def _from_beside(self, below: Place, owner: Place, name: str, given: int) -> set[Place]:
        """A class that implements an interface by what it inherits from another class."""
        for above in self.lineage(Value("type", *below))[1:]:
            if above.kind != "type":
                return {("", "")}
            if (above.uri, above.name) == owner:
                return set()
            for one in self._fitting(above.uri, f"{above.name}.{name}", given):
                if "abstract" not in one[1].split():
                    return {(above.uri, f"{above.name}.{name}")}
        return set()

    def _is_functional(self, found: Value) -> bool:
        if self.about(found)["kind"] != "interface":
            return False
        definitions = [
            one
            for symbol, every in self.body(found.uri).functions.items()
            if symbol.rpartition(".")[0] == found.name
            for one in every
            if "abstract" in one[1].split()
        ]
        return len(definitions) == 1

    def lacks(self, outside: Value, name: str) -> bool:
        return outside.name in _KNOWN and name not in _KNOWN[outside.name] and name not in _OBJECT

    def absent(self, of: Value, name: str) -> Value:
        about = self.about(of)
        if (
            name in _OBJECT
            or (about["kind"] == "enum" and name in _OF_ENUM)
            or name in ("class", "length")
        ):
            return OUTSIDE
        return super().absent(of, name)

    def held(self, holder: Value, name: str) -> Value:
        if name in _ONE:
            return Value("implicit", inner=holder.inner)
        return Value("implicit", inner=(holder if name in _SAME else UNTYPED,))

    # -- constructors ----------------------------------------------------------------------------------------------------------------

    def entered(self, value: Value, expr: Expr) -> list[tuple[str, Value]]:
        if expr[0] != "make":
            return []
        found = [("instantiates", value)] if not expr[3] else []
        made = self._made_by(value, expr[2])
        return [*found, ("call", made)] if made is not None else found

    def _made_by(self, owner: Value, given: int) -> Value | None:
        symbol = f"{owner.name}.{owner.name.rpartition('.')[2]}"
        return (
            Value("function", owner.uri, symbol)
            if self._fitting(owner.uri, symbol, given)
            else None
        )

    def _constructor_of(self, uri: str, expr: Expr) -> Value:
        _, which, given, at = expr
        owner = self._this(uri, at, which == "super")
        if owner.kind != "object":
            return owner
        return self._made_by(owner, given) or OUTSIDE
