"""What a dotted expression stands for, through a file's imports and definitions."""

from __future__ import annotations

import ast
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.ir.annotations import dotted
from overhead_lint.analysis.ir.relative_imports import package_above
from overhead_lint.project.scan import FUNCTIONS, Scan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Names", "last_name", "written"]

_HOLDERS: Final = frozenset({ast.Subscript, ast.Await, ast.Starred})
_OPENING: Final = frozenset((*FUNCTIONS, ast.ClassDef))
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class _Known(Enum):
    """What is known of an expression besides what it stands for, which may be nothing."""

    NOT_ASKED = 0


_NOT_ASKED: Final = _Known.NOT_ASKED


class Names:
    """Resolves names of one file.

    Args:
        scan: the file's tree, walked.
        module: dotted name of the file's module, "" if unknown.
        is_package: whether the file is an ``__init__.py``.
        elsewhere: what names that it imports from other files are there, as far as the project tells.

    Attributes:
        elsewhere: see there.
    """

    def __init__(
        self,
        scan: Scan,
        module: str = "",
        is_package: bool = False,
        elsewhere: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._scan = scan
        self.elsewhere = elsewhere
        self._package = module if is_package else module.rpartition(".")[0]
        self._aliases: dict[ast.AST, str] = {}
        self._qualnames: dict[ast.AST, str] = {}
        self._known: dict[ast.AST, str | None] = {}
        self._stand: dict[int, str | None] = {}

    def qualified(self, node: ast.AST) -> str | None:
        """Dotted name of an expression; see `overhead_lint.rule.Context.qualified_name`."""
        known = self._known
        found = known.get(node, _NOT_ASKED)
        if found is not _NOT_ASKED:
            return found
        # Exact classes are compared: isinstance, asked millions of times, costs much more.
        chain: list[ast.Attribute] = []
        root = node
        while root.__class__ is ast.Attribute:
            chain.append(root)
            root = root.value
        found = None
        if root.__class__ is ast.Name:
            found = known.get(root, _NOT_ASKED)
            if found is _NOT_ASKED:
                found = known[root] = self._stands_for(root)
        if chain:
            if found is not None:
                chain.reverse()
                found = ".".join([found, *[one.attr for one in chain]])
                found = self.elsewhere.get(found, found)
            known[node] = found
        return found

    def _stands_for(self, node: ast.Name) -> str | None:
        """What a name stands for where it is used."""
        found = self._scan.lookup(node.id, node)
        if found is None:
            return None
        bindings = found[1]
        key = id(bindings)  # they are the scope's own, and last as long as this
        if key not in self._stand:
            self._stand[key] = self.stands_for(bindings)
        return self._stand[key]

    def qualname(self, node: ast.AST) -> str:
        """Dotted name of a function or class from its module: ``Model.forward``, ``f.<locals>.g``."""
        known = self._qualnames.get(node)
        if known is None:
            name = getattr(node, "name", "<lambda>")
            parents = self._scan.parents
            holder = parents.get(node)
            while holder is not None and holder.__class__ not in _OPENING:
                holder = parents.get(holder)
            if holder is None:
                known = name
            elif holder.__class__ is ast.ClassDef:
                known = f"{self.qualname(holder)}.{name}"
            else:
                known = f"{self.qualname(holder)}.<locals>.{name}"
            self._qualnames[node] = known
        return known

    def stands_for(self, bindings: Sequence[ast.AST]) -> str | None:
        """What a name with these bindings stands for, if an import or one definition says so."""
        imported: ast.alias | None = None
        for binding in bindings:
            if binding.__class__ is ast.alias:
                imported = imported or binding
            elif not self._is_absence(binding):
                if imported is None and len(bindings) == 1 and isinstance(binding, _DEFINITIONS):
                    return "." + self.qualname(binding)
                return None
        return self._alias(imported) if imported is not None else None

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """Modules whose names the file imports with a star."""
        return tuple(
            self.absolute(statement)
            for statement in self._scan.by_class.get(ast.ImportFrom, ())
            if statement.__class__ is ast.ImportFrom and any(alias.name == "*" for alias in statement.names)
        )

    @cached_property
    def top_level(self) -> dict[str, str]:
        """What plain names of the file's top level stand for: imports and definitions."""
        found: dict[str, str] = {}
        for name, bindings in self._scan.scopes[self._scan.tree].names.items():
            path = self.stands_for(bindings)
            if path is not None:
                found[name] = path
        return found

    def is_mixed(self, node: ast.Name) -> bool:
        """Whether imports of different things bind a name, or may: in branches, in a row, in another file."""
        found = self._scan.lookup(node.id, node)
        aliases = [binding for binding in found[1] if binding.__class__ is ast.alias] if found else []
        if any(self._imported(alias) in self.elsewhere for alias in aliases):
            return True
        return len(aliases) > 1 and len(set(map(self._alias, aliases))) > 1

    def _is_absence(self, binding: ast.AST) -> bool:
        """Whether a binding is the ``name = None`` of an import that may fail."""
        statement = self._scan.parents.get(binding)
        return (
            statement.__class__ is ast.Assign
            and isinstance(statement.value, ast.Constant)
            and statement.value.value in (None, False)
        )

    def _alias(self, alias: ast.alias) -> str:
        known = self._aliases.get(alias)
        if known is None:
            imported = self._imported(alias)
            known = self._aliases[alias] = self.elsewhere.get(imported, imported)
        return known

    def _imported(self, alias: ast.alias) -> str:
        """What an import names, as it is written but for relative ones."""
        statement = self._scan.parents[alias]
        if statement.__class__ is ast.ImportFrom:
            return f"{self.absolute(statement)}.{alias.name}"
        return alias.name if alias.asname else alias.name.partition(".")[0]

    def absolute(self, statement: ast.ImportFrom) -> str:
        """The module that an import statement names, relative ones made absolute.

        A relative import that leads out of the known packages gives ``<relative>.name``.
        """
        name = statement.module or ""
        if not statement.level:
            return name
        base = package_above(self._package, statement.level) or "<relative>"
        return f"{base}.{name}" if name else base


def written(node: ast.AST) -> str:
    """An expression as `ast.unparse` writes it, which takes long even for the names that most of them are."""
    return dotted(node) or ast.unparse(node)


def last_name(node: ast.AST) -> str:
    """The last plain name of an expression: ``c`` of ``a.b.c``, ``f`` of ``x.f()`` and ``f[0]``, else ""."""
    one: Any = node
    while True:
        kind = one.__class__
        if kind is ast.Attribute:
            return one.attr  # type: ignore[no-any-return]
        if kind is ast.Name:
            return one.id  # type: ignore[no-any-return]
        if kind is ast.Call:
            one = one.func
        elif kind in _HOLDERS:
            one = one.value
        else:
            return ""
