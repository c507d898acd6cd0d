"""What a file calls of torch: which functions work with tensors, and where tensors land by default."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Tells
from overhead_lint.analysis.effects.lookup import effect, names_telling
from overhead_lint.analysis.words import words
from overhead_lint.project.kinds.annotations import promises_tensor
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax

__all__ = ["TorchUse"]

# Packages whose arrays, frames, blocks and dictionaries of tensors take several indices, too.
_INDEXED_ALIKE: Final = frozenset(
    {"cupy", "h5py", "jax", "numpy", "pandas", "scipy", "tensordict", "tensorflow", "triton", "xarray"}
)
_TABLES: Final = frozenset({"cudf", "dask", "pandas", "polars", "pyspark", "tensorflow", "xarray"})
# Those of the methods that only tensors and containers have which programs also call on others.
_OF_OTHERS: Final = frozenset({"dim", "size", "split", "to", "view"})
_TENSOR_METHODS: Final = names_telling(Tells.TENSOR) - _OF_OTHERS | {"backward", "item"}


class TorchUse:
    """Calls of torch in a file.

    Args:
        syntax: the file.
    """

    def __init__(self, syntax: FileSyntax) -> None:
        self._syntax = syntax

    @cached_property
    def _torch_names(self) -> frozenset[str]:
        """Plain names that imports from torch bind somewhere in the file."""
        return frozenset(name for package, name in self._imported() if package == "torch")

    @cached_property
    def has_only_tensors(self) -> bool:
        """Whether the file imports torch, and nothing else whose values are indexed as tensors are."""
        packages = {package for package, _ in self._imported()}
        return "torch" in packages and packages.isdisjoint(_INDEXED_ALIKE)

    @cached_property
    def has_no_tables(self) -> bool:
        """Whether the file imports torch, and nothing whose tables have methods of tensors' names."""
        packages = {package for package, _ in self._imported()}
        return "torch" in packages and packages.isdisjoint(_TABLES)

    def _imported(self) -> Iterator[tuple[str, str]]:
        """The package and the plain name of each import, wherever it stands in the file."""
        for statement_class in (ast.Import, ast.ImportFrom):
            for statement in self._syntax.scan.by_class.get(statement_class, ()):
                assert isinstance(statement, (ast.Import, ast.ImportFrom))
                for alias in statement.names:
                    module = statement.module or "" if statement.__class__ is ast.ImportFrom else alias.name
                    yield module.partition(".")[0], (alias.asname or alias.name).partition(".")[0]

    def is_tensor_call(self, call: ast.Call) -> bool:
        """Whether a call is one of torch's functions on tensors."""
        root: ast.AST = call.func
        while root.__class__ is ast.Attribute:
            root = root.value
        if root.__class__ is not ast.Name or root.id not in self._torch_names:
            return False
        name = self._syntax.names.qualified(call.func)
        return name is not None and effect(name).computes

    @cached_property
    def tensor_functions(self) -> frozenset[ast.AST]:
        """Functions that call torch, or methods of tensors, or take parameters annotated as tensors."""
        found: set[ast.AST] = set()
        for call in self._syntax.scan.of_class(ast.Call):
            method = call.func.attr if call.func.__class__ is ast.Attribute else ""
            if method in _TENSOR_METHODS or self.is_tensor_call(call):
                function = self._syntax.function_node(call)
                if function is not None:
                    found.add(function)
        for node in self._syntax.scan.scopes:
            if not isinstance(node, FUNCTIONS):
                continue
            arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            if any(promises_tensor(argument.annotation) for argument in arguments):
                found.add(node)
        return frozenset(found)

    def default_device(self, node: ast.AST) -> bool:
        """Whether tensors made at a place may land on a default device that the file sets."""
        if self._sets_default_device:
            return True
        parent = self._syntax.scan.parents.get(node)
        while parent is not None and not isinstance(parent, FUNCTIONS):
            if isinstance(parent, (ast.With, ast.AsyncWith)):
                for item in parent.items:
                    expression = item.context_expr
                    called = expression.func if expression.__class__ is ast.Call else expression
                    if self._syntax.names.qualified(called) == "torch.device" or "device" in words(
                        last_name(called)
                    ):
                        return True
            parent = self._syntax.scan.parents.get(parent)
        return False

    @cached_property
    def _sets_default_device(self) -> bool:
        return any(
            last_name(call.func) in {"set_default_device", "set_default_tensor_type"}
            for call in self._syntax.scan.by_class.get(ast.Call, ())
            if call.__class__ is ast.Call
        )
