"""OVH307: a compiled module whose guards grow with its layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_callee, runtime_import
from overhead_lint.receivers import is_self
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule
from overhead_lint.torch_calls import FLUENT

from .._assignments import value_behind
from .._classes import method
from ._modules import annotation_of, class_built_by, elements, is_module_list

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context, Finding

RULE = Rule(
    code="OVH307",
    name="guard-heavy-module",
    summary="compiled module that loops over submodules with scalar attributes",
    triggers=(b"compile(",),
    heat=Heat.COLD,
)

_TAKEN = frozenset({"fullgraph", "dynamic", "backend", "mode", "options", "disable"})


@RULE.on(ast.Call, named=("torch.compile",))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.compile(model)`` where this file shows the model's forward and its layers."""
    if ctx.qualified_name(node.func) != "torch.compile":
        return
    model = _module_class(node, ctx)
    forward = method(model, "forward") if model is not None else None
    if model is None or forward is None or not forward.body:
        return
    loop = _scalar_loop(forward, ctx)
    if loop is None:
        return
    where, attribute = loop
    yield ctx.finding(
        RULE,
        node,
        f"each call of the compiled {model.qualname} evaluates guards for every submodule of its loop "
        f"(line {where.lineno}) and for {attribute} of each, before the compiled code runs",
        help="use runtime.compile, whose repeated calls check the same guards for less",
        fix=_fix(node, ctx),
    )


def _module_class(node: ast.Call, ctx: Context) -> ClassFacts | None:
    """The module class of this file whose instance the call compiles."""
    if node.args:
        subject: ast.expr = node.args[0]
    else:
        named = [item.value for item in node.keywords if item.arg == "model"]
        if not named:
            return None
        subject = named[0]
    value = value_behind(subject, ctx)
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr not in FLUENT:
            break
        value = value.func.value
        if isinstance(value, ast.Name):
            value = ctx.value(value)
    cls = class_built_by(value, ctx) if value is not None else None
    return cls if cls is not None and cls.is_module else None


def _scalar_loop(forward: ast.FunctionDef, ctx: Context) -> tuple[ast.expr, str] | None:
    """The iterable of a loop over submodules of this file that read a scalar, and that scalar."""
    loops = [item.iter for item in ctx.within(forward, ast.For)]
    loops += [item.iter for item in ctx.within(forward, ast.comprehension)]
    for source in loops:
        while isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.args:
            # enumerate(self.layers), zip(self.layers, ...), reversed(self.layers), range(len(self.layers))
            source = source.args[0]
        if not isinstance(source, ast.Attribute) or not is_module_list(source, ctx):
            continue
        cls = elements(source, ctx)
        attribute = _scalar_attribute(cls, ctx) if cls is not None and cls.is_module else None
        if attribute is not None:
            return source, attribute
    return None


def _scalar_attribute(cls: ClassFacts, ctx: Context) -> str | None:
    """A number, string or flag that the class keeps and its forward reads."""
    forward = method(cls, "forward")
    for node in ctx.within(forward, ast.Attribute) if forward is not None else ():
        if not (is_self(node.value) and isinstance(node.ctx, ast.Load)):
            continue
        value = ctx.value(node)
        if value is not None and _is_scalar(value, ctx):
            return f"self.{node.attr}"
    return None


def _is_scalar(value: ast.expr, ctx: Context) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, (bool, int, float, str))
    annotation = annotation_of(value, ctx)
    if isinstance(annotation, ast.Name) and annotation.id in ("bool", "int", "float", "str"):
        return True
    return ctx.kind(value) is Kind.NUMBER


def _fix(node: ast.Call, ctx: Context) -> Fix | None:
    if len(node.args) > 1 or any(item.arg not in _TAKEN for item in node.keywords):
        return None
    return Fix(
        Applicability.UNSAFE,
        "use runtime.compile",
        edits=(replace_callee(node, "{runtime}.compile"),),
        imports=(runtime_import(ctx.runtime_module),),
    )
