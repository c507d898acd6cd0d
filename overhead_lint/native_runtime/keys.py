"""`cached_hash` over the compiled module."""

from __future__ import annotations

import copyreg
import functools
from collections.abc import Callable
from typing import Any

from overhead_runtime import keys

__all__ = ["forms"]


def forms(module: Any) -> dict[str, Callable[..., Any]]:
    """The native functions by name.

    Args:
        module: the compiled module ``contexts``.
    """
    # A class that is pickled by value may be loaded where nothing is compiled.
    copyreg.pickle(module.HashOnce, lambda once: (keys.hash_once, (once.plain,), vars(once)))

    def once(plain: Any) -> Any:
        return module.HashOnce(plain, keys.CachedRepr.__dict__["_hash_state"])

    @functools.wraps(keys.cached_hash)
    def cached_hash(cls: Any) -> Any:
        return keys.cached_hash(cls, once)

    return {"cached_hash": cached_hash}
