"""Programs that compute on the host, or with another library than torch, from beginning to end."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .._once import once

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["computes_on_host", "imported"]

_OTHERS = frozenset({"jax", "mindspore", "mlx", "mxnet", "oneflow", "paddle", "tensorflow"})
"""Libraries whose tensors have methods of the same names."""

# What moves models and batches to a device, or has somebody else do so: devices, what prepares for them, and
# libraries that run the loop. Comments count as well.
_MOVING = re.compile(
    r"(?i)accelerat|cuda|deepspeed|device|distributed|fabric|gpu|lightning|prefetch|trainer|\.to\(|"
    r"(?<![a-z])(?:hpu|mps|npu|tpu|xla|xpu)(?![a-z])"
)


@once
def computes_on_host(ctx: Context) -> bool:
    """Whether a file is a program that trains, and no word in it tells of another device than the host.

    What it makes lies on the host, and what it is given would have to be moved to where the model is. So is
    what computes with another library alone.
    """
    libraries = imported(ctx)
    if "torch" not in libraries and not _OTHERS.isdisjoint(libraries):
        return True
    if not ctx.calls("backward") or not any(_asks_whether_run(test.test) for test in ctx.nodes(ast.If)):
        return False
    text = "\n".join(ctx.lines(1, ctx.tree.body[-1].end_lineno or 1))
    return _MOVING.search(text) is None


@once
def imported(ctx: Context) -> frozenset[str]:
    """Return the packages that a file imports, or imports from."""
    modules = [alias.name for statement in ctx.nodes(ast.Import) for alias in statement.names]
    modules += [one.module or "" for one in ctx.nodes(ast.ImportFrom) if not one.level]
    return frozenset(name.partition(".")[0] for name in modules)


def _asks_whether_run(test: ast.expr) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "__name__" for one in ast.walk(test))
