"""Loops over parameters or gradients, one round for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

from .._assignments import unpacked_value, value_behind
from .._blocks import scope_of
from .._literals import is_none
from .._names import is_loss, own_name
from .._vocabulary import PARAMETERS

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = [
    "LoopVariable",
    "Tensors",
    "grad_of",
    "is_read_outside",
    "is_reordered",
    "is_table",
    "loop_targets",
    "parameter_variables",
    "tensor_of",
    "tensors_of",
    "unguarded",
    "variable_of",
]

_WALKS = frozenset({"parameters", "named_parameters"})
_TABLES = frozenset({"state_dict"})
_MAPPINGS = frozenset({"OrderedDict", "dict"})
_WRAPPERS = frozenset({"list", "tuple", "reversed", "tqdm", "filter", "sorted"})


class LoopVariable(NamedTuple):
    """A variable of a loop that stands for one parameter or gradient after the other.

    Attributes:
        name: its name.
        items: what it goes over; None where that cannot be written on its own, as for what comes with a name.
    """

    name: str
    items: ast.expr | None


class Tensors(NamedTuple):
    """What stands for a tensor in a round of a loop.

    Attributes:
        names: names that are bound to parameters or gradients.
        keys: names that are bound to keys, by which tensors are looked up: ``ema[key]``.
    """

    names: frozenset[str]
    keys: frozenset[str] = frozenset()

    def variable(self, node: ast.expr) -> str:
        """Return the variable that an expression is a tensor by, or ``.grad`` or ``.data`` of it; else ""."""
        node = tensor_of(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            return node.slice.id if node.slice.id in self.keys else ""
        return variable_of(node, self.names)


def parameter_variables(
    loop: ast.For | ast.comprehension, ctx: Context, body: ast.AST | None = None
) -> list[LoopVariable]:
    """The variables of a loop over parameters or gradients; none if it goes over something else.

    Args:
        loop: a loop, or the ``for`` of a comprehension.
        ctx: its file.
        body: what runs on each round, the loop itself if None. What it does with a variable's ``grad``
            shows that this is a parameter.
    """
    pairs = list(_pairs(loop.target, loop.iter))
    if not pairs:
        return []
    if any(_is_of_loss(items) for _, items in pairs):
        return []
    if any(_is_parameters(items, ctx) for _, items in pairs):
        return [_variable(target, items) for target, items in pairs if not _goes_over_keys(items)]
    names = {target.id for target, _ in pairs}
    for use in ctx.within(body or loop, ast.Attribute):
        if use.attr == "grad" and isinstance(use.value, ast.Name) and use.value.id in names:
            return [_variable(target, items) for target, items in pairs]
    return []


def _variable(target: ast.Name, items: ast.expr) -> LoopVariable:
    return LoopVariable(target.id, None if _called(items) in ("items", "named_parameters") else items)


def _pairs(target: ast.expr, items: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Each variable of a loop's target with what it goes over, through ``zip`` and ``enumerate``."""
    called = _called(items)
    if called in _WRAPPERS and isinstance(items, ast.Call) and items.args:
        inner = items.args[-1 if called == "filter" else 0]
        if not (isinstance(target, ast.Name) and called == "filter"):
            yield from _pairs(target, inner)
            return
    if isinstance(target, ast.Name):
        yield target, items
        return
    if not (isinstance(target, (ast.Tuple, ast.List)) and isinstance(items, ast.Call)):
        return
    if called == "zip" and len(items.args) == len(target.elts):
        for part, given in zip(target.elts, items.args, strict=True):
            yield from _pairs(part, given)
    elif called == "enumerate" and items.args and len(target.elts) == 2:
        yield from _pairs(target.elts[1], items.args[0])
    elif called == "named_parameters" and len(target.elts) == 2 and isinstance(target.elts[1], ast.Name):
        yield target.elts[1], items
    elif called == "items" and len(target.elts) == 2 and isinstance(items.func, ast.Attribute):
        for name, _ in _pairs(target.elts[1], items.func.value):
            yield name, items


def _called(node: ast.expr) -> str:
    """The last plain name of what a call calls; "" for anything else."""
    return own_name(node.func) if isinstance(node, ast.Call) else ""


def _is_parameters(items: ast.expr, ctx: Context) -> bool:
    called = _called(items)
    if called:
        if called in {"items", "values"} and isinstance(items, ast.Call):
            held = items.func.value if isinstance(items.func, ast.Attribute) else items
            return is_table(held, ctx) or (called == "items" and _is_parameters(held, ctx))
        return called in _WALKS
    if isinstance(items, ast.BinOp) and isinstance(items.op, ast.Add):
        return _is_parameters(items.left, ctx) and _is_parameters(items.right, ctx)
    if isinstance(items, ast.Subscript):
        return isinstance(items.slice, ast.Constant) and items.slice.value == "params"
    name = own_name(items)
    return name.lower().rpartition("_")[2] in PARAMETERS


def is_table(held: ast.expr, ctx: Context) -> bool:
    """Whether something holds parameters by their names: ``state_dict()``, ``dict(named_parameters())``."""
    made = unpacked_value(held, ctx) if isinstance(held, ast.Name) else value_behind(held, ctx)
    called = _called(made) if made is not None else ""
    if called in _MAPPINGS and isinstance(made, ast.Call) and len(made.args) == 1:
        return _called(made.args[0]) == "named_parameters"
    return called in _TABLES


def tensors_of(loop: ast.For, ctx: Context) -> Tensors:
    """Return what stands for parameters or gradients in a loop over these, or over their names."""
    names = frozenset(variable.name for variable in parameter_variables(loop, ctx))
    if names:
        return Tensors(
            names, frozenset(loop_targets(loop)) - names if _gives_names(loop.iter) else frozenset()
        )
    return Tensors(
        names,
        frozenset(
            target.id
            for target, items in _pairs(loop.target, loop.iter)
            if is_table(_without_keys(items), ctx) and not _is_of_loss(items)
        ),
    )


def _gives_names(items: ast.expr) -> bool:
    """Whether a loop gets names with its tensors, by which others may be looked up, and not numbers."""
    called = {own_name(part.func) for part in ast.walk(items) if isinstance(part, ast.Call)}
    return not called.isdisjoint({"items", "named_parameters"}) and "enumerate" not in called


def _without_keys(items: ast.expr) -> ast.expr:
    """Return what the keys are of: ``state`` of ``state.keys()``."""
    if _called(items) == "keys" and isinstance(items, ast.Call) and isinstance(items.func, ast.Attribute):
        return items.func.value
    return items


def _is_of_loss(items: ast.expr) -> bool:
    """Whether it asks a loss for its parameters, which are few: ``criterion.parameters()``."""
    function = items.func if isinstance(items, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr in _WALKS and is_loss(function.value)


def _goes_over_keys(items: ast.expr) -> bool:
    """Whether what a loop goes over gives names or numbers of parameters, and not these."""
    return _called(items) in {"keys", "range", "count"}


def tensor_of(node: ast.expr) -> ast.expr:
    """Return the tensor whose ``.grad`` or ``.data`` an expression is; else the expression."""
    while isinstance(node, ast.Attribute) and node.attr in ("data", "grad"):
        node = node.value
    return node


def variable_of(node: ast.expr, names: frozenset[str]) -> str:
    """The loop variable that an expression is, or is ``.grad`` or ``.data`` of; "" for anything else."""
    node = tensor_of(node)
    return node.id if isinstance(node, ast.Name) and node.id in names else ""


def grad_of(node: ast.expr, names: frozenset[str]) -> str:
    """The loop variable whose gradient an expression is: ``p.grad``, ``p.grad.data``."""
    if isinstance(node, ast.Attribute) and node.attr == "data":
        node = node.value
    if isinstance(node, ast.Attribute) and node.attr == "grad" and isinstance(node.value, ast.Name):
        return node.value.id if node.value.id in names else ""
    return ""


def unguarded(body: list[ast.stmt], names: frozenset[str]) -> tuple[list[ast.stmt], bool]:
    """The statements of a loop's body behind a test that there is a gradient, and whether there is one."""
    if len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse:
        if _asks_for_grad(body[0].test, names, ast.IsNot):
            return body[0].body, True
    elif (
        len(body) > 1
        and isinstance(body[0], ast.If)
        and not body[0].orelse
        and len(body[0].body) == 1
        and isinstance(body[0].body[0], ast.Continue)
        and _asks_for_grad(body[0].test, names, ast.Is)
    ):
        return body[1:], True
    return body, False


def _asks_for_grad(test: ast.expr, names: frozenset[str], op: type[ast.cmpop]) -> bool:
    return (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.ops[0], op)
        and is_none(test.comparators[0])
        and bool(grad_of(test.left, names))
    )


def is_read_outside(names: frozenset[str], loop: ast.For, ctx: Context) -> bool:
    """Whether the function around a loop reads or deletes names elsewhere, as the loop may have left them.

    Of names that the loop does not bind yet all uses count.
    """
    inside = set(ctx.within(loop, ast.Name))
    bound = [name for name in inside if name.id in names and isinstance(name.ctx, ast.Store)]
    fresh = names.difference(name.id for name in bound)
    return any(use not in inside for name in bound for use in ctx.uses(name)) or any(
        use.id in fresh and use not in inside for use in ctx.within(scope_of(loop, ctx), ast.Name)
    )


def loop_targets(loop: ast.AST) -> set[str]:
    """The variables of a loop or comprehension."""
    heads = [loop] if isinstance(loop, (ast.For, ast.AsyncFor)) else getattr(loop, "generators", [])
    return {
        name.id
        for head in heads
        for name in ast.walk(head.target)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }


def is_reordered(items: ast.expr) -> bool:
    """Whether a loop goes over something in another order, which a variable's `items` do not tell."""
    return any(
        isinstance(part, ast.Call) and own_name(part.func) in ("reversed", "sorted")
        for part in ast.walk(items)
    )
