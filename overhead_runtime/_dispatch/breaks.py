"""Runs compiled code with graph breaks as stock does: what it calls is handed to Dynamo.

The user's code that runs where a graph breaks is frames that Dynamo evaluates with their own guards. What
resumes after it is a function of Dynamo's, which is dispatched by itself.
"""

from __future__ import annotations

import itertools
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch._C._dynamo.eval_frame import set_eval_frame
from torch._dynamo import eval_frame

from . import shortcuts

if TYPE_CHECKING:
    from .dynamo import Target

__all__ = ["Inner", "left_to_dynamo", "refusal", "resuming", "with_breaks", "with_hooks"]

_RESUMES = "__resume_at"
_numbers = itertools.count()


class Inner(Protocol):
    """What dispatches the calls of a function that resumes, in moments in which Dynamo is off.

    Attributes:
        keeper: Its ``enter`` serves a call.
    """

    keeper: Any

    def rests(self) -> bool:
        """Whether there is nothing to dispatch, so that Dynamo may have the call at once."""

    def hits_here(self) -> int:
        """How many calls were served by compiled code, those of what resumes later among them."""


def refusal(target: Target) -> str | None:
    """Why frames that are called cannot be handed to Dynamo as stock would; None if they can."""
    if target.region != -1:
        return "graph break in code whose recompilations are isolated"
    return "graph break where breaks are errors" if target.errs_at_breaks else None


def with_breaks(
    code: types.CodeType,
    function: types.FunctionType,
    callback: Any,
    dispatch: Callable[[types.FunctionType], Inner],
) -> tuple[Callable[..., Any], tuple[Inner, ...]]:
    """Compiled code, the calls of which are frames that Dynamo evaluates, or functions that are dispatched.

    Args:
        code: The compiled code.
        function: What it was compiled of.
        callback: What Dynamo evaluates frames by.
        dispatch: Makes what dispatches a function that resumes.

    Returns:
        A callable for moments in which Dynamo evaluates no frames, and what dispatches those that resume. As
        long as it lives, what its code needs is among the function's globals.
    """
    names = function.__globals__
    inner: dict[str, Inner] = {
        name: dispatch(names[name])
        for name in code.co_names
        if name.startswith(_RESUMES) and isinstance(names.get(name), types.FunctionType)
    }
    instead: dict[str, Any] = {name: resuming(names[name], callback, one) for name, one in inner.items()}
    instead.update(shortcuts.without_marks(code, function))
    # What the user's own names stand for has to be looked up where it is, so these stand beside them.
    new = {name: f"__overhead_lint_{next(_numbers)}" for name in instead}
    for name, value in instead.items():
        names[new[name]] = value
    code = code.replace(co_names=tuple(new.get(name, name) for name in code.co_names))
    eval_frame.skip_code(code)  # It is compiled, what it calls is not.
    run = types.FunctionType(code, names, function.__name__, None, function.__closure__)
    run.__qualname__ = function.__qualname__

    def call(*args: Any, **kwargs: Any) -> Any:
        set_eval_frame(callback)
        try:
            return run(*args, **kwargs)
        finally:
            set_eval_frame(None)

    # Who runs it holds it: the entry may be dropped while the user's code runs at a break.
    weakref.finalize(call, _remove, names, tuple(new.values())).atexit = False
    return call, tuple(inner.values())


def left_to_dynamo(function: types.FunctionType, callback: Any) -> Callable[..., Any]:
    """A function whose frame Dynamo evaluates, for moments in which it evaluates none."""

    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        set_eval_frame(callback)
        try:
            return function(*args, **kwargs)
        finally:
            set_eval_frame(None)

    return call


def with_hooks(call: Callable[..., Any], target: Target) -> Callable[..., Any]:
    """A call with what stock does around each one of its wrapper, where that may compile."""
    hooks = target.hooks
    included, excluded = torch._C._dispatch_tls_local_include_set, torch._C._dispatch_tls_local_exclude_set
    restoring: Any = torch._C._ForceDispatchKeyGuard

    def around(*args: Any, **kwargs: Any) -> Any:
        undo = [enter() for enter in hooks]
        try:
            with restoring(included(), excluded()):
                return call(*args, **kwargs)
        finally:
            for one in undo:
                one()

    return around


def resuming(function: types.FunctionType, callback: Any, inner: Inner) -> Callable[..., Any]:
    """A function that resumes, for compiled code that calls it while Dynamo evaluates frames.

    Args:
        function: Dynamo's function.
        callback: What Dynamo evaluates frames by.
        inner: What dispatches its calls.
    """
    keeper, rests = inner.keeper, inner.rests

    def resume(*args: Any) -> Any:
        before = set_eval_frame(None)  # Else Dynamo would turn to the frames of the dispatcher.
        if before is not callback or rests():
            set_eval_frame(before)
            return function(*args)
        try:
            return keeper.enter(*args)
        finally:
            set_eval_frame(before)

    eval_frame.skip_code(resume.__code__)
    return resume


def _remove(names: dict[str, Any], own: tuple[str, ...]) -> None:
    for name in own:
        names.pop(name, None)
