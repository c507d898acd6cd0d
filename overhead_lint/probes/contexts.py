"""The functions by which common context managers are entered, as torch and contextlib define them."""

from __future__ import annotations

import functools
import importlib
from types import CodeType

__all__ = ["context_entries", "generator_kinds"]

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

_GENERATORS: tuple[tuple[str, str, str], ...] = (("nvtx", "torch.cuda.nvtx", "range"),)


@functools.cache
def context_entries() -> tuple[tuple[CodeType, str], ...]:
    """Code of each kind's ``__enter__``, with the kind's name.

    A kind that this torch does not have, or enters in C, is left out: it cannot be entered from Python.
    """
    found: list[tuple[CodeType, str]] = []
    for kind, module, cls in _ENTRIES:
        enter = getattr(getattr(importlib.import_module(module), cls, None), "__enter__", None)
        code = getattr(enter, "__code__", None)
        if isinstance(code, CodeType):
            found.append((code, kind))
    return tuple(found)


@functools.cache
def generator_kinds() -> tuple[tuple[CodeType, str], ...]:
    """Code of generators that are a kind of context of their own, with the kind's name."""
    found: list[tuple[CodeType, str]] = []
    for kind, module, name in _GENERATORS:
        function = getattr(getattr(importlib.import_module(module), name, None), "__wrapped__", None)
        code = getattr(function, "__code__", None)
        if isinstance(code, CodeType):
            found.append((code, kind))
    return tuple(found)
