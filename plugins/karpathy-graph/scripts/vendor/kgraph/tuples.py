"""``typing.NamedTuple`` without its price at import, for the many small nouns that parts hand to each other.

The standard one compiles every annotation and a constructor whenever a class is made: half of what a command of ours costs before it
does anything. Here the annotations stay text and the constructor is compiled when the first instance is made; from then on the classes
behave, and cost, as the standard ones do. To a type checker they *are* the standard ones. ``tests/laws/test_tuples.py`` holds the two
side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter
    from sys import intern

    class _Fields(type):
        """Makes a class of named fields from annotated names, in their order; a value given to a name is its default."""

        def __new__(meta, name, bases, space):
            if not bases:  # of NamedTuple itself
                return super().__new__(meta, name, (tuple,), space)
            if bases != (NamedTuple,):  # a class derived from one that has its fields already
                return super().__new__(meta, name, bases, space)
            if "__new__" in space or "__init__" in space:
                raise AttributeError(f"{name}: a named tuple's constructor can't be replaced")
            fields = tuple(intern(field) for field in space.get("__annotations__", ()))
            if "__annotations__" not in space and "__annotate_func__" in space:
                raise TypeError(f"{name}: its module needs `from __future__ import annotations`")
            defaults = {field: space[field] for field in fields if field in space}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one that has a default")
            for at, field in enumerate(fields):
                if field.startswith("_"):
                    raise ValueError(
                        f"{name}: a field's name can't begin with an underscore: {field}"
                    )
                space[field] = _tuplegetter(at, f"Field {at}.")
            space.update(
                _fields=fields,
                _field_defaults=defaults,
                __match_args__=fields,
                __slots__=(),
                __new__=_Lazily(),
            )
            return super().__new__(meta, name, bases, space)

        @property
        def __signature__(cls):
            import inspect

            made = inspect.signature(_constructor(cls))
            return made.replace(
                parameters=list(made.parameters.values())[1:], return_annotation=cls
            )

    class _Lazily:
        """Stands for a constructor until the first instance is made: then it is compiled and put in this one's place."""

        def __set_name__(self, owner, name):
            self.owner = owner

        def __get__(self, instance, cls):
            made = _constructor(self.owner)
            self.owner.__new__ = staticmethod(made)
            return made

    def _constructor(cls):
        names = ", ".join(cls._fields)
        comma = "," if cls._fields else ""
        made = eval(
            f"lambda _cls, {names}: _new(_cls, ({names}{comma}))",
            {"_new": tuple.__new__, "__builtins__": {}},
        )
        made.__defaults__ = tuple(cls._field_defaults.values()) or None
        made.__name__, made.__qualname__, made.__module__ = (
            "__new__",
            f"{cls.__qualname__}.__new__",
            cls.__module__,
        )
        return made

    class NamedTuple(metaclass=_Fields):
        """The base of a class of named fields; see ``typing.NamedTuple``, whose ways it keeps."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **fields):
            made = self._make(map(fields.pop, self._fields, self))
            if fields:
                raise ValueError(f"Got unexpected field names: {list(fields)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in zip(self._fields, self, strict=True))})"

        def __getnewargs__(self):
            return tuple(self)
