"""Guards that compare several values: which values these are, read from what Dynamo says of the guard."""

from __future__ import annotations

import ast
import re

from .unsupported import Unsupported

_ALIAS = re.compile(r"(?P<left>\S+) is (?P<right>\S+)\s*(#.*)?")
_METADATA = {"size", "stride", "storage_offset"}
# Functions of whole numbers that the solver of shapes writes into guards.
_ARITHMETIC = {"CleanDiv", "FloorDiv", "Max", "Min", "Mod", "PythonMod"}
_COMPOSED = (
    *(ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp),
    *(ast.cmpop, ast.boolop, ast.operator, ast.unaryop),
)


def same_objects(part: str) -> tuple[str, str] | None:
    """The sources of two values that a guard holds to being one object; None if it asks something else."""
    found = _ALIAS.fullmatch(part.strip())
    return None if found is None else (found["left"], found["right"])


def sizes_read(part: str) -> set[str]:
    """The sources of the tensors and numbers that a guard on sizes is a function of.

    Raises:
        Unsupported: It may read something else.
    """
    try:
        tree = ast.parse(part.strip(), mode="eval")
    except SyntaxError:
        raise _not_understood(part) from None
    sources: set[str] = set()
    _read(tree.body, part, sources)
    return sources


def _read(node: ast.AST, part: str, sources: set[str]) -> None:
    if isinstance(node, ast.Constant):
        return
    if isinstance(node, _COMPOSED):
        for child in ast.iter_child_nodes(node):
            _read(child, part, sources)
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ARITHMETIC:
        for argument in node.args:
            _read(argument, part, sources)
        return
    of_tensor = node.value if isinstance(node, ast.Subscript) else node
    if isinstance(of_tensor, ast.Call) and isinstance(of_tensor.func, ast.Attribute):
        if of_tensor.func.attr not in _METADATA or of_tensor.args:
            raise _not_understood(part)
        node = of_tensor.func.value
    if not _is_source(node):
        raise _not_understood(part)
    sources.add(ast.unparse(node))


def _is_source(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            return False
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("L", "G")


def _not_understood(part: str) -> Unsupported:
    return Unsupported(f"a guard on several values: {part[:80]}")
