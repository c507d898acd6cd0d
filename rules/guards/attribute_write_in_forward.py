"""OVH304: attributes of a module that its forward writes on each call."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Rule
from overhead_lint.syntax.receivers import is_own_attribute

from .._assignments import is_given_anew
from .._blocks import runs_each_time
from .._classes import in_init
from .._once import once
from .._taken import free_name
from .._wording import short
from ._attributes import uses

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH304",
    name="attribute-write-in-forward",
    summary="module attribute written on each call",
    triggers=(b"torch",),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_CONVERSIONS = frozenset({"to", "cuda", "cpu", "float", "half", "bfloat16", "double", "type", "type_as"})


@RULE.on(ast.Assign)
def check(node: ast.Assign, ctx: Context) -> Iterator[Finding]:
    """``self.x = ...`` in a method of a module that runs in every step."""
    target = node.targets[0]
    if len(node.targets) != 1 or not is_own_attribute(target):
        return
    cls = ctx.cls(node)
    if cls is None or not cls.is_module or in_init(node, ctx):
        return
    if _is_converted(node.value, target, ctx):
        if not runs_each_time(node, ctx) or is_given_anew(target, node, ctx):
            return
        yield ctx.finding(
            RULE,
            node,
            f"{short(target, ctx)} is converted and written back on each call: the write goes through "
            "nn.Module.__setattr__, and compiled code has to guard what was there before",
            help="register it as a buffer (persistent=False), which moves with the module",
        )
        return
    reads = _reads_after(node, target, ctx)
    if reads:
        yield ctx.finding(
            RULE,
            node,
            f"{short(target, ctx)} is written on each call, through nn.Module.__setattr__, "
            f"and read by {_name(node, ctx)} alone",
            help="use a local variable",
            fix=_fix(target, reads, ctx),
        )


def _is_converted(value: ast.expr, target: ast.Attribute, ctx: Context) -> bool:
    """``self.x.to(...)``, any number of conversions one after the other."""
    converted = False
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr not in _CONVERSIONS:
            return False
        value, converted = value.func.value, True
    return converted and ctx.text(value) == ctx.text(target)


def _name(node: ast.AST, ctx: Context) -> str:
    function = ctx.function(node)
    assert function is not None
    return function.qualname.rpartition(".")[2]


def _reads_after(node: ast.Assign, target: ast.Attribute, ctx: Context) -> Sequence[ast.Attribute]:
    """The reads of an attribute, if all of them come after this write, in the same run of the function.

    That is: the attribute is private, the write stands right in the function's body, it is the only one but
    for ``__init__``, and nothing else in the file has an attribute or a string of that name.
    """
    cls, function = ctx.cls(node), ctx.function(node)
    assert cls is not None
    if function is None or isinstance(function.node, ast.Lambda) or node not in function.node.body:
        return ()
    if not target.attr.startswith("_"):
        return ()  # a base class, or whoever holds the module, may read it after the call
    if _is_generator(function.node, ctx) or _is_named_elsewhere(target, ctx):
        return ()
    reads: list[ast.Attribute] = []
    for item in uses(cls, target.attr, ctx):
        if item is target or (in_init(item, ctx) and not isinstance(item.ctx, ast.Load)):
            continue
        after = (item.lineno, item.col_offset) > (node.end_lineno or 0, node.end_col_offset or 0)
        if ctx.function(item) is not function or not isinstance(item.ctx, ast.Load) or not after:
            return ()
        reads.append(item)
    return reads


def _is_generator(function: ast.AST, ctx: Context) -> bool:
    return any(True for _ in ctx.within(function, ast.Yield, ast.YieldFrom))


def _is_named_elsewhere(target: ast.Attribute, ctx: Context) -> bool:
    """Whether an attribute of anything but ``self`` of this class, or a string, has the name."""
    cls, (attributes, texts) = ctx.cls(target), _named(ctx)
    return target.attr in texts or any(
        not (is_own_attribute(item) and ctx.cls(item) is cls) for item in attributes.get(target.attr, ())
    )


@once
def _named(ctx: Context) -> tuple[dict[str, list[ast.Attribute]], set[str]]:
    """The attributes of the file by name, and its strings."""
    attributes: dict[str, list[ast.Attribute]] = {}
    for item in ctx.nodes(ast.Attribute):
        attributes.setdefault(item.attr, []).append(item)
    texts = {item.value for item in ctx.nodes(ast.Constant) if isinstance(item.value, str)}
    return attributes, texts


def _fix(target: ast.Attribute, reads: Sequence[ast.Attribute], ctx: Context) -> Fix | None:
    """A local name instead of the attribute."""
    stem = target.attr.lstrip("_")
    if not stem.isidentifier():
        return None
    name = free_name(stem, lambda one: ctx.is_bound(one, target) or hasattr(builtins, one))
    return Fix(
        Applicability.UNSAFE,
        "use a local variable",
        edits=tuple(replace(item, name) for item in (target, *reads)),
    )
