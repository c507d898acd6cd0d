"""Which expression a name or an attribute of ``self`` is bound to."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Any

from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overhead_lint.project.file_syntax import FileSyntax
    from overhead_lint.project.torch_use import TorchUse

__all__ = ["Values"]


class Values:
    """Bindings of names and of attributes of ``self``, as expressions.

    Args:
        syntax: the file.
        torch_use: what it calls of torch.
    """

    def __init__(self, syntax: FileSyntax, torch_use: TorchUse) -> None:
        self._syntax = syntax
        self._torch_use = torch_use

    def single(self, node: ast.expr) -> ast.expr | None:
        """The one expression that a name or ``self.attribute`` is bound to, when there is just one."""
        kind = node.__class__
        if kind is ast.Name:
            found = self._syntax.scan.lookup(node.id, node)  # type: ignore[attr-defined]
            if found is None or len(found[1]) != 1:
                return None
            return self.assigned(found[1][0])
        if node.__class__ is ast.Attribute:
            values = self.attribute(node)
            return values[0] if len(values) == 1 else None
        return None

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
    def _registered(self) -> dict[ast.ClassDef, dict[str, list[ast.Call]]]:
        found: dict[ast.ClassDef, dict[str, list[ast.Call]]] = {}
        for call in self._syntax.scan.of_class(ast.Call):
            name = self._name_registered(call)
            cls = self._syntax.class_of(call) if name else None
            if cls is not None:
                found.setdefault(cls.node, {}).setdefault(name, []).append(call)
        return found

    def _name_registered(self, call: ast.Call) -> str:
        """The name that ``register_buffer("name", ...)`` or ``self.add_state("name", tensor)`` registers."""
        method = call.func
        if not (method.__class__ is ast.Attribute and method.attr.startswith(("register_", "add_"))):
            return ""
        given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "name")]
        name = next((item.value for item in given if isinstance(item, ast.Constant)), None)
        if not isinstance(name, str):
            return ""
        if method.attr in {"register_buffer", "register_parameter"}:
            return name
        own = is_self(method.value)
        others = [*call.args[1:2], *(keyword.value for keyword in call.keywords)]
        made = any(value.__class__ is ast.Call and self._torch_use.is_tensor_call(value) for value in others)
        return name if own and made else ""

    def registered(self, cls: ast.ClassDef) -> Mapping[str, Sequence[ast.Call]]:
        """Names of the buffers and parameters that a class registers by name, with the calls that do."""
        return self._registered.get(cls, {})

    @cached_property
    def attributes(self) -> dict[tuple[ast.ClassDef, str], list[ast.expr | None]]:
        """For each class and attribute name the expressions assigned to ``self.name``."""
        return {name: [self.assigned(node) for node in found] for name, found in self._written.items()}

    @cached_property
    def targets(self) -> dict[tuple[ast.ClassDef, str], list[ast.Attribute]]:
        """For each class and attribute name where ``self.name`` is assigned to."""
        return {
            name: [node for node in found if node.ctx.__class__ is ast.Store]
            for name, found in self._written.items()
        }

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

    @cached_property
    def by_class(self) -> dict[ast.ClassDef, dict[str, list[ast.expr | None]]]:
        """For each class the expressions assigned to attributes of ``self``, by attribute."""
        found: dict[ast.ClassDef, dict[str, list[ast.expr | None]]] = {}
        for (cls, name), values in self.attributes.items():
            found.setdefault(cls, {})[name] = values
        return found
