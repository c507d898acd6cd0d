"""Compiled code with its guards, as direct dispatch calls it."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import breaks, dynamo, shortcuts
from .states import States

if TYPE_CHECKING:
    from .dynamo import CompiledCode, Target


class Entry:
    """One compiled code object that can be called with the arguments of the original.

    Args:
        compiled: The code, with its guards.
        function: What it was compiled of.
        code: The code of that.
        target: What stock compiles.
    """

    __slots__ = (
        *("__weakref__", "autocast", "check", "manager", "refusal"),
        *("root", "run", "states"),
    )

    def __init__(
        self, compiled: CompiledCode, function: types.FunctionType, code: types.CodeType, target: Target
    ) -> None:
        self.manager = compiled.manager
        self.root = compiled.root
        self.check: Callable[[dict[str, Any]], bool] = compiled.root.check
        self.states = States()
        broken = dynamo.has_graph_break(code, compiled.code)
        self.refusal = _refusal(code, compiled.code) or (breaks.refusal(target) if broken else None)
        # Taken in the first call that hits: Dynamo guards the autocast state, so it holds in all others.
        self.autocast: tuple[bool, ...] | None = None
        # Defaults are bound beforehand, so the copy needs none.
        self.run: Callable[..., Any] | None = None
        if self.refusal is None:
            closure = function.__closure__
            known = None if broken else shortcuts.globals_for(compiled.code, function)
            names = function.__globals__ if known is None else known
            run = types.FunctionType(compiled.code, names, function.__name__, None, closure)
            run.__qualname__ = function.__qualname__
            self.run = breaks.with_dynamo(run, target) if broken else run

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
