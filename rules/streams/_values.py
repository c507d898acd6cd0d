"""What ``torch.tensor`` and kin are given: Python numbers, lists of them, something unknown."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import FROM_VALUES
from overhead_lint.rule import Kind
from overhead_lint.syntax.keywords import keyword_value

from .._conditions import branches
from .._names import is_named, own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "is_empty",
    "is_empty_tensor",
    "is_list_of_places",
    "is_own_list",
    "is_python",
    "made_of",
    "stands_in",
]

_NUMBERS = re.compile(
    r"(?:typing\.)?(?:List|list|Sequence|Iterable|Tuple|tuple)\[(?:int|float|bool)(?:, \.\.\.)?\]"
)

_PLACES = re.compile(
    r"(?:typing\.)?(?:Optional\[)?(?:typing\.)?(?:List|list|Sequence)\[int\]\]?(?: \| None)?"
)


def stands_in(value: ast.expr, ctx: Context) -> bool:
    """Whether a branch makes a tensor of what is none, after asking: most callers may pass one."""
    names = {name.id for name in (value, *ctx.within(value, ast.Name)) if isinstance(name, ast.Name)}
    for test, _ in branches(value, ctx):
        for call in (test, *ctx.within(test, ast.Call)):
            asked = call.args[0] if isinstance(call, ast.Call) and call.args else None
            if isinstance(asked, ast.Name) and asked.id in names and _asks_what(call):
                return True
    return False


def is_empty(value: ast.expr, ctx: Context) -> bool:
    """Whether a list has no elements, nor lists in it any: written so, and nothing is put into it."""
    written = ctx.value(value) if isinstance(value, ast.Name) else value
    if not isinstance(written, (ast.List, ast.Tuple)) or not all(
        is_empty(item, ctx) for item in written.elts
    ):
        return False
    function = ctx.function(value)
    if function is None or not isinstance(value, ast.Name):
        return True
    called = [call.func for call in ctx.within(function.node, ast.Call)]
    changed: list[ast.expr] = [method.value for method in called if isinstance(method, ast.Attribute)]
    changed += [statement.target for statement in ctx.within(function.node, ast.AugAssign)]
    return not any(is_named(node, value.id) for node in changed)


def is_empty_tensor(node: ast.expr, ctx: Context) -> bool:
    """Whether a tensor has no elements, as ``torch.Tensor()`` and ``torch.tensor([])``: nothing is copied."""
    made = ctx.value(node) if isinstance(node, ast.Name) else node
    name = ctx.qualified_name(made.func) or "" if isinstance(made, ast.Call) else ""
    is_typed = name.startswith("torch.") and name.endswith("Tensor")
    if not isinstance(made, ast.Call) or not (is_typed or name in FROM_VALUES):
        return False
    value = made_of(made)
    return is_empty(value, ctx) if value is not None else is_typed


def made_of(call: ast.Call) -> ast.expr | None:
    """What a call makes a tensor of: ``[0]`` of ``torch.tensor([0])`` and ``torch.LongTensor(data=[0])``."""
    return call.args[0] if call.args else keyword_value(call, "data")


def _asks_what(call: ast.AST) -> bool:
    return isinstance(call, ast.Call) and own_name(call.func) in {"isinstance", "is_tensor"}


def is_python(value: ast.expr, ctx: Context) -> bool:
    """Whether a value is surely Python numbers, or lists of them; an empty list needs no copy."""
    if isinstance(value, (ast.List, ast.Tuple)):
        return bool(value.elts) and all(is_python(item, ctx) for item in value.elts)
    if isinstance(value, ast.ListComp):
        return is_python(value.elt, ctx)
    if isinstance(value, ast.BinOp) and not isinstance(value.left, (ast.List, ast.Tuple)):
        return is_python(value.left, ctx) and is_python(value.right, ctx)
    if _is_shape(value, ctx):
        return True
    return ctx.kind(value) is Kind.NUMBER or (isinstance(value, ast.Name) and _holds_numbers(value, ctx))


def _is_shape(value: ast.expr, ctx: Context) -> bool:
    """Whether a value is a tensor's shape, or a part of it."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        value = value.value
    tensors = (Kind.TENSOR, Kind.HOST_TENSOR)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and not value.args:
        return value.func.attr == "size" and ctx.kind(value.func.value) in tensors
    return isinstance(value, ast.Attribute) and value.attr == "shape" and ctx.kind(value.value) in tensors


def _holds_numbers(name: ast.Name, ctx: Context) -> bool:
    """Whether a local name is a list of Python numbers: made of some, filled with some, or annotated so."""
    function = ctx.function(name)
    if function is None or ctx.kind(name) not in (Kind.OBJECT, Kind.UNKNOWN):
        return False
    value = ctx.value(name)
    if isinstance(value, (ast.List, ast.ListComp)):
        added = [
            call.args[0]
            for call in ctx.within(function.node, ast.Call)
            if isinstance(call.func, ast.Attribute)
            and call.func.attr == "append"
            and len(call.args) == 1
            and ctx.text(call.func.value) == name.id
        ]
        items = [*value.elts, *added] if isinstance(value, ast.List) else [value.elt, *added]
        return bool(items) and all(ctx.kind(item) is Kind.NUMBER for item in items)
    return value is None and any(
        argument.arg == name.id
        for argument in ctx.within(function.node, ast.arg)
        if argument.annotation is not None and _NUMBERS.fullmatch(ctx.text(argument.annotation))
    )


def is_list_of_places(name: ast.Name, ctx: Context) -> bool:
    """Whether a name is a parameter that is annotated as a list of integers, which may be missing."""
    bound = ctx.bindings(name)
    return bool(bound) and all(
        isinstance(one, ast.arg)
        and one.annotation is not None
        and _PLACES.fullmatch(ctx.text(one.annotation)) is not None
        for one in bound
    )


def is_own_list(value: ast.expr, ctx: Context) -> bool:
    """Whether a value is an attribute of ``self`` that holds Python values."""
    return ctx.text(value).startswith("self.") and ctx.kind(value) is Kind.OBJECT
