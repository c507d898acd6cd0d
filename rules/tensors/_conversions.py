"""Conversions of tensors: ``.to(...)``, ``.float()``, ``.cpu()`` and what they convert to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

from .._calls import argument_values
from .._literals import is_none, is_text

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_DTYPES = frozenset(
    {
        "bfloat16",
        "bool",
        "cdouble",
        "cfloat",
        "complex128",
        "complex64",
        "double",
        "float",
        "float16",
        "float32",
        "float64",
        "half",
        "int",
        "int16",
        "int32",
        "int64",
        "int8",
        "long",
        "short",
        "uint8",
    }
)
DTYPE_METHODS = {
    "bfloat16": "bfloat16",
    "bool": "bool",
    "double": "float64",
    "float": "float32",
    "half": "float16",
    "int": "int32",
    "long": "int64",
}
"""Methods without arguments, with the dtype that each converts to."""


TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)


CONVERTING = frozenset({"to", "cpu", "cuda", *DTYPE_METHODS})
"""Names of methods that `conversion` knows."""


class Conversion(NamedTuple):
    """One conversion, to a device or to a dtype.

    Attributes:
        receiver: what is converted.
        keyword: ``device`` or ``dtype``.
        template: the argument as a template: ``{target}``, or what the method's name stands for.
        target: the argument as written, if there is one.
        proven: whether the argument is certainly what `keyword` says, and not told by its name.
    """

    receiver: ast.expr
    keyword: str
    template: str
    target: ast.expr | None
    proven: bool


def conversion(node: ast.expr, ctx: Context) -> Conversion | None:
    """What a call converts to, if that is one device or one dtype and nothing else is asked for."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None
    method, receiver = node.func.attr, node.func.value
    if method == "to":
        return _to(node, receiver, ctx)
    if node.args or node.keywords:
        return None
    if method in DTYPE_METHODS:
        return Conversion(receiver, "dtype", f"{{torch}}.{DTYPE_METHODS[method]}", None, True)
    if method in ("cpu", "cuda"):
        return Conversion(receiver, "device", f'"{method}"', None, True)
    return None


def _to(node: ast.Call, receiver: ast.expr, ctx: Context) -> Conversion | None:
    if any(map(is_none, argument_values(node))):
        return None  # it leaves the tensor as it is
    if len(node.args) == 1 and not node.keywords:
        target = node.args[0]
        for keyword in ("device", "dtype"):
            proven = _is(keyword, target, ctx)
            if proven is not None:
                return Conversion(receiver, keyword, "{target}", target, proven)
    elif not node.args and len(node.keywords) == 1 and node.keywords[0].arg in ("device", "dtype"):
        return Conversion(receiver, node.keywords[0].arg, "{target}", node.keywords[0].value, True)
    return None


def is_proven(keyword: str, target: ast.expr, ctx: Context) -> bool:
    """Whether an argument is certainly a device (a dtype), not None."""
    return _is(keyword, target, ctx) is True


def _is(keyword: str, target: ast.expr, ctx: Context) -> bool | None:
    """Whether an argument is a device (a dtype): True if proven, False if its name says so, else None."""
    name = ctx.qualified_name(target) or ""
    if keyword == "dtype" and name.startswith("torch.") and name.removeprefix("torch.") in _DTYPES:
        return True
    if keyword == "device":
        if is_text(target):
            return True
        if isinstance(target, ast.Call) and ctx.qualified_name(target.func) == "torch.device":
            return True
    bound = ctx.value(target) if isinstance(target, (ast.Attribute, ast.Name)) else None
    if isinstance(bound, (ast.Attribute, ast.Constant, ast.Call)) and _is(keyword, bound, ctx):
        return True
    if isinstance(target, ast.Attribute):
        if target.attr == keyword and ctx.kind(target.value) in TENSORS:
            return True
        return False if target.attr == keyword or target.attr.endswith(f"_{keyword}") else None
    if isinstance(target, ast.Name):
        return False if target.id == keyword or target.id.endswith(f"_{keyword}") else None
    return None


# What makes a tensor of torch's default dtype, float32, unless it is given another.
_OF_DEFAULT = frozenset("torch.empty torch.eye torch.ones torch.rand torch.randn torch.zeros".split())  # noqa: SIM905


def has_dtype_already(converted: Conversion, ctx: Context) -> bool:
    """Whether a conversion does nothing: ``torch.zeros(n).float()``, ``torch.arange(len(x)).long()``."""
    made = converted.receiver
    if converted.keyword != "dtype" or not isinstance(made, ast.Call):
        return False
    target = ctx.qualified_name(converted.target) if converted.target is not None else converted.template
    if ctx.qualified_name(made.func) == "torch.arange" and target in _INTEGERS:
        return all(map(_is_integer, made.args)) and not made.keywords
    return (
        target in {"torch.float32", "torch.float", "{torch}.float32"}
        and ctx.qualified_name(made.func) in _OF_DEFAULT
        and not any(item.arg in {"dtype", None} for item in made.keywords)
    )


_INTEGERS = frozenset({"torch.int64", "torch.long", "{torch}.int64"})


def _is_integer(node: ast.expr) -> bool:
    """Whether an expression is certainly an integer: a size, or what is written out or made of such."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.BinOp):
        exact = not isinstance(node.op, ast.Div)
        return exact and _is_integer(node.left) and _is_integer(node.right)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "size" and len(node.args) == 1
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
