"""What kind of host time a recorded span is, by what ran in it and where that is defined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

__all__ = ["RawSpan", "kinds_of"]


class RawSpan(NamedTuple):
    """A span as the native core gives it; times in nanoseconds of its clock."""

    begin: int
    end: int
    parent: int
    thread: int
    what: str
    """``function`` (the user's), ``generated`` (written by torch), ``library``, ``context``, ``builtin``,
    ``operation`` or ``node``."""
    name: str
    code_path: str | None
    """Where a Python function is defined."""
    code_line: int
    path: str | None
    """The user's line for which it ran."""
    line: int


_WAITS: Final = frozenset({"event_sync", "stream_sync", "device_sync"})
_COPIES: Final = frozenset({"aten::copy_", "aten::_to_copy", "aten::to"})
_PHASES: Final = frozenset({"backward", "optimizer", "compiled", "data"})
"""What is a part of these counts to them, but for what is told apart everywhere."""
_EVERYWHERE: Final = frozenset({"wait", "copy", "context"})
_NAMES: Final = {
    ("/torch/_tensor.py", "backward"): "backward",
}
"""By the end of the path and the last name: before Python 3.11 code does not know the others."""
_WALKS: Final = "/torch/nn/modules/module.py"
"""Where the generators are that are recorded wherever they are resumed, as contexts are."""
_FILES: Final = (
    ("/torch/optim/", "optimizer"),
    ("/torch/utils/data/", "data"),
    ("/torch/amp/", "context"),
    ("/torch/autograd/grad_mode.py", "context"),
    ("/torch/autograd/profiler.py", "context"),
    ("/contextlib.py", "context"),
    ("/torch/autograd/__init__.py", "backward"),
    ("/torch/_dynamo/", "compiled"),
    ("/torch/_inductor/", "compiled"),
    ("/torch/_functorch/", "compiled"),
    ("/torch/", "torch"),
)
"""Parts of the path of a function's file, the first that fits counts."""


def kinds_of(spans: Sequence[RawSpan], instants: Sequence[tuple[int, str, int]]) -> list[str]:
    """A kind out of `overhead_lint.measure.trace.KINDS` for each span.

    Args:
        spans: each after its parent.
        instants: time, metric and span of what happened at a moment.
    """
    waiting = {parent for _, metric, parent in instants if metric in _WAITS}
    runs_operators = {one.parent for one in spans if one.what == "operation"}
    found: list[str] = []
    phases: list[str] = []
    for number, one in enumerate(spans):
        own = "wait" if number in waiting else _own(one, number in runs_operators)
        around = phases[one.parent] if one.parent >= 0 and one.what != "function" else ""
        kind = around if around and own not in _EVERYWHERE else own
        phases.append(kind if kind in _PHASES else around)
        found.append(kind)
    return found


def _own(one: RawSpan, runs_operators: bool) -> str:
    if one.what == "context" and (one.code_path or "").replace("\\", "/").endswith(_WALKS):
        return "torch"
    if one.what in ("context", "operation", "node"):
        kinds: dict[str, Any] = {"context": "context", "node": "backward"}
        return str(kinds.get(one.what) or ("copy" if one.name in _COPIES else "operator"))
    if one.what == "builtin":
        return "torch" if runs_operators or one.name.startswith("torch") else "python"
    if one.what in ("function", "generated"):
        return "python" if one.what == "function" else "compiled"
    path = (one.code_path or "").replace("\\", "/")
    last = one.name.rpartition(".")[2]
    for (end, name), kind in _NAMES.items():
        if last == name and path.endswith(end):
            return kind
    return next((kind for part, kind in _FILES if part in path), "python")
