"""What is written out: texts, None, and lists of numbers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "elements_of",
    "has_few_rounds",
    "is_none",
    "is_text",
    "is_whole",
    "text_in",
    "text_of",
    "tuple_template",
]

_MOST_ITEMS = 16


def tuple_template(value: ast.expr) -> tuple[str, dict[str, ast.expr]] | None:
    """A template and its parts that write a list of numbers as a tuple, which Python makes once.

    Args:
        value: an expression.

    Returns:
        As `overhead_lint.edits.replace` takes them; None for what is no list of numbers, or is
        better left as it stands: past one line, or long.
    """
    if not isinstance(value, ast.List) or value.lineno != value.end_lineno:
        return None
    parts: dict[str, ast.expr] = {}
    template = _template(value, parts)
    return None if template is None or len(parts) > _MOST_ITEMS else (template, parts)


def _template(value: ast.expr, parts: dict[str, ast.expr]) -> str | None:
    if isinstance(value, (ast.List, ast.Tuple)):
        items = [_template(item, parts) for item in value.elts]
        if None in items:
            return None
        return f"({', '.join(map(str, items))}{',' if len(items) == 1 else ''})"
    number = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value
    if not isinstance(number, ast.Constant) or not isinstance(number.value, (int, float, complex)):
        return None
    name = f"item{len(parts)}"
    parts[name] = value
    return f"{{{name}}}"


def elements_of(node: ast.expr) -> list[ast.expr]:
    """The elements of a tuple that is written out; what stands alone in the place of one is its own only."""
    return node.elts if isinstance(node, ast.Tuple) else [node]


def is_none(node: ast.expr) -> bool:
    """Whether it is written ``None``."""
    return isinstance(node, ast.Constant) and node.value is None


def is_text(node: ast.AST) -> bool:
    """Whether it is a string, written out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def text_of(node: ast.AST) -> str | None:
    """A string as it is written out; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def text_in(node: ast.AST) -> str:
    """A string as it is written out; "" for anything else."""
    return text_of(node) or ""


def has_few_rounds(items: ast.expr, few: int, *, written: float | None = None) -> bool:
    """Whether a loop goes over a few things, as it is written: some that stand there, or ``range(3)``.

    Args:
        items: what it goes over; also through ``enumerate``, ``reversed`` and ``zip``.
        few: the most rounds that count as few.
        written: the same of what is written out, if it is another number.
    """
    if isinstance(items, (ast.Tuple, ast.List)):
        is_whole = not any(isinstance(one, ast.Starred) for one in items.elts)
        return is_whole and len(items.elts) <= (few if written is None else written)
    if not isinstance(items, ast.Call) or not isinstance(items.func, ast.Name):
        return False
    if items.func.id in {"enumerate", "reversed", "zip"}:
        return any(has_few_rounds(one, few, written=written) for one in items.args)
    end = items.args[min(1, len(items.args) - 1)] if items.func.id == "range" and items.args else None
    return isinstance(end, ast.Constant) and isinstance(end.value, int) and end.value <= few


def is_whole(value: ast.expr, ctx: Context) -> bool:
    """Whether it is certainly an int: a literal, a length, a size."""
    if isinstance(value, ast.Constant):
        return type(value.value) is int
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Name):
            return value.func.id == "len" and not ctx.is_bound("len", value)
        return isinstance(value.func, ast.Attribute) and value.func.attr == "size" and len(value.args) == 1
    return (
        isinstance(value, ast.Subscript)
        and isinstance(value.value, ast.Attribute)
        and value.value.attr == "shape"
        and not isinstance(value.slice, ast.Slice)
    )
