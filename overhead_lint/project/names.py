"""What a dotted expression stands for, through a file's imports and definitions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.scan import FUNCTIONS, Scan

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Names", "dotted", "last_name"]

_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Names:
    """Resolves names of one file.

    Args:
        scan: the file's tree, walked.
        module: dotted name of the file's module, "" if unknown.
        is_package: whether the file is an ``__init__.py``.
    """

    def __init__(self, scan: Scan, module: str = "", is_package: bool = False) -> None:
        self._scan = scan
        self._package = module if is_package else module.rpartition(".")[0]
        self._aliases: dict[ast.AST, str] = {}
        self._qualnames: dict[ast.AST, str] = {}
        self._known: dict[ast.AST, str | None] = {}

    def qualified(self, node: ast.AST) -> str | None:
        """Dotted name of an expression; see `overhead_lint.rule.Context.qualified_name`."""
        if node in self._known:
            return self._known[node]
        found = self._known[node] = self._qualify(node)
        return found

    def _qualify(self, node: ast.AST) -> str | None:
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        found = self._scan.lookup(node.id, node)
        base = self.stands_for(found[1]) if found else None
        if base is None:
            return None
        parts.append(base)
        return ".".join(reversed(parts))

    def qualname(self, node: ast.AST) -> str:
        """Dotted name of a function or class from its module: ``Model.forward``, ``f.<locals>.g``."""
        known = self._qualnames.get(node)
        if known is None:
            name = getattr(node, "name", "<lambda>")
            parents = self._scan.parents
            holder = parents.get(node)
            while holder is not None and not isinstance(holder, (*FUNCTIONS, ast.ClassDef)):
                holder = parents.get(holder)
            if holder is None:
                known = name
            elif isinstance(holder, ast.ClassDef):
                known = f"{self.qualname(holder)}.{name}"
            else:
                known = f"{self.qualname(holder)}.<locals>.{name}"
            self._qualnames[node] = known
        return known

    def stands_for(self, bindings: Sequence[ast.AST]) -> str | None:
        """What a name with these bindings stands for, if an import or one definition says so."""
        imported: ast.alias | None = None
        for binding in bindings:
            if isinstance(binding, ast.alias):
                imported = imported or binding
            elif not self._is_absence(binding):
                if imported is None and len(bindings) == 1 and isinstance(binding, _DEFINITIONS):
                    return "." + self.qualname(binding)
                return None
        return self._alias(imported) if imported is not None else None

    def _is_absence(self, binding: ast.AST) -> bool:
        """Whether a binding is the ``name = None`` of an import that may fail."""
        statement = self._scan.parents.get(binding)
        return (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Constant)
            and statement.value.value in (None, False)
        )

    def _alias(self, alias: ast.alias) -> str:
        known = self._aliases.get(alias)
        if known is not None:
            return known
        statement = self._scan.parents[alias]
        if isinstance(statement, ast.ImportFrom):
            known = f"{self.absolute(statement)}.{alias.name}"
        elif alias.asname:
            known = alias.name
        else:
            known = alias.name.partition(".")[0]
        self._aliases[alias] = known
        return known

    def absolute(self, statement: ast.ImportFrom) -> str:
        """The module that an import statement names, relative ones made absolute.

        A relative import that leads out of the known packages gives ``<relative>.name``.
        """
        name = statement.module or ""
        if not statement.level:
            return name
        parts = self._package.split(".") if self._package else []
        kept = len(parts) - (statement.level - 1)
        base = parts[:kept] if kept > 0 else ["<relative>"]
        return ".".join([*base, name] if name else base)


def dotted(node: ast.AST) -> str | None:
    """``a.b.c`` as written, for names and attributes only."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def last_name(node: ast.AST) -> str:
    """The last plain name of an expression: ``c`` of ``a.b.c``, ``f`` of ``x.f()`` and ``f[0]``, else ""."""
    while True:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return node.attr
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, (ast.Subscript, ast.Await, ast.Starred)):
            node = node.value
        else:
            return ""
