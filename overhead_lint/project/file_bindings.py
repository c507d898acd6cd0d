"""What the names of one file are bound to, where they stand for something that is written there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.project.definitions import Definitions
from overhead_lint.project.file_syntax import FileSyntax
from overhead_lint.project.torch_use import tensor_functions
from overhead_lint.project.values import Values

if TYPE_CHECKING:
    import ast

__all__ = ["FileBindings"]


class FileBindings(FileSyntax):
    """What the names of one file are bound to."""

    @cached_property
    def definitions(self) -> Definitions:
        """The functions and classes that it defines, by their names in paths."""
        return Definitions(self)

    @cached_property
    def tensor_functions(self) -> frozenset[ast.AST]:
        """Its functions that work with tensors."""
        return tensor_functions(self)

    @cached_property
    def values(self) -> Values:
        """Which expressions names and attributes are bound to."""
        return Values(self)

    def value(self, node: ast.expr) -> ast.expr | None:
        """The one expression that a name or ``self.attribute`` is bound to."""
        return self.values.single(node)
