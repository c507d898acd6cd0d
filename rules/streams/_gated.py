"""Reads for a log on each round of a loop, moved behind the question whether this round logs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, remove_statement
from overhead_lint.rule import Applicability, Fix, Heat

from .._blocks import after, scope_of
from .._names import names_in, own_name
from .._taken import bound_within, is_declared_outer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from overhead_lint.rule import Context

    from ._reads import Read

__all__ = ["changes", "read_behind_gate"]

# What may stand around a read that is put off: it gives the same later, and does nothing else.
_METHODS = frozenset("abs cpu detach double float item max mean min norm numpy sqrt sum tolist".split())  # noqa: SIM905
_BUILTINS = frozenset({"abs", "float", "int", "len", "max", "min", "round", "str", "sum"})
_SHOWING = frozenset({"critical", "debug", "error", "info", "log", "print", "warning", "write"})


def read_behind_gate(read: Read, ctx: Context) -> Fix | None:
    """Return the unsafe fix that reads a value where the loop logs, or prints it there and not on each round.

    Returns:
        None where no ``if`` further down that block is taken every so many rounds, where the value is needed
        elsewhere, and where it may be another one by then.
    """
    statement = ctx.statement(read.node)
    if not ctx.loops(statement) or ctx.comments(statement):
        return None
    following = after(statement, ctx)
    gate = next((one for one in following if isinstance(one, ast.If) and _is_rare(one, ctx)), None)
    if gate is None or not _waits_well(read, statement, following[: following.index(gate)], gate, ctx):
        return None
    match statement:
        case ast.Assign(targets=[ast.Name() as target], value=value) if _is_for(target, gate, ctx):
            above = insert_before(gate.body[0], "{target} = {value}", target=target, value=value)
            message = "read it where it is logged"
        case ast.Expr(value=ast.Call() as call) if _shows(call, ctx) and _logs(gate, ctx):
            above = insert_before(gate.body[0], "{call}", call=call)
            message = "print it where the loop logs"
        case _:
            return None
    return Fix(Applicability.UNSAFE, message, edits=(above, remove_statement(statement)))


def _is_rare(gate: ast.If, ctx: Context) -> bool:
    """Whether a branch is taken every so many rounds: ``if step % 10 == 0``."""
    counts = any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod) for part in ast.walk(gate.test))
    return counts and ctx.warmth(gate.body[0]).heat < Heat.STEP


def _waits_well(
    read: Read, statement: ast.stmt, between: Sequence[ast.stmt], gate: ast.If, ctx: Context
) -> bool:
    """Whether a statement gives the same a few statements further down: of what the round made, and left."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    names = {name.id for name in names_in(statement) if name is not target}
    made = set(bound_within(ctx.loops(statement)[0], ctx))
    calls = [call for call in ctx.within(statement, ast.Call) if not _shows(call, ctx)]
    tensors = [read.tensor, *(call.func for call in calls if ctx.qualified_name(call.func) is None)]
    of_tensors = {name.id for tensor in tensors for name in names_in(tensor)} - _BUILTINS
    if not of_tensors <= made or not all(_is_repeatable(call, ctx) for call in calls):
        return False  # a parameter is another one behind the optimizer's step
    if any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield)) for part in ast.walk(statement)):
        return False
    places = (*between, gate.test)
    return not any(names & set(bound_within(one, ctx)) or changes(one, names, ctx) for one in places)


def _is_repeatable(call: ast.Call, ctx: Context) -> bool:
    """Whether a call gives the same later, too, of the same values."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in _METHODS or (ctx.qualified_name(call.func) or "").startswith("math.")
    return isinstance(call.func, ast.Name) and call.func.id in _BUILTINS


def changes(place: ast.AST, names: AbstractSet[str], ctx: Context) -> bool:
    """Whether something is seen to write to what names hold: ``loss.mul_(2)``, ``stats["n"] += 1``."""
    for part in ctx.within(place, ast.expr):
        if not isinstance(part, (ast.Attribute, ast.Subscript)):
            continue
        if names.isdisjoint(name.id for name in names_in(part.value)):
            continue
        if not isinstance(part.ctx, ast.Load):
            return True
        if isinstance(part, ast.Attribute) and part.attr.endswith("_") and not part.attr.startswith("_"):
            return True
    return False


def _is_for(target: ast.Name, gate: ast.If, ctx: Context) -> bool:
    """Whether a name is bound by one statement alone, and needed in a branch only."""
    scope = scope_of(target, ctx)
    if is_declared_outer(target.id, scope, ctx) or list(bound_within(scope, ctx)).count(target.id) != 1:
        return False
    inside = {name for statement in gate.body for name in ctx.within(statement, ast.Name)}
    uses = [name for name in ctx.nodes(ast.Name) if name.id == target.id and name is not target]
    uses = [name for name in uses if scope is ctx.tree or scope_of(name, ctx) is scope or name in inside]
    return bool(uses) and all(name in inside for name in uses)


def _shows(call: ast.Call, ctx: Context) -> bool:
    """Whether a call prints or logs a line, and gives nothing."""
    if not isinstance(ctx.parent(call), ast.Expr):
        return False
    name = own_name(call.func)
    return name in _SHOWING and (isinstance(call.func, ast.Attribute) or not ctx.is_bound(name, call))


def _logs(gate: ast.If, ctx: Context) -> bool:
    """Whether a branch prints or logs itself, and does not do something else every so many rounds."""
    return any(_shows(call, ctx) for statement in gate.body for call in ctx.within(statement, ast.Call))
