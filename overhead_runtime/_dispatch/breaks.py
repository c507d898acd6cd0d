"""Runs compiled code with graph breaks as stock does: what it calls is handed to Dynamo.

The user's code that runs where a graph breaks, and what resumes after it, are frames that Dynamo evaluates
with their own guards. Only the first frame is dispatched here.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch._C._dynamo.eval_frame import set_eval_frame
from torch._dynamo import eval_frame

if TYPE_CHECKING:
    from .dynamo import Target

__all__ = ["refusal", "with_dynamo"]


def refusal(target: Target) -> str | None:
    """Why frames that are called cannot be handed to Dynamo as stock would; None if they can."""
    if target.region != -1:
        return "graph break in code whose recompilations are isolated"
    return "graph break where breaks are errors" if target.errs_at_breaks else None


def with_dynamo(run: types.FunctionType, target: Target) -> Callable[..., Any]:
    """Compiled code, the calls of which are frames that Dynamo evaluates.

    Args:
        run: The compiled code; nothing in it may rely on Dynamo being off.
        target: What stock compiles.

    Returns:
        A callable for moments in which Dynamo evaluates no frames.
    """
    eval_frame.skip_code(run.__code__)  # It is compiled, what it calls is not.
    callback, hooks = target.callback, target.hooks
    included, excluded = torch._C._dispatch_tls_local_include_set, torch._C._dispatch_tls_local_exclude_set
    restoring: Any = torch._C._ForceDispatchKeyGuard

    def call(*args: Any, **kwargs: Any) -> Any:
        undo = [enter() for enter in hooks]
        try:
            with restoring(included(), excluded()):
                set_eval_frame(callback)
                try:
                    return run(*args, **kwargs)
                finally:
                    set_eval_frame(None)
        finally:
            for one in undo:
                one()

    return call
