"""Which line in a library the time of a line of the program goes to, out of the calls that a step made."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import overhead_lint
from overhead_lint.measure.library_time import LibraryPlace
from overhead_lint.probes.attribution import folders

__all__ = ["library_lines"]

_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
_HANDS_ON: Final = frozenset(
    {
        ("/torch/_compile.py", "inner"),
        ("/torch/_ops.py", "__call__"),
        ("/torch/_dynamo/eval_frame.py", "_fn"),
        ("/torch/nn/modules/module.py", "_call_impl"),
        ("/torch/nn/modules/module.py", "_wrapped_call_impl"),
        ("/torch/optim/optimizer.py", "_use_grad"),
        ("/torch/optim/optimizer.py", "maybe_fallback"),
        ("/torch/optim/optimizer.py", "wrapper"),
        ("/torch/utils/_contextlib.py", "decorate_context"),
    }
)
"""Functions that call what they were given, by file and last name: what takes their time lies elsewhere."""


class _Call(NamedTuple):
    """A call of a Python function as the native core gives it."""

    parent: int
    """Number of the call around it; -1 outside of the program."""
    line: int
    """In the function around it."""
    path: str
    name: str
    role: str
    """``user`` for what is neither torch's nor the standard library's, ``generated`` for what torch wrote."""


class _Frame(NamedTuple):
    call: _Call
    line: int


def library_lines(found: Mapping[str, Any]) -> Counter[LibraryPlace]:
    """Return the nanoseconds of a recorded step by line of the program and line in libraries.

    They add up to the length of the step. The line of the program is the innermost that runs and is not
    installed; where all of it is, the innermost that is neither torch's nor the standard library's.

    Args:
        found: what the native core recorded, with ``calls`` and ``lines``.
    """
    calls = [_Call(*fields) for fields in found["calls"]]
    total: Counter[LibraryPlace] = Counter()
    for number, line, taken in found["lines"]:
        if taken > 0:
            total[_place(list(_frames(calls, number, line)))] += taken
    return total


def _frames(calls: Sequence[_Call], number: int, line: int) -> Iterator[_Frame]:
    """What was running of the program and of libraries, innermost first: nothing that records it."""
    while number >= 0:
        call = calls[number]
        if not _records(call.path):
            yield _Frame(call, line)
        number, line = call.parent, call.line


def _place(frames: Sequence[_Frame]) -> LibraryPlace:
    own = next((at for at, one in enumerate(frames) if _is_program(one.call)), None)
    if own is None:
        own = next((at for at, one in enumerate(frames) if one.call.role == "user"), len(frames))
    path, line = (frames[own].call.path, frames[own].line) if own < len(frames) else ("", 0)
    inner = _telling([one for one in frames[:own] if not one.call.path.startswith("<")])
    if inner is None:
        return LibraryPlace(path, line, "", 0, "")
    return LibraryPlace(path, line, inner.call.path, inner.line, inner.call.name)


def _telling(frames: Sequence[_Frame]) -> _Frame | None:
    """The innermost call of a library; not of the standard library where another library calls it."""
    of_libraries = [one for one in frames if not _is_standard(one.call.path)] or frames
    doing = (one for one in of_libraries if not _hands_on(one.call.path, one.call.name))
    return next(doing, of_libraries[0] if of_libraries else None)


def _is_program(call: _Call) -> bool:
    return call.role == "user" and not _is_installed(call.path)


@functools.cache
def _hands_on(path: str, name: str) -> bool:
    last, real = name.rpartition(".")[2], path.replace("\\", "/")
    return any(last == function and real.endswith(end) for end, function in _HANDS_ON)


@functools.cache
def _is_installed(path: str) -> bool:
    return not _INSTALLED.isdisjoint(path.replace("\\", "/").split("/"))


@functools.cache
def _records(path: str) -> bool:
    """Whether a file is one of what measures."""
    return path.startswith(f"{Path(overhead_lint.__file__).parent}{os.sep}")


def _is_standard(path: str) -> bool:
    return path.startswith(tuple(folders()[1])) and not _is_installed(path)
