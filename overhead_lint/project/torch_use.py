"""Which functions of a file work with tensors."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Tells
from overhead_lint.analysis.effects.lookup import effect, names_telling
from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.project.kinds.annotations import promises_tensor
from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["tensor_functions"]

# Those of the methods that only tensors and containers have which programs also call on others.
_OF_OTHERS: Final = frozenset({"dim", "size", "split", "to", "view"})
_TENSOR_METHODS: Final = names_telling(Tells.TENSOR) - _OF_OTHERS | {"backward", "item"}


def tensor_functions(facts: FileSyntax) -> frozenset[ast.AST]:
    """Return the functions that call torch or methods of tensors, or are told tensors by annotations."""
    found: set[ast.AST] = set()
    for call in facts.scan.of_class(ast.Call):
        method = call.func.attr if call.func.__class__ is ast.Attribute else ""
        if method in _TENSOR_METHODS or _computes(facts.names.qualified(call.func)):
            function = facts.function_node(call)
            if function is not None:
                found.add(function)
    for node in facts.scan.scopes:
        if not isinstance(node, FUNCTIONS):
            continue
        arguments = all_parameters(node.args)
        if any(promises_tensor(argument.annotation) for argument in arguments):
            found.add(node)
    return frozenset(found)


def _computes(name: str | None) -> bool:
    """Whether one of torch's functions works on tensors."""
    return name is not None and name.startswith("torch.") and effect(name).computes
