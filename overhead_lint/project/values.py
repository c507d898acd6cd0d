"""Which expression a name or an attribute of ``self`` is bound to."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Any

from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["Values"]

_WITHIN = ast.expr, ast.comprehension, ast.keyword
"""What expressions consist of."""


class Values:
    """Bindings of names and of attributes of ``self``, as expressions.

    Args:
        syntax: the file.
    """

    def __init__(self, syntax: FileSyntax) -> None:
        self._syntax = syntax

    def single(self, node: ast.expr) -> ast.expr | None:
        """The one expression that a name or ``self.attribute`` is bound to, when there is just one.

        A name that this expression is made of, as in ``flag = flag and other``, held something before.
        """
        kind = node.__class__
        if kind is ast.Name:
            found = self._syntax.scan.lookup(node.id, node)  # type: ignore[attr-defined]
            if found is None or len(found[1]) != 1:
                return None
            value = self.assigned(found[1][0])
            return None if value is not None and self._is_in(node, value) else value
        if node.__class__ is ast.Attribute:
            values = self.attribute(node)
            return values[0] if len(values) == 1 else None
        return None

    def _is_in(self, node: ast.AST, value: ast.expr) -> bool:
        around: ast.AST | None = node
        while around is not None and around is not value:
            around = self._syntax.scan.parents.get(around) if isinstance(around, _WITHIN) else None
        return around is value

    def at(self, node: ast.expr) -> list[ast.expr]:
        """The expressions that a local name may be bound to at its use; empty if one of them is not known."""
        bound = self._syntax.flow.bindings(node) if isinstance(node, ast.Name) else []
        values = [self.assigned(one) for one in bound]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) else []

    def assigned(self, binding: ast.AST) -> ast.expr | None:
        """The expression that a binding's statement assigns whole to it; None for other bindings."""
        statement: Any = self._syntax.scan.parents.get(binding)
        kind = statement.__class__
        if kind is ast.Assign:
            return statement.value if binding in statement.targets else None
        if kind is ast.AnnAssign or kind is ast.NamedExpr:
            return statement.value if binding is statement.target else None
        return None

    def attribute(self, node: ast.Attribute) -> list[ast.expr | None]:
        """What the class around `node` assigns to an attribute of its ``self``.

        An entry is None for a binding that is no plain assignment (``+=``, unpacking, ``del``).
        The list is empty for attributes of anything but ``self``.
        """
        if not is_self(node.value):
            return []
        cls = self._syntax.class_of(node)
        return self.attributes.get((cls.node, node.attr), []) if cls is not None else []

    @cached_property
    def attributes(self) -> dict[tuple[ast.ClassDef, str], list[ast.expr | None]]:
        """For each class and attribute name the expressions assigned to ``self.name``."""
        return {name: [self.assigned(node) for node in found] for name, found in self._written.items()}

    @cached_property
    def _written(self) -> dict[tuple[ast.ClassDef, str], list[ast.Attribute]]:
        """For each class and attribute name where ``self.name`` is assigned to or deleted."""
        found: dict[tuple[ast.ClassDef, str], list[ast.Attribute]] = {}
        for node in self._syntax.scan.of_class(ast.Attribute):
            if node.ctx.__class__ is ast.Load or node.value.__class__ is not ast.Name:
                continue
            cls = self._syntax.class_of(node) if node.value.id == "self" else None
            if cls is not None:
                found.setdefault((cls.node, node.attr), []).append(node)
        return found
