"""Registers an extension of the simulated device with torch, and lets the process end safely after it."""

from __future__ import annotations

import atexit
import os
import sys
from types import ModuleType

from overhead_lint.simulated.operators import operators

__all__ = ["arm", "in_forked_child", "refuse_other_form", "register"]

_is_armed = False
_is_forked = False
_is_reduced: bool | None = None
"""Which form is registered, here or in the process that this one was forked from."""


def in_forked_child() -> bool:
    """Whether this process was forked from one that had armed the simulated device.

    One that was forked before may have a device of its own: a fork server loads this package where the
    main program does, and the processes that it forks begin anew.
    """
    return _is_forked  # torch asks at each look at a device, so that the number of the process would be dear


def _begin_forked() -> None:
    global _is_forked
    _is_forked = _is_armed


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_forked)


def refuse_other_form(*, reduced: bool) -> None:
    """Complain where the process has the other form of the device already: torch keeps what is registered.

    Args:
        reduced: whether the reduced form is wanted.

    Raises:
        RuntimeError: it has.
    """
    if _is_reduced is not None and _is_reduced != reduced:
        wanted, there = ("accelerator", "cuda") if reduced else ("cuda", "accelerator")
        raise RuntimeError(
            f"simulated {wanted}: this process has used the simulated {there} before; start another for it"
        )


def arm(native: ModuleType, *, reduced: bool = False) -> None:
    """Register the device, and start the autograd engine's threads for it; nothing is visible by that.

    Args:
        native: the extension module. To be armed once.
        reduced: see `register`.
    """
    global _is_armed
    _is_armed = True
    register(native, reduced=reduced)
    native.arm()
    atexit.register(_quiesce, native)


def register(native: ModuleType, *, reduced: bool = False) -> None:
    """Register the device's kernels, once a process; those that are forked from it have them, too.

    Args:
        native: the extension module.
        reduced: for torch's type of others' devices in place of ``cuda``.
    """
    global _is_reduced
    _is_reduced = reduced
    table = operators()
    native.register_with_torch(
        reduced,
        table.waits,
        table.reads,
        table.sends,
        set(table.stages),
        set(table.indexing),
        set(table.views),
        set(table.mixed_devices),
        set(table.host_numbers),
        set(table.absent),
        {name: (types.kernel, set(types.types)) for name, types in table.absent_types.items()},
        {name: (when.kernel, when.if_given, when.if_fraction) for name, when in table.varies.items()},
        set(table.in_double),
        set(table.in_float),
        {name: sparse.as_native() for name, sparse in table.sparse.items()},
    )


def _quiesce(native: ModuleType) -> None:
    if not native.quiesce():
        print("simulated cuda: backward still runs in a thread at exit", file=sys.stderr)
