"""What is likely to be a tensor of the device, by how it is read, though nothing else tells."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.vocabulary import REDUCTIONS
from overhead_lint.api.torch_calls import JOINS
from overhead_lint.rule import Kind

from .._assignments import assigned_values
from .._names import is_named
from .._once import once
from ._batches import loader_behind
from ._host import was_copied_to_host

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_ARRAY_PACKAGES = frozenset({"cupy", "jax", "numpy", "pandas"})
_OF_TENSORS = frozenset({"T", "data", "grad"})
_OF_DEVICE = frozenset({Kind.TENSOR, Kind.UNKNOWN})


def on_device(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression is a tensor that is, or may be, on an accelerator."""
    return ctx.kind(node) is Kind.TENSOR and not was_copied_to_host(node, ctx)


def may_be_on_device(node: ast.expr, ctx: Context) -> bool:
    """Whether what a function of torch takes is, or may be, on an accelerator: it takes nothing but tensors.

    An array, a list or a number would raise an error there; what is known to lie on the host does not count.
    Nor does a name of which such uses do not tell what it is: it may be bound to something on the host.
    """
    if on_device(node, ctx):
        return True
    is_value = isinstance(node, (ast.Attribute, ast.Call, ast.Subscript))
    return is_value and ctx.kind(node) is Kind.UNKNOWN and not was_copied_to_host(node, ctx)


def is_likely_tensor(node: ast.Call, receiver: ast.expr, ctx: Context) -> bool:
    """Whether something unknown is read as only tensors are: ``x.item()``, ``x.cpu().numpy()``.

    It has to be a local value, or what a parameter holds (``self.scale.data``): what a data loader gives is
    on the host until it is moved. Arrays have ``tolist()``, too: a file that uses none means tensors.
    """
    function = node.func
    assert isinstance(function, ast.Attribute)
    if ctx.kind(receiver) is not Kind.UNKNOWN or was_copied_to_host(receiver, ctx):
        return False
    if function.attr == "tolist":
        return not _uses_numpy(ctx) and _is_local(receiver, ctx)
    if function.attr == "cpu" and _is_joined(node, ctx) and not _is_of_host(receiver, ctx):
        return True
    if function.attr != "item" and not (function.attr == "cpu" and _goes_on(node, ctx)):
        return False
    if isinstance(receiver, ast.Attribute) and receiver.attr == "data":
        return loader_behind(receiver, ctx) is None
    if isinstance(receiver, ast.BinOp):
        return function.attr == "item" and not _uses_numpy(ctx) and _is_computed(receiver, ctx)
    if function.attr == "item" and _is_reduced(receiver) and not _uses_numpy(ctx):
        return not _is_of_host(receiver, ctx)
    return _is_local(receiver, ctx)


def _goes_on(node: ast.Call, ctx: Context) -> bool:
    """Whether what ``x.cpu()`` gives is used as only tensors are: ``x.cpu().max()``, ``float(x.cpu())``."""
    holder = ctx.parent(node)
    if isinstance(holder, ast.Call) and node in holder.args:
        name = ctx.qualified_name(holder.func)
        if name is not None:
            return name.partition(".")[0] == "numpy"
        function = holder.func.id if isinstance(holder.func, ast.Name) else ""
        return function in {"bool", "float", "int"}
    return isinstance(holder, ast.Attribute)


def _is_joined(node: ast.expr, ctx: Context) -> bool:
    """Whether something is one of what becomes one tensor: ``torch.stack([x.cpu() for x in many])``."""
    held = ctx.parent(node)
    if not isinstance(held, (ast.GeneratorExp, ast.List, ast.ListComp, ast.Tuple)):
        return False
    call = ctx.parent(held)
    joins = isinstance(call, ast.Call) and ctx.qualified_name(call.func) in JOINS
    return joins and (held in call.args[:1])  # type: ignore[union-attr]


def _is_reduced(node: ast.expr) -> bool:
    """Whether something is one number of many: ``policy.spread.mean()``."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in REDUCTIONS
    )


def _is_computed(node: ast.BinOp, ctx: Context) -> bool:
    """Whether something local is computed with, and nothing that is known to be of the host."""
    parts: list[ast.expr] = [node]
    found = []
    for part in parts:  # it grows
        if isinstance(part, ast.BinOp):
            parts += [part.left, part.right]
        elif isinstance(part, ast.UnaryOp):
            parts.append(part.operand)
        elif not isinstance(part, ast.Constant):
            found.append(part)
    return any(_is_local(part, ctx) for part in found) and not any(_is_of_host(part, ctx) for part in found)


def _is_of_host(node: ast.expr, ctx: Context) -> bool:
    """Whether something comes from a data loader, or from what is called so or copied to the host."""
    root = node
    while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript)):
        if isinstance(root, ast.Attribute) and _says_cpu(root.attr):
            return True
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name) or _says_cpu(root.id):
        return True
    return loader_behind(root, ctx) is not None


def is_likely_truth(test: ast.expr, ctx: Context) -> bool:
    """Whether a branch asks ``mask.any()`` of something unknown, in a file that does not use NumPy."""
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and not test.args):
        return False
    asks = test.func.attr in {"any", "all"} and not test.keywords and ctx.kind(test) is Kind.UNKNOWN
    is_unknown = asks and _is_local(test.func.value, ctx) and not _uses_numpy(ctx)
    return is_unknown and not was_copied_to_host(test, ctx)


def is_own_mask(node: ast.expr, mask: ast.expr, ctx: Context) -> bool:
    """Whether something unknown is indexed with a comparison of itself: ``y[y != ignored]``.

    Arrays can be, too: a file that uses none means tensors.
    """
    if not (isinstance(node, ast.Name) and isinstance(mask, ast.Compare) and len(mask.ops) == 1):
        return False
    if isinstance(mask.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)) or ctx.kind(node) is not Kind.UNKNOWN:
        return False
    compared = mask.left
    while isinstance(compared, ast.Subscript):  # targets[targets[:, 0] == i]
        compared = compared.value
    if not is_named(compared, node.id) or _uses_numpy(ctx):
        return False
    is_unknown = _is_local(node, ctx) and not _is_made_otherwise(node, ctx)
    return is_unknown and not was_copied_to_host(node, ctx)


def _is_made_otherwise(node: ast.Name, ctx: Context) -> bool:
    """Whether the function makes a name something of the host at some place."""
    return any(ctx.kind(one) not in _OF_DEVICE for one in assigned_values(node, ctx))


@once
def _uses_numpy(ctx: Context) -> bool:
    return any(
        alias.name.partition(".")[0] in _ARRAY_PACKAGES
        for statement in ctx.nodes(ast.Import)
        for alias in statement.names
    ) or any(
        (statement.module or "").partition(".")[0] in _ARRAY_PACKAGES
        for statement in ctx.nodes(ast.ImportFrom)
    )


def _is_local(receiver: ast.expr, ctx: Context) -> bool:
    """Whether something is computed from a local value that no data loader gave."""
    root: ast.AST = receiver
    called = False
    while isinstance(root, (ast.Attribute, ast.Call, ast.Compare, ast.Subscript)):
        if isinstance(root, ast.Attribute):
            if not called and root.attr not in _OF_TENSORS:
                return False  # What another object keeps may be on the host; what it gives is new.
            if root.attr == "cpu":
                return False  # That has waited already.
        called = isinstance(root, ast.Call) or (called and isinstance(root, ast.Subscript))
        if isinstance(root, ast.Compare):
            root = root.left
            continue
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name) or _says_cpu(root.id):
        return False
    return loader_behind(root, ctx) is None


def _says_cpu(name: str) -> bool:
    return "cpu" in name.lower().split("_")
