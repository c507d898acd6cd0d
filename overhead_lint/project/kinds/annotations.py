"""Whether annotations speak of tensors."""

from __future__ import annotations

import ast
from typing import Final

from overhead_lint.analysis.remembered import remembered
from overhead_lint.analysis.values.annotations import SHAPED
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import walk
from overhead_lint.syntax.text_parsing import parse_expression

__all__ = ["mentions_tensor", "promises_tensor"]

_TENSORS: Final = frozenset(
    """Tensor FloatTensor LongTensor IntTensor HalfTensor BoolTensor Parameter TensorType""".split()  # noqa: SIM905
)


def promises_tensor(annotation: ast.expr | None) -> bool:
    """Whether an annotation promises a tensor: all members of a union do, None left out."""
    if annotation is None:
        return False
    if isinstance(annotation, ast.Constant):
        return isinstance(annotation.value, str) and promises_tensor(_parsed(annotation.value))
    members = _members(annotation)
    if members != [annotation]:
        there = [member for member in members if not _is_none(member)]
        return bool(there) and all(map(promises_tensor, there))
    if last_name(annotation) in SHAPED and annotation.__class__ is ast.Subscript:
        inner = annotation.slice
        return promises_tensor(inner.elts[0] if inner.__class__ is ast.Tuple else inner)
    return last_name(annotation) in _TENSORS


def mentions_tensor(annotation: ast.expr | None) -> bool:
    """Whether an annotation names tensors anywhere: in a union, in a container."""
    if annotation is None:
        return False
    for part in walk(annotation):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            if mentions_tensor(_parsed(part.value)):
                return True
        elif isinstance(part, (ast.Name, ast.Attribute)) and last_name(part) in _TENSORS:
            return True
    return False


@remembered(512)  # files say the same ones many times
def _parsed(text: str) -> ast.expr | None:
    """An annotation that is written in quotes."""
    try:
        return parse_expression(text.strip())
    except (SyntaxError, ValueError, RecursionError):  # a comment in the place of a type
        return None


def _members(annotation: ast.expr) -> list[ast.expr]:
    """The members of a union; the annotation itself if it is none."""
    if annotation.__class__ is ast.BinOp and annotation.op.__class__ is ast.BitOr:
        return [*_members(annotation.left), *_members(annotation.right)]
    if annotation.__class__ is ast.Subscript:
        name, inner = last_name(annotation.value), annotation.slice
        if name == "Optional":
            return [inner, ast.Constant(None)]
        if name == "Union":
            return list(inner.elts) if inner.__class__ is ast.Tuple else [inner]
        if name in {"Annotated", "Final", "ClassVar"}:
            return _members(inner.elts[0] if inner.__class__ is ast.Tuple else inner)
    return [annotation]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
