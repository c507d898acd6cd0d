"""OVH502: old precision flags read where the new ones are set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

from ._names import GETTER, READS, reads_broken_by

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH502",
    name="mixed-precision-api",
    summary="old precision flag read in a file that sets the new one",
    triggers=(b"fp32_precision",),
    heat=Heat.COLD,
)


@RULE.on(ast.Module)
def check(module: ast.Module, ctx: Context) -> Iterator[Finding]:
    """Every read of an old flag that a new setting of this file makes raise."""
    sets = list(_sets(ctx))
    if not sets:
        return
    for read, name in _reads(ctx):
        for place, owner, value in sets:
            if name not in reads_broken_by(owner, value) or _excludes(place, read, ctx):
                continue
            said = f" = {value!r}" if value is not None else ""
            yield ctx.finding(
                RULE,
                read,
                f"reading {name.removeprefix('torch.')} raises RuntimeError once line {place.lineno} has run "
                f"({owner.removeprefix('torch.')}.fp32_precision{said})",
                help="read fp32_precision of the backend and operator here too",
            )
            break


def _sets(ctx: Context) -> Iterator[tuple[ast.Attribute, str, str | None]]:
    """The places that set ``fp32_precision``, of what, and to which literal."""
    for node in ctx.nodes(ast.Attribute):
        if node.attr != "fp32_precision" or not isinstance(node.ctx, ast.Store):
            continue
        owner = ctx.qualified_name(node.value)
        if owner is None or not owner.startswith("torch.backends"):
            continue
        statement = ctx.statement(node)
        value = statement.value if isinstance(statement, ast.Assign) else None
        literal = isinstance(value, ast.Constant) and isinstance(value.value, str)
        yield node, owner, str(value.value) if literal and isinstance(value, ast.Constant) else None


def _reads(ctx: Context) -> Iterator[tuple[ast.expr, str]]:
    for node in ctx.nodes(ast.Attribute):
        name = ctx.qualified_name(node) if node.attr == "allow_tf32" else None
        if isinstance(node.ctx, ast.Load) and name in READS:
            assert name is not None
            yield node, name
    for call in ctx.calls(GETTER.rpartition(".")[2]):
        if ctx.qualified_name(call.func) == GETTER:
            yield call, GETTER


def _excludes(place: ast.AST, read: ast.AST, ctx: Context) -> bool:
    """Whether only one of two places runs: they stand in different arms of an ``if`` or ``try``."""
    arms = dict(_arms(place, ctx))
    return any(arms.get(branch, arm) != arm for branch, arm in _arms(read, ctx))


def _arms(node: ast.AST, ctx: Context) -> Iterator[tuple[ast.AST, str]]:
    """The branches around a node, each with the name of the arm that holds it."""
    child, parent = node, ctx.parent(node)
    while parent is not None:
        if isinstance(parent, (ast.If, ast.IfExp, ast.Try)):
            for field in ("body", "orelse", "handlers"):
                held = getattr(parent, field, None)
                if child is held or (isinstance(held, list) and child in held):
                    yield parent, field
        child, parent = parent, ctx.parent(parent)
