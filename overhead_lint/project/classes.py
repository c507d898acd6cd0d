"""The classes of a file: bases, methods, and whether one is a module or a dataclass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.parameters import positional
from overhead_lint.analysis.values.classes import AUTOGRAD_FUNCTION
from overhead_lint.rule import ClassFacts

if TYPE_CHECKING:
    from collections.abc import Collection

    from overhead_lint.project.names import Names
    from overhead_lint.project.scan import Scan

__all__ = ["class_facts", "is_autograd_function", "is_torch_module", "may_be_module"]

_DATACLASS: Final = frozenset(
    {"dataclasses.dataclass", "attr.s", "attr.define", "attrs.define", "pydantic.dataclasses.dataclass"}
)
# Packages whose classes are no modules, but for torch's own.
_NO_MODULES: Final = ("abc.", "collections.", "dataclasses.", "enum.", "torch.", "typing.")
_MODULE_NAMES: Final = frozenset({"Module", "LightningModule", "ScriptModule"})


def class_facts(scan: Scan, names: Names) -> dict[ast.ClassDef, ClassFacts]:
    """The classes of a file, in source order."""
    nodes = [node for node in scan.scopes if node.__class__ is ast.ClassDef]
    bases = {node: tuple(_base(base, names, scan) for base in node.bases) for node in nodes}
    by_name = {"." + names.qualname(node): node for node in nodes}
    modules: dict[ast.ClassDef, bool] = {}

    return {
        node: ClassFacts(
            node=node,
            qualname=names.qualname(node),
            bases=bases[node],
            is_module=_is_module(node, bases, by_name, modules),
            is_dataclass=any(_is_dataclass(decorator, names) for decorator in node.decorator_list),
            methods=tuple(
                item.name for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
            ),
        )
        for node in nodes
    }


def _is_module(
    node: ast.ClassDef,
    bases: dict[ast.ClassDef, tuple[str, ...]],
    by_name: dict[str, ast.ClassDef],
    modules: dict[ast.ClassDef, bool],
    seen: frozenset[ast.ClassDef] = frozenset(),
) -> bool:
    """Whether a class is a module; `modules` remembers what was found."""
    known = modules.get(node)
    if known is None:
        local = [by_name[base] for base in bases[node] if base in by_name]
        known = modules[node] = any(is_torch_module(base) for base in bases[node]) or any(
            _is_module(base, bases, by_name, modules, seen | {node})
            for base in local
            if base not in seen and base is not node
        )
        outside = _outside_bases(node, bases, by_name)
        known = modules[node] = known or _forwards_for_unknown_base(node, outside)
    return known


def _outside_bases(
    node: ast.ClassDef, bases: dict[ast.ClassDef, tuple[str, ...]], by_name: dict[str, ast.ClassDef]
) -> list[str]:
    """The bases from other files that a class has itself, or by way of classes of its own file."""
    found: list[str] = []
    above, seen = [node], {node}
    while above:
        for base in bases[above.pop()]:
            local = by_name.get(base)
            if local is None:
                found.append(base)
            elif local not in seen:
                seen.add(local)
                above.append(local)
    return found


def is_autograd_function(facts: ClassFacts) -> bool:
    """Whether a class derives from ``torch.autograd.Function`` directly."""
    return any(base in AUTOGRAD_FUNCTION for base in facts.bases)


def _base(node: ast.expr, names: Names, scan: Scan) -> str:
    if node.__class__ is ast.Subscript:  # Generic[T], Base[Config]
        node = node.value
    return names.qualified(node) or _one_of(node, names, scan) or ast.unparse(node)


def _one_of(node: ast.expr, names: Names, scan: Scan) -> str:
    """The first class that a name may be, where another stands in for one that may be missing."""
    found = scan.lookup(node.id, node) if node.__class__ is ast.Name else None
    for binding in found[1] if found is not None and len(found[1]) > 1 else ():
        holder = scan.parents.get(binding)
        if binding.__class__ is ast.alias:
            name = names.stands_for([binding])
        elif holder.__class__ is ast.Assign and binding in holder.targets:
            name = names.qualified(holder.value)
        else:
            name = None
        if name is not None:
            return name
    return ""


def _is_dataclass(decorator: ast.expr, names: Names) -> bool:
    function = decorator.func if decorator.__class__ is ast.Call else decorator
    return names.qualified(function) in _DATACLASS


def is_torch_module(base: str) -> bool:
    """Whether a class outside of the project is a module, by its dotted name."""
    if base.startswith("torch.nn."):
        return base.rpartition(".")[2].lstrip("_")[:1].isupper() and "Parameter" not in base
    return base.rpartition(".")[2] in _MODULE_NAMES and not base.startswith(".")


def may_be_module(bases: Collection[str]) -> bool:
    """Whether a class may be a module by all classes of the project and outside of it that it derives from.

    Args:
        bases: dotted names of those outside of the project, plain names of the others.
    """
    return any(is_torch_module(base) or ("." in base and not base.startswith(_NO_MODULES)) for base in bases)


def _forwards_for_unknown_base(node: ast.ClassDef, outside: list[str]) -> bool:
    """Whether a class of another file's base has a ``forward`` method as a module has it.

    Project-wide facts will say so for certain; a class with an imported base and a ``forward``
    that takes ``self`` is hardly ever anything else.
    """
    unknown = [base for base in outside if base not in AUTOGRAD_FUNCTION]
    if not any("." in base and not base.startswith(("typing.", "abc.", "enum.")) for base in unknown):
        return False
    for item in node.body:
        if item.__class__ is ast.FunctionDef and item.name == "forward":
            arguments = positional(item.args)
            return bool(arguments) and arguments[0].arg == "self"
    return False
