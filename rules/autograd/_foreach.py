"""Loops of in-place methods rewritten to ``torch._foreach_*``."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_statement
from overhead_lint.rule import Applicability, Fix, Import
from overhead_lint.tuples import NamedTuple

from .._calls import has_unpacked
from .._names import mentions
from .._taken import is_read_unbound
from ._averages import Arguments, in_list_forms, undetached
from ._parameters import (
    LoopVariable,
    is_read_outside,
    is_reordered,
    loop_targets,
    parameter_variables,
    unguarded,
    variable_of,
)

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["foreach_fix"]

# Methods with as many positional arguments: a number or a tensor each, as torch._foreach_ takes them.
_ARGUMENTS = {
    "abs_": 0,
    "add_": 1,
    "copy_": 1,
    "div_": 1,
    "exp_": 0,
    "lerp_": 2,
    "mul_": 1,
    "neg_": 0,
    "reciprocal_": 0,
    "sqrt_": 0,
    "sub_": 1,
    "zero_": 0,
}
_TAKES_ALPHA = frozenset({"add_", "sub_"})
_NUMBERS_ONLY = frozenset({"add_", "sub_", "lerp_"})


class _Step(NamedTuple):
    """One in-place method on one variable of the loop."""

    method: str
    arguments: Arguments
    tensor: ast.expr


def foreach_fix(loop: ast.For, names: frozenset[str], ctx: Context) -> Fix | None:
    """A list for each tensor that the loop names, and one call for each of its methods; None if unsure."""
    variables = {variable.name: variable for variable in parameter_variables(loop, ctx)}
    bound = frozenset(loop_targets(loop))
    if loop.orelse or "#" in ctx.text(loop) or len(variables) > 2 or is_read_outside(bound, loop, ctx):
        return None
    body, guarded = unguarded(loop.body, names)
    steps: list[_Step] = []
    for statement in body:
        found = _steps(statement, names)
        if not found:
            return None
        steps += found
    if (guarded and len(variables) > 1) or not all(_fits(step, names, bound) for step in steps):
        return None
    if len(variables) > 1 and (is_reordered(loop.iter) or _is_part(loop.iter)):
        return None
    lists: dict[str, ast.expr] = {}
    for step in steps:
        for tensor in (step.tensor, *(value for _, value in step.arguments if _variable_of(value, names))):
            lists.setdefault(ctx.text(tensor), tensor)
    if any(variables[_variable_of(tensor, names)].items is None for tensor in lists.values()):
        return None
    called = _list_names(lists, loop, ctx)
    if called is None:
        return None
    template, parts = _template(steps, lists, called, variables, names, guarded, ctx)
    return Fix(
        Applicability.UNSAFE,
        "do it for all of them at once with torch._foreach_*",
        edits=(replace_statement(loop, template, **parts),),
        imports=(Import("torch"),),
    )


def _steps(statement: ast.stmt, names: frozenset[str]) -> list[_Step]:
    """The methods that a statement calls one after the other; none if it does anything else."""
    if isinstance(statement, ast.AugAssign):
        method = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}.get(type(statement.op))
        target = statement.target
        if method is None or not isinstance(target, ast.Attribute) or not _variable_of(target, names):
            return []
        return _translated(method, target, (("", statement.value),), names)
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return []
    found: list[tuple[str, Arguments]] = []
    node: ast.expr = statement.value
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if has_unpacked(node):
            return []
        given = [("", argument) for argument in node.args]
        given += [(keyword.arg or "**", keyword.value) for keyword in node.keywords]
        found.append((node.func.attr, tuple(given)))
        node = node.func.value
    if not _variable_of(node, names):
        return []
    steps = [_translated(method, node, arguments, names) for method, arguments in reversed(found)]
    return [step for one in steps for step in one]


def _translated(method: str, tensor: ast.expr, arguments: Arguments, names: frozenset[str]) -> list[_Step]:
    """The steps that a method is in list form, where it has one."""
    return [_Step(*step, tensor) for step in in_list_forms(method, tensor, arguments, names)]


def _variable_of(node: ast.expr, names: frozenset[str]) -> str:
    """The loop variable that an expression is, detached or not, or is ``.grad`` or ``.data`` of; else ""."""
    return variable_of(undetached(node), names)


def _is_part(items: ast.expr) -> bool:
    """Whether a loop goes over a part of something: ``zip(a, a[1:])``, whose lists are not as long."""
    return any(isinstance(part, ast.Slice) for part in ast.walk(items))


def _fits(step: _Step, names: frozenset[str], bound: frozenset[str]) -> bool:
    """Whether the list form takes the same arguments: tensors of the loop, or the same for all of them.

    Args:
        step: the call.
        names: the loop's tensors.
        bound: all that the loop binds, the number of a round too.
    """
    expected = _ARGUMENTS.get(step.method)
    positional = [value for name, value in step.arguments if not name]
    keywords = [name for name, _ in step.arguments if name]
    if expected is None or len(positional) != expected:
        return False
    if any(name != "alpha" or step.method not in _TAKES_ALPHA for name in keywords):
        return False
    others = positional
    if positional and _variable_of(positional[0], names):
        others = positional[1:]
    elif step.method in ("copy_", "lerp_") or keywords:
        return False
    values = [*others, *(value for name, value in step.arguments if name)]
    if any(mentions(value, bound) or not _repeats(value) for value in values):
        return False
    return step.method not in _NUMBERS_ONLY or all(_is_number(value) for value in others)


def _repeats(value: ast.expr) -> bool:
    """Whether evaluating it once is as good as once for each round."""
    return not any(
        isinstance(part, (ast.Call, ast.Await, ast.NamedExpr, ast.Yield)) for part in ast.walk(value)
    )


def _is_number(value: ast.expr) -> bool:
    """Whether it may well be a number: not for ``x.add_(t)`` with a tensor, which has no list form."""
    return isinstance(value, (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Name, ast.Attribute))


def _list_names(lists: dict[str, ast.expr], loop: ast.For, ctx: Context) -> dict[str, str] | None:
    """A name for each list: ``grads``, or the variable's own in the plural."""
    called: dict[str, str] = {}
    for text in lists:
        root = text.split(".")[0]
        options = (["grads"] if ".grad" in text else []) + [f"{root}s", f"{root}_tensors", f"{root}_list"]
        free = [
            name
            for name in options
            if name not in called.values()
            and not iskeyword(name)
            and not ctx.is_bound(name, loop)
            and not is_read_unbound(name, ctx)
        ]
        if not free:
            return None
        called[text] = free[0]
    return called


def _template(
    steps: list[_Step],
    lists: dict[str, ast.expr],
    called: dict[str, str],
    variables: dict[str, LoopVariable],
    names: frozenset[str],
    guarded: bool,
    ctx: Context,
) -> tuple[str, dict[str, ast.expr]]:
    """The statements that take the loop's place, and their parts."""
    parts: dict[str, ast.expr] = {}
    lines = []
    for index, (text, tensor) in enumerate(lists.items()):
        variable = variables[_variable_of(tensor, names)]
        assert variable.items is not None
        parts[f"items{index}"] = variable.items
        if text == variable.name and not guarded:
            lines.append(f"{called[text]} = list({{items{index}}})")
        else:  # every list leaves out what has no gradient, so that they stay side by side
            test = f" if {variable.name}.grad is not None" if guarded else ""
            lines.append(f"{called[text]} = [{text} for {variable.name} in {{items{index}}}{test}]")
    indent = ""
    if guarded:
        lines.append(f"if {next(iter(called.values()))}:")
        indent = "    "
    for number, step in enumerate(steps):
        given = [called[ctx.text(step.tensor)]]
        for place, (name, value) in enumerate(step.arguments):
            key = f"step{number}_{place}"
            if _variable_of(value, names):
                given.append(called[ctx.text(value)])
                continue
            parts[key] = value
            given.append(f"{name}={{{key}}}" if name else f"{{{key}}}")
        lines.append(f"{indent}{{torch}}._foreach_{step.method}({', '.join(given)})")
    return "\n".join(lines) + "\n", parts
