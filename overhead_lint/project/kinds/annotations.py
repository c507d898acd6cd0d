"""What an annotation promises."""

from __future__ import annotations

import ast
from typing import Final

from overhead_lint.project.conditions import is_none
from overhead_lint.project.kinds.abstract_value import (
    OBJECT,
    PLAIN,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    holding,
    join,
    mapping,
)
from overhead_lint.project.kinds.kind_members import KIND_ARRAY, KIND_MODULE, KIND_NUMBER, KIND_TENSOR
from overhead_lint.project.names import last_name
from overhead_lint.project.remembered import remembered
from overhead_lint.project.scan import walk
from overhead_lint.syntax.text_parsing import parse_expression

__all__ = ["CONTAINERS", "annotated", "may_be_tensor", "mentions_tensor"]

_NAMED: Final = {
    **dict.fromkeys(
        ("Tensor", "FloatTensor", "LongTensor", "IntTensor", "HalfTensor", "Parameter", "TensorType"),
        TENSOR,
    ),
    "BoolTensor": TENSOR._replace(mask=True),
    **dict.fromkeys(("int", "float", "bool", "complex", "Number"), PLAIN[KIND_NUMBER]),
    **dict.fromkeys(("ndarray", "NDArray", "ArrayLike"), PLAIN[KIND_ARRAY]),
    **dict.fromkeys(("str", "bytes", "None", "device", "dtype", "Path", "Callable"), OBJECT),
    **dict.fromkeys(("Module", "ModuleList", "ModuleDict"), PLAIN[KIND_MODULE]),
    "Size": holding(PLAIN[KIND_NUMBER]),
}
_MAPPINGS: Final = frozenset({"Dict", "Mapping", "OrderedDict", "defaultdict", "dict"})
_TUPLES: Final = frozenset({"Tuple", "tuple"})
# Types of jaxtyping, which name a dtype and tell the kind of array first: `Float[Tensor, "batch 3"]`.
_SHAPED: Final = frozenset(
    {"Bool", "Complex", "Float", "Inexact", "Int", "Integer", "Num", "Real", "Shaped", "UInt"}
)
CONTAINERS: Final = (
    _MAPPINGS
    | _TUPLES
    | frozenset({"Generator", "Iterable", "Iterator", "List", "Sequence", "Set", "list", "set"})
)


def annotated(annotation: ast.expr | None) -> AbstractValue:
    """What an annotation promises, and what of containers.

    A union promises something only if all of its members, None left out, promise the same.
    """
    if annotation is None:
        return UNKNOWN
    if isinstance(annotation, ast.Constant):
        return _quoted(annotation.value) if isinstance(annotation.value, str) else OBJECT
    members = _members(annotation)
    if members != [annotation]:
        return join(annotated(member) for member in members if not is_none(member))
    name = last_name(annotation)
    if name in _SHAPED and annotation.__class__ is ast.Subscript:
        found = annotated(
            annotation.slice.elts[0] if annotation.slice.__class__ is ast.Tuple else annotation.slice
        )
        return found._replace(mask=name == "Bool" and found.kind is KIND_TENSOR)
    if name not in CONTAINERS:
        return _NAMED.get(name, UNKNOWN)
    if annotation.__class__ is not ast.Subscript:
        return mapping(UNKNOWN) if name in _MAPPINGS else OBJECT
    held = annotation.slice.elts if annotation.slice.__class__ is ast.Tuple else [annotation.slice]
    if name in _MAPPINGS:
        held = held[1:]
    endless = any(isinstance(one, ast.Constant) and one.value is ... for one in held)
    parts = tuple(annotated(one) for one in held if not (isinstance(one, ast.Constant) and one.value is ...))
    found = mapping(join(parts)) if name in _MAPPINGS else holding(join(parts))
    return found._replace(parts=parts) if name in _TUPLES and not endless else found


def may_be_tensor(annotation: ast.expr | None) -> bool:
    """Whether an annotation is a union that has tensors among its members."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = _parsed(annotation.value)
    if annotation is None:
        return False
    return any(annotated(member).kind is KIND_TENSOR for member in _members(annotation))


def mentions_tensor(annotation: ast.expr | None) -> bool:
    """Whether an annotation names tensors anywhere: in a union, in a container."""
    if annotation is None:
        return False
    for part in walk(annotation):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            if mentions_tensor(_parsed(part.value)):
                return True
        elif (
            isinstance(part, (ast.Name, ast.Attribute))
            and _NAMED.get(last_name(part), UNKNOWN).kind is KIND_TENSOR
        ):
            return True
    return False


def _quoted(text: str) -> AbstractValue:
    parsed = ast.Name(text) if text.isidentifier() else _parsed(text)
    return annotated(parsed) if parsed is not None else UNKNOWN


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
