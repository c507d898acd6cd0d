"""The callables that ``compile`` returns: stock's own, with another way in."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from torch._dynamo.eval_frame import OptimizedModule

from . import dynamo, native
from .ambient import is_traced, running_callback
from .dispatcher import Dispatcher
from .memory import Memory
from .routes import FunctionRoute, ModuleRoute
from .stats import CompileStats

if TYPE_CHECKING:
    import torch

_MODE = "_overhead_lint_mode"
_DISPATCHER = "_overhead_lint_dispatcher"
_GATE = "_overhead_lint_gate"


class Mode(NamedTuple):
    """How the guards of one callable are evaluated.

    Args:
        guard_eval: ``"full"``, ``"token"`` or ``"stock"``.
        verify_every: For "token": in every so many recognised calls all guards are evaluated too.
        recursive_tags: Compile with Dynamo's recursive dict tags.
    """

    guard_eval: str = "full"
    verify_every: int = 0
    recursive_tags: bool = True


_FULL = Mode()


class CompiledModule(OptimizedModule):
    """Stock's ``OptimizedModule`` whose calls go through a dispatcher.

    Attribute access, ``state_dict``, ``train()`` and all else are stock's. ``stats()`` is there too,
    unless the module that was compiled has a ``stats`` of its own.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the module."""
        if is_traced():
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

    def __bool__(self) -> bool:
        """Whether the original module counts as true.

        Stock raises for one without a length. Dynamo of torch 2.11 and 2.12 asks it of whatever it traces a
        call of, but for stock's own class.
        """
        return bool(self._orig_mod)

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
        return _rebuild, (self._orig_mod, self.dynamo_ctx, self.__dict__.get(_MODE, _FULL))


# What torch and Python call it in messages, and in what is printed of a model. The class keeps its
# qualified name, by which it is found when it is pickled.
CompiledModule.__name__ = OptimizedModule.__name__
CompiledModule.__call__.__qualname__ = OptimizedModule.__call__.__qualname__


def _rebuild(module: torch.nn.Module, context: Any, mode: Mode) -> CompiledModule:
    rebuilt = CompiledModule(module, context)
    rebuilt.__dict__[_MODE] = mode
    return rebuilt


def _attach(compiled: CompiledModule) -> Dispatcher:
    mode = compiled.__dict__.get(_MODE, _FULL)
    forward = compiled.__dict__.get("forward")

    def stock(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return OptimizedModule.__call__(compiled, *args, **kwargs)

    def resolve() -> ModuleRoute:
        return ModuleRoute(compiled._orig_mod, compiled, forward)

    target = _target(compiled, mode)
    if isinstance(target, dynamo.Target) and getattr(target.call, "__self__", None) is not compiled._orig_mod:
        target = dynamo.Unsupported("torch.compile wrapped the module in a frame of its own")

    def install(gate: Any) -> None:
        native.core().call_through_gates(CompiledModule, _GATE)
        compiled.__dict__[_GATE] = gate

    dispatcher = Dispatcher(mode.guard_eval, stock, resolve, target, _memory(mode), mode.recursive_tags)
    # The gate lies in the module's dict, and what it leaves alone goes to `__call__`.
    dispatcher.through_gate(compiled.__call__, install)
    compiled.__dict__.pop(_GATE, None)
    compiled.__dict__[_DISPATCHER] = dispatcher
    return dispatcher


def _memory(mode: Mode) -> Memory | dynamo.Unsupported | None:
    if mode.guard_eval != "token":
        return None
    try:
        return Memory(mode.verify_every)
    except dynamo.Unsupported as error:
        return error


def _target(stock: Any, mode: Mode) -> dynamo.Target | dynamo.Unsupported:
    if mode.guard_eval == "stock":
        return dynamo.Unsupported("guard_eval='stock'")
    try:
        dynamo.probe()
        return dynamo.target_of(stock)
    except dynamo.Unsupported as error:
        return error


def wrap_module(stock: OptimizedModule, mode: Mode) -> OptimizedModule:
    """Turn what stock returned for a module into a ``CompiledModule``, in place."""
    stock.__dict__[_MODE] = mode
    object.__setattr__(stock, "__class__", CompiledModule)
    _attach(stock)  # type: ignore[arg-type]
    dynamo.hide_from_dynamo(CompiledModule.__call__.__code__)
    return stock


def wrap_function(stock: Callable[..., Any], mode: Mode) -> Callable[..., Any]:
    """Dress a dispatcher as the function that stock returned."""
    target = _target(stock, mode)

    def run_stock(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return stock(*args, **kwargs)

    def resolve() -> FunctionRoute:
        assert isinstance(target, dynamo.Target)
        return FunctionRoute(target.call)

    dispatcher = Dispatcher(mode.guard_eval, run_stock, resolve, target, _memory(mode), mode.recursive_tags)

    def slow(*args: Any, **kwargs: Any) -> Any:
        if running_callback() is not None:
            dispatcher.nested += 1
            return stock(*args, **kwargs)
        return dispatcher.serve(args, kwargs)

    keeper = dispatcher.through_gate(slow, lambda gate: None)

    def compiled(*args: Any, **kwargs: Any) -> Any:
        return keeper.enter(*args, **kwargs)

    functools.update_wrapper(compiled, stock)
    attributes = compiled.__dict__
    attributes["__wrapped__"] = getattr(stock, "__wrapped__", stock)
    if "_torchdynamo_wrapper_id" in attributes:
        attributes["_torchdynamo_wrapper_id"] = id(compiled)
    attributes.setdefault("stats", dispatcher.stats)
    attributes[_DISPATCHER] = dispatcher
    for function in (compiled, slow):
        dynamo.hide_from_dynamo(function.__code__)
    return compiled


def wrap(stock: Any, mode: Mode) -> Any:
    """Put a dispatcher in front of what ``torch.compile`` returned, where it returned a wrapper.

    Args:
        stock: The result of ``torch.compile``.
        mode: How to evaluate guards.

    Returns:
        A callable with stock's behaviour, or ``stock`` itself where there is nothing to dispatch:
        compilation is switched off, or a class was compiled in place.
    """
    if type(stock) is OptimizedModule:
        return wrap_module(stock, mode)
    if isinstance(stock, types.FunctionType) and _is_compiled(stock):
        return wrap_function(stock, mode)
    return stock


def _is_compiled(function: types.FunctionType) -> bool:
    """Whether a function is a wrapper that compiles; not every torch says so of its own."""
    wraps = hasattr(function, "_torchdynamo_orig_callable") and not hasattr(function, "_torchdynamo_disable")
    return bool(getattr(function, "_is_torch_compile", wraps))


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
