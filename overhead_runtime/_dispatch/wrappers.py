"""The callables that ``compile`` returns: stock's own, with another way in."""

from __future__ import annotations

import functools
import os
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from torch._dynamo.eval_frame import OptimizedModule

from . import dynamo, native
from .ambient import is_traced, running_callback
from .dispatcher import Dispatcher
from .freezer import Freezer
from .memory import Memory
from .routes import FunctionRoute, ModuleRoute, WrappedRoute, wraps
from .stats import CompileStats
from .unsupported import Unsupported

if TYPE_CHECKING:
    import torch

_MODE = "_overhead_lint_mode"
_DISPATCHER = "_overhead_lint_dispatcher"
_GATE = "_overhead_lint_gate"
_INSTEAD = "OVERHEAD_LINT_FROZEN"


class Mode(NamedTuple):
    """How the guards of one callable are evaluated.

    Args:
        guard_eval: ``"full"``, ``"token"``, ``"frozen"`` or ``"stock"``.
        verify_every: For "token" and "frozen": in every so many calls without guards they are evaluated too.
        recursive_tags: Compile with Dynamo's recursive dict tags.
    """

    guard_eval: str = "full"
    verify_every: int = 0
    recursive_tags: bool = True

    def in_effect(self) -> Mode:
        """Itself, but for "frozen" where the environment asks for another mode instead.

        Raises:
            ValueError: It asks for something that takes nobody's place.
        """
        instead = os.environ.get(_INSTEAD, "")
        if self.guard_eval != "frozen" or not instead:
            return self
        if instead not in ("full", "token"):
            raise ValueError(f"{_INSTEAD} must be 'full' or 'token', not {instead!r}")
        return self._replace(guard_eval=instead)


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
    mode = compiled.__dict__.get(_MODE, _FULL).in_effect()
    forward = compiled.__dict__.get("forward")

    def stock(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return OptimizedModule.__call__(compiled, *args, **kwargs)

    target = _target(compiled, mode)
    wrapped = isinstance(target, dynamo.Target) and wraps(target.call, compiled._orig_mod)
    owner = getattr(target.call, "__self__", None) if isinstance(target, dynamo.Target) else None
    if isinstance(target, dynamo.Target) and not wrapped and owner is not compiled._orig_mod:
        target = Unsupported("torch.compile wrapped the module in a frame of an unknown form")

    def resolve() -> ModuleRoute | WrappedRoute:
        if wrapped:
            assert isinstance(target, dynamo.Target)
            return WrappedRoute(target.call, compiled, forward)
        return ModuleRoute(compiled._orig_mod, compiled, forward)

    def install(gate: Any) -> None:
        native.core().call_through_gates(CompiledModule, _GATE)
        compiled.__dict__[_GATE] = gate

    dispatcher = Dispatcher(
        mode.guard_eval, stock, resolve, target, _memory(mode), mode.recursive_tags, _freezer(mode)
    )
    # The gate lies in the module's dict, and what it leaves alone goes to `__call__`.
    dispatcher.through_gate(compiled.__call__, install)
    compiled.__dict__.pop(_GATE, None)
    compiled.__dict__[_DISPATCHER] = dispatcher
    return dispatcher


def _memory(mode: Mode) -> Memory | Unsupported | None:
    if mode.guard_eval != "token":
        return None
    try:
        return Memory(mode.verify_every)
    except Unsupported as error:
        return error


def _freezer(mode: Mode) -> Freezer | None:
    return Freezer(mode.verify_every) if mode.guard_eval == "frozen" else None


def _target(stock: Any, mode: Mode) -> dynamo.Target | Unsupported:
    if mode.guard_eval == "stock":
        return Unsupported("guard_eval='stock'")
    try:
        dynamo.probe()
        return dynamo.target_of(stock)
    except Unsupported as error:
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
    asked, mode = mode, mode.in_effect()
    target = _target(stock, mode)

    def run_stock(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return stock(*args, **kwargs)

    def resolve() -> FunctionRoute:
        assert isinstance(target, dynamo.Target)
        return FunctionRoute(target.call)

    dispatcher = Dispatcher(
        mode.guard_eval, run_stock, resolve, target, _memory(mode), mode.recursive_tags, _freezer(mode)
    )

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
    attributes[_MODE] = asked
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


def dispatcher_of(compiled: Any) -> Dispatcher | None:
    """The dispatcher of a callable that ``compile`` returned, or None where stock returned it uncompiled."""
    if isinstance(compiled, CompiledModule):
        return compiled.__dict__.get(_DISPATCHER) or _attach(compiled)
    dispatcher = getattr(compiled, "__dict__", {}).get(_DISPATCHER)
    return dispatcher if isinstance(dispatcher, Dispatcher) else None


def freezable(compiled: Any) -> Dispatcher | None:
    """The same, of a callable that may be frozen.

    Raises:
        ValueError: it was compiled in a mode that is not frozen.
    """
    dispatcher = dispatcher_of(compiled)
    if dispatcher is not None and compiled.__dict__.get(_MODE, _FULL).guard_eval != "frozen":
        raise ValueError("only what was compiled with guard_eval='frozen' can be frozen")
    return dispatcher


def stats_of(compiled: Any) -> CompileStats:
    """Statistics of a callable that ``compile`` returned.

    Args:
        compiled: That callable.

    Returns:
        Its counts. A callable that stock returned uncompiled says so in ``unsupported``.
    """
    dispatcher = dispatcher_of(compiled)
    if dispatcher is not None:
        return dispatcher.stats()
    return CompileStats("stock", 0, 0, {}, 0, "torch.compile returned this uncompiled")
