"""What tests around a place say about a name: ``isinstance``, ``torch.is_tensor``, ``is None``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.project.gated_blocks import ends_flow
from overhead_lint.project.kinds.annotations import annotated
from overhead_lint.project.kinds.kind_members import KIND_OBJECT, KIND_TENSOR, KIND_UNKNOWN
from overhead_lint.project.names import last_name
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.project.scan import Scan

__all__ = ["TESTING_CALLS", "Narrowed", "narrowed"]

TESTING_CALLS: Final = frozenset({"is_tensor", "isinstance"})
"""Calls whose outcome says what their first argument is."""

# Classes of `collections.abc` that tensors are instances of by the methods that they have.
_TENSORS_ARE: Final = frozenset({"Collection", "Container", "Iterable", "Reversible", "Sized"})

Narrowed = tuple[Kind, bool]
"""A kind, and whether the name is known to be of it (True) or known not to be (False)."""


def narrowed(scan: Scan, use: ast.Name) -> Narrowed | None:
    """What the innermost test about a name says where it is used; None if there is none."""
    child: ast.AST = use
    parent = scan.parents.get(use)
    bound = scan.lookup(use.id, use)
    lines = [one.lineno for one in bound[1] if one.__class__ is ast.Name] if bound is not None else []
    while parent is not None:
        if isinstance(child, ast.stmt):
            before = _before(parent, child)
            near = _between(before, lines)
            found = _by_siblings(before, use.id, near, scan)
            if found is not None:
                return found
            if near and any(_binds(statement, near) for statement in before):
                return None  # it is something else since
        found = _by_holder(parent, child, use.id, scan)
        if found is not None:
            return found
        if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return None
        child, parent = parent, scan.parents.get(parent)
    return None


def _by_holder(parent: ast.AST, child: ast.AST, name: str, scan: Scan) -> Narrowed | None:
    if isinstance(parent, (ast.If, ast.IfExp)) and child is not parent.test:
        body = parent.body
        return _says(parent.test, child in body if isinstance(body, list) else child is body, name, scan)
    if parent.__class__ is ast.While and child in parent.body:
        return _says(parent.test, True, name, scan)
    if parent.__class__ is ast.BoolOp:
        for value in parent.values:
            if value is child:
                return None
            found = _says(value, isinstance(parent.op, ast.And), name, scan)
            if found is not None:
                return found
    return None


def _before(parent: ast.AST, child: ast.stmt) -> list[ast.stmt]:
    """The statements before a statement of a block, the nearest first."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and child in block:
            return block[: block.index(child)][::-1]
    return []


def _between(statements: Sequence[ast.stmt], lines: Sequence[int]) -> list[int]:
    """Those of some lines that statements of a block, the last one first, or what is between them hold."""
    if not statements:
        return []
    first, last = statements[-1].lineno, statements[0].end_lineno or 0
    return [line for line in lines if first <= line <= last]


def _by_siblings(before: Sequence[ast.stmt], name: str, lines: Sequence[int], scan: Scan) -> Narrowed | None:
    """What ``assert`` statements, and branches that left, say after which nothing else takes the name."""
    for statement in before:
        found = None
        if statement.__class__ is ast.Assert:
            found = _says(statement.test, True, name, scan)
        elif statement.__class__ is ast.If and not statement.orelse and ends_flow(statement.body):
            found = _says(statement.test, False, name, scan)
        if found is not None:
            return found
        if lines and _binds(statement, lines):
            return None
    return None


def _binds(statement: ast.stmt, lines: Sequence[int]) -> bool:
    """Whether a name gets a value in a statement, by the lines where it does."""
    return any(statement.lineno <= line <= (statement.end_lineno or 0) for line in lines)


def _says(test: ast.expr, outcome: bool, name: str, scan: Scan) -> Narrowed | None:
    """What it says about a name that `test` had an outcome."""
    if test.__class__ is ast.UnaryOp and test.op.__class__ is ast.Not:
        return _says(test.operand, not outcome, name, scan)
    if test.__class__ is ast.BoolOp:
        if isinstance(test.op, ast.And) != outcome:
            return None
        for value in test.values:
            said = _says(value, outcome, name, scan)
            if said:
                return said
        return None
    if test.__class__ is ast.Call and test.args and _is(test.args[0], name):
        asked = last_name(test.func)
        if asked == "is_tensor":
            return KIND_TENSOR, outcome
        if asked == "isinstance" and len(test.args) == 2:
            kind = _class_kind(_written(test.args[1], scan), outcome)
            return (kind, outcome) if kind is not KIND_UNKNOWN else None
    if test.__class__ is ast.Compare and len(test.ops) == 1 and _is(test.left, name):
        right = test.comparators[0]
        if test.ops[0].__class__ is ast.Is and isinstance(right, ast.Constant) and right.value is None:
            return (KIND_OBJECT, True) if outcome else None
    return None


def _is(node: ast.expr, name: str) -> bool:
    return node.__class__ is ast.Name and node.id == name


def _written(classes: ast.expr, scan: Scan) -> ast.expr:
    """The tuple that a name stands for which is bound once: ``arrays = (np.ndarray, torch.Tensor)``."""
    bound = scan.lookup(classes.id, classes) if classes.__class__ is ast.Name else None
    assignment = scan.parents.get(bound[1][0]) if bound is not None and len(bound[1]) == 1 else None
    is_tuple = assignment.__class__ is ast.Assign and assignment.value.__class__ is ast.Tuple
    return assignment.value if is_tuple else classes  # type: ignore[union-attr]


def _class_kind(classes: ast.expr, holds: bool) -> Kind:
    """The kind of instances of a class, or of all classes of a tuple.

    What is an instance of none of several is no tensor where one of them is a tensor's, or what tensors are
    as well, as they are iterable.
    """
    members = classes.elts if classes.__class__ is ast.Tuple else [classes]
    kinds = {annotated(member).kind for member in members}
    if not holds and (KIND_TENSOR in kinds or not _TENSORS_ARE.isdisjoint(map(last_name, members))):
        return KIND_TENSOR
    return kinds.pop() if len(kinds) == 1 else KIND_UNKNOWN
