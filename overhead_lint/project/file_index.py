"""What other files can ask a file for by name: its functions, classes and imports."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.calls import is_property, is_setter
from overhead_lint.project.graph.traits import ITEMS
from overhead_lint.project.module_index import ClassSummary, ModuleIndex
from overhead_lint.project.names import last_name
from overhead_lint.project.paths import BUILTINS, INSTANCE, STARRED, SUPER, is_outside
from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["index_of"]

# Packages whose names can be re-exported and then be a base class somewhere.
_KEPT: Final = ("torch.", "pytorch_lightning.", "lightning.", "transformers.", "accelerate.")


def index_of(facts: FileFacts) -> ModuleIndex:
    """What other files can ask a file for by name."""
    functions = {
        facts.calls.identity(node): _returned(node, facts)
        for node in facts.scan.scopes
        if isinstance(node, FUNCTIONS)
    }
    for node in facts.generators.functions:
        functions[facts.calls.identity(node) + ITEMS] = ""
    classes = {}
    for node in facts.classes:
        summary = _class(node, facts)
        classes[summary.name] = summary
    names = {
        name: path
        for name, path in facts.paths.module_names.items()
        if name != "*" and not path.startswith(".") and (not is_outside(path) or path.startswith(_KEPT))
    }
    top = facts.scan.scopes[facts.scan.tree]
    for name, bindings in top.names.items():
        if name not in names and len(bindings) == 1 and isinstance(bindings[0], ast.Name):
            path = facts.paths.of(bindings[0])
            if path is not None and path.endswith(INSTANCE) and not is_outside(path):
                names[name] = path
    return ModuleIndex(facts.module, "", functions, classes, names, facts.paths.stars)


def _class(node: ast.ClassDef, facts: FileFacts) -> ClassSummary:
    cls = facts.classes[node]
    attributes: dict[str, str] = {}
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            path = facts.paths.annotated(member.annotation)
            if path is not None:
                attributes[member.target.id] = path
    for name, values in facts.values.by_class.get(node, {}).items():
        for value in values:
            path = facts.paths.of(value) if value is not None else None
            if path is not None and not is_outside(path):
                attributes[name] = path
                break
    members = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return ClassSummary(
        "." + cls.qualname,
        tuple(_base(base, facts) for base in cls.bases),
        tuple(item.name for item in members if not is_setter(item)),
        tuple(item.name for item in members if is_property(item)),
        tuple(attributes.items()),
        tuple(dict.fromkeys(filter(None, (_extended(item, facts) for item in members)))) if cls.bases else (),
    )


def _base(base: str, facts: FileFacts) -> str:
    """The path of a base; what no name of the file tells may come from an import with a star."""
    known = "." in base or not facts.paths.stars or not base.isidentifier() or base in BUILTINS
    return base if known else STARRED + base


def _extended(function: ast.FunctionDef | ast.AsyncFunctionDef, facts: FileFacts) -> str:
    """The name of a method that may run what it overrides: ``super().step()``, ``Base.step(self)``; or ""."""
    read = [item for item in facts.scan.within(function, ast.Attribute) if item.attr == function.name]
    if not read:
        return ""
    by_super = all(
        isinstance(item.value, ast.Call) and last_name(item.value.func) == "super" for item in read
    )
    return SUPER + function.name if by_super else function.name


def _returned(node: ast.AST, facts: FileFacts) -> str:
    """The path of what a function returns, by its annotation or its one ``return``; "" if unknown."""
    if isinstance(node, ast.Lambda):
        path = facts.paths.of(node.body)
        return path if path is not None and not is_outside(path) else ""
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    if node.returns is not None:
        path = facts.paths.annotated(node.returns)
        if path is not None:
            return path
    for statement in facts.returns_of(node):
        path = facts.paths.of(statement.value) if statement.value is not None else None
        if path is not None and not is_outside(path):
            return path
    return ""
