"""What a call resolves to: which function runs, under which argument names.

Dynamo guards what a frame reads, not which frame runs: a replaced ``forward``, a hook or another
``__code__`` are honoured by the Python call that stock makes, so they are checked here.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

import torch
from torch._dynamo.eval_frame import OptimizedModule
from torch.nn.modules import module as nn_module

from .dynamo import Unsupported

_REFUSED_FLAGS = {
    inspect.CO_VARARGS: "*args in the signature",
    inspect.CO_VARKEYWORDS: "**kwargs in the signature",
    inspect.CO_GENERATOR: "a generator function",
    inspect.CO_COROUTINE: "a coroutine function",
    inspect.CO_ASYNC_GENERATOR: "an asynchronous generator function",
}


# What a frame would see (local names, closure included), and how to call the compiled code.
Bound = tuple[dict[str, Any], tuple[Any, ...], dict[str, Any]]


class Signature:
    """Binds call arguments to local names without ``inspect``."""

    __slots__ = ("_cells", "_defaults", "_free", "_function", "_keyword", "_positional", "count")

    def __init__(self, function: types.FunctionType) -> None:
        code = function.__code__
        for flag, what in _REFUSED_FLAGS.items():
            if code.co_flags & flag:
                raise Unsupported(what)
        self._function = function
        self.count = code.co_argcount
        self._positional = code.co_varnames[: code.co_argcount]
        self._keyword = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
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
        if kwargs or self._keyword or len(args) != self.count:
            if len(args) > self.count or not self._fill(names, len(args), kwargs):
                return None
            args = tuple([names[name] for name in self._positional])
            kwargs = {name: names[name] for name in self._keyword}
        if self._free:
            try:
                for name, cell in zip(self._free, self._cells, strict=True):
                    names[name] = cell.cell_contents
            except ValueError:
                return None
        return names, args, kwargs

    def _fill(self, names: dict[str, Any], given: int, kwargs: dict[str, Any]) -> bool:
        """Add keyword arguments and defaults; whether exactly the parameters are bound then."""
        code = self._function.__code__
        allowed = {*self._positional[max(given, code.co_posonlyargcount) :], *self._keyword}
        if not kwargs.keys() <= allowed:
            return False
        names.update(kwargs)
        defaults = self._function.__defaults__ or ()
        if defaults:
            for name, value in zip(self._positional[-len(defaults) :], defaults, strict=True):
                names.setdefault(name, value)
        for name, value in (self._function.__kwdefaults__ or {}).items():
            names.setdefault(name, value)
        return len(names) == self.count + len(self._keyword)


class FunctionRoute:
    """A compiled function or bound method: what runs is fixed, save for its ``__code__``."""

    __slots__ = ("code", "function", "prefix", "signature")

    def __init__(self, call: Any) -> None:
        function = call.__func__ if isinstance(call, types.MethodType) else call
        if type(function) is not types.FunctionType:
            raise Unsupported(f"{type(function).__name__} is not a plain function")
        self.function = function
        self.code = function.__code__
        self.prefix: tuple[Any, ...] = (call.__self__,) if isinstance(call, types.MethodType) else ()
        self.signature = Signature(function)

    def moved(self) -> bool:
        """Whether a call now runs other code than this route names."""
        return self.function.__code__ is not self.code

    def blocked(self) -> str | None:
        """Why stock has to serve a call now, or None."""
        return None


class ModuleRoute:
    """A compiled module: hooks and ``forward`` are looked up on each call, as stock does.

    Args:
        module: The original module.
        compiled: Stock's ``OptimizedModule`` around it.
        forward: Stock's wrapper, which ``compiled.forward`` held when it was made.
    """

    __slots__ = ("_class", "_compiled", "_forward", "_module", "code", "function", "prefix", "signature")

    def __init__(self, module: torch.nn.Module, compiled: torch.nn.Module, forward: Any) -> None:
        cls = type(module)
        function = cls.forward
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

    def moved(self) -> bool:
        """Whether a call now runs other code than this route names."""
        cls = self._class
        return (
            type(self._module) is not cls
            or cls.forward is not self.function
            or self.function.__code__ is not self.code
            or cls.__call__ is not _CALL
            or cls._call_impl is not _CALL_IMPL
        )

    def blocked(self) -> str | None:
        """Why stock has to serve a call now, or None."""
        own = self._module.__dict__
        outer = self._compiled.__dict__
        if _any_hook(own) or _any_hook(outer):
            return "the module has hooks"
        if _GLOBAL_FORWARD or _GLOBAL_FORWARD_PRE or _GLOBAL_BACKWARD or _GLOBAL_BACKWARD_PRE:
            return "global module hooks are registered"
        if "forward" in own or outer.get("forward") is not self._forward:
            return "the instance has its own forward"
        if own.get("_compiled_call_impl") is not None or outer.get("_compiled_call_impl") is not None:
            return "Module.compile() was called on it"
        if OptimizedModule.__call__ is not _OUTER_CALL:
            return "OptimizedModule.__call__ is replaced"
        return None


_OUTER_CALL = OptimizedModule.__call__
_CALL: Any = torch.nn.Module.__call__
_CALL_IMPL: Any = torch.nn.Module._call_impl
_GLOBAL_FORWARD = nn_module._global_forward_hooks
_GLOBAL_FORWARD_PRE = nn_module._global_forward_pre_hooks
_GLOBAL_BACKWARD = nn_module._global_backward_hooks
_GLOBAL_BACKWARD_PRE = nn_module._global_backward_pre_hooks


def _any_hook(attributes: dict[str, Any]) -> bool:
    return bool(
        attributes["_forward_hooks"]
        or attributes["_forward_pre_hooks"]
        or attributes["_backward_hooks"]
        or attributes["_backward_pre_hooks"]
    )


Route = FunctionRoute | ModuleRoute
