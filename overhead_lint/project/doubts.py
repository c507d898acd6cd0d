"""What in a file makes fixes unsafe that are safe elsewhere."""

from __future__ import annotations

import ast
import itertools
import sys
from typing import TYPE_CHECKING, Final

from overhead_lint.project.compiled import is_for_torchscript
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts
    from overhead_lint.rule import Fix

__all__ = ["Doubts", "doubts"]

# Modules and classes whose functions fixes take for those of torch and the standard library.
_OWNERS: Final = frozenset(
    """contextlib inspect torch torch.Tensor torch.amp torch.amp.autocast_mode torch.autograd
    torch.autograd.grad_mode torch.autograd.profiler torch.cpu.amp torch.cuda torch.cuda.amp torch.cuda.nvtx
    torch.profiler""".split()  # noqa: SIM905
)


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


def doubts(facts: FileFacts) -> Doubts:
    """Look for what makes fixes in a file unsafe."""
    return Doubts(_replaces(facts), is_for_torchscript(facts), _imported(facts.scan.tree))


def _replaces(facts: FileFacts) -> bool:
    """Whether the file assigns to functions of torch: ``torch.Tensor.cuda = lambda self: self``."""
    by_class = facts.scan.by_class
    for attribute in by_class.get(ast.Attribute, ()):
        assert isinstance(attribute, ast.Attribute)
        if not isinstance(attribute.ctx, ast.Load) and facts.names.qualified(attribute.value) in _OWNERS:
            return True
    return any(
        call.args and facts.names.qualified(call.args[0]) in _OWNERS
        for name in ("setattr", "delattr")
        for call in facts.call_index.by_name.get(name, ())
    )


def _imported(tree: ast.Module) -> frozenset[str]:
    """What statements of the module itself import, with the modules that it lies in."""
    found: set[str] = set()
    for stmt in tree.body:
        if isinstance(stmt, ast.Import):
            names = [alias.name for alias in stmt.names]
        elif isinstance(stmt, ast.ImportFrom) and not stmt.level:
            names = [f"{stmt.module}.{alias.name}" for alias in stmt.names]
        else:
            continue
        for name in names:
            found.update(itertools.accumulate(name.split("."), "{}.{}".format))
    return frozenset(found)
