"""Keeps Dynamo out of what this tool runs in the threads of the program.

Python code that runs below a compiled function is compiled as well: after a graph break that is whatever is
called, hooks and callbacks of ours among it. So Dynamo is told to skip each function by which the program
comes to us, and with it all that this one calls.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["passed_over", "skip_ours", "untraced"]

_F = TypeVar("_F", bound=Callable[..., Any])
_Skip = Callable[[types.CodeType], None]

_entered: list[types.CodeType] = []
"""Code of the functions that are skipped with what they call."""
_passed: list[types.CodeType] = []
"""Code of those that call the program again."""
_skips: list[tuple[_Skip, _Skip]] = []
"""What tells Dynamo to skip code with what it calls, and alone; empty while Dynamo is not imported."""


def untraced(function: _F) -> _F:
    """Have Dynamo skip a function, and all that it calls.

    Args:
        function: of Python. Those that are made by the same ``def`` are skipped, too.
    """
    code = getattr(function, "__code__")  # noqa: B009 - a callable may have none, for mypy
    _entered.append(code)
    for skip, _ in _skips:
        skip(code)
    return function


def passed_over(function: _F) -> _F:
    """Have Dynamo skip a function, but not what it calls: that is the program's.

    Args:
        function: of Python. Those that are made by the same ``def`` are skipped, too.
    """
    code = getattr(function, "__code__")  # noqa: B009 - likewise
    _passed.append(code)
    for _, skip in _skips:
        skip(code)
    return function


def skip_ours() -> None:
    """Tell Dynamo of these functions, now and of each that is made later.

    To be called once it is imported. Where it cannot be told so, nothing is skipped.
    """
    found = _found()
    if found is None or _skips:
        return
    _skips.append(found)
    for skip, codes in zip(found, (_entered, _passed), strict=True):
        for code in codes:
            skip(code)


def _found() -> tuple[_Skip, _Skip] | None:
    try:
        from torch._C._dynamo import eval_frame
    except ImportError:
        return None
    native: Any = eval_frame
    strategy, action = getattr(native, "_FrameExecStrategy", None), getattr(native, "_FrameAction", None)
    set_strategy = getattr(native, "set_code_exec_strategy", None)
    if strategy is None or action is None or set_strategy is None:
        return None

    def whole(code: types.CodeType) -> None:
        set_strategy(code, strategy(action.SKIP, action.SKIP))

    def alone(code: types.CodeType) -> None:
        set_strategy(code, strategy(action.SKIP, action.DEFAULT))

    return whole, alone
