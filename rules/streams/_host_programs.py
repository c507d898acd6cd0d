"""Programs that compute on the host from beginning to end: nobody waits there for a device."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .._once import once

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["computes_on_host"]

# What moves models and batches to a device, or has somebody else do so: devices, what prepares for them, and
# libraries that run the loop. Comments count as well.
_MOVING = re.compile(
    r"(?i)accelerat|cuda|deepspeed|device|distributed|fabric|gpu|lightning|prefetch|trainer|\.to\(|"
    r"(?<![a-z])(?:hpu|mps|npu|tpu|xla|xpu)(?![a-z])"
)


@once
def computes_on_host(ctx: Context) -> bool:
    """Whether a file is a program that trains, and no word in it tells of another device than the host.

    What it makes lies on the host, and what it is given would have to be moved to where the model is.
    """
    if not ctx.calls("backward") or not any(_asks_whether_run(test.test) for test in ctx.nodes(ast.If)):
        return False
    text = "\n".join(ctx.lines(1, ctx.tree.body[-1].end_lineno or 1))
    return _MOVING.search(text) is None


def _asks_whether_run(test: ast.expr) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "__name__" for one in ast.walk(test))
