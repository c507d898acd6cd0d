"""OVH307: a compiled module whose guards grow with its layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule
from overhead_lint.syntax.receivers import is_self

from .._calls import argument_for
from .._classes import in_init, method
from .._instances import annotation_of
from .._wording import short
from ._compile_sites import Binding, CompileSite, compile_sites, compiled_function
from ._compiled import is_disabled
from ._modules import Elements, elements, is_module_list

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH307",
    name="guard-heavy-module",
    summary="compiled module that loops over submodules with scalar attributes",
    triggers=(b"compile",),
    heat=Heat.COLD,
)


@RULE.on(ast.Module)
def check(_: ast.Module, ctx: Context) -> Iterator[Finding]:
    """Compiled modules and methods of which this file shows the code, and the layers that it runs."""
    for site in compile_sites(ctx):
        function = compiled_function(site, ctx)
        cls = ctx.cls(function.body[0]) if function is not None else None
        layers = _scalar_layers(function, ctx) if function is not None else None
        if function is None or cls is None or layers is None:
            continue
        where, attribute = layers
        what = f"{cls.qualname}.{function.name}" if site.binding is Binding.DECORATED else cls.qualname
        yield ctx.finding(
            RULE,
            site.node,
            f"each call of the compiled {what} evaluates guards for every submodule in {short(where, ctx)} "
            f"(line {where.lineno}) and for {attribute} of each, before the compiled code runs",
            help=_help(site, ctx),
            fix=_fix(site, ctx),
        )


def _scalar_layers(function: ast.FunctionDef, ctx: Context) -> tuple[ast.expr, str] | None:
    """Return a list of submodules that a function runs, of a class that reads a scalar, and that scalar."""
    for source in _lists(function, ctx):
        held = elements(source, ctx)
        attribute = _scalar_attribute(held, ctx) if held is not None and held.cls.is_module else None
        if attribute is not None:
            return source, attribute
    return None


def _lists(function: ast.FunctionDef, ctx: Context) -> Iterator[ast.Attribute]:
    """Yield the module lists of ``self`` that a function loops over, and those that loop when called."""
    loops = [item.iter for item in ctx.within(function, ast.For)]
    loops += [item.iter for item in ctx.within(function, ast.comprehension)]
    for source in loops:
        while isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.args:
            # enumerate(self.layers), zip(self.layers, ...), reversed(self.layers), range(len(self.layers))
            source = source.args[0]
        if isinstance(source, ast.Attribute) and is_module_list(source, ctx):
            yield source
    for call in ctx.within(function, ast.Call):
        if isinstance(call.func, ast.Attribute) and is_module_list(call.func, ctx):
            yield call.func  # of a Sequential: a ModuleList cannot be called


def _scalar_attribute(held: Elements, ctx: Context) -> str | None:
    """Return a number, string or flag that the class of elements keeps and its forward reads."""
    forward = method(held.cls, "forward")
    if forward is None or is_disabled(forward):
        return None
    for node in ctx.within(forward, ast.Attribute):
        if not (is_self(node.value) and isinstance(node.ctx, ast.Load)):
            continue
        value = ctx.value(node)
        if value is not None and (_is_scalar(value, ctx) or _is_given_scalar(value, held, ctx)):
            return f"self.{node.attr}"
    return None


def _is_scalar(value: ast.expr, ctx: Context) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, (bool, int, float, str))
    annotation = annotation_of(value, ctx)
    if isinstance(annotation, ast.Name) and annotation.id in ("bool", "int", "float", "str"):
        return True
    return ctx.kind(value) is Kind.NUMBER


def _is_given_scalar(value: ast.expr, held: Elements, ctx: Context) -> bool:
    """Whether a value is a parameter of ``__init__`` that is given a scalar wherever an element is built."""
    init = method(held.cls, "__init__")
    if init is None or not isinstance(value, ast.Name) or not in_init(value, ctx):
        return False
    given = [argument_for(value.id, call, init, bound=True) for call in held.calls]
    return all(item is not None and _is_scalar(item, ctx) for item in given)


def _help(site: CompileSite, ctx: Context) -> str:
    if site.binding is not Binding.IN_PLACE:
        return "use runtime.compile, whose repeated calls check the same guards for less"
    return (
        f"{short(site.compiler, ctx)}() has no drop-in form: call what runtime.compile gives for the module "
        "instead, whose repeated calls check the same guards for less"
    )


def _fix(site: CompileSite, ctx: Context) -> Fix | None:
    if site.binding is Binding.IN_PLACE or not site.is_plain:
        return None
    return Fix(
        Applicability.UNSAFE,
        "use runtime.compile",
        edits=(replace(site.compiler, "{runtime}.compile"),),
        imports=(runtime_import(ctx.runtime_module),),
    )
