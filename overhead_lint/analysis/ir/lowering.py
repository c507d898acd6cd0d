"""From `ast` to the intermediate representation; the one place that knows which parser made the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.records import MODULE_BODY, NONE, FileIR, FunctionIR
from overhead_lint.analysis.ir.statements import Statements

if TYPE_CHECKING:
    import ast

    from overhead_lint.analysis.ir.builder import Trace

__all__ = ["lower"]


def lower(tree: ast.Module, trace: Trace | None = None) -> FileIR:
    """Lower a file.

    Args:
        tree: its tree; nothing of it is kept.
        trace: takes where its nodes went, for those who still ask by nodes.
    """
    module = FunctionIR("", "", NONE, MODULE_BODY, 0)
    functions = [module]
    if trace is not None:
        trace.functions[tree] = 0
    body = Statements(module, trace, functions, 0)
    body.block_of(tree.body)
    body.finish()
    return FileIR(functions)
