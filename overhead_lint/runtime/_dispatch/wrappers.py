"""The callables that ``compile`` returns: stock's own, with another way in."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch._dynamo.eval_frame import OptimizedModule
from torch.compiler import is_compiling

from . import dynamo
from .ambient import running_callback
from .dispatcher import Dispatcher
from .routes import FunctionRoute, ModuleRoute
from .stats import CompileStats

if TYPE_CHECKING:
    import torch

_MODE = "_overhead_lint_guard_eval"
_DISPATCHER = "_overhead_lint_dispatcher"


class CompiledModule(OptimizedModule):
    """Stock's ``OptimizedModule`` whose calls go through a dispatcher.

    Attribute access, ``state_dict``, ``train()`` and all else are stock's. ``stats()`` is there too,
    unless the module that was compiled has a ``stats`` of its own.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module."""
        if is_compiling():
            # Traced as a part of something larger: what stock's wrapper stands for is the module.
            return self._modules["_orig_mod"](*args, **kwargs)  # type: ignore[misc]
        dispatcher = self.__dict__.get(_DISPATCHER)
        if running_callback() is not None:
            if dispatcher is not None:
                dispatcher.nested += 1
            return OptimizedModule.__call__(self, *args, **kwargs)
        if dispatcher is None:
            dispatcher = _attach(self)
        return dispatcher.serve(args, kwargs)

    def __getattr__(self, name: str) -> Any:
        """Look a name up on the original module, as stock does; ``stats`` comes last."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == "stats":
                return functools.partial(stats_of, self)
            raise

    def __reduce__(self) -> Any:
        """As stock's, with the mode added."""
        return _rebuild, (self._orig_mod, self.dynamo_ctx, self.__dict__.get(_MODE, "full"))


def _rebuild(module: torch.nn.Module, context: Any, guard_eval: str) -> CompiledModule:
    rebuilt = CompiledModule(module, context)
    rebuilt.__dict__[_MODE] = guard_eval
    return rebuilt


def _attach(compiled: CompiledModule) -> Dispatcher:
    guard_eval = compiled.__dict__.get(_MODE, "full")
    forward = compiled.__dict__.get("forward")

    def stock(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return dynamo.run_stock(compiled, args, kwargs)

    def resolve() -> ModuleRoute:
        return ModuleRoute(compiled._orig_mod, compiled, forward)

    target = _target(compiled, guard_eval)
    if isinstance(target, dynamo.Target) and getattr(target.call, "__self__", None) is not compiled._orig_mod:
        target = dynamo.Unsupported("torch.compile wrapped the module in a frame of its own")
    dispatcher = Dispatcher(guard_eval, stock, resolve, target)
    compiled.__dict__[_DISPATCHER] = dispatcher
    return dispatcher


def _target(stock: Any, guard_eval: str) -> dynamo.Target | dynamo.Unsupported:
    if guard_eval == "stock":
        return dynamo.Unsupported("guard_eval='stock'")
    try:
        dynamo.probe()
        return dynamo.target_of(stock)
    except dynamo.Unsupported as error:
        return error


def wrap_module(stock: OptimizedModule, guard_eval: str) -> OptimizedModule:
    """Turn what stock returned for a module into a ``CompiledModule``, in place."""
    stock.__dict__[_MODE] = guard_eval
    object.__setattr__(stock, "__class__", CompiledModule)
    _attach(stock)  # type: ignore[arg-type]
    dynamo.hide_from_dynamo(CompiledModule.__call__.__code__)
    return stock


def wrap_function(stock: Callable[..., Any], guard_eval: str) -> Callable[..., Any]:
    """Dress a dispatcher as the function that stock returned."""
    target = _target(stock, guard_eval)

    def run_stock(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return stock(*args, **kwargs)

    def resolve() -> FunctionRoute:
        assert isinstance(target, dynamo.Target)
        return FunctionRoute(target.call)

    dispatcher = Dispatcher(guard_eval, run_stock, resolve, target)

    def compiled(*args: Any, **kwargs: Any) -> Any:
        if running_callback() is not None:
            dispatcher.nested += 1
            return stock(*args, **kwargs)
        return dispatcher.serve(args, kwargs)

    functools.update_wrapper(compiled, stock)
    attributes = compiled.__dict__
    attributes["__wrapped__"] = getattr(stock, "__wrapped__", stock)
    if "_torchdynamo_wrapper_id" in attributes:
        attributes["_torchdynamo_wrapper_id"] = id(compiled)
    attributes.setdefault("stats", dispatcher.stats)
    attributes[_DISPATCHER] = dispatcher
    dynamo.hide_from_dynamo(compiled.__code__)
    return compiled


def wrap(stock: Any, guard_eval: str) -> Any:
    """Put a dispatcher in front of what ``torch.compile`` returned, where it returned a wrapper.

    Args:
        stock: The result of ``torch.compile``.
        guard_eval: ``"full"`` or ``"stock"``.

    Returns:
        A callable with stock's behaviour, or ``stock`` itself where there is nothing to dispatch:
        compilation is switched off, or a class was compiled in place.
    """
    if type(stock) is OptimizedModule:
        return wrap_module(stock, guard_eval)
    if isinstance(stock, types.FunctionType) and getattr(stock, "_is_torch_compile", False):
        return wrap_function(stock, guard_eval)
    return stock


def stats_of(compiled: Any) -> CompileStats:
    """Statistics of a callable that ``compile`` returned.

    Args:
        compiled: That callable.

    Returns:
        Its counts. A callable that stock returned uncompiled says so in ``unsupported``.
    """
    if isinstance(compiled, CompiledModule):
        return (compiled.__dict__.get(_DISPATCHER) or _attach(compiled)).stats()
    dispatcher = getattr(compiled, "__dict__", {}).get(_DISPATCHER)
    if isinstance(dispatcher, Dispatcher):
        return dispatcher.stats()
    return CompileStats("stock", 0, 0, {}, 0, "torch.compile returned this uncompiled")
