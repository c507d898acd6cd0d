"""Stock context managers of torch: their names, and how an expression that builds one is used."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat

if TYPE_CHECKING:
    from overhead_lint.rule import Context

AUTOCAST = frozenset({"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"})
GRAD_MODES = frozenset(
    {
        "torch.no_grad",
        "torch.enable_grad",
        "torch.inference_mode",
        "torch.autograd.no_grad",
        "torch.autograd.enable_grad",
        "torch.autograd.inference_mode",
        "torch.autograd.grad_mode.no_grad",
        "torch.autograd.grad_mode.enable_grad",
        "torch.autograd.grad_mode.inference_mode",
    }
)
SCRIPTED = frozenset({"torch.jit.script", "torch.jit.script_method", "torch.jit.export"})


def how_often(heat: Heat) -> str:
    """The words for "how often" in a message."""
    return "many times in every step" if heat is Heat.LOOP else "in every step"


def is_scripted(node: ast.AST, ctx: Context) -> bool:
    """Whether the function around `node` is compiled by TorchScript, which knows the stock classes only."""
    function = ctx.function(node)
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    return any(ctx.qualified_name(item) in SCRIPTED for item in function.node.decorator_list)


def entered_item(node: ast.expr, ctx: Context) -> ast.withitem | None:
    """The ``with`` item whose context is `node`, also through a conditional expression."""
    child: ast.AST = node
    parent = ctx.parent(node)
    while isinstance(parent, ast.IfExp) and child is not parent.test:
        child, parent = parent, ctx.parent(parent)
    return parent if isinstance(parent, ast.withitem) and parent.context_expr is child else None


def only_entered(node: ast.expr, ctx: Context) -> bool:
    """Whether the object that `node` builds is entered, and nothing else is done with it.

    That is: a ``with`` item without ``as``, an argument of ``enter_context``, or a local name
    all of whose uses are such items.
    """
    item = entered_item(node, ctx)
    if item is not None:
        return item.optional_vars is None
    parent = ctx.parent(node)
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Attribute) and parent.func.attr == "enter_context"
    function = ctx.function(node)
    if function is None or not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
        return False
    target = parent.targets[0]
    return isinstance(target, ast.Name) and all(
        item is not None and item.optional_vars is None
        for name in ctx.within(function.node, ast.Name)
        if name.id == target.id and isinstance(name.ctx, ast.Load)
        for item in (entered_item(name, ctx),)
    )
