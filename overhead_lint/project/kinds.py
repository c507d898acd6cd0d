"""What an expression is known to be: tensor, number, module, array, something else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["Kinds"]


class Kinds:
    """Infers kinds within one file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    def kind(self, node: ast.expr) -> Kind:
        """What the expression is known to be at its place."""
        if isinstance(node, ast.Constant):
            return Kind.NUMBER if isinstance(node.value, (int, float, complex)) else Kind.OBJECT
        if isinstance(node, ast.Call):
            name = self._facts.names.qualified(node.func) or ""
            if name.startswith("torch.nn.functional."):
                return Kind.TENSOR
        return Kind.UNKNOWN
