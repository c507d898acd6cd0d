"""Registers an extension of the simulated device with torch, and lets the process end safely after it."""

from __future__ import annotations

import atexit
import os
import sys
from types import ModuleType

from overhead_lint.simulated.operators import operators

__all__ = ["arm", "in_forked_child"]

_owner = 0


def in_forked_child() -> bool:
    """Whether this process was forked from one that had armed the simulated device.

    One that was forked before may have a device of its own: a fork server loads this package where the
    main program does, and the processes that it forks begin anew.
    """
    return _owner not in (0, os.getpid())


def arm(native: ModuleType) -> None:
    """Register the device, and start the autograd engine's threads for it; nothing is visible by that.

    Args:
        native: the extension module, ``simulated`` or ``reduced``. To be armed once.
    """
    global _owner
    _owner = os.getpid()
    table = operators()
    native.arm(
        table.waits,
        {name: read.as_native() for name, read in table.reads.items()},
        table.sends,
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
    atexit.register(_quiesce, native)


def _quiesce(native: ModuleType) -> None:
    if not native.quiesce():
        print("simulated cuda: backward still runs in a thread at exit", file=sys.stderr)
