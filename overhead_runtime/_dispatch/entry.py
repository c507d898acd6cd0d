"""Compiled code with its guards, as direct dispatch calls it."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import breaks, dynamo, shortcuts
from .states import States

if TYPE_CHECKING:
    from .breaks import Inner
    from .dynamo import CompiledCode, Target


class Entry:
    """One compiled code object that can be called with the arguments of the original.

    Args:
        compiled: The code, with its guards.
        function: What it was compiled of.
        code: The code of that.
        target: What stock compiles.
        dispatch: Makes what dispatches a function that resumes after a graph break.
        is_outermost: Whether it is called by the user, not by compiled code before a graph break.

    Attributes:
        inner: What dispatches the functions that resume after this code.
    """

    __slots__ = (
        *("__weakref__", "autocast", "check", "inner", "manager", "refusal"),
        *("root", "run", "states"),
    )

    def __init__(
        self,
        compiled: CompiledCode,
        function: types.FunctionType,
        code: types.CodeType,
        target: Target,
        dispatch: Callable[[types.FunctionType], Inner],
        is_outermost: bool,
    ) -> None:
        self.manager = compiled.manager
        self.root = compiled.root
        self.check: Callable[[dict[str, Any]], bool] = compiled.root.check
        self.states = States()
        broken = dynamo.has_graph_break(code, compiled.code)
        # Dynamo's list of reasons names no function that resumes.
        broken = broken or not (is_outermost or shortcuts.calls_only_graphs(compiled.code))
        self.refusal = _refusal(code, compiled.code) or (breaks.refusal(target) if broken else None)
        # Taken in the first call that hits: Dynamo guards the autocast state, so it holds in all others.
        self.autocast: tuple[bool, ...] | None = None
        # Defaults are bound beforehand, so the copy needs none.
        self.run: Callable[..., Any] | None = None
        self.inner: tuple[Inner, ...] = ()
        if self.refusal is not None:
            return
        if broken:
            run, self.inner = breaks.with_breaks(compiled.code, function, target.callback, dispatch)
            self.run = breaks.with_hooks(run, target) if is_outermost else run
        else:
            names = shortcuts.globals_for(compiled.code, function) or function.__globals__
            self.run = types.FunctionType(compiled.code, names, function.__name__, None, function.__closure__)
            self.run.__qualname__ = function.__qualname__

    def failing(self, names: dict[str, Any]) -> str:
        """The guard that fails for these local names, as Dynamo words it."""
        return "; ".join(self.root.check_verbose(names).verbose_code_parts)


def _refusal(original: types.CodeType, compiled: types.CodeType) -> str | None:
    same_shape = (
        compiled.co_argcount == original.co_argcount
        and compiled.co_kwonlyargcount == original.co_kwonlyargcount
        and compiled.co_freevars == original.co_freevars
    )
    return None if same_shape else "the compiled code has another signature"
