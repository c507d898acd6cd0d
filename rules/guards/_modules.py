"""Module lists, as far as one file shows them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .._annotations import annotation_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

LISTS = frozenset(
    {
        "torch.nn.ModuleList",
        "torch.nn.Sequential",
        "torch.nn.modules.container.ModuleList",
        "torch.nn.modules.container.Sequential",
        "torch.nn.modules.ModuleList",
        "torch.nn.modules.Sequential",
    }
)


def is_module_list(node: ast.expr, ctx: Context) -> bool:
    """Whether ``self.attribute`` or a parameter is a ModuleList or Sequential, as its binding tells."""
    value = ctx.value(node)
    if isinstance(value, ast.Call):
        return ctx.qualified_name(value.func) in LISTS
    annotation = annotation_of(node, ctx)
    return annotation is not None and ctx.qualified_name(annotation) in LISTS
