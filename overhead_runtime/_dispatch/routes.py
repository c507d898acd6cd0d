"""What a call resolves to: which function runs, under which argument names.

Dynamo guards what a frame reads, not which frame runs: a replaced ``forward``, a hook or another
``__code__`` are honoured by the Python call that stock makes, so they are checked here.
"""

from __future__ import annotations

import inspect
import itertools
import types
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.modules import module as nn_module

from .around import NO_MODULE, OWN_NAME, block_around, facts_around
from .attempts import Lull
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .entry import Entry

# What `blocked` answers when a call now runs other code than the route names.
MOVED = "moved"

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


class FunctionRoute:
    """A compiled function or bound method: what runs is fixed, save for its ``__code__``."""

    __slots__ = ("code", "entries", "function", "lull", "prefix", "signature")

    def __init__(self, call: Any) -> None:
        function = call.__func__ if isinstance(call, types.MethodType) else call
        if type(function) is not types.FunctionType:
            raise Unsupported(f"{type(function).__name__} is not a plain function")
        self.function = function
        self.code = function.__code__
        self.prefix: tuple[Any, ...] = (call.__self__,) if isinstance(call, types.MethodType) else ()
        self.signature = Signature(function)
        self.entries: tuple[Entry, ...] = ()
        self.lull = Lull()

    def blocked(self) -> str | None:
        """None if a call may be dispatched now, ``MOVED`` if it runs other code by now."""
        return None if self.function.__code__ is self.code else MOVED

    def binding(self) -> tuple[Any, ...]:
        """How the native gate binds arguments; raises ``Unsupported`` where it cannot."""
        return self.signature.parts(self.prefix)

    def facts(self) -> dict[str, list[Any]]:
        """What `blocked` reads, for the native gate, in a moment in which nothing blocks."""
        return {"codes": [(self.function, self.code)]}


class ModuleRoute:
    """A compiled module: hooks and ``forward`` are looked up on each call, as stock does.

    Args:
        module: The original module.
        compiled: Stock's ``OptimizedModule`` around it.
        forward: Stock's wrapper, which ``compiled.forward`` held when it was made.
    """

    __slots__ = (
        *("_class", "_compiled", "_forward", "_module"),
        *("code", "entries", "function", "lull", "prefix", "signature"),
    )

    def __init__(self, module: torch.nn.Module, compiled: torch.nn.Module, forward: Any) -> None:
        cls = type(module)
        function = getattr(cls, "forward", None)  # The class of a traced module does not give it.
        if type(function) is not types.FunctionType:
            raise Unsupported(f"forward of {cls.__name__} is not a plain function")
        if cls.__getattribute__ is not object.__getattribute__:
            raise Unsupported(f"{cls.__name__} defines __getattribute__")
        if not all(function.__code__.co_filename == nn_module.__file__ for function in (_CALL, _CALL_IMPL)):
            raise Unsupported("torch.nn.Module.__call__ is replaced")
        if cls.__call__ is not _CALL or cls._call_impl is not _CALL_IMPL:
            raise Unsupported(f"{cls.__name__} replaces __call__ of torch.nn.Module")
        self._module = module
        self._compiled = compiled
        self._forward = forward
        self._class = cls
        self.function = function
        self.code = function.__code__
        self.prefix = (module,)
        self.signature = Signature(function)
        self.entries: tuple[Entry, ...] = ()
        self.lull = Lull()

    def blocked(self) -> str | None:
        """None if a call may be dispatched now, ``MOVED`` if it runs other code by now, or why not."""
        cls = self._class
        if (
            type(self._module) is not cls
            or cls.forward is not self.function
            or self.function.__code__ is not self.code
            or cls.__call__ is not _CALL
            or cls._call_impl is not _CALL_IMPL
        ):
            return MOVED
        return block_around(self._module.__dict__, self._compiled.__dict__, self._forward)

    def binding(self) -> tuple[Any, ...]:
        """How the native gate binds arguments; raises ``Unsupported`` where it cannot."""
        if self.signature.takes_by_name(OWN_NAME, len(self.prefix)):
            raise Unsupported(f"an argument named {OWN_NAME} is bound in Python")
        return self.signature.parts(self.prefix, (OWN_NAME,))

    def facts(self) -> dict[str, list[Any]]:
        """What `blocked` reads, for the native gate, in a moment in which nothing blocks."""
        facts, cls = facts_around((self._module, self._compiled), self._forward), self._class
        own = [(cls, "forward", self.function), (cls, "__call__", _CALL), (cls, "_call_impl", _CALL_IMPL)]
        codes = [(self.function, self.code)]
        return {**facts, "attributes": [*own, *facts["attributes"]], "codes": codes}


class WrappedRoute:
    """A module whose call Dynamo compiles in a frame of its own, as it traces no other of torch's modules.

    Hooks of the module and the look-up of its ``forward`` are traced in it, and guarded as Dynamo sees fit.

    Args:
        function: The function whose frame that is.
        compiled: Stock's ``OptimizedModule`` around the module.
        forward: Stock's wrapper, which ``compiled.forward`` held when it was made.
    """

    __slots__ = ("_compiled", "_forward", "code", "entries", "function", "lull", "prefix", "signature")

    def __init__(self, function: types.FunctionType, compiled: torch.nn.Module, forward: Any) -> None:
        self._compiled = compiled
        self._forward = forward
        self.function = function
        self.code = function.__code__
        self.prefix: tuple[Any, ...] = ()
        self.signature = Signature(function)
        self.entries: tuple[Entry, ...] = ()
        self.lull = Lull()

    def blocked(self) -> str | None:
        """None if a call may be dispatched now, ``MOVED`` if it runs other code by now, or why not."""
        if self.function.__code__ is not self.code:
            return MOVED
        return block_around(NO_MODULE, self._compiled.__dict__, self._forward)

    def binding(self) -> tuple[Any, ...]:
        """How the native gate binds arguments; raises ``Unsupported`` where it cannot."""
        return self.signature.parts(self.prefix, (OWN_NAME,))

    def facts(self) -> dict[str, list[Any]]:
        """What `blocked` reads, for the native gate, in a moment in which nothing blocks."""
        return {**facts_around((self._compiled,), self._forward), "codes": [(self.function, self.code)]}


def wraps(call: Any, module: torch.nn.Module) -> bool:
    """Whether what stock compiles is a function that does nothing but call a module."""
    if not isinstance(call, types.FunctionType) or call.__closure__ is None:
        return False
    return len(call.__closure__) == 1 and call.__closure__[0].cell_contents is module


_CALL: Any = torch.nn.Module.__call__
_CALL_IMPL: Any = torch.nn.Module._call_impl
Route = FunctionRoute | ModuleRoute | WrappedRoute
