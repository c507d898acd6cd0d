"""Which methods of a dataclass were written by the dataclass decorator, and which by hand."""

from __future__ import annotations

import dataclasses
import inspect
import operator
from collections.abc import Callable
from typing import Any

__all__ = ["formatter", "generated_hash_fields", "generated_repr_fields", "reader"]


def formatter(names: tuple[str, ...]) -> Callable[[Any, tuple[Any, ...]], str]:
    """Make a function of an instance and its fields' values that gives the text of a generated ``__repr__``.

    Args:
        names: the fields that it shows.
    """
    template = f"({', '.join(f'{name}=%r' for name in names)})"
    return lambda obj, values: type(obj).__qualname__ + template % values


def reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Make a function that reads attributes.

    Args:
        names: of the attributes.
    """
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda obj: tuple([getattr(obj, name) for name in names])


def generated_repr_fields(cls: type) -> tuple[str, ...] | None:
    """The fields that a class's own ``__repr__`` shows, or None if it was not generated."""
    if not dataclasses.is_dataclass(cls):
        return None
    names = tuple([field.name for field in dataclasses.fields(cls) if field.repr])
    return names if _same_function(cls.__dict__.get("__repr__"), _template(names, False).__repr__) else None


def generated_hash_fields(cls: type) -> tuple[str, ...] | None:
    """The fields that a class's own ``__hash__`` is made of, or None if it was not generated."""
    if not dataclasses.is_dataclass(cls):
        return None
    names = tuple([f.name for f in dataclasses.fields(cls) if (f.compare if f.hash is None else f.hash)])
    return names if _same_function(cls.__dict__.get("__hash__"), _template(names, True).__hash__) else None


def _template(names: tuple[str, ...], frozen: bool) -> type:
    return dataclasses.make_dataclass("_Template", names, frozen=frozen)


def _same_function(method: Any, template: Any) -> bool:
    """Whether both do the same: the same wrapper around the same byte code."""
    if not hasattr(method, "__code__") or hasattr(method, "__wrapped__") != hasattr(template, "__wrapped__"):
        return False
    if hasattr(template, "__wrapped__") and method.__code__ is not template.__code__:
        return False
    one, other = inspect.unwrap(method).__code__, inspect.unwrap(template).__code__
    return all(
        getattr(one, part) == getattr(other, part)
        for part in ("co_code", "co_consts", "co_names", "co_varnames")
    )
