"""`typing.NamedTuple`, without the time that `typing` takes to compile each annotation of a class.

A run makes thirty such classes before it looks at a file. To type checkers these are `typing.NamedTuple`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    _OF_CLASSES = frozenset({"__module__", "__qualname__", "__annotations__"})

    class _Maker(type):
        def __new__(cls, name, bases, body):
            fields = body["__annotations__"]  # texts, as all modules here postpone their evaluation
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            made.__annotations__ = made.__new__.__annotations__ = fields
            for key in body.keys() - fields.keys() - _OF_CLASSES:
                setattr(made, key, body[key])
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})

__all__ = ["NamedTuple"]
