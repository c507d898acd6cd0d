"""OVH802: parameters or gradients changed in place one by one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import positional
from overhead_lint.api.torch_calls import JOINS
from overhead_lint.rule import Heat, Rule
from overhead_lint.syntax.receivers import is_self

from .._blocks import scope_of
from .._classes import method
from .._names import own_name
from .._wording import short
from ._foreach import foreach_fix
from ._norms import norms_fix
from ._parameters import Tensors, grad_of, is_table, parameter_variables, tensors_of, variable_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH802",
    name="per-parameter-loop",
    summary="parameters or gradients changed one by one",
    triggers=(b"param", b"grads", b".grad", b"state_dict("),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

# In-place methods that torch._foreach_ has a form of.
_IN_PLACE = frozenset(
    """abs_ add_ addcdiv_ addcmul_ clamp_ clamp_max_ clamp_min_ copy_ div_ exp_ lerp_ log_ mul_ multiply_
    divide_ neg_ pow_ reciprocal_ round_ sigmoid_ sign_ sqrt_ sub_ subtract_ tanh_ true_divide_
    zero_""".split()  # noqa: SIM905
)
_CASTS = frozenset({"detach", "double", "float", "to"})
# How torch.optim names the two forms of an update; the second is taken wherever it can be.
_ONE_BY_ONE, _AT_ONCE = "_single_tensor_", "_multi_tensor_"
_NORMS = frozenset({"norm", "vector_norm"})
_POWERS = frozenset({"abs", "pow", "square"})
# What a loop may call besides: it neither hides work that no list form has, nor talks to other processes.
_HARMLESS = (
    _IN_PLACE
    | _NORMS
    | frozenset(
        """abs add addcdiv addcmul any clamp clamp_min clone contiguous copy detach detach_ dim div double exp
    expand_as float full_like get getattr hasattr isfinite isinstance
    isnan items keys len lerp max maximum mean min mul ndimension neg numel ones_like pow pop
    requires_grad_ reshape rsqrt sgn sign size sqrt square square_ state_dict sub sum tensor to type type_as
    values view view_as view_as_real where zeros zeros_like""".split()  # noqa: SIM905
    )
)


@RULE.on(ast.For)
def check(node: ast.For, ctx: Context) -> Iterator[Finding]:
    """``for p in params: p.grad.mul_(scale)`` and kin."""
    given = tensors_of(node, ctx)
    if not any(given) or ctx.is_compiled(node) or _has_list_form(node, ctx):
        return
    if any(True for _ in ctx.within(node, ast.For, ast.While, ast.AsyncFor, ast.Yield, ast.Await)):
        return
    tensors = _tensors(node, given, ctx)
    acts = [act for act in (_act(item, tensors, ctx) for item in ctx.within(node, ast.stmt)) if act]
    helps = len(acts) > 1 and _is_of_step(node, ctx)
    calls = (call for call in _body_calls(node, ctx) if not _changed_by(call, tensors, ctx))
    if not acts or any(not _is_harmless(call) and not (helps and _is_helper(call, ctx)) for call in calls):
        return
    if all(act == "p.grad.zero_" for act in acts):
        return  # OVH804's
    yield ctx.finding(
        RULE,
        node.iter,
        f"runs {acts[0]} and what goes with it once for each parameter: hundreds of small kernels",
        help="give torch._foreach_* the whole list: a few kernels for all",
        fix=foreach_fix(node, given, ctx),
        runs=node,
    )


@RULE.on(ast.ListComp, ast.GeneratorExp)
def check_comprehension(node: ast.ListComp | ast.GeneratorExp, ctx: Context) -> Iterator[Finding]:
    """``torch.stack([p.grad.norm() for p in params])``, ``sum(p.pow(2).sum() for p in params)``."""
    loop, holder = node.generators[0], ctx.parent(node)
    if len(node.generators) != 1 or not isinstance(holder, ast.Call) or holder.args[:1] != [node]:
        return
    if ctx.qualified_name(holder.func) not in JOINS and ctx.text(holder.func) != "sum":
        return
    names = frozenset(variable.name for variable in parameter_variables(loop, ctx, node))
    if not names or ctx.is_compiled(node) or _has_list_form(node, ctx):
        return
    if not _norm_of(node.elt, Tensors(names), ctx):
        return
    yield ctx.finding(
        RULE,
        node,
        "runs a norm once for each parameter: hundreds of small kernels",
        help="use torch._foreach_norm, or torch.nn.utils.get_total_norm: a few kernels for all",
        fix=norms_fix(node, names, ctx) if isinstance(node, ast.ListComp) else None,
    )


def _is_harmless(call: ast.Call) -> bool:
    """Whether a loop may call something besides: also what asks a question by its name."""
    name = own_name(call.func)
    return name in _HARMLESS or name.startswith("is_")


def _is_of_step(node: ast.AST, ctx: Context) -> bool:
    """Whether a loop stands in the ``step`` of an optimizer."""
    function = ctx.function(node)
    cls = function.cls if function is not None else None
    if function is None or cls is None or function.qualname != f"{cls.qualname}.step":
        return False
    return any(base.rpartition(".")[2].endswith("Optimizer") for base in cls.bases)


def _is_helper(call: ast.Call, ctx: Context) -> bool:
    """Whether a method of an optimizer is called that does, as far as the file shows, what loops may do."""
    if not isinstance(call.func, ast.Attribute) or not is_self(call.func.value):
        return False
    cls = ctx.cls(call)
    helper = method(cls, call.func.attr) if cls is not None else None
    if helper is None:
        return True
    if any(True for _ in ctx.within(helper, ast.For, ast.While)):
        return False
    return all(own_name(inner.func) in _HARMLESS for inner in ctx.within(helper, ast.Call))


def _has_list_form(node: ast.AST, ctx: Context) -> bool:
    """Whether the function around it uses the list form too, where that can be had.

    Or it stands beside one that does, named as optimizers of torch name the two.
    """
    function = ctx.function(node)
    name = getattr(function.node, "name", "") if function is not None else ""
    if name.startswith(_ONE_BY_ONE):
        twin = _AT_ONCE + name.removeprefix(_ONE_BY_ONE)
        if any(item.name == twin for item in ctx.within(ctx.tree, ast.FunctionDef)):
            return True
    return any("_foreach_" in item.attr for item in ctx.within(scope_of(node, ctx), ast.Attribute))


def _tensors(node: ast.For, given: Tensors, ctx: Context) -> Tensors:
    """The loop's variables, and names bound to parts of them in the loop: ``grad = p.grad``."""
    found = given
    for assign in ctx.within(node, ast.Assign):
        target = assign.targets[0]
        if isinstance(target, ast.Name) and found.variable(assign.value):
            found = found._replace(names=found.names | {target.id})
    return found


def _act(item: ast.stmt, tensors: Tensors, ctx: Context) -> str:
    """What a statement does to a parameter, in words; "" if nothing."""
    if isinstance(item, ast.AugAssign):
        if _is_surely(item.target, tensors, ctx):
            return f"an operator on {short(item.target, ctx)}"
        if isinstance(item.op, ast.Add) and _norm_of(item.value, tensors, ctx):
            return "a norm"
        return ""
    if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
        value, own = item.value, item.targets[0].id  # total = total + 0.1 * p.norm()
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            summed = isinstance(value.left, ast.Name) and value.left.id == own
            return "a norm" if summed and _norm_of(_term(value.right), tensors, ctx) else ""
    if isinstance(item, ast.Assign) and len(item.targets) == 1:
        return _assigned(item.targets[0], item.value, tensors, ctx)
    if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call):
        call = item.value
        if own_name(call.func) == "add_" and len(call.args) == 1 and _norm_of(call.args[0], tensors, ctx):
            return "a norm"
        return _in_place(call, tensors) or _changed_by(call, tensors, ctx)
    return ""


def _assigned(target: ast.expr, value: ast.expr, tensors: Tensors, ctx: Context) -> str:
    """Arithmetic whose result takes the place of its operand: ``p.data = d * p.data + (1 - d) * q.data``."""
    own = isinstance(target, ast.Attribute) and target.attr in ("data", "grad")
    if not (own or isinstance(target, ast.Subscript)):
        return ""
    if not isinstance(value, ast.BinOp) and not (
        isinstance(value, ast.Call) and f"{own_name(value.func)}_" in _IN_PLACE
    ):
        return ""
    parts = [part for part in ast.walk(value) if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript))]
    if not any(_is_surely(part, tensors, ctx) for part in (target, *parts)):
        return ""
    text = ctx.text(target)
    return f"arithmetic on {text}" if any(ctx.text(part) == text for part in parts) else ""


def _is_surely(node: ast.expr, tensors: Tensors, ctx: Context) -> bool:
    """Whether an expression is a parameter or gradient of the loop: numbers, too, are kept by names."""
    looked_up = isinstance(node, ast.Subscript) and is_table(node.value, ctx)
    return bool(tensors.variable(node) if looked_up else variable_of(node, tensors.names))


def _in_place(call: ast.Call, tensors: Tensors) -> str:
    """The first in-place method of a chain that starts at a parameter, or that takes one."""
    chain = [call]
    while isinstance(chain[-1].func, ast.Attribute) and isinstance(chain[-1].func.value, ast.Call):
        chain.append(chain[-1].func.value)
    func = chain[-1].func
    if not (isinstance(func, ast.Attribute) and func.attr in _IN_PLACE):
        return ""
    if func.attr == "zero_" and grad_of(func.value, tensors.names):
        return "p.grad.zero_"
    taken = [argument for link in chain for argument in link.args]
    if tensors.variable(func.value) or any(_is_made_of(argument, tensors) for argument in taken):
        return f".{func.attr}()"
    return ""


def _is_made_of(value: ast.expr, tensors: Tensors) -> bool:
    """Whether a value is a parameter, or arithmetic with one: ``0.9 * mean + 0.1 * p.detach()``."""
    if isinstance(value, ast.BinOp):
        return _is_made_of(value.left, tensors) or _is_made_of(value.right, tensors)
    return _is_variable(value, tensors)


def _changed_by(call: ast.Call, tensors: Tensors, ctx: Context) -> str:
    """What a function of the file, called with a parameter, does to it in place; "" if nothing.

    What it does besides must be as harmless as the rest of the loop.
    """
    qualified = ctx.qualified_name(call.func) if isinstance(call.func, ast.Name) else None
    for function in ctx.functions() if qualified is not None and qualified.startswith(".") else ():
        node = function.node
        if function.qualname != (qualified or "")[1:] or not isinstance(node, ast.FunctionDef):
            continue
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        names = [argument.arg for argument in positional(node.args)]
        named |= dict(zip(names, call.args, strict=False))
        given = frozenset(name for name, value in named.items() if name and tensors.variable(value))
        if not given or any(own_name(inner.func) not in _HARMLESS for inner in ctx.within(node, ast.Call)):
            return ""
        for item in ctx.within(node, ast.Expr):
            act = _in_place(item.value, Tensors(given)) if isinstance(item.value, ast.Call) else ""
            if act and ctx.function(item) is function:
                return act
    return ""


def _term(value: ast.expr) -> ast.expr:
    """What a number weighs: ``x`` of ``0.1 * x``."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return value.right if isinstance(value.left, (ast.Constant, ast.Attribute, ast.Name)) else value.left
    return value


def _norm_of(value: ast.expr, tensors: Tensors, ctx: Context) -> bool:
    """Whether a value is the norm of a parameter, or a power of it, still on the device."""
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Pow):
        value = value.left
    if isinstance(value, ast.Name) and (bound := ctx.value(value)) is not None:
        value = bound
    if not isinstance(value, ast.Call):
        return False
    if own_name(value.func) == "pow" and isinstance(value.func, ast.Attribute):
        return _norm_of(value.func.value, tensors, ctx)
    if own_name(value.func) == "sum" and isinstance(value.func, ast.Attribute):
        powers = value.func.value
        if not (isinstance(powers, ast.Call) and isinstance(powers.func, ast.Attribute)):
            return False
        return own_name(powers.func) in _POWERS and bool(tensors.variable(powers.func.value))
    if own_name(value.func) not in _NORMS or not isinstance(value.func, ast.Attribute):
        return False
    return any(_is_variable(part, tensors) for part in (value.func.value, *value.args[:1]))


def _is_variable(node: ast.expr, tensors: Tensors) -> bool:
    """Whether an expression is a parameter or a gradient, detached, cast or moved or not."""
    while (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and own_name(node.func) in _CASTS
    ):
        node = node.func.value
    return bool(tensors.variable(node))


def _body_calls(node: ast.For, ctx: Context) -> Iterator[ast.Call]:
    """The calls of a loop's body, but for those that give a context, also by a name."""
    entered = {
        part.id
        for block in ctx.within(node, ast.With)
        for item in block.items
        for part in ast.walk(item.context_expr)
        if isinstance(part, ast.Name)
    }
    for statement in node.body:
        for call in ctx.within(statement, ast.Call):
            holder = ctx.parent(call)
            targets = holder.targets if isinstance(holder, ast.Assign) else []
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            if not isinstance(holder, ast.withitem) and not names & entered:
                yield call
