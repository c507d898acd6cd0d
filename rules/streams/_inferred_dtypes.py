"""The dtype that torch finds for a Python number."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["dtype_of"]

_BY_TYPE: Final = {bool: "bool", int: "int64"}
_BY_BUILTIN: Final = {
    **dict.fromkeys(("all", "any", "bool", "callable", "hasattr", "isinstance", "issubclass"), "bool"),
    **dict.fromkeys(("int", "len", "ord"), "int64"),
}


def dtype_of(value: ast.expr, ctx: Context) -> str:
    """Return the name of the dtype that ``torch.tensor`` gives a Python number, if no setting changes it.

    It has to be written where `torch.full` stands for `torch.tensor`: TorchScript takes what fills a tensor
    for a `Scalar`, and makes an int64 of a bool. What has the default dtype, a float or complex number, has
    no name that both eager and scripted code could write, and gets the same dtype in both without one.

    Args:
        value: an expression that gives a Python number.
        ctx: its file.

    Returns:
        ``bool`` or ``int64``; "" for a float or complex number, and where the type is not seen.
    """
    match value:
        case ast.Constant(value=number):
            return _BY_TYPE.get(type(number), "")
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.UnaryOp(operand=operand):
            return "int64" if dtype_of(operand, ctx) else ""  # -True is -1
        case ast.BoolOp(values=values):
            dtypes = {dtype_of(part, ctx) for part in values}
            return dtypes.pop() if len(dtypes) == 1 else ""
        case ast.Call(func=ast.Name(id=name)) if not ctx.is_bound(name, value):
            return _BY_BUILTIN.get(name, "")
    return ""
