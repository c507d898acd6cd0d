"""Functions that take and give tensors, by their signature: users of a library call them in their steps."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.project.annotations import mentions_tensor

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["is_operator"]


def is_operator(node: ast.AST, facts: FileFacts) -> bool:
    """Whether a function of a module or class is annotated to take a tensor first, and to give some.

    What is told a model or a function first drives others. Functions within others are left to those.
    """
    if not isinstance(node, ast.FunctionDef) or node.returns is None or not mentions_tensor(node.returns):
        return False
    if facts.function_node(node) is not None:
        return False
    arguments = [*node.args.posonlyargs, *node.args.args]
    if facts.class_holding(node) is not None and arguments and arguments[0].arg in {"self", "cls"}:
        del arguments[0]
    return bool(arguments) and mentions_tensor(arguments[0].annotation)
