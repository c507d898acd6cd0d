"""Binds the arguments of a call to the local names of a function, as its frame would hold them."""

from __future__ import annotations

import inspect
import itertools
import types
from typing import Any

from .unsupported import Unsupported

__all__ = ["Bound", "Signature"]

_REFUSED_FLAGS = {
    inspect.CO_GENERATOR: "a generator function",
    inspect.CO_COROUTINE: "a coroutine function",
    inspect.CO_ASYNC_GENERATOR: "an asynchronous generator function",
}

# What a frame would see (local names, closure included), and how to call the compiled code.
Bound = tuple[dict[str, Any], tuple[Any, ...], dict[str, Any]]


class Signature:
    """Binds call arguments to local names without ``inspect``.

    Args:
        function: Its code and closure are read once, its defaults on each call that needs them.

    Raises:
        Unsupported: Its frames are not those of a plain function.
    """

    __slots__ = (
        "_all",
        "_cells",
        "_count",
        "_free",
        "_function",
        "_keyword",
        "_plain",
        "_positional",
        "_rest",
        "_rest_by_name",
    )

    def __init__(self, function: types.FunctionType) -> None:
        code = function.__code__
        for flag, what in _REFUSED_FLAGS.items():
            if code.co_flags & flag:
                raise Unsupported(what)
        names = iter(code.co_varnames)
        self._function = function
        self._count = code.co_argcount
        self._positional = tuple(itertools.islice(names, code.co_argcount))
        self._keyword = tuple(itertools.islice(names, code.co_kwonlyargcount))
        self._rest = next(names) if code.co_flags & inspect.CO_VARARGS else None
        self._rest_by_name = next(names) if code.co_flags & inspect.CO_VARKEYWORDS else None
        self._plain = not self._keyword and self._rest is None and self._rest_by_name is None
        collected = tuple(name for name in (self._rest, self._rest_by_name) if name is not None)
        self._all = self._positional + self._keyword + collected
        self._free = code.co_freevars
        self._cells = function.__closure__ or ()

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bound | None:
        """Bind one call.

        Args:
            args: Positional arguments, the bound object included.
            kwargs: Keyword arguments.

        Returns:
            The binding, or None where Python would raise or a closure cell is empty.
        """
        names = dict(zip(self._positional, args))  # noqa: B905 - defaults may follow; strict= costs a call
        if kwargs or len(args) != self._count or not self._plain:
            filled = self._fill(names, args, kwargs)
            if filled is None:
                return None
            args, kwargs = filled
        if self._free:
            try:
                for name, cell in zip(self._free, self._cells, strict=True):
                    names[name] = cell.cell_contents
            except ValueError:
                return None
        return names, args, kwargs

    def given(self, bound: Bound, skip: int) -> tuple[Any, ...]:
        """The caller's arguments in the order of the local names, those of ``*args`` as a tuple.

        Args:
            bound: The binding.
            skip: How many of the positional ones are bound beforehand.
        """
        if self._plain:
            return bound[1][skip:]
        names = bound[0]
        return tuple([names[name] for name in self._all[min(skip, self._count) :]])

    def parts(self, prefix: tuple[Any, ...], refused: tuple[str, ...] = ()) -> tuple[Any, ...]:
        """The same for the native gate.

        Args:
            prefix: What is bound beforehand.
            refused: Names that no argument may have, which are parameters of what stands around.

        Raises:
            Unsupported: The bound object is one of ``*args``.
        """
        if len(prefix) > self._count:
            raise Unsupported("a bound object among *args is bound in Python")
        by_position_only = self._function.__code__.co_posonlyargcount
        names = (self._positional, by_position_only, self._keyword, self._rest, self._rest_by_name)
        return (self._function, prefix, *names, self._free, self._cells, refused)

    def takes_by_name(self, name: str, skip: int) -> bool:
        """Whether a call may pass an argument as ``name=``; the first ``skip`` ones are bound beforehand."""
        return name in self._positional[skip:] or name in self._keyword

    def _fill(
        self, names: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """Add keyword arguments, defaults, ``*args`` and ``**kwargs`` to the names bound by position."""
        by_position, rest = args[: self._count], args[self._count :]
        if rest and self._rest is None:
            return None
        extra = {}
        for name, value in kwargs.items():
            if name in self._by_name():
                if name in names:
                    return None
                names[name] = value
            elif self._rest_by_name is None:
                return None
            else:
                extra[name] = value
        self._add_defaults(names)
        if len(names) != self._count + len(self._keyword):
            return None
        by_position += tuple([names[name] for name in self._positional[len(by_position) :]])
        by_name = {name: names[name] for name in self._keyword}
        if self._rest is not None:
            names[self._rest] = rest
        if self._rest_by_name is not None:
            names[self._rest_by_name] = extra
        return by_position + rest, {**by_name, **extra}

    def _by_name(self) -> tuple[str, ...]:
        return self._positional[self._function.__code__.co_posonlyargcount :] + self._keyword

    def _add_defaults(self, names: dict[str, Any]) -> None:
        defaults = self._function.__defaults__ or ()
        if defaults:
            for name, value in zip(self._positional[-len(defaults) :], defaults, strict=True):
                names.setdefault(name, value)
        for name, value in (self._function.__kwdefaults__ or {}).items():
            names.setdefault(name, value)
