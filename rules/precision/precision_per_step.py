"""OVH503: float32 precision set in hot code."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, remove_statement
from overhead_lint.rule import Applicability, Fix, Heat, Rule
from overhead_lint.syntax.dotted_names import root_of

from .._taken import bound_within
from ._names import CUDNN, MATMUL, SETTER

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH503",
    name="precision-per-step",
    summary="float32 precision set on every step",
    triggers=(b"allow_tf32", b"fp32_precision", b"set_float32_matmul_precision"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_HELP = (
    "set it once at the start; runtime.fp32_precision(...) around one part of a step restores what was there"
)


@RULE.on(ast.Attribute)
def check_flag(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """``torch.backends...allow_tf32 = flag`` and ``torch.backends...fp32_precision = value``."""
    if node.attr not in ("allow_tf32", "fp32_precision") or not isinstance(node.ctx, ast.Store):
        return
    name = ctx.qualified_name(node)
    if name in (MATMUL, CUDNN) or (name or "").startswith("torch.backends."):
        yield _finding(node, name or "", ctx)


@RULE.on(ast.Call, named=(SETTER,))
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.set_float32_matmul_precision(value)``."""
    if ctx.qualified_name(node.func) == SETTER:
        yield _finding(node, SETTER, ctx)


def _finding(node: ast.expr, name: str, ctx: Context) -> Finding:
    matmul = "conv" not in name and "rnn" not in name and "cudnn" not in name
    guarded = ", and compiled code guards it" if matmul else ""
    return ctx.finding(
        RULE,
        node,
        f"{name.removeprefix('torch.')} is set on each call, for the whole process{guarded}",
        help=_HELP,
        fix=_hoisted(node, ctx),
    )


def _hoisted(node: ast.expr, ctx: Context) -> Fix | None:
    """The setting before the loop, if it is a statement of the loop, and the file's only one."""
    statement = ctx.statement(node)
    loops = ctx.loops(node)
    outermost = loops[0] if loops else None
    if ctx.parent(statement) not in loops or not isinstance(outermost, (ast.For, ast.While)):
        return None
    if any(ctx.parent(loop) is not around for around, loop in itertools.pairwise(loops)):
        return None  # an `if` between them decides
    rounds = zip(loops, (*loops[1:], statement), strict=True)
    if not all(ctx.runs_each_round(one, loop) for loop, one in rounds):
        return None
    if _is_bound_within(outermost, node, ctx):
        return None
    if isinstance(statement, ast.Assign):
        written = statement.value if statement.targets == [node] else None
    else:
        one = isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords
        written = node.args[0] if isinstance(node, ast.Call) and one and _is_alone(node, statement) else None
    if not isinstance(written, ast.Constant) or _settings(ctx) != 1:
        return None
    return Fix(
        Applicability.UNSAFE,
        "set it before the loop",
        edits=(
            remove_statement(statement),
            insert_before(outermost, ctx.text(statement).replace("{", "{{").replace("}", "}}")),
        ),
    )


def _is_bound_within(loop: ast.AST, node: ast.expr, ctx: Context) -> bool:
    """Whether the loop itself binds what the setting begins with: ``import torch``."""
    root = root_of(node.func if isinstance(node, ast.Call) else node)
    return isinstance(root, ast.Name) and root.id in bound_within(loop, ctx)


def _is_alone(node: ast.expr, statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and statement.value is node


def _settings(ctx: Context) -> int:
    """How often the file sets float32 precision, be it by a context."""
    flags = ("allow_tf32", "fp32_precision")
    written = sum(node.attr in flags and isinstance(node.ctx, ast.Store) for node in ctx.nodes(ast.Attribute))
    called = ("set_float32_matmul_precision", *flags, "flags", "setattr", "set_flags")
    return written + sum(len(ctx.calls(name)) for name in called)
