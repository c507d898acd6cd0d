"""What a call resolves to: which function runs, under which argument names.

Dynamo guards what a frame reads, not which frame runs: a replaced ``forward``, a hook or another
``__code__`` are honoured by the Python call that stock makes, so they are checked here.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.modules import module as nn_module

from .around import NO_MODULE, OWN_NAME, block_around, facts_around
from .attempts import Lull
from .signature import Signature
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .entry import Entry

# What `blocked` answers when a call now runs other code than the route names.
MOVED = "moved"


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
