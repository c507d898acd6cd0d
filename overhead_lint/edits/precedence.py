"""When an expression needs parentheses, as numbers: what binds tighter has the greater one."""

from __future__ import annotations

import libcst as cst

__all__ = ["ATOM", "LOOSE", "binding", "is_bracketed", "required"]

LOOSE = 0
"""Assignment expressions, ``yield``, bare tuples: in parentheses nearly everywhere."""
_ANY = 1
_LAMBDA, _CONDITIONAL, _OR, _AND, _NOT, _COMPARISON = 1, 2, 3, 4, 5, 6
_BIT_OR, _BIT_XOR, _BIT_AND, _SHIFT, _SUM, _PRODUCT, _UNARY, _POWER = 7, 8, 9, 10, 11, 12, 13, 14
_AWAIT, _PRIMARY = 15, 16
ATOM = 17
"""Names, strings, displays, and whatever stands in parentheses already."""

_BINARY: dict[type[cst.BaseBinaryOp], int] = {
    cst.BitOr: _BIT_OR,
    cst.BitXor: _BIT_XOR,
    cst.BitAnd: _BIT_AND,
    cst.LeftShift: _SHIFT,
    cst.RightShift: _SHIFT,
    cst.Add: _SUM,
    cst.Subtract: _SUM,
    cst.Multiply: _PRODUCT,
    cst.Divide: _PRODUCT,
    cst.FloorDivide: _PRODUCT,
    cst.Modulo: _PRODUCT,
    cst.MatrixMultiply: _PRODUCT,
    cst.Power: _POWER,
}
# Places where a tuple stands without parentheses.
_BARE_TUPLE = (
    cst.AnnAssign,
    cst.Assign,
    cst.AssignTarget,
    cst.AugAssign,
    cst.CompFor,
    cst.Expr,
    cst.For,
    cst.Index,
    cst.Return,
    cst.Yield,
)


def binding(node: cst.BaseExpression) -> int:
    """How tightly an expression holds together."""
    if node.lpar:
        return ATOM
    if isinstance(node, cst.BinaryOperation):
        return _BINARY[type(node.operator)]
    if isinstance(node, cst.BooleanOperation):
        return _AND if isinstance(node.operator, cst.And) else _OR
    if isinstance(node, cst.UnaryOperation):
        return _NOT if isinstance(node.operator, cst.Not) else _UNARY
    if isinstance(node, (cst.Integer, cst.Float, cst.Imaginary)):
        return _PRIMARY - 1  # ``1.real`` is no attribute of 1
    if isinstance(node, cst.ConcatenatedString):
        return _PRIMARY
    for classes, level in (
        ((cst.NamedExpr, cst.Yield, cst.Tuple, cst.GeneratorExp), LOOSE),
        ((cst.Lambda,), _LAMBDA),
        ((cst.IfExp,), _CONDITIONAL),
        ((cst.Comparison,), _COMPARISON),
        ((cst.Await,), _AWAIT),
        ((cst.Attribute, cst.Subscript, cst.Call), _PRIMARY),
    ):
        if isinstance(node, classes):
            return level
    return ATOM


def required(parent: cst.CSTNode, child: cst.CSTNode, replacement: cst.BaseExpression) -> int:
    """What `replacement` must bind like to stand, without parentheses, for `child` of `parent`."""
    if isinstance(parent, cst.BinaryOperation):
        level = _BINARY[type(parent.operator)]
        if level == _POWER:
            return _AWAIT if parent.left is child else _UNARY
        return level if parent.left is child else level + 1
    if isinstance(parent, cst.BooleanOperation):
        return (_AND if isinstance(parent.operator, cst.And) else _OR) + 1
    if isinstance(parent, cst.UnaryOperation):
        return _NOT if isinstance(parent.operator, cst.Not) else _UNARY
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
        return _BIT_OR
    if isinstance(parent, cst.IfExp):
        return _ANY if parent.orelse is child else _OR
    if isinstance(parent, (cst.Attribute, cst.Await)):
        return _PRIMARY
    if isinstance(parent, cst.Subscript):
        return _PRIMARY
    if isinstance(parent, cst.Call):
        return _PRIMARY
    if isinstance(parent, cst.CompFor):
        return LOOSE if parent.target is child and isinstance(replacement, cst.Tuple) else _OR
    if isinstance(parent, cst.CompIf):
        return _OR
    if isinstance(parent, (cst.StarredElement, cst.StarredDictElement)):
        return _BIT_OR
    if isinstance(parent, cst.Arg):
        return _BIT_OR if parent.star else _ANY
    if isinstance(parent, cst.FormattedStringExpression):
        return _CONDITIONAL
    if isinstance(replacement, cst.Tuple) and isinstance(parent, _BARE_TUPLE):
        return LOOSE
    return _ANY


def is_bracketed(parent: cst.CSTNode) -> bool:
    """Whether a child of `parent` may span lines, since brackets stand around it."""
    return isinstance(
        parent,
        (cst.Arg, cst.BaseElement, cst.BaseDictElement, cst.Index, cst.Slice),
    )
