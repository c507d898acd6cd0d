"""OVH502: old precision flags read where the new ones are set."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule, Tier
from overhead_lint.syntax.grammar import TRIES
from overhead_lint.tuples import NamedTuple

from .._conditions import branches
from ._names import GETTER, READS, reads_broken_by

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH502",
    name="mixed-precision-api",
    summary="old precision flag read where the new one is set",
    triggers=(b"fp32_precision", b"allow_tf32", b"get_float32_matmul_precision"),
    heat=Heat.COLD,
    tier=Tier.CORRECTNESS,
    stable_since="0.2.0",
)


@RULE.on(ast.Module)
def check(module: ast.Module, ctx: Context) -> Iterator[Finding]:
    """Every read of an old flag that a new setting, of this file or another, makes raise."""
    reads = list(_reads(ctx))
    sets = list(_sets(ctx)) if reads else []
    for read, name in reads:
        breaking = next(
            (
                _Breaking(f"line {place.lineno}", owner, value)
                for place, owner, value in sets
                if name in reads_broken_by(owner, value) and not _excludes(place, read, ctx)
            ),
            None,
        ) or (_broken_elsewhere(name, ctx) if not _asks_first(read, ctx) else None)
        if breaking is not None:
            said = f" = {breaking.value!r}" if breaking.value is not None else ""
            yield ctx.finding(
                RULE,
                read,
                f"reading {name.removeprefix('torch.')} raises RuntimeError once {breaking.place} has run "
                f"({breaking.owner.removeprefix('torch.')}.fp32_precision{said})",
                help="read fp32_precision of the backend and operator here too",
            )


class _Breaking(NamedTuple):
    """A setting that makes a read raise."""

    place: str
    owner: str
    value: str | None


def _broken_elsewhere(name: str, ctx: Context) -> _Breaking | None:
    """The first setting of another file that makes a read raise."""
    for setting in ctx.settings_elsewhere():
        owner, _, attribute = setting.name.rpartition(".")
        value = setting.value or None
        if attribute == "fp32_precision" and name in reads_broken_by(owner, value):
            return _Breaking(setting.place, owner, value)
    return None


def _asks_first(read: ast.AST, ctx: Context) -> bool:
    """Whether a branch around a read asks which API or version there is: the setting stands in another."""
    texts = [ctx.text(test) for test, _ in branches(read, ctx)]
    return any("hasattr" in text or "version" in text.lower() or "getattr" in text for text in texts)


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
        if isinstance(parent, (ast.If, ast.IfExp, *TRIES)):
            for field in ("body", "orelse", "handlers"):
                held = getattr(parent, field, None)
                if child is held or (isinstance(held, list) and child in held):
                    yield parent, field
        child, parent = parent, ctx.parent(parent)
