"""OVH301: torch.compile called in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_after, replace
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule
from overhead_lint.syntax.dotted_names import root_of

from .._calls import COMPILERS
from .._wording import short
from ._compile_sites import Binding, result_of, site_at

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH301",
    name="compile-per-call",
    summary="torch.compile, or another compiler, called on every step",
    triggers=(b"compile", b"jit", b"symbolic_trace"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_SCRIPT = "torch.jit.script"
_OTHERS = frozenset(
    {"torch.export.export", "torch.fx.symbolic_trace", "torch.jit.trace", "torch.jit.trace_module"}
)
_SCRIPT_MODULE = "torch.jit.ScriptModule"


@RULE.on(ast.Call, named=COMPILERS)
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.compile(f)`` where it runs in every step."""
    site = site_at(node, ctx)
    if site is not None and site.binding is Binding.OTHER:
        yield ctx.finding(
            RULE,
            node,
            f"{short(node.func, ctx)} runs on each call: it wraps the function anew, the first call of the "
            "wrapper sets it up again, and what a function made here closes over is guarded",
            help="compile once, at module level or in __init__",
            fix=_fix(node, ctx),
        )


@RULE.on(ast.Call)
def check_other(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.jit.trace(f, x)`` and kin, and instances of a ``ScriptModule``, made in every step.

    ``torch.jit.script`` knows the functions that it compiled, but no modules.
    """
    name = ctx.qualified_name(node.func)
    if name is None or not (name in _OTHERS or name == _SCRIPT or _is_script_module(name, ctx)):
        return
    if _is_kept(node, ctx) or ctx.is_compiled(node):
        return
    if name != _SCRIPT or (node.args and ctx.kind(node.args[0]) is Kind.MODULE):
        yield ctx.finding(
            RULE,
            node,
            f"{short(node.func, ctx)} compiles anew on each call, "
            "and the result knows nothing of earlier runs",
            help="compile once, at module level or in __init__",
        )


def _is_script_module(name: str, ctx: Context) -> bool:
    """Whether a name means a class of this file that derives from ``ScriptModule``."""
    return name.startswith(".") and any(
        name == f".{cls.qualname}" and _SCRIPT_MODULE in cls.bases for cls in ctx.classes()
    )


@RULE.on(ast.FunctionDef)
def check_decorated(node: ast.FunctionDef, ctx: Context) -> Iterator[Finding]:
    """A function defined in hot code under ``@torch.compile``, with arguments or without."""
    for decorator in node.decorator_list:
        if site_at(decorator, ctx) is not None:
            yield ctx.finding(
                RULE,
                decorator,
                f"{node.name} is defined and compiled on each call: torch.compile wraps it anew, the first "
                "call of the wrapper sets it up again, and what it closes over is guarded",
                help="define it at module level, and pass what it closes over",
            )


def _is_kept(node: ast.Call, ctx: Context) -> bool:
    """Whether the result outlives the call: ``self.step = torch.jit.trace(...)``, or it is returned.

    Such code runs once for what it sets up, though its name sounds like a step.
    """
    return result_of(node, ctx) in {Binding.RETURNED, Binding.STORED}


def _fix(node: ast.Call, ctx: Context) -> Fix | None:
    """Compile a function of this module right below its definition."""
    subject = node.args[0] if len(node.args) == 1 else None
    if not isinstance(subject, ast.Name) or ctx.is_compiled(node):
        return None
    definition = next(
        (
            item
            for item in ctx.tree.body
            if isinstance(item, ast.FunctionDef) and ctx.qualified_name(subject) == f".{item.name}"
        ),
        None,
    )
    name = f"_compiled_{subject.id}"
    if definition is None or ctx.is_bound(name, node) or not _is_imported(node.func, definition, ctx):
        return None
    if not all(item.arg and isinstance(item.value, ast.Constant) for item in node.keywords):
        return None
    parts: dict[str, ast.expr] = {"callee": node.func, "function": subject}
    arguments = ["{function}"]
    for number, item in enumerate(node.keywords):
        parts[f"value{number}"] = item.value
        arguments.append(f"{item.arg}={{value{number}}}")
    template = f"\n\n{name} = {{callee}}({', '.join(arguments)})"
    return Fix(
        Applicability.UNSAFE,
        "compile it once, at module level",
        edits=(insert_after(definition, template, **parts), replace(node, name)),
    )


def _is_imported(callee: ast.expr, definition: ast.FunctionDef, ctx: Context) -> bool:
    """Whether an import of the module, above the definition, binds what the callee starts with."""
    root = root_of(callee)
    return isinstance(root, ast.Name) and any(
        root.id == (alias.asname or alias.name.partition(".")[0])
        for item in ctx.tree.body[: ctx.tree.body.index(definition)]
        if isinstance(item, (ast.Import, ast.ImportFrom))
        for alias in item.names
    )
