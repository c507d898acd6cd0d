"""Which bindings of a name may be the one that a use sees."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.grammar import TRIES
from overhead_lint.project.gated_blocks import ends_flow
from overhead_lint.project.scan import FUNCTIONS, LOOPS, STATEMENTS

if TYPE_CHECKING:
    from overhead_lint.project.scan import Scan

__all__ = ["reaching"]

_FUNCTIONS: Final = frozenset(FUNCTIONS)
_BINDING: Final = frozenset((*STATEMENTS, ast.Lambda, ast.comprehension))
# What a statement stands in that runs whenever its scope does.
_SCOPES: Final = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.Module))
# What holds others in its blocks, and binds nothing behind its end.
_BRANCHING: Final = (ast.If, ast.While, ast.Match, *TRIES)
_Position = tuple[int, int]


def reaching(scan: Scan, use: ast.AST, bindings: Sequence[ast.AST]) -> list[ast.AST]:
    """The bindings, all of the scope that `use` stands in, that may hold when it is evaluated.

    The last one before it that must have run hides those before it; those after it count when a
    loop leads back to it.
    """
    if len(bindings) == 1 and bindings[0].__class__ is ast.arg:
        return list(bindings)
    holders: dict[ast.AST, ast.AST] | None = None
    at = _position(use)
    effects = scan.effects
    found: list[ast.AST] = []
    certain: ast.AST | None = None
    for binding in reversed(bindings):
        effect = effects.get(binding)
        if effect is None:
            effect = effects[binding] = _takes_effect(scan, binding), _stands_alone(scan, binding)
        start, always = effect
        if start > at:
            continue
        if always:
            found.append(binding)
            certain = binding
            break
        if holders is None:
            holders = _ancestors(scan, use)
        where = _standing(scan, binding, holders)
        if where == "apart":
            continue
        found.append(binding)
        if where == "above":
            certain = binding
            break
    if len(found) == len(bindings):
        return found
    carried = _carrying_loops(scan, _ancestors(scan, use) if holders is None else holders, certain)
    if carried:
        seen = set(found)
        for binding in bindings:
            if binding not in seen and not carried.isdisjoint(_ancestors(scan, binding)):
                found.append(binding)
    return found


def runs_always(scan: Scan, node: ast.AST, function: ast.AST) -> bool:
    """Whether something runs whenever its function does: no branch or loop is around it."""
    holder = scan.parents.get(node)
    while holder is not None and holder is not function:
        if isinstance(holder, (ast.If, ast.IfExp, ast.For, ast.While, ast.Lambda, ast.ExceptHandler)):
            return False
        holder = scan.parents.get(holder)
    return True


def _position(node: ast.AST) -> _Position:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def _end(node: ast.AST) -> _Position:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _ancestors(scan: Scan, node: ast.AST) -> dict[ast.AST, ast.AST]:
    """What holds a node, up to its function; for each the child that leads to the node."""
    found: dict[ast.AST, ast.AST] = {}
    child, parent = node, scan.parents.get(node)
    while parent is not None:
        found[parent] = child
        if parent.__class__ in _FUNCTIONS:
            break
        child, parent = parent, scan.parents.get(parent)
    return found


def _statement(scan: Scan, binding: ast.AST) -> ast.AST:
    """The statement that binds, or the function for a parameter, or the comprehension."""
    holder: ast.AST | None = binding
    while holder is not None and holder.__class__ not in _BINDING:
        holder = scan.parents.get(holder)
    return holder if holder is not None else binding


def _takes_effect(scan: Scan, binding: ast.AST) -> _Position:
    """From where on a binding holds."""
    if binding.__class__ is ast.arg:
        return 0, 0
    statement = _statement(scan, binding)
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
        return _position(statement.body[0]) if _in_header(scan, binding, statement) else _end(statement)
    if statement.__class__ is ast.comprehension:
        return 0, 0
    if isinstance(scan.parents.get(binding), ast.NamedExpr):
        return _end(scan.parents[binding])
    if isinstance(statement, _BRANCHING):
        return _position(binding)
    return _end(statement)


def _stands_alone(scan: Scan, binding: ast.AST) -> bool:
    """Whether a binding runs whenever its scope does, as most do: nothing of the scope is around it."""
    return scan.parents.get(_statement(scan, binding)).__class__ in _SCOPES


def _in_header(
    scan: Scan, binding: ast.AST, statement: ast.For | ast.AsyncFor | ast.With | ast.AsyncWith
) -> bool:
    child = _ancestors(scan, binding).get(statement)
    return child not in statement.body


def _standing(scan: Scan, binding: ast.AST, holders: dict[ast.AST, ast.AST]) -> str:
    """How a binding before a use stands to it.

    ``above``: it must have run. ``apart``: it cannot have run on the way here. ``beside``: it may.
    """
    statement = _statement(scan, binding)
    if binding.__class__ is ast.arg or statement in holders:
        return "above"
    child, parent = statement, scan.parents.get(statement)
    first = True
    while parent is not None:
        if parent in holders:
            mine, its = _field(parent, child), _field(parent, holders[parent])
            if parent.__class__ is ast.If and mine != its:
                return "apart"
            return "above" if first and mine == its else "beside"
        block = getattr(parent, _field(parent, child), None)
        if isinstance(block, list) and ends_flow(block):
            return "apart" if not isinstance(parent, LOOPS) else "beside"
        # A `with` block always runs.
        first = first and isinstance(parent, (ast.With, ast.AsyncWith))
        child, parent = parent, scan.parents.get(parent)
    return "beside"


def _field(parent: ast.AST, child: ast.AST) -> str:
    """The field of `parent` that `child` is in."""
    for name in parent._fields:
        value = getattr(parent, name, None)
        if value is child or (value.__class__ is list and child in value):
            return name
    return ""


def _carrying_loops(scan: Scan, holders: Iterable[ast.AST], certain: ast.AST | None) -> set[ast.AST]:
    """Loops around a use that no certain binding of the name is inside of."""
    inside = _ancestors(scan, certain) if certain is not None else {}
    return {loop for loop in holders if isinstance(loop, LOOPS) and loop not in inside}
