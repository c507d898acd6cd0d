"""`const_tensor`: a small constant as a tensor, made and copied to the device once."""

from __future__ import annotations

import marshal
import os
from typing import Any, NamedTuple

import torch

__all__ = ["clear_const_tensors", "const_tensor", "make_lasting"]

_MAX_ENTRIES = 1024
"""Constants kept. Past it all are dropped: a program with so many has values that are not constant."""

_SCALARS = frozenset({bool, int, float, complex})
_is_compiling = torch.compiler.is_dynamo_compiling


class _Entry(NamedTuple):
    """A tensor, and what shows that nobody wrote to it.

    The memory is held beside the tensor: else, once let go of (``tensor.data = other``), it could be given
    to another value, at the same address.
    """

    tensor: torch.Tensor
    version: int
    address: int
    memory: torch.UntypedStorage


_entries: dict[Any, _Entry] = {}
_abandoned: list[dict[Any, _Entry]] = []


def _abandon() -> None:
    """After a fork: tensors of a device cannot be used in the child, nor freed there."""
    _abandoned.append(dict(_entries))
    _entries.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon)


def const_tensor(
    value: Any, dtype: torch.dtype | None = None, device: torch.device | str | int | None = None
) -> torch.Tensor:
    """Give ``torch.tensor(value, dtype=dtype, device=device)``, the same tensor for the same constant.

    The tensor is shared: do not write to it, and do not require a gradient of it. When that happened all the
    same, the next call makes a new one. What does not move its version cannot be seen: writes through
    ``.data``, NumPy or DLPack, and by the collectives of `torch.distributed`. Which calls of torch write to
    their arguments is listed for the linter (`overhead_lint.analysis.effects.writes`). A new one
    is made each time, as in stock, while compiling, tracing (`torch.jit.trace`) or capturing a CUDA graph,
    under function and dispatch modes (a default device, fake tensors), on devices other than CPU and CUDA,
    and for values other than numbers and nested lists and tuples of numbers.

    Args:
        value: a number, or nested lists or tuples of numbers, of any shape that `torch.tensor` takes.
        dtype: as for `torch.tensor`: found out from `value` and the default dtype if None.
        device: as for `torch.tensor`; ``"cuda"`` is the current device.

    Returns:
        The tensor. Never an inference tensor, so that autograd may save it: also what is made under
        `torch.inference_mode` can be used outside.

    Raises:
        TypeError, ValueError, RuntimeError: what `torch.tensor` raises.
    """
    if _is_compiling() or not _is_constant(value) or _modes_active():
        return torch.tensor(value, dtype=dtype, device=device)
    place = "cpu" if device is None or device == "cpu" else _place(device)
    if place is None:
        return torch.tensor(value, dtype=dtype, device=device)
    # Bytes tell 1, True, 1.0 and 0.0, -0.0 apart, which are equal. Version 2 writes no references.
    kind = torch.get_default_dtype() if dtype is None else dtype
    key = (marshal.dumps(value, 2), kind, dtype is None, place)
    entry = _entries.get(key)
    if entry is not None:
        tensor = entry.tensor
        if (
            tensor._version == entry.version
            and not tensor.requires_grad
            and tensor.data_ptr() == entry.address
        ):
            return tensor
    return _make(key, value, dtype, device)


def clear_const_tensors() -> None:
    """Drop all tensors that `const_tensor` keeps, and their memory."""
    _entries.clear()


def _place(device: Any) -> str | None:
    """A name for a device; None where nothing can be kept for it now."""
    where = torch.device(device)
    if where.type != "cuda":
        return "cpu" if where.type == "cpu" else None
    if not torch.cuda.is_initialized():
        if not torch.cuda.is_available():
            return None
        torch.cuda.init()  # In a forked process it refuses, as in stock.
    if torch.cuda.is_current_stream_capturing():
        return None
    return f"cuda:{torch.cuda.current_device() if where.index is None else where.index}"


def make_lasting(value: Any, dtype: torch.dtype | None, device: Any) -> torch.Tensor | None:
    """Make a tensor that may be given again; None where a new one might be wrapped for a transform."""
    if _functorch_level() is not None:
        return None
    with torch.inference_mode(False):
        return torch.tensor(value, dtype=dtype, device=device)


def _make(key: Any, value: Any, dtype: torch.dtype | None, device: Any) -> torch.Tensor:
    tensor = make_lasting(value, dtype, device)
    if tensor is None:
        return torch.tensor(value, dtype=dtype, device=device)
    if len(_entries) >= _MAX_ENTRIES:
        _entries.clear()
    _entries[key] = _Entry(tensor, tensor._version, tensor.data_ptr(), tensor.untyped_storage())
    return tensor


def _is_constant(value: Any) -> bool:
    """Whether a value is numbers all through, so that its bytes tell it from any other."""
    kind = type(value)
    if kind in _SCALARS:
        return True
    if kind is not list and kind is not tuple:
        return False
    return set(map(type, value)) <= _SCALARS or all(map(_is_constant, value))


def _always(*_: Any) -> bool:
    return True


_function_mode_enabled = getattr(torch._C, "_is_torch_function_mode_enabled", _always)
_is_tracing = getattr(torch._C, "_is_tracing", _always)
_dispatch_modes = getattr(torch._C, "_len_torch_dispatch_stack", _always)
_functorch_level = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", _always)


def _modes_active() -> bool:
    """Whether a new tensor might be something else than it is without."""
    return bool(_function_mode_enabled() or _dispatch_modes() or _is_tracing())
