"""`no_grad`, `enable_grad`, `inference_mode` over the compiled module."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import torch

from overhead_lint.native.toolchain import NativeUnavailable
from overhead_lint.native_runtime import calls
from overhead_runtime import grad

__all__ = ["forms"]


def forms(module: Any) -> dict[str, Callable[..., Any]]:
    """The native functions by name.

    Args:
        module: the compiled module ``contexts``.

    Raises:
        NativeUnavailable: this torch has no ``torch._C._set_grad_enabled``.
    """
    setter = getattr(torch._C, "_set_grad_enabled", None)
    if setter is None:
        raise NativeUnavailable("this torch has no torch._C._set_grad_enabled")
    wrap_no_grad = _wrapper(torch.no_grad, module.call_without_grad)
    wrap_enable_grad = _wrapper(torch.enable_grad, module.call_with_grad)
    wrap_inside = _wrapper(torch.inference_mode, module.call_in_inference_mode)
    wrap_outside = _wrapper(lambda: torch.inference_mode(False), module.call_outside_inference_mode)

    class NativeNoGrad(module.NoGradBlock, torch.no_grad):  # type: ignore[misc]
        """A `torch.no_grad` whose entry and exit are compiled."""

        __slots__ = ()

        def __call__(self, orig_func: Any) -> Any:
            return wrap_no_grad(orig_func)

        def __reduce__(self) -> tuple[Any, ...]:
            return grad.no_grad, ()  # A copy may go where nothing is compiled.

    class NativeEnableGrad(module.EnableGradBlock, torch.enable_grad):  # type: ignore[misc]
        """A `torch.enable_grad` whose entry and exit are compiled."""

        __slots__ = ()

        def __call__(self, orig_func: Any) -> Any:
            return wrap_enable_grad(orig_func)

        def __reduce__(self) -> tuple[Any, ...]:
            return grad.enable_grad, ()

    class NativeInferenceMode(module.InferenceModeBlock, torch.inference_mode):  # type: ignore[misc]
        """A `torch.inference_mode` whose entry and exit are compiled."""

        __slots__ = ()

        def __call__(self, orig_func: Any) -> Any:
            return (wrap_inside if self.mode else wrap_outside)(orig_func)

        def __reduce__(self) -> tuple[Any, ...]:
            return grad.inference_mode, (self.mode,)

    def no_grad(orig_func: Any = None) -> Any:
        return NativeNoGrad() if orig_func is None else wrap_no_grad(orig_func)

    def enable_grad(orig_func: Any = None) -> Any:
        return NativeEnableGrad() if orig_func is None else wrap_enable_grad(orig_func)

    def inference_mode(mode: Any = True) -> Any:
        # The compiled call asks here about whatever was passed by name.
        return made["inference_mode"](mode) if isinstance(mode, bool) else wrap_inside(mode)

    made = {
        "no_grad": _served(module.Served, grad.NoGrad, torch.no_grad),
        "enable_grad": _served(module.Served, grad.EnableGrad, torch.enable_grad),
        "inference_mode": _served(module.Served, grad.InferenceMode, torch.inference_mode),
    }
    for function in (no_grad, enable_grad, inference_mode):
        function.__qualname__ = function.__name__  # as errors about wrong arguments show it
    module.bind_grad_setter(setter)
    module.bind_no_grad(made["no_grad"], NativeNoGrad, no_grad)
    module.bind_enable_grad(made["enable_grad"], NativeEnableGrad, enable_grad)
    module.bind_inference_mode(made["inference_mode"], NativeInferenceMode, inference_mode)
    calls.use(module)
    return made


def _served(served: Any, stand_in: Any, stock: type) -> Any:
    """Make a stand-in whose calls are compiled; Dynamo traces those of Python."""
    cls: Any = types.new_class(f"Native{stand_in.__name__}", (stand_in, served))
    return cls(stock)


def _wrapper(stock: Callable[[], Any], call: Callable[..., Any]) -> Callable[[Any], Any]:
    """Make what wraps a function: stock's way, or with a compiled call around it."""

    def wrap(func: Any) -> Any:
        return stock()(func) if grad.is_left_to_stock(func) else _in_call(func, call)

    return wrap


def _in_call(func: Any, call: Callable[..., Any]) -> Any:
    @functools.wraps(func)
    def in_mode(*args: Any, **kwargs: Any) -> Any:
        return call(func, args, kwargs)

    return in_mode
