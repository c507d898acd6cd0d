"""What the test of a branch asks, as far as its own text shows."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from overhead_lint.analysis.graph.gate import Gate, GateKind
from overhead_lint.analysis.vocabulary import (
    COUNTERS,
    EPOCHS,
    FINITE,
    INTERVAL_WORDS,
    NO_INTERVAL,
    NOT_FINITE,
    STEP_WORDS,
)
from overhead_lint.analysis.words import words
from overhead_lint.project.names import last_name, written
from overhead_lint.project.scan import walk

__all__ = [
    "asks_empty_row",
    "asks_finite",
    "attribute_asked",
    "interval",
    "is_above_zero",
    "is_length",
    "is_none",
    "is_zero",
    "length_of",
    "said_in",
    "without_keys",
]

_MOST_ASKED: Final = 8
_AROUND_FINITE: Final = frozenset({"all", "any", "bool", "item"})


def asks_finite(
    test: ast.expr, value_of: Callable[[ast.expr], ast.expr | None] = lambda _: None
) -> bool | None:
    """Whether a test asks if numbers are finite; False if it asks for others, None if it asks neither.

    ``torch.isfinite(x).all()`` asks for finite ones; ``isnan(x).any()`` for a number that is not. What
    ``value_of`` gives for a name is asked in its place, and both sides of ``&`` and ``|`` have to ask alike.
    """
    for _ in range(_MOST_ASKED):
        if test.__class__ is ast.Name:
            value = value_of(test)
            if value is None:
                return None
            test = value
        elif test.__class__ is ast.BinOp and isinstance(test.op, (ast.BitAnd, ast.BitOr)):
            left, right = asks_finite(test.left, value_of), asks_finite(test.right, value_of)
            return left if left == right else None
        elif test.__class__ is ast.Call:
            name = last_name(test.func)
            if name in FINITE | NOT_FINITE:
                return name in FINITE
            asked = _asked(test) if name in _AROUND_FINITE else None
            if asked is None:
                return None
            test = asked
        else:
            return None
    return None


def _asked(test: ast.Call) -> ast.expr | None:
    """What ``x.all()`` or ``torch.any(x)`` asks about."""
    method_of = test.func.value if test.func.__class__ is ast.Attribute else None
    if isinstance(method_of, (ast.BinOp, ast.Call)):
        return method_of
    if test.args:
        return test.args[0]
    return method_of if method_of.__class__ is ast.Name else None


def asks_empty_row(
    test: ast.Call, value_of: Callable[[ast.expr], ast.expr | None] = lambda _: None
) -> bool | None:
    """The outcome of a test where some row of a mask is empty; None if it asks for no such thing.

    ``(~mask.any(dim=1)).any()`` is true then, and ``mask.any(dim=1).all()`` is false. What ``value_of``
    gives for a name is asked in its place.
    """
    name, rows = last_name(test.func), _asked(test)
    if rows is None and test.func.__class__ is ast.Attribute:
        rows = test.func.value
    if rows.__class__ is ast.Name:
        rows = value_of(rows)
    refused = rows.__class__ is ast.UnaryOp and rows.op.__class__ is ast.Invert
    if rows.__class__ is ast.UnaryOp:
        rows = rows.operand
    by_row = rows.__class__ is ast.Call and last_name(rows.func) == "any" and (rows.args or rows.keywords)
    if not by_row or (name, refused) not in {("any", True), ("all", False)}:
        return None
    return refused


def interval(test: ast.BinOp, counts: Callable[[ast.Name], bool] = lambda _: False) -> Gate | None:
    """Return the gate that a counter modulo something is where it is zero; None if it is none.

    What ``counts`` the rounds of a hot loop is a counter by any name.
    """
    counter = said_in(test.left)
    interval = said_in(test.right)
    if interval & NO_INTERVAL:
        return None
    gate = Gate(GateKind.EVERY, written(test.left), written(test.right))
    if interval & EPOCHS:
        return gate
    if not counter & (STEP_WORDS | COUNTERS) and not (test.left.__class__ is ast.Name and counts(test.left)):
        return None
    if isinstance(test.right, ast.Constant):
        rare = _is_many(test.right)
    else:
        rare = bool(counter & STEP_WORDS or interval & INTERVAL_WORDS) or _is_many_times(test.right)
    return gate if rare else None


def _is_many(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and node.value >= 10


def _is_many_times(node: ast.expr) -> bool:
    """Whether an expression is many times another: ``batch_size * 10``."""
    if not (node.__class__ is ast.BinOp and node.op.__class__ is ast.Mult):
        return False
    return _is_many(node.left) or _is_many(node.right)


def said_in(node: ast.expr) -> set[str]:
    """The words of all names in an expression, and of the keys that it looks up: ``state["step"]``."""
    said = {word for part in walk(node) for word in words(last_name(part))}
    for part in walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            said.update(words(part.value))
    return said


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_length(node: ast.expr) -> bool:
    return any(part.__class__ is ast.Call and last_name(part.func) == "len" for part in walk(node))


def length_of(node: ast.expr) -> tuple[ast.expr, bool] | None:
    """What an expression gives the length of, and whether that is a tensor: ``len(x)``, ``x.size(0)``."""
    if node.__class__ is ast.Call and node.func.__class__ is ast.Name:
        return (node.args[0], False) if node.func.id == "len" and len(node.args) == 1 else None
    if node.__class__ is ast.Call and node.func.__class__ is ast.Attribute:
        sized = node.func.attr in {"numel", "nelement"} or (node.func.attr == "size" and len(node.args) == 1)
        return (node.func.value, True) if sized else None
    shape = node.value if node.__class__ is ast.Subscript and node.slice.__class__ is not ast.Slice else None
    return (shape.value, True) if shape.__class__ is ast.Attribute and shape.attr == "shape" else None


def attribute_asked(call: ast.Call) -> ast.expr | None:
    """``x.name`` for ``hasattr(x, "name")``."""
    if len(call.args) == 2 and isinstance(call.args[1], ast.Constant) and isinstance(call.args[1].value, str):
        return ast.Attribute(call.args[0], call.args[1].value, ast.Load())
    return None


def is_above_zero(op: ast.cmpop, right: ast.expr) -> bool | None:
    """Whether a comparison asks for numbers above zero, True, or for zero, False; None if for neither."""
    bound = right.value if isinstance(right, ast.Constant) else None
    if bound not in (0, 1) or isinstance(bound, bool):
        return None
    if isinstance(op, ast.Gt if bound == 0 else ast.GtE):
        return True
    return False if isinstance(op, ast.LtE if bound == 0 else ast.Lt) else None


def asks_level(test: ast.Compare) -> bool | None:
    """The outcome of ``logger.level == logging.DEBUG`` where debug messages are shown; None for others."""
    asked = test.left.func if test.left.__class__ is ast.Call else test.left
    if last_name(asked) not in {"level", "getEffectiveLevel"} or last_name(test.comparators[0]) != "DEBUG":
        return None
    op = test.ops[0]
    return (
        True if isinstance(op, (ast.Eq, ast.LtE)) else False if isinstance(op, (ast.NotEq, ast.Gt)) else None
    )


def is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def without_keys(node: ast.expr) -> ast.expr:
    """The table that ``key in table.keys()`` looks into."""
    asks_keys = (
        node.__class__ is ast.Call and node.func.__class__ is ast.Attribute and node.func.attr == "keys"
    )
    return node.func.value if asks_keys and not node.args else node  # type: ignore[attr-defined]
