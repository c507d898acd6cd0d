"""Functions of linear algebra that read back whether they worked, so that they can raise."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.syntax.grammar import TRIES

from .._blocks import holders
from ._likely import may_be_on_device, on_device

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["CHECKED_CALLS", "checked"]

_UNCHECKED: Final = {
    **{
        f"torch.linalg.{name}": f"torch.linalg.{name}_ex"
        for name in ("cholesky", "inv", "ldl_factor", "lu_factor", "solve")
    },
    "torch.cholesky": "torch.linalg.cholesky_ex",
    "torch.inverse": "torch.linalg.inv_ex",
}
_METHODS: Final = {"cholesky": "torch.linalg.cholesky_ex", "inverse": "torch.linalg.inv_ex"}
CHECKED_CALLS: Final = frozenset({*_UNCHECKED, *_METHODS})


def checked(node: ast.Call, function: ast.Attribute, name: str, ctx: Context) -> tuple[ast.expr, str] | None:
    """The matrices of the device that a call works on, and what does the same without a check.

    None where the error is waited for: in a ``try``.
    """
    takes = may_be_on_device if name else on_device
    if name:
        unchecked, matrices = _UNCHECKED.get(name), node.args[0] if node.args else None
    else:
        unchecked, matrices = _METHODS.get(function.attr), function.value
    if unchecked is None or matrices is None or not takes(matrices, ctx):
        return None
    return None if _may_fail(node, ctx) else (matrices, unchecked)


def _may_fail(node: ast.AST, ctx: Context) -> bool:
    return any(
        isinstance(holder, TRIES) and part in holder.body  # type: ignore[attr-defined]
        for holder, part in holders(node, ctx)
    )
