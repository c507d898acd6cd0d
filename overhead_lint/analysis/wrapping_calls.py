"""Calls that give a function, or a module, that runs the one they are called with."""

from __future__ import annotations

from typing import Final

__all__ = ["BINDERS", "WRAPPERS"]

BINDERS: Final = frozenset({"MethodType", "partial", "partialmethod", "update_wrapper"})
"""Calls that give a function which runs the one that they are called with."""
WRAPPERS: Final = frozenset(
    """DataParallel DistributedDataParallel DDP FSDP FullyShardedDataParallel checkpoint_wrapper compile
    fully_shard prepare script""".split()  # noqa: SIM905
)
"""Calls that give back the module that they are called with, or one that runs it."""
