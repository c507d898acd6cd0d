"""Loops of in-place methods rewritten to ``torch._foreach_*``."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_statement
from overhead_lint.rule import Applicability, Fix, Import
from overhead_lint.syntax.dotted_names import is_dotted, root_of
from overhead_lint.tuples import NamedTuple

from .._assignments import unpacked_value
from .._blocks import after
from .._calls import has_unpacked
from .._names import mentions, own_name
from .._taken import is_read_unbound
from ._averages import Arguments, in_list_forms, undetached
from ._parameters import (
    LoopVariable,
    Tensors,
    is_read_outside,
    is_reordered,
    loop_targets,
    parameter_variables,
    tensor_of,
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
    """One in-place method on one tensor of the loop."""

    method: str
    arguments: Arguments
    tensor: ast.expr


class _Tensors(NamedTuple):
    """What stands for a tensor in a loop.

    Attributes:
        names: its variables that are parameters or gradients.
        keys: its other variables, by which tensors may be looked up.
        bound: all that it binds.
        loaded: names of the state of a module that gets it back behind the loop.
    """

    names: frozenset[str]
    keys: frozenset[str]
    bound: frozenset[str]
    loaded: frozenset[str]

    def holds(self, node: ast.expr) -> bool:
        """Whether an expression is a tensor of the loop: ``p``, ``p.grad``, ``ema[name].detach()``."""
        node = undetached(node)
        if variable_of(node, self.names):
            return True
        node = tensor_of(node)
        return (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Name)
            and node.slice.id in self.keys
            and not mentions(node.value, self.bound)
            and _repeats(node.value)
        )


def foreach_fix(loop: ast.For, given: Tensors, ctx: Context) -> Fix | None:
    """A list for each tensor that the loop names, and one call for each of its methods; None if unsure.

    Args:
        loop: the loop.
        given: its variables that are parameters, gradients or names of these.
        ctx: the file.
    """
    names = given.names
    variables = {variable.name: variable for variable in parameter_variables(loop, ctx)}
    bound = frozenset(loop_targets(loop))
    tensors = _Tensors(names, given.keys, bound, _loaded_behind(loop, ctx))
    if loop.orelse or "#" in ctx.text(loop) or len(variables) > 2 or is_read_outside(bound, loop, ctx):
        return None
    body, guarded = unguarded(loop.body, names)
    condition = None
    if not guarded:
        body, condition = _conditional(body, tensors)
    steps: list[_Step] = []
    for statement in body:
        found = _steps(statement, tensors)
        if not found:
            return None
        steps += found
    if not all(_fits(step, tensors) for step in steps):
        return None
    lists: dict[str, ast.expr] = {}
    for step in steps:
        for tensor in (step.tensor, *(value for _, value in step.arguments if tensors.holds(value))):
            lists.setdefault(ctx.text(tensor), tensor)
    called = _list_names(lists, loop, ctx)
    if called is None:
        return None
    parts: dict[str, ast.expr] = {}
    if condition is not None or any(
        (of := variable_of(undetached(tensor), names)) == "" or variables[of].items is None
        for tensor in lists.values()
    ):
        if guarded:
            return None
        lines = _lists_by_rounds(loop, condition, lists, called, parts)
    else:
        if len(variables) > 1 and (guarded or is_reordered(loop.iter) or _is_part(loop.iter)):
            return None
        lines = _lists_by_variable(lists, called, variables, tensors, guarded, parts)
    indent = ""
    if guarded or condition is not None:
        lines.append(f"if {next(iter(called.values()))}:")
        indent = "    "
    lines += [indent + line for line in _calls(steps, called, tensors, parts, ctx)]
    return Fix(
        Applicability.UNSAFE,
        "do it for all of them at once with torch._foreach_*",
        edits=(replace_statement(loop, "\n".join(lines) + "\n", **parts),),
        imports=(Import("torch"),),
    )


def _loaded_behind(loop: ast.For, ctx: Context) -> frozenset[str]:
    """Names of states that their modules get back behind a loop: it may as well change what they hold.

    ``state = net.state_dict()`` before, and ``net.load_state_dict(state)`` after it.
    """
    found = set[str]()
    for statement in after(loop, ctx):
        match statement:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(attr="load_state_dict", value=module),
                    args=[ast.Name() as state],
                    keywords=[],
                )
            ):
                match unpacked_value(state, ctx):
                    case ast.Call(
                        func=ast.Attribute(attr="state_dict", value=owner), args=[], keywords=[]
                    ) if ctx.text(owner) == ctx.text(module):
                        found.add(state.id)
    return frozenset(found)


def _conditional(body: list[ast.stmt], tensors: _Tensors) -> tuple[list[ast.stmt], ast.expr | None]:
    """What a loop does where a condition holds that no step changes, with that; all of it for others.

    ``if p.requires_grad:``, ``if v.dtype.is_floating_point:``, ``if name in self.shadow:``.
    """
    match body:
        case [ast.If(test=test, body=inner, orelse=[])] if mentions(test, tensors.bound) and _is_lasting(
            test
        ):
            return inner, test
    return body, None


def _is_lasting(test: ast.expr) -> bool:
    """Whether a condition asks for what a tensor is, and not for what it holds."""
    match test:
        case ast.BoolOp(values=values):
            return all(map(_is_lasting, values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_lasting(operand)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], left=ast.Name() | ast.Constant(), comparators=[held]):
            return is_dotted(held)
        case ast.Attribute(attr="requires_grad" | "is_floating_point", value=value):
            return _is_plain(value)
        case ast.Call(func=ast.Attribute(attr="is_floating_point", value=value), args=args, keywords=[]):
            return _is_plain(value) and all(map(_is_plain, args))
    return False


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression names something, or looks it up by a name: ``v.dtype``, ``state[key].dtype``."""
    root = root_of(node)
    if isinstance(root, ast.Subscript) and isinstance(root.slice, ast.Name):
        root = root.value
    return is_dotted(root)


def _steps(statement: ast.stmt, tensors: _Tensors) -> list[_Step]:
    """The methods that a statement calls one after the other; none if it does anything else."""
    if isinstance(statement, ast.AugAssign):
        method = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}.get(type(statement.op))
        target = statement.target
        if method is None or not tensors.holds(target):
            return []
        return _translated(method, target, (("", statement.value),), tensors)
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name)) as target], value=value):
            is_copied = name in tensors.loaded and tensors.holds(target)
            return _translated("copy_", target, (("", value),), tensors) if is_copied else []
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
    if not tensors.holds(node):
        return []
    steps = [_translated(method, node, arguments, tensors) for method, arguments in reversed(found)]
    return [step for one in steps for step in one]


def _translated(method: str, tensor: ast.expr, arguments: Arguments, tensors: _Tensors) -> list[_Step]:
    """The steps that a method is in list form, where it has one."""
    forms = in_list_forms(method, tensor, arguments, tensors.bound, tensors.holds)
    return [_Step(*step, tensor) for step in forms]


def _is_part(items: ast.expr) -> bool:
    """Whether a loop goes over a part of something: ``zip(a, a[1:])``, whose lists are not as long."""
    return any(isinstance(part, ast.Slice) for part in ast.walk(items))


def _fits(step: _Step, tensors: _Tensors) -> bool:
    """Whether the list form takes the same arguments: tensors of the loop, or the same for all of them."""
    expected = _ARGUMENTS.get(step.method)
    positional = [value for name, value in step.arguments if not name]
    keywords = [name for name, _ in step.arguments if name]
    if expected is None or len(positional) != expected:
        return False
    if any(name != "alpha" or step.method not in _TAKES_ALPHA for name in keywords):
        return False
    others = positional
    if positional and tensors.holds(positional[0]):
        others = positional[1:]
    elif step.method in ("copy_", "lerp_") or keywords:
        return False
    values = [*others, *(value for name, value in step.arguments if name)]
    if any(mentions(value, tensors.bound) or not _repeats(value) for value in values):
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
    for text, tensor in lists.items():
        root = _root(tensor)
        options = ["grads"] if ".grad" in text else []
        options += [f"{root}s", f"{root}_tensors", f"{root}_list"]
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


def _root(tensor: ast.expr) -> str:
    """What a tensor is called: ``p`` of ``p.grad``, ``ema`` of ``self.ema[name].data``."""
    tensor = tensor_of(undetached(tensor))
    return own_name(tensor.value if isinstance(tensor, ast.Subscript) else tensor)


def _lists_by_variable(
    lists: dict[str, ast.expr],
    called: dict[str, str],
    variables: dict[str, LoopVariable],
    tensors: _Tensors,
    guarded: bool,
    parts: dict[str, ast.expr],
) -> list[str]:
    """Statements that make each list of what its variable goes over; adds their parts."""
    lines = []
    for index, (text, tensor) in enumerate(lists.items()):
        variable = variables[variable_of(undetached(tensor), tensors.names)]
        assert variable.items is not None
        parts[f"items{index}"] = variable.items
        if text == variable.name and not guarded:
            lines.append(f"{called[text]} = list({{items{index}}})")
        else:  # every list leaves out what has no gradient, so that they stay side by side
            test = f" if {variable.name}.grad is not None" if guarded else ""
            lines.append(f"{called[text]} = [{text} for {variable.name} in {{items{index}}}{test}]")
    return lines


def _lists_by_rounds(
    loop: ast.For,
    condition: ast.expr | None,
    lists: dict[str, ast.expr],
    called: dict[str, str],
    parts: dict[str, ast.expr],
) -> list[str]:
    """Statements that make each list as the loop goes, with all of its variables; adds their parts."""
    parts |= {"target": loop.target, "items": loop.iter}
    if condition is not None:
        parts["condition"] = condition
    test = " if {condition}" if condition is not None else ""
    return [f"{called[text]} = [{text} for {{target}} in {{items}}{test}]" for text in lists]


def _calls(
    steps: list[_Step],
    called: dict[str, str],
    tensors: _Tensors,
    parts: dict[str, ast.expr],
    ctx: Context,
) -> list[str]:
    """The calls of the list forms, one a line; adds their parts."""
    lines = []
    for number, step in enumerate(steps):
        given = [called[ctx.text(step.tensor)]]
        for place, (name, value) in enumerate(step.arguments):
            key = f"step{number}_{place}"
            if tensors.holds(value):
                given.append(called[ctx.text(value)])
                continue
            parts[key] = value
            given.append(f"{name}={{{key}}}" if name else f"{{{key}}}")
        lines.append(f"{{torch}}._foreach_{step.method}({', '.join(given)})")
    return lines
