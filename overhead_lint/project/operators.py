"""Functions that take and give tensors, by their signature: users of a library call them in their steps."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.project.annotations import mentions_tensor

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts
    from overhead_lint.rule import ClassFacts

__all__ = ["is_operator"]


def is_operator(node: ast.AST, facts: FileFacts) -> bool:
    """Whether a function of a module or class is annotated to take a tensor first, and to give some.

    A method of what holds a tensor takes one. What is told a model or a function first drives others.
    Functions within others are left to those.
    """
    if not isinstance(node, ast.FunctionDef) or node.returns is None or not mentions_tensor(node.returns):
        return False
    if facts.function_node(node) is not None:
        return False
    cls = facts.class_holding(node)
    first = _first(node, within_class=cls is not None)
    if first is not None and mentions_tensor(first.annotation):
        return True
    return cls is not None and not cls.is_module and _holds_tensor(cls)


def _first(node: ast.FunctionDef, *, within_class: bool) -> ast.arg | None:
    """The first parameter of a function, that of an instance left out."""
    arguments = [*node.args.posonlyargs, *node.args.args]
    if within_class and arguments and arguments[0].arg in {"self", "cls"}:
        del arguments[0]
    return arguments[0] if arguments else None


def _holds_tensor(cls: ClassFacts) -> bool:
    """Whether instances of a class are made of a tensor: what they are told, or have, first."""
    for member in cls.node.body:
        if isinstance(member, ast.AnnAssign) and cls.is_dataclass:
            return mentions_tensor(member.annotation)
        if isinstance(member, ast.FunctionDef) and member.name == "__init__":
            first = _first(member, within_class=True)
            return first is not None and mentions_tensor(first.annotation)
    return False
