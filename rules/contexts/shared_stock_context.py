"""OVH103: one stock context instance that is kept and entered again."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, replace_callee, runtime_import
from overhead_lint.rule import Applicability, Clause, Fix, Heat, Rule, Tier
from overhead_lint.tuples import NamedTuple

from .._call_graph import may_overlap, surely_called
from .._calls import argument_values
from .._names import names_in
from .._taken import is_bound_in_function
from .._wording import short
from ._stock import AUTOCAST, GRAD_MODES, entered_item, given_by

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH103",
    name="shared-stock-context",
    summary="one stock context instance entered while it is active, or again in hot code",
    triggers=(b"autocast", b"no_grad", b"enable_grad", b"inference_mode"),
    heat=Heat.COLD,
    tier=Tier.CORRECTNESS,
    stable_since="0.2.0",
)


class _Instance(NamedTuple):
    """A stock context that a module-level name or an attribute keeps."""

    value: ast.expr
    """What is assigned: the call, or a conditional expression that holds it."""
    call: ast.Call
    name: str
    """Qualified name of the class."""


@RULE.on(ast.Module)
def check(module: ast.Module, ctx: Context) -> Iterator[Finding]:
    """Every kept instance, judged by the places that enter it."""
    instances = list(_instances(ctx))
    if not instances:
        return
    entries = [
        item for item in ctx.nodes(ast.withitem) if isinstance(item.context_expr, (ast.Name, ast.Attribute))
    ]
    for instance in instances:
        places = [item.context_expr for item in entries if ctx.value(item.context_expr) is instance.value]
        if places:
            yield from _judge(instance, places, ctx)


def _judge(instance: _Instance, places: Sequence[ast.expr], ctx: Context) -> Iterator[Finding]:
    what = short(places[0], ctx)
    inner = _entered_while_active(places, ctx)
    if inner is not None:
        yield ctx.finding(
            RULE,
            instance.call,
            f"{what} is one {short(instance.call.func, ctx)} instance, and line {inner.lineno} enters it "
            "while it is active: the second entry overwrites the state that the first one has to restore",
            help=_help(instance),
            fix=_nested_fix(instance, places, ctx),
        )
        return
    if instance.name not in AUTOCAST:
        return
    hot = max(places, key=lambda place: ctx.warmth(place).heat)
    if ctx.warmth(hot).heat >= Heat.STEP:
        yield ctx.finding(
            RULE,
            instance.call,
            (
                f"{what} is one torch.autocast instance that line {hot.lineno} enters again ",
                Clause.FREQUENCY,
                ": entering it costs microseconds of Python, "
                "and a nested entry would leave autocast in the wrong state",
            ),
            help=_help(instance),
            fix=_kept(instance, places, ctx, _unless_active(places, ctx)),
            runs=hot,  # the instance itself is built once
        )


def _instances(ctx: Context) -> Iterator[_Instance]:
    for call in ctx.nodes(ast.Call):
        name = ctx.qualified_name(call.func)
        if name not in AUTOCAST and name not in GRAD_MODES:
            continue
        value, parent = given_by(call, ctx)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            target = parent.targets[0]
        elif isinstance(parent, ast.AnnAssign):
            target = parent.target
        else:
            continue
        assert name is not None
        if _is_kept(target, ctx):
            yield _Instance(value, call, name)


def _is_kept(target: ast.expr, ctx: Context) -> bool:
    if isinstance(target, ast.Name):
        return ctx.function(target) is None
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)


def _entered_while_active(places: Sequence[ast.expr], ctx: Context) -> ast.expr | None:
    """The place that enters the instance within another entry of it, directly or through calls."""
    holders = {_owner(place, ctx): place for place in places}
    for place in places:
        block = ctx.statement(place)
        inside = {item.context_expr for item in ctx.within(block, ast.withitem)}
        for other in places:
            if other is not place and other in inside and ctx.function(other) is ctx.function(place):
                return other
        for reached in surely_called(block, ctx):
            if reached in holders:
                return holders[reached]
    return None


def _unless_active(places: Sequence[ast.expr], ctx: Context) -> Applicability:
    """Unsafe if an entry may run within another, which the file does not show for sure."""
    holders = {_owner(place, ctx) for place in places}
    of_object = any(isinstance(place, ast.Attribute) for place in places)
    overlap = any(may_overlap(ctx.statement(place), holders, ctx, same_object=of_object) for place in places)
    return Applicability.UNSAFE if overlap else Applicability.SAFE


def _owner(node: ast.AST, ctx: Context) -> str:
    function = ctx.function(node)
    return function.qualname if function is not None else ""


def _help(instance: _Instance) -> str:
    if instance.name in AUTOCAST:
        return "keep a runtime.autocast instance: it may be entered again, also while active"
    return "build a fresh context in each with statement"


def _nested_fix(instance: _Instance, places: Sequence[ast.expr], ctx: Context) -> Fix | None:
    """Autocast: another class for the instance, or as for gradient modes a fresh context at each place."""
    fresh = _fresh(instance, places, ctx)
    if instance.name not in AUTOCAST:
        return fresh
    kept = _kept(instance, places, ctx, Applicability.UNSAFE)
    return kept._replace(without_runtime=fresh) if kept is not None else None


def _kept(
    instance: _Instance, places: Sequence[ast.expr], ctx: Context, applicability: Applicability
) -> Fix | None:
    """Return the fix that makes an autocast instance one of a class that may be entered while active."""
    functions = [ctx.function(place) for place in places]
    if any(function is not None and function.compiled for function in functions):
        return None
    return Fix(
        applicability if _only_entered(instance, places, ctx) else Applicability.UNSAFE,
        "keep a runtime.autocast instance",
        edits=(replace_callee(instance.call, "{runtime}.autocast"),),
        imports=(runtime_import(ctx.runtime_module),),
    )


def _fresh(instance: _Instance, places: Sequence[ast.expr], ctx: Context) -> Fix | None:
    """Return the unsafe fix that builds the context anew wherever it is entered."""
    given = argument_values(instance.call)
    if instance.value is not instance.call or not all(_is_constant(value, ctx) for value in given):
        return None
    names = {name.id for name in names_in(instance.call)}
    if any(is_bound_in_function(name, place, ctx) for name in names for place in (instance.call, *places)):
        return None  # there the name is another one
    return Fix(
        Applicability.UNSAFE,
        "build a fresh context in each with statement",
        edits=tuple(replace(place, "{context}", context=instance.call) for place in places),
    )


def _is_constant(value: ast.expr, ctx: Context) -> bool:
    """Whether an argument is the same wherever it is written: a constant, something of torch."""
    return isinstance(value, ast.Constant) or (ctx.qualified_name(value) or "").startswith("torch.")


def _only_entered(instance: _Instance, places: Sequence[ast.expr], ctx: Context) -> bool:
    """Whether this file does nothing with the instance but enter it, without ``as``."""
    known = set(places)
    names: list[ast.Name | ast.Attribute] = [*ctx.nodes(ast.Name), *ctx.nodes(ast.Attribute)]
    for node in names:
        if not isinstance(node.ctx, ast.Load) or node in known:
            continue
        value = ctx.value(node)
        if value is instance.value or (value is None and _may_be(node, places, ctx)):
            return False
    return all(
        item is not None and item.optional_vars is None for item in (entered_item(p, ctx) for p in places)
    )


def _may_be(node: ast.Name | ast.Attribute, places: Sequence[ast.expr], ctx: Context) -> bool:
    """Whether an attribute may be that of the instance: ``self.amp`` of a subclass, ``model.amp``."""
    kept = {place.attr for place in places if isinstance(place, ast.Attribute)}
    return isinstance(node, ast.Attribute) and node.attr in kept and ctx.qualified_name(node) is None
