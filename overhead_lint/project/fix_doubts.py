"""What in a file makes fixes unsafe that are safe elsewhere."""

from __future__ import annotations

import ast
import itertools
import sys
from typing import TYPE_CHECKING, Final

from overhead_lint.project.compiler_names import is_for_torchscript
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_syntax import FileSyntax
    from overhead_lint.rule import Fix

__all__ = ["Doubts", "doubts"]

# Modules and classes whose functions fixes take for those of torch and the standard library.
_OWNERS: Final = frozenset(
    """contextlib inspect packaging.version torch torch.Tensor torch.amp torch.amp.autocast_mode
    torch.autograd torch.autograd.grad_mode torch.autograd.profiler torch.cpu.amp torch.cuda torch.cuda.amp
    torch.cuda.nvtx torch.nn.ModuleList torch.nn.Sequential torch.profiler""".split()  # noqa: SIM905
)
# What puts something in the place of an attribute: of an object, or of what a text names.
_PATCHING: Final = ("setattr", "delattr", "patch", "object")
# What fixes take for methods of torch.Tensor, and what sees each call of one.
_OF_TENSORS: Final = frozenset(
    """__torch_dispatch__ __torch_function__ bfloat16 bool clone copy_ cpu cuda detach device double dtype
    float half int is_cpu is_cuda long to""".split()  # noqa: SIM905
)
_SCOPES: Final = frozenset({"globals", "locals", "vars"})
_CHANGING: Final = frozenset({"__setitem__", "pop", "setdefault", "update"})


class Doubts(NamedTuple):
    """Why a fix in a file may change what it does.

    Attributes:
        replaced: the file puts functions of its own in the place of those that fixes rewrite.
        torchscript: TorchScript may compile functions of the file; it takes none that a fix imports.
        imported: what the file imports whenever it is imported itself, and the modules that this lies in.
    """

    replaced: bool
    torchscript: bool
    imported: frozenset[str]

    def of_fix(self, fix: Fix) -> bool:
        """Whether a fix that is safe elsewhere may change what the file does, be it when it is imported.

        What needs torch must not be imported by a file that does without it: where torch is optional, or
        imported by the functions that need it.
        """
        if not fix.imports or self.replaced or self.torchscript:
            return self.replaced or bool(fix.imports)
        wanted = {
            f"{item.module}.{item.name}" if item.name else item.module
            for item in fix.imports
            if item.module not in sys.stdlib_module_names
        }
        return "torch" not in self.imported and not wanted <= self.imported


def doubts(facts: FileSyntax) -> Doubts:
    """Look for what makes fixes in a file unsafe."""
    return Doubts(_replaces(facts), is_for_torchscript(facts), _imported(facts.scan.tree))


def _replaces(facts: FileSyntax) -> bool:
    """Whether the file assigns to functions of torch: ``torch.Tensor.cuda = lambda self: self``.

    Or has a class of tensors with methods of its own, or binds names of a module by their text.
    """
    qualified, of_class = facts.names.qualified, facts.scan.of_class
    for attribute in of_class(ast.Attribute):
        assert isinstance(attribute, ast.Attribute)
        if attribute.ctx.__class__ is not ast.Load and _is_replaceable(attribute.value, facts):
            return True
    for name in _PATCHING:
        for call in facts.call_index.by_name.get(name, ()):
            patched = call.args[0] if call.args else None
            if isinstance(patched, ast.Constant):
                if str(patched.value).rpartition(".")[0] in _OWNERS:
                    return True
            elif patched is not None and _is_replaceable(patched, facts):
                return True
    for cls in of_class(ast.ClassDef):
        assert isinstance(cls, ast.ClassDef)
        if any(qualified(base) == "torch.Tensor" for base in cls.bases) and any(
            item.__class__ is ast.FunctionDef and item.name in _OF_TENSORS for item in cls.body
        ):
            return True
    return any(map(_binds_by_text, (*of_class(ast.Subscript), *of_class(ast.Attribute))))


def _is_replaceable(node: ast.expr, facts: FileSyntax) -> bool:
    """Whether it is something of torch, or a module by its name: what has attributes that fixes know."""
    if node.__class__ is ast.Subscript:
        return facts.names.qualified(node.value) == "sys.modules"
    return facts.names.qualified(node) in _OWNERS


def _binds_by_text(node: ast.AST) -> bool:
    """Whether it changes a scope: ``globals()["x"] = 1``, ``globals().update(x=1)``."""
    if node.__class__ is ast.Subscript:
        changes = node.ctx.__class__ is not ast.Load
    else:
        changes = node.__class__ is ast.Attribute and node.attr in _CHANGING
    scope = getattr(node, "value", None)
    return (
        changes
        and scope.__class__ is ast.Call
        and scope.func.__class__ is ast.Name
        and scope.func.id in _SCOPES
        and not scope.args
    )


def _imported(tree: ast.Module) -> frozenset[str]:
    """What statements of the module itself import, with the modules that it lies in."""
    found: set[str] = set()
    for stmt in tree.body:
        if stmt.__class__ is ast.Import:
            names = [alias.name for alias in stmt.names]
        elif stmt.__class__ is ast.ImportFrom and not stmt.level:
            names = [f"{stmt.module}.{alias.name}" for alias in stmt.names]
        else:
            continue
        for name in names:
            found.update(itertools.accumulate(name.split("."), "{}.{}".format))
    return frozenset(found)
