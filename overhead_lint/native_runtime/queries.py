"""`env_flag`, `cached_signature`, `device_properties` over the compiled module."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from overhead_lint.native_runtime.tracing import trace_as
from overhead_runtime import queries

__all__ = ["forms"]


def forms(module: Any) -> dict[str, Callable[..., Any]]:
    """The native functions by name.

    Args:
        module: the compiled module ``contexts``.
    """

    @functools.wraps(queries.refresh_env_flags)
    def refresh_env_flags() -> None:
        module.refresh_env_flags()
        queries.refresh_env_flags()

    module.bind_queries(
        queries.env_flag, queries.cached_signature, queries.device_properties, queries.kept_properties
    )
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=queries.kept_properties.clear)  # There torch refuses, as in stock.
    trace_as(module.device_properties, queries.device_properties)
    trace_as(module.env_flag, queries.env_flag.__wrapped__)
    trace_as(module.cached_signature, queries.cached_signature)
    return {
        "env_flag": module.env_flag,
        "refresh_env_flags": refresh_env_flags,
        "cached_signature": module.cached_signature,
        "device_properties": module.device_properties,
    }
