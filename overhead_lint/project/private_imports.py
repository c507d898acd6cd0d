"""Which private packages and modules a file imports."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.project.graph.private_packages import is_private

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["private_imports"]


def private_imports(facts: FileSyntax) -> tuple[str, ...]:
    """Plain names of the private packages and modules that a file imports anything of, or names in texts."""
    by_class = facts.scan.by_class
    found: dict[str, None] = {}
    for text in facts.scan.of_class(ast.Constant):
        value = text.value
        if value.__class__ is str and (value[:1] == "_" or "._" in value) and " " not in value:
            found.update(dict.fromkeys(filter(is_private, value.split("."))))
    for node in (*by_class.get(ast.Import, ()), *by_class.get(ast.ImportFrom, ())):
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        names = [alias.name for alias in node.names]
        if node.__class__ is ast.ImportFrom and node.module:
            names.append(node.module)
        for name in names:
            found.update(dict.fromkeys(filter(is_private, name.split("."))))
    return tuple(found)
