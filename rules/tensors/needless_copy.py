"""OVH708: tensors that are copied though nobody writes to the copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule

from .._classes import is_buffer
from .._literals import elements_of, is_none
from .._names import is_named
from .._wording import short
from ._pure import is_only_read, is_quiet, is_saved, is_written, last_use

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH708",
    name="needless-copy",
    summary="tensor copied on every step though nobody writes to the copy",
    triggers=(b"clone(", b".repeat("),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)
# Functions and methods that give new memory, and do not keep what they give for the backward pass.
_NEW = frozenset(
    """add arange argmax argmin argsort bmm cat concat cumsum div empty empty_like eq eye full full_like
    gather ge gt hstack index_select le lt masked_fill matmul mean mm mul ne ones ones_like outer rand
    rand_like randint randn randn_like round scatter sign stack sub sum tril triu vstack where zeros
    zeros_like
    """.split()  # noqa: SIM905
)
_MADE_OF_DATA = frozenset({"torch.as_tensor", "torch.from_numpy", "torch.tensor"})
_MADE_OF_SIZES = frozenset(
    {
        f"torch.{name}"
        for name in (
            *("arange", "empty", "eye", "full", "linspace", "logspace", "ones", "rand", "randint", "randn"),
            *("randperm", "zeros"),
        )
    }
)
# Methods that give a part of a tensor, or the same elements in another shape.
_VIEWS = frozenset(
    "expand flatten narrow permute reshape select squeeze transpose unfold unsqueeze view".split()  # noqa: SIM905
)
_SHARED = frozenset({"expand", "expand_as", "broadcast_to", "repeat", "unfold", "as_strided"})


@RULE.on(ast.Call, named=("clone",))
def check_clone(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``x.clone() * y``, ``torch.cat([x, y]).clone()``, ``x.clone().detach()``."""
    source = _cloned(node, ctx)
    if source is None or ctx.is_compiled(node) or ctx.kind(source) not in _TENSORS:
        return
    bare = _undetached(source)
    if _is_new(bare, ctx):
        message = "copies what was just computed here, and nothing else refers to"
    elif _is_shared(bare) or not is_only_read(node, ctx) or _may_change(bare, node, ctx):
        yield from _detached_late(node, source, ctx)
        return
    else:
        message = f"copies {short(bare, ctx)}, which nobody writes to while the copy is read"
    yield ctx.finding(RULE, node, message, help="leave clone() out", fix=_without(node, source))


def _may_change(bare: ast.expr, node: ast.Call, ctx: Context) -> bool:
    """Whether what is copied may be written to before the copy is read, by the backward pass too."""
    if not is_quiet(node, last_use(node, ctx), ctx):
        return True
    return is_saved(node, ctx) and is_written(bare, ctx)


def _detached_late(node: ast.Call, source: ast.expr, ctx: Context) -> Iterator[Finding]:
    """``x.clone().detach()``: autograd records the copy, and the record is thrown away."""
    attribute = ctx.parent(node)
    call = ctx.parent(attribute) if isinstance(attribute, ast.Attribute) else None
    if not (isinstance(call, ast.Call) and call.func is attribute and isinstance(attribute, ast.Attribute)):
        return
    if attribute.attr != "detach" or call.args or call.keywords or node.keywords:
        return
    if _is_unrecorded(node, ctx) or _has_no_record(source, ctx):
        return
    yield ctx.finding(
        RULE,
        call,
        "copies with autograd's record of the copy, and throws the record away",
        help="detach first: .detach().clone()",
        fix=Fix(
            Applicability.SAFE,
            "detach first",
            edits=(replace(call, "{tensor}.detach().clone()", tensor=source),),
        ),
    )


def _is_unrecorded(node: ast.AST, ctx: Context) -> bool:
    """Whether a place is in a method of an autograd function: autograd records nothing there."""
    function = ctx.function(node)
    cls = function.cls if function is not None else None
    return cls is not None and "torch.autograd.Function" in cls.bases


def _has_no_record(source: ast.expr, ctx: Context) -> bool:
    """Whether what is copied is of what was made without a record.

    From an array or of sizes, by ``detach()``, or as a buffer.
    """
    source = _viewed(source)
    if isinstance(source, ast.Attribute) and is_named(source.value, "self"):
        if is_buffer(source, ctx):
            return True
        values = _kept(source, ctx)
    else:
        values = [source] if isinstance(source, ast.Call) else list(ctx.values(source))
    return bool(values) and all(_makes_no_record(_viewed(value), ctx) for value in values)


def _viewed(node: ast.expr) -> ast.expr:
    """What an expression gives a part or a view of; the expression itself if it is none."""
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS:
            node = node.func.value
        else:
            return node


def _makes_no_record(value: ast.expr, ctx: Context) -> bool:
    if not isinstance(value, ast.Call) or any(item.arg in {None, "requires_grad"} for item in value.keywords):
        return False
    name = ctx.qualified_name(value.func)
    return name in _MADE_OF_DATA | _MADE_OF_SIZES or getattr(value.func, "attr", "") == "detach"


def _kept(attribute: ast.Attribute, ctx: Context) -> list[ast.expr]:
    """What the methods of a class keep in an attribute but for None; nothing if they change it otherwise."""
    cls = ctx.cls(attribute)
    found = []
    for one in ctx.within(cls.node, ast.Attribute) if cls is not None else ():
        if one.attr != attribute.attr or isinstance(one.ctx, ast.Load):
            continue
        holder = ctx.parent(one)
        if not isinstance(holder, ast.Assign) or not is_named(one.value, "self"):
            return []
        if not is_none(holder.value):
            found.append(holder.value)
    return found


@RULE.on(ast.Call, named=("repeat",))
def check_repeat(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``x.unsqueeze(1).repeat(1, n, 1) + y``."""
    if not isinstance(node.func, ast.Attribute) or node.keywords or ctx.is_compiled(node):
        return
    source = node.func.value
    if ctx.kind(source) not in _TENSORS:
        return
    given = node.args[0].elts if len(node.args) == 1 and isinstance(node.args[0], ast.Tuple) else node.args
    times = [place for place, count in enumerate(given) if not _is_int(count, 1)]
    if len(times) != 1 or any(isinstance(count, ast.Starred) for count in given):
        return
    if not _has_one(source, times[0], len(given), ctx) or not is_only_read(node, ctx, viewed=False):
        return
    sizes = ", ".join(ctx.text(count) if place in times else "-1" for place, count in enumerate(given))
    yield ctx.finding(
        RULE,
        node,
        "copies a tensor along a dimension of size 1, and what it gives is only read",
        help=f"use expand({sizes}), which copies nothing; operators broadcast by themselves, too",
    )


def _cloned(node: ast.Call, ctx: Context) -> ast.expr | None:
    """What ``x.clone()`` or ``torch.clone(x)`` copies, if it is told nothing else."""
    if node.keywords or not isinstance(node.func, ast.Attribute):
        return None
    if ctx.qualified_name(node.func) == "torch.clone":
        return node.args[0] if len(node.args) == 1 else None
    return node.func.value if node.func.attr == "clone" and not node.args else None


def _undetached(node: ast.expr) -> ast.expr:
    while isinstance(node, (ast.Call, ast.Attribute)):
        if isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "detach":
            assert isinstance(node.func, ast.Attribute)
            node = node.func.value
        else:
            break
    return node


def _is_new(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression gives memory that nothing else refers to."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.MatMult)) and ctx.kind(node) in _TENSORS
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr not in _NEW or any(item.arg == "out" for item in node.keywords):
        return False
    name = ctx.qualified_name(node.func)
    return name == f"torch.{node.func.attr}" or (name is None and ctx.kind(node.func.value) in _TENSORS)


def _is_shared(node: ast.expr) -> bool:
    """Whether elements of a tensor share memory, which a copy parts."""
    return any(isinstance(part, ast.Attribute) and part.attr in _SHARED for part in ast.walk(node))


def _has_one(node: ast.expr, place: int, dimensions: int, ctx: Context) -> bool:
    """Whether a tensor of so many dimensions certainly has size 1 at a place: it was put in right here."""
    if isinstance(node, ast.Name):
        value = ctx.value(node)
        return isinstance(value, (ast.Call, ast.Subscript)) and _has_one(value, place, dimensions, ctx)
    if isinstance(node, ast.Subscript):
        parts = elements_of(node.slice)
        plain = all(isinstance(part, ast.Slice) or is_none(part) for part in parts)
        return plain and place < len(parts) and is_none(parts[place])
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr == "unsqueeze" and len(node.args) == 1:
        return any(_is_int(node.args[0], at) for at in (place, place - dimensions))
    if node.func.attr in {"view", "reshape"} and len(node.args) == dimensions:
        return _is_int(node.args[place], 1)
    return False


def _is_int(node: ast.expr, value: int) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _is_int(node.operand, -value)
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == value


def _without(node: ast.Call, source: ast.expr) -> Fix:
    edits = (replace(node, "{tensor}", tensor=source),)
    return Fix(Applicability.UNSAFE, "leave the copy out", edits=edits)
