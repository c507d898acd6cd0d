"""`const_tensor` over the compiled module."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import torch
from torch.cuda import graphs

from overhead_lint.native_runtime.tracing import trace_as
from overhead_runtime import constants

__all__ = ["forms"]


def forms(module: Any) -> dict[str, Callable[..., Any]]:
    """The native functions by name.

    Args:
        module: the compiled module ``contexts``.
    """

    @functools.wraps(constants.clear_const_tensors)
    def clear_const_tensors() -> None:
        module.clear_constants()
        constants.clear_const_tensors()

    module.bind_constants(
        *(constants.const_tensor, constants.make_lasting),
        *(vars(torch.cuda), vars(graphs), torch.cuda.is_current_stream_capturing),
    )
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=module.abandon_constants)
    trace_as(module.const_tensor, constants.const_tensor)
    return {"const_tensor": module.const_tensor, "clear_const_tensors": clear_const_tensors}
