"""Takes calls of the outermost module for steps: what a program without an optimizer does again and again."""

from __future__ import annotations

import contextlib
import types
import weakref
from collections import Counter as Sums
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from overhead_lint.dynamic.counting import Counter

__all__ = ["MODULE", "ModuleCalls"]

MODULE: Final = "torch.nn.modules.module"
"""To be given to `ModuleCalls.watch` once it is imported."""
_FUNCTION: Final = "_wrapped_call_impl"
"""What a call of a module runs first, compiled ones included; not what Dynamo traces."""
_OFTEN: Final = 8


class ModuleCalls:
    """Marks each call of one module that no other module's call is around.

    That is the module that was called first, while it lives; or another one that was called eight times
    since that was called last.

    Args:
        counter: told to watch the function.
        mark: called at the beginning of each call, with the name of the module's class.
    """

    def __init__(self, counter: Counter, mark: Callable[[str], None]) -> None:
        self._counter = counter
        self._mark = mark
        self._leader: Callable[[], object] = lambda: None
        self._others: Sums[int] = Sums()
        self._end: Callable[[], None] | None = None

    def watch(self, module: types.ModuleType) -> None:
        """Begin; where this torch calls modules in another way, nothing is marked."""
        function: Any = getattr(module.Module, _FUNCTION, None)
        if isinstance(function, types.FunctionType):
            with contextlib.suppress(ValueError):  # without its source there
                self._end = self._counter.on_start(function, self._started)

    def stop(self) -> None:
        """Mark no more, and leave the function as it was."""
        if self._end is not None:
            self._end()
            self._end = None

    def _started(self, frame: types.FrameType) -> None:
        around, code = frame.f_back, frame.f_code
        while around is not None:  # a call inside of a module's finds that one a few frames up
            if around.f_code is code:
                return
            around = around.f_back
        called = frame.f_locals["self"]
        leader = self._leader()
        if leader is not called:
            self._others[id(called)] += 1
            if leader is not None and self._others[id(called)] < _OFTEN:
                return
            self._leader = weakref.ref(called)
        self._others.clear()
        self._mark(type(called).__name__)
