"""Named tuples that are made in a tenth of the time: `typing` compiles each annotation of a class.

To type checkers `NamedTuple` is that of `typing`, and it makes the same classes. A run makes a hundred of
them before it looks at a file: what `collections` compiles for each is compiled once for a number of fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    import sys
    from _collections import _tuplegetter
    from types import FunctionType

    _OF_FIELDS = frozenset({"__annotations__", "__module__", "__qualname__"})
    _NEW = {"_new": tuple.__new__, "__builtins__": {}, "__name__": __name__}
    _MAKERS = {}  # of code, by how many fields it takes

    def _maker(name, fields, defaults):
        """What makes an instance of its fields, by place or by name."""
        made = _MAKERS.get(len(fields))
        if made is None:
            names = "".join(f"_{number}, " for number in range(len(fields)))
            made = _MAKERS[len(fields)] = eval(f"lambda _cls, {names}: _new(_cls, ({names}))", _NEW).__code__
        made = FunctionType(made.replace(co_varnames=("_cls", *fields)), _NEW, "__new__", defaults)
        made.__qualname__ = f"{name}.__new__"
        return made

    def _make(cls, iterable):
        """Make an instance of what holds its fields in order."""
        made = tuple.__new__(cls, iterable)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, /, **values):
        """A new instance, with new values in place of some."""
        made = self._make(map(values.pop, self._fields, self))
        if values:
            raise ValueError(f"Got unexpected field names: {list(values)!r}")
        return made

    def _repr(self):
        """As it is made, field by field."""
        held = zip(self._fields, self, strict=True)
        return f"{self.__class__.__name__}({', '.join(f'{name}={value!r}' for name, value in held)})"

    def _as_dict(self):
        """The values by the names of their fields."""
        return dict(zip(self._fields, self, strict=True))

    def _plain(self):
        """The values as a plain tuple, for copies and pickles."""
        return tuple(self)

    _SHARED = {
        "__slots__": (),
        "_make": classmethod(_make),
        "_replace": _replace,
        "__repr__": _repr,
        "_asdict": _as_dict,
        "__getnewargs__": _plain,
    }
    if hasattr(_replace.__code__, "__replace__"):  # what `copy.replace` asks for, from Python 3.13 on
        _SHARED["__replace__"] = _replace

    class _Maker(type):
        def __new__(cls, name, bases, body):
            annotations = body["__annotations__"]  # texts, as all modules here postpone their evaluation
            fields = tuple(map(sys.intern, annotations))
            defaults = {field: body[field] for field in fields if field in body}
            held = {
                "__doc__": f"{name}({', '.join(fields)})",
                **_SHARED,
                **{key: value for key, value in body.items() if key not in _OF_FIELDS},
                **{
                    field: _tuplegetter(number, f"Alias for field number {number}")
                    for number, field in enumerate(fields)
                },
                "_fields": fields,
                "_field_defaults": defaults,
                "__match_args__": fields,
                "__new__": _maker(name, fields, tuple(defaults.values())),
                "__module__": body["__module__"],
                "__annotations__": annotations,
            }
            return type(name, (tuple,), held)

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})

__all__ = ["NamedTuple"]
