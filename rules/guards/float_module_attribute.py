"""OVH306: float attributes of modules that compiled code reads and other code changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.rule import Heat, Rule
from overhead_lint.syntax.receivers import is_own_attribute

from .._classes import in_init
from .._wording import short
from ._attributes import initial
from ._compiled import runs_compiled

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH306",
    name="float-module-attribute",
    summary="float attribute of a compiled module that changes",
    triggers=(b"compile", b"dynamo"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)


@RULE.on(ast.Attribute)
def check(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """``self.scale`` in compiled code, where ``module.scale = ...`` stands elsewhere."""
    if not is_own_attribute(node) or not isinstance(node.ctx, ast.Load):
        return
    cls = ctx.cls(node)
    if cls is None or not cls.is_module:
        return
    if not runs_compiled(node, ctx) or not _is_float(initial(node, ctx), ctx):
        return
    writes = [
        item
        for item in ctx.nodes(ast.Attribute)
        if item.attr == node.attr
        and isinstance(item.ctx, ast.Store)
        and not (in_init(item, ctx) or _is_of_no_module(item, ctx))
    ]
    if not writes or _is_read_before(node, ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{short(node, ctx)} is a float that line {writes[0].lineno} changes: compiled code is compiled "
        "again for the second value, and from then on one Python function checks such floats on every call",
        help="keep it in a buffer, and change that in place",
    )


def _is_of_no_module(node: ast.Attribute, ctx: Context) -> bool:
    """Whether an attribute is of an object of a class that is no module, or of what autograd keeps."""
    cls, function = ctx.cls(node), ctx.function(node)
    if cls is None or cls.is_module or function is None or not isinstance(node.value, ast.Name):
        return False
    return [one.arg for one in function.node.args.args[:1]] == [node.value.id]


def _is_float(value: ast.expr | None, ctx: Context) -> bool:
    """Whether ``__init__`` sets an attribute to a float literal, or to a parameter annotated so."""
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    if isinstance(value, ast.Constant):
        return isinstance(value.value, float)
    function = ctx.function(value) if isinstance(value, ast.Name) else None
    if function is None or not isinstance(value, ast.Name):
        return False
    arguments = function.node.args
    return any(
        item.arg == value.id and isinstance(item.annotation, ast.Name) and item.annotation.id == "float"
        for item in all_parameters(arguments)
    )


def _is_read_before(node: ast.Attribute, ctx: Context) -> bool:
    """Whether the same function reads the attribute further up: one finding for each is enough."""
    function = ctx.function(node)
    return function is not None and any(
        item.attr == node.attr
        and is_own_attribute(item)
        and isinstance(item.ctx, ast.Load)
        and (item.lineno, item.col_offset) < (node.lineno, node.col_offset)
        for item in ctx.within(function.node, ast.Attribute)
    )
