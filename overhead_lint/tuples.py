"""`typing.NamedTuple`, without what it costs to compile the annotations and the constructor of each class.

A check makes thirty such classes before it looks at a file, and a hundred when it has looked at one. To type
checkers these are `typing.NamedTuple`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    import sys
    from collections import _tuplegetter, namedtuple
    from types import FunctionType

    _new = tuple.__new__
    # One constructor for each number of fields: of a class it is the same code with its own names.
    _CONSTRUCTORS = {
        made.__code__.co_argcount - 1: made.__code__
        for made in (
            lambda _cls, a: _new(_cls, (a,)),
            lambda _cls, a, b: _new(_cls, (a, b)),
            lambda _cls, a, b, c: _new(_cls, (a, b, c)),
            lambda _cls, a, b, c, d: _new(_cls, (a, b, c, d)),
            lambda _cls, a, b, c, d, e: _new(_cls, (a, b, c, d, e)),
            lambda _cls, a, b, c, d, e, f: _new(_cls, (a, b, c, d, e, f)),
            lambda _cls, a, b, c, d, e, f, g: _new(_cls, (a, b, c, d, e, f, g)),
            lambda _cls, a, b, c, d, e, f, g, h: _new(_cls, (a, b, c, d, e, f, g, h)),
            lambda _cls, a, b, c, d, e, f, g, h, i: _new(_cls, (a, b, c, d, e, f, g, h, i)),
            lambda _cls, a, b, c, d, e, f, g, h, i, j: _new(_cls, (a, b, c, d, e, f, g, h, i, j)),
            lambda _cls, a, b, c, d, e, f, g, h, i, j, k: _new(_cls, (a, b, c, d, e, f, g, h, i, j, k)),
        )
    }
    _OF_CLASSES = frozenset({"__module__", "__qualname__", "__annotations__"})
    _DOCS = [f"Alias for field number {number}" for number in range(len(_CONSTRUCTORS) + 1)]
    _IS_REPLACED_BY_COPY = sys.version_info >= (3, 13)  # `copy.replace` came

    def _constructor(fields, defaults):
        """What makes instances, which `help` shows with the names of the fields."""
        code = _CONSTRUCTORS[len(fields)].replace(co_varnames=("_cls", *fields), co_name="__new__")
        return FunctionType(code, {"_new": _new, "__builtins__": {}}, "__new__", defaults or None)

    def _methods(name, fields):
        """What all named tuples have, as `collections.namedtuple` makes it."""
        count, shown = len(fields), f"({', '.join([f'{field}=%r' for field in fields])})"

        def _make(cls, iterable):
            result = _new(cls, iterable)
            if len(result) != count:
                raise TypeError(f"Expected {count} arguments, got {len(result)}")
            return result

        def _replace(self, /, **kwds):
            result = self._make(map(kwds.pop, fields, self))
            if kwds:
                raise (TypeError if _IS_REPLACED_BY_COPY else ValueError)(
                    f"Got unexpected field names: {list(kwds)!r}"
                )
            return result

        def __repr__(self):  # noqa: N807 - it becomes a method
            return self.__class__.__name__ + shown % self

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):  # noqa: N807 - it too
            return tuple(self)

        found = {"_replace": _replace, "__repr__": __repr__, "_asdict": _asdict}
        found["__getnewargs__"] = __getnewargs__
        for method in (_make, *found.values()):
            method.__qualname__ = f"{name}.{method.__name__}"
        if _IS_REPLACED_BY_COPY:
            found["__replace__"] = _replace
        return found | {"_make": classmethod(_make)}

    class _Maker(type):
        def __new__(cls, name, bases, body):
            annotations = body["__annotations__"]  # texts, as all modules here postpone their evaluation
            fields = tuple(map(sys.intern, annotations))
            defaults = {field: body[field] for field in fields if field in body}
            more = {key: body[key] for key in body.keys() - defaults.keys() - _OF_CLASSES}
            if len(fields) not in _CONSTRUCTORS:
                made = namedtuple(name, fields, defaults=defaults.values(), module=body["__module__"])
                made.__annotations__ = made.__new__.__annotations__ = annotations
                for key, value in more.items():
                    setattr(made, key, value)
                return made
            new = _constructor(fields, tuple(defaults.values()))
            new.__qualname__, new.__annotations__ = f"{name}.__new__", annotations
            # All at once: what is set later has the class look through its slots each time.
            of_all = {
                "__module__": body["__module__"],
                "__doc__": f"{name}({', '.join(fields)})",
                "__slots__": (),
                "__annotations__": annotations,
                "__match_args__": fields,
                "__new__": new,
                "_fields": fields,
                "_field_defaults": defaults,
                **_methods(name, fields),
                **{field: _tuplegetter(number, _DOCS[number]) for number, field in enumerate(fields)},
            }
            return type(name, (tuple,), of_all | more)

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})

__all__ = ["NamedTuple"]
