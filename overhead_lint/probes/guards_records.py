"""What Dynamo's own records say: graph breaks, frames that could not be compiled, and times of compiling."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from overhead_lint.probes.guards_listener import Break, GivenUp

__all__ = ["CompileTime", "break_of", "compile_times", "gave_up"]

_MEASURING: Final = f"{Path(__file__).parents[1] / 'dynamic'}{os.sep}"
"""Functions of a few modules are ours while a program is measured, such as `os._exit`."""


class CompileTime(NamedTuple):
    """How long Dynamo worked on a frame, whether or not it could be compiled in the end."""

    path: str
    line: int
    function: str
    seconds: float | None
    """None where the record has no time."""


def compile_times(records: Iterable[Any]) -> Iterator[CompileTime]:
    """Return what Dynamo's records say of the time of compilations."""
    for record in records:
        if _is_ours(getattr(record, "co_filename", None) or ""):
            continue
        micro = getattr(record, "duration_us", None)
        yield CompileTime(
            getattr(record, "co_filename", None) or "",
            getattr(record, "co_firstlineno", None) or 0,
            getattr(record, "co_name", None) or "",
            getattr(record, "entire_frame_compile_time_s", None) or (None if micro is None else micro * 1e-6),
        )


def break_of(reason: Any) -> Break:
    """A graph break from Dynamo's record of it; the innermost frame of its stack is the user line."""
    stack = [frame for frame in getattr(reason, "user_stack", None) or () if not _is_ours(frame.filename)]
    text = str(getattr(reason, "reason", reason)).strip().splitlines()
    where = stack[-1] if stack else None
    return Break(
        path=where.filename if where is not None else "",
        line=(where.lineno or 0) if where is not None else 0,
        function=where.name if where is not None else "",
        reason=text[0] if text else "graph break",
    )


def _is_ours(path: str) -> bool:
    return path.startswith(_MEASURING)


def gave_up(records: Iterable[Any]) -> Iterator[GivenUp]:
    """The frames that could not be compiled, from Dynamo's records of compilations."""
    for record in records:
        reason = getattr(record, "fail_reason", None) or ""
        if getattr(record, "fail_type", None) != "Unsupported" or "recompile limit" in reason.split("\n")[0]:
            continue
        if _is_ours(record.co_filename or ""):
            continue
        yield GivenUp(
            path=record.fail_user_frame_filename or record.co_filename or "",
            line=record.fail_user_frame_lineno or record.co_firstlineno or 0,
            function=record.co_name or "",
            reason=reason.strip().splitlines()[0],
        )
