"""What annotations say, as names and brackets: nobody evaluates them, and many are texts."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.records import Annotation

__all__ = ["annotation", "dotted", "names_said"]

_DEEPEST: Final = 8
_UNKNOWN: Final[Annotation] = ("", ())
_NO_NAME: Final[Annotation] = ("None", ())


def annotation(node: Any, depth: int = 0) -> Annotation | None:
    """Return what an annotation says; None where there is none."""
    if node is None:
        return None
    if depth > _DEEPEST:
        return _UNKNOWN
    kind = node.__class__
    if kind is ast.Name:
        return (node.id, ())
    if kind is ast.Attribute:
        return (dotted(node), ())
    if kind is ast.Subscript:
        name = dotted(node.value)
        inside = node.slice.elts if node.slice.__class__ is ast.Tuple else [node.slice]
        return (name, tuple([_within(one, depth) for one in inside]))
    if kind is ast.BinOp and node.op.__class__ is ast.BitOr:
        return ("|", (_within(node.left, depth), _within(node.right, depth)))
    if kind is ast.Constant:
        if node.value is None:
            return _NO_NAME
        if node.value.__class__ is str:
            return _of_text(node.value, depth)
    return _UNKNOWN


def _within(node: Any, depth: int) -> Annotation:
    return annotation(node, depth + 1) or _UNKNOWN


def _of_text(text: str, depth: int) -> Annotation:
    """Return what an annotation that is written as a text says."""
    if text.isidentifier():
        return (text, ())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a text warns of is another linter's subject
            return _within(ast.parse(text, mode="eval").body, depth)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _UNKNOWN


def dotted(node: Any) -> str:
    """Return names and attributes of them as they are written, with dots; "" for anything else."""
    parts: list[str] = []
    while node.__class__ is ast.Attribute:
        parts.append(node.attr)
        node = node.value
    if node.__class__ is not ast.Name:
        return ""
    parts.append(node.id)
    parts.reverse()
    return ".".join(parts)


def names_said(said: Annotation) -> Iterator[str]:
    """Yield the names in an annotation, with dots, from the outside in."""
    yield said[0]
    for inner in said[1]:
        yield from names_said(inner)
