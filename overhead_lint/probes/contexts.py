"""The functions by which common context managers are entered, as torch and contextlib define them."""

from __future__ import annotations

import functools
import importlib
from types import CodeType

__all__ = ["context_entries"]

_ENTRIES: tuple[tuple[str, str, str], ...] = (
    ("autocast", "torch.amp.autocast_mode", "autocast"),
    ("no_grad", "torch.autograd.grad_mode", "no_grad"),
    ("enable_grad", "torch.autograd.grad_mode", "enable_grad"),
    ("inference_mode", "torch.autograd.grad_mode", "inference_mode"),
    ("set_grad_enabled", "torch.autograd.grad_mode", "set_grad_enabled"),
    ("record_function", "torch.autograd.profiler", "record_function"),
    ("cuda.device", "torch.cuda", "device"),
    ("cuda.stream", "torch.cuda", "StreamContext"),
    ("nullcontext", "contextlib", "nullcontext"),
    ("generator-based", "contextlib", "_GeneratorContextManager"),
)


@functools.cache
def context_entries() -> tuple[tuple[CodeType, str], ...]:
    """Code of each kind's ``__enter__``, with the kind's name.

    A kind that this torch does not have, or enters in C, is left out: it cannot be entered from Python.
    ``nvtx.range`` is generator-based.
    """
    found: list[tuple[CodeType, str]] = []
    for kind, module, cls in _ENTRIES:
        enter = getattr(getattr(importlib.import_module(module), cls, None), "__enter__", None)
        code = getattr(enter, "__code__", None)
        if isinstance(code, CodeType):
            found.append((code, kind))
    return tuple(found)
