"""OVH804: gradients filled with zeros where dropping them does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import with_defaults
from overhead_lint.edits import remove_argument, replace, replace_statement
from overhead_lint.rule import Applicability, Fix, Heat, Rule, Warmth

from .._blocks import does_nothing
from .._conditions import branches
from .._names import own_name
from ._parameters import grad_of, is_read_outside, parameter_variables, unguarded

if TYPE_CHECKING:
    from overhead_lint.edits.model import AnyEdit
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH804",
    name="manual-zero-grad",
    summary="gradients filled with zeros on every step",
    triggers=(b"zero_grad", b".zero_("),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_HELP = "set gradients to None: the next backward pass then writes them instead of adding to zeros"


@RULE.on(ast.For)
def check_loop(node: ast.For, ctx: Context) -> Iterator[Finding]:
    """``for p in model.parameters(): p.grad.zero_()``."""
    if node.orelse or ctx.is_compiled(node):
        return
    names = frozenset(variable.name for variable in parameter_variables(node, ctx))
    if not names:
        return
    for statement in ctx.within(node, ast.Expr):
        if not _zeroed(statement, names) or ctx.loops(statement)[-1:] != (node,):
            continue
        if _is_asked_for(statement, ctx):
            continue
        finding = ctx.finding(
            RULE,
            statement.value,
            "fills the gradients with zeros, parameter by parameter",
            help=_HELP,
            fix=_fix(node, statement, names, ctx),
        )
        yield finding._replace(warmth=_warmth(statement, ctx))


def _is_asked_for(statement: ast.AST, ctx: Context) -> bool:
    """Whether a test of ``set_to_none`` leads there: the caller wants zeros."""
    return any(
        own_name(part).endswith("to_none")
        for test, _ in branches(statement, ctx)
        for part in ast.walk(test)
        if isinstance(part, (ast.Name, ast.Attribute))
    )


def _warmth(node: ast.AST, ctx: Context) -> Warmth:
    """Heat of a place; what ``zero_grad`` does at its top level runs before each backward pass."""
    warmth, function = ctx.warmth(node), ctx.function(node)
    if warmth.heat is not Heat.PRESUMED or function is None or function.cls is None:
        return warmth
    if function.qualname.endswith(".zero_grad"):
        return Warmth(Heat.STEP, f"{function.qualname} runs before each backward pass")
    return warmth


def _zeroed(statement: ast.stmt, names: frozenset[str]) -> str:
    """The variable whose gradient a statement fills with zeros."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return ""
    func = statement.value.func
    if not (isinstance(func, ast.Attribute) and func.attr == "zero_"):
        return ""
    receiver = func.value
    if (
        isinstance(receiver, ast.Call)
        and isinstance(receiver.func, ast.Attribute)
        and receiver.func.attr in ("detach", "detach_")
    ):
        receiver = receiver.func.value
    return grad_of(receiver, names)


def _detached(statement: ast.stmt, names: frozenset[str]) -> bool:
    """Whether a statement cuts a gradient off its graph, as ``zero_grad`` of old did."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return False
    func = statement.value.func
    return (
        isinstance(func, ast.Attribute)
        and func.attr in ("detach_", "requires_grad_")
        and bool(grad_of(func.value, names))
    )


def _fix(loop: ast.For, statement: ast.Expr, names: frozenset[str], ctx: Context) -> Fix | None:
    """``model.zero_grad()`` for a loop that does nothing else, or ``p.grad = None`` in place of the call.

    None where the file copies into the gradients of the same list: they have to be there.
    """
    if _is_copied_into(loop, ctx):
        return None
    edit: AnyEdit = replace_statement(statement, f"{_zeroed(statement, names)}.grad = None")
    message = "set the gradient to None"
    body, _ = unguarded(loop.body, names)
    only = all(item is statement or _detached(item, names) for item in body)
    items = loop.iter
    if (
        only
        and isinstance(items, ast.Call)
        and isinstance(items.func, ast.Attribute)
        and items.func.attr == "parameters"
        and not (items.args or items.keywords)
        and "#" not in ctx.text(loop)
        and not is_read_outside(names, loop, ctx)
    ):
        edit = replace_statement(loop, "{model}.zero_grad()", model=items.func.value)
        message = "call zero_grad()"
    return Fix(Applicability.UNSAFE, message, edits=(edit,))


def _is_copied_into(loop: ast.For, ctx: Context) -> bool:
    """Whether the file copies into gradients of what a loop goes over: ``main.grad.copy_(p.grad)``."""
    own = {ctx.text(one.items) for one in parameter_variables(loop, ctx) if one.items is not None}
    for call in ctx.calls("copy_"):
        written = call.func.value if isinstance(call.func, ast.Attribute) else None
        for other in ctx.loops(call):
            if written is None or not isinstance(other, ast.For):
                continue
            variables = parameter_variables(other, ctx)
            same = {one.name for one in variables if one.items is not None and ctx.text(one.items) in own}
            if grad_of(written, frozenset(same)):
                return True
    return False


@RULE.on(ast.Call, named=("zero_grad",))
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``optimizer.zero_grad(set_to_none=False)``."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == "zero_grad"):
        return
    key: str | int
    if len(node.args) == 1 and not node.keywords:
        key, given = 0, node.args[0]
    elif not node.args and len(node.keywords) == 1 and node.keywords[0].arg == "set_to_none":
        key, given = "set_to_none", node.keywords[0].value
    else:
        return
    if isinstance(given, ast.Constant) and given.value is False and not ctx.is_compiled(node):
        yield ctx.finding(
            RULE,
            node,
            "fills the gradients with zeros",
            help=_HELP,
            fix=Fix(
                Applicability.UNSAFE,
                "let zero_grad() set the gradients to None",
                edits=(remove_argument(node, key),),
            ),
        )


@RULE.on(ast.FunctionDef)
def check_default(node: ast.FunctionDef, ctx: Context) -> Iterator[Finding]:
    """``def zero_grad(self, set_to_none=False)``: the callers who say nothing get zeros."""
    if node.name != "zero_grad":
        return
    for argument, default in with_defaults(node.args):
        if (
            argument.arg.endswith("to_none")
            and isinstance(default, ast.Constant)
            and default.value is False
            and not does_nothing(node.body)
        ):
            finding = ctx.finding(
                RULE,
                default,
                f"{argument.arg} is False unless a caller says otherwise: gradients are filled with zeros",
                help=f"{_HELP}; torch's own zero_grad() does so by default",
                fix=Fix(Applicability.UNSAFE, "make True the default", edits=(replace(default, "True"),)),
            )
            # A default is evaluated once; what it says holds for every call.
            yield finding._replace(warmth=_warmth(node.body[0], ctx))
