"""Registers an extension of the simulated device with torch, and lets the process end safely after it."""

from __future__ import annotations

import atexit
import sys
from types import ModuleType

from overhead_lint.simulated.operators import operators

__all__ = ["arm"]


def arm(native: ModuleType) -> None:
    """Register the device, and start the autograd engine's threads for it; nothing is visible by that.

    Args:
        native: the extension module, ``simulated`` or ``reduced``. To be armed once.
    """
    table = operators()
    native.arm(
        table.waits,
        {name: read.as_native() for name, read in table.reads.items()},
        set(table.indexing),
        set(table.views),
        set(table.mixed_devices),
        set(table.host_numbers),
        set(table.absent),
        {name: (types.kernel, set(types.types)) for name, types in table.absent_types.items()},
        {name: (when.kernel, when.if_given, when.if_fraction) for name, when in table.varies.items()},
        set(table.in_double),
        set(table.in_float),
    )
    atexit.register(_quiesce, native)


def _quiesce(native: ModuleType) -> None:
    if not native.quiesce():
        print("simulated cuda: backward still runs in a thread at exit", file=sys.stderr)
