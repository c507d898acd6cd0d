"""Stock context managers of torch: their names, and how an expression that builds one is used."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhead_lint.syntax.dotted_names import root_of

from .._calls import argument_values
from .._taken import is_declared_outer

if TYPE_CHECKING:
    from overhead_lint.rule import Context

AUTOCAST = frozenset({"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"})
OLD_AUTOCASTS = {
    "torch.cuda.amp.autocast": ("cuda", "float16"),
    "torch.cuda.amp.autocast_mode.autocast": ("cuda", "float16"),
    "torch.cpu.amp.autocast": ("cpu", "bfloat16"),
    "torch.cpu.amp.autocast_mode.autocast": ("cpu", "bfloat16"),
}
"""Device and default dtype, which torch.autocast would take from the context around it."""
OLD_SINCE = (2, 4)
"""The release of torch that deprecated these."""
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
_EXIT_STACKS = frozenset({"contextlib.ExitStack", "contextlib.AsyncExitStack"})
SCRIPTED = frozenset({"torch.jit.script", "torch.jit.script_method", "torch.jit.export"})


def is_read(value: ast.expr) -> bool:
    """Whether an argument is read and not computed: a constant, a name, an attribute."""
    return isinstance(root_of(value), (ast.Constant, ast.Name))


def leave_as_they_enter(contexts: Sequence[ast.expr], ctx: Context) -> bool:
    """Whether contexts may be built together, and then entered and left one by one without a ``try``.

    Gradient modes and autocast do not raise when they are entered or left, and swallow nothing. What autocast
    reads where it is built, only another autocast changes.
    """
    names = []
    for context in contexts:
        if not isinstance(context, ast.Call) or not all(map(is_read, argument_values(context))):
            return False
        names.append(ctx.qualified_name(context.func))
    stock = all(name in GRAD_MODES or name in AUTOCAST for name in names)
    return stock and sum(name in AUTOCAST for name in names) <= 1


def is_scripted(node: ast.AST, ctx: Context) -> bool:
    """Whether the function around `node` is compiled by TorchScript, which knows the stock classes only."""
    function = ctx.function(node)
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    return any(ctx.qualified_name(item) in SCRIPTED for item in function.node.decorator_list)


def entered_item(node: ast.expr, ctx: Context) -> ast.withitem | None:
    """The ``with`` item whose context is `node`, also through a conditional expression."""
    given, holder = given_by(node, ctx)
    return holder if isinstance(holder, ast.withitem) and holder.context_expr is given else None


def given_by(node: ast.expr, ctx: Context) -> tuple[ast.expr, ast.AST | None]:
    """The outermost conditional expression that may give `node`, else that itself, and what holds it."""
    child, parent = node, ctx.parent(node)
    while isinstance(parent, ast.IfExp) and child is not parent.test:
        child, parent = parent, ctx.parent(parent)
    return child, parent


def only_entered(node: ast.expr, ctx: Context) -> bool:
    """Whether the object that `node` builds is entered, and nothing else is done with it.

    That is: a ``with`` item without ``as``, an argument of ``enter_context`` of an exit stack whose result
    is dropped, or a local name all of whose uses are such items of the function itself, none within the block
    of another.
    """
    item = entered_item(node, ctx)
    if item is not None:
        return item.optional_vars is None
    parent = ctx.parent(node)
    if isinstance(parent, ast.Call):
        return (
            isinstance(parent.func, ast.Attribute)
            and parent.func.attr == "enter_context"
            and isinstance(ctx.parent(parent), ast.Expr)
            and _is_exit_stack(parent.func.value, ctx)
        )
    function = ctx.function(node)
    if function is None or not isinstance(parent, ast.Assign) or len(parent.targets) != 1:
        return False
    target = parent.targets[0]
    if not isinstance(target, ast.Name) or is_declared_outer(target.id, function.node, ctx):
        return False
    uses = [
        name
        for name in ctx.within(function.node, ast.Name)
        if name.id == target.id and isinstance(name.ctx, ast.Load)
    ]
    if any(ctx.function(name) is not function for name in uses):
        return False  # an inner function may enter it while it is active
    items = [entered_item(name, ctx) for name in uses]
    return all(item is not None and item.optional_vars is None for item in items) and not _is_nested(
        uses, ctx
    )


def _is_nested(uses: Sequence[ast.Name], ctx: Context) -> bool:
    """Whether an instance is entered while it is active: stock loses the outer state then."""
    blocks = [ctx.statement(name) for name in uses]
    return any(
        block in ctx.within(other, ast.With, ast.AsyncWith) for block in blocks for other in blocks
    ) or (len(set(map(id, blocks))) < len(blocks))


def _is_exit_stack(node: ast.expr, ctx: Context) -> bool:
    """Whether the file shows that a name or attribute is an exit stack of contextlib."""
    built = [ctx.value(node)]
    built += [
        item.context_expr
        for item in ctx.nodes(ast.withitem)
        if item.optional_vars is not None
        and ctx.text(item.optional_vars) == ctx.text(node)
        and ctx.function(item.context_expr) is ctx.function(node)
    ]
    return any(
        isinstance(value, ast.Call) and ctx.qualified_name(value.func) in _EXIT_STACKS for value in built
    )
