"""OVH601: signatures, sources and callers that are worked out in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace_callee, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule

from .._module_level import cached_fix

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH601",
    name="signature-per-call",
    summary="signature worked out on every step",
    triggers=(b"signature", b"getfullargspec", b"inspect", b"get_type_hints", b"_stack", b"dir("),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

# What is asked, and what that takes each time.
_ASKED = {
    "inspect.signature": "reads a function's code, defaults and annotations anew each time",
    "inspect.getfullargspec": "reads a function's code, defaults and annotations anew each time",
    "inspect.getsource": "reads a source file and parses it anew each time",
    "inspect.getmembers": "reads all attributes of an object anew each time",
    **dict.fromkeys(
        ("inspect.stack", "inspect.getouterframes", "traceback.extract_stack", "traceback.format_stack"),
        "looks up the source of every caller each time",
    ),
    "inspect.getframeinfo": "reads the source file of a caller each time",
    "typing.get_type_hints": "evaluates annotations, those of base classes too, anew each time",
}
_OF_CALLERS = frozenset(
    name for name, what in _ASKED.items() if what.endswith(("every caller each time", "a caller each time"))
)
_IN_PLACE = frozenset({"__annotations__", "__kwdefaults__"})


@RULE.on(ast.Call, named=("dir",))
def check_names(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``dir(module)``, which collects the names of an object, its class and all base classes."""
    if not isinstance(node.func, ast.Name) or node.func.id != "dir" or ctx.is_bound("dir", node):
        return
    if len(node.args) == 1 and not ctx.is_compiled(node):
        yield ctx.finding(
            RULE,
            node,
            "dir() collects and sorts all names of an object, its class and their bases anew each time",
            help="keep the names that are needed, or ask hasattr() for one",
        )


@RULE.on(ast.Call, named=_ASKED)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A question to `inspect`, or for the types that annotations stand for."""
    name = ctx.qualified_name(node.func)
    if name is None or name not in _ASKED or ctx.is_compiled(node):
        return
    if not node.args and name not in _OF_CALLERS:
        return
    fix = _fix(node, ctx) if name == "inspect.signature" else None
    yield ctx.finding(
        RULE,
        node,
        f"{name} {_ASKED[name]}",
        help="use runtime.cached_signature" if fix else _advice(name),
        fix=fix,
    )


def _advice(name: str) -> str:
    if name in _OF_CALLERS:
        return "ask sys._getframe for the one caller that is needed"
    return "ask once, where the callable is set, and keep the answer"


def _fix(node: ast.Call, ctx: Context) -> Fix | None:
    # For methods, classes and partials cached_signature asks inspect each time.
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.Name):
        return None
    if _is_imported_in_a_function(node, ctx):
        return None  # an import would be left over
    named = ctx.qualified_name(node.args[0])
    plain = named is not None and any(
        f".{item.qualname}" == named
        and isinstance(item.node, ast.FunctionDef)
        and not item.node.decorator_list
        for item in ctx.functions()
    )
    # Changes of these are not seen.
    plain = plain and not any(item.attr in _IN_PLACE for item in ctx.nodes(ast.Attribute))
    plain = plain and not any(item.value in _IN_PLACE for item in ctx.nodes(ast.Constant))
    return Fix(
        Applicability.SAFE if plain else Applicability.UNSAFE,
        "use runtime.cached_signature",
        edits=(replace_callee(node, "{runtime}.cached_signature"),),
        imports=(runtime_import(ctx.runtime_module),),
        without_runtime=cached_fix(node, ctx, is_bounded=True),
    )


def _is_imported_in_a_function(node: ast.Call, ctx: Context) -> bool:
    """Whether a function of the file imports what is called itself, this one or another."""
    root = ctx.text(node.func).partition(".")[0]
    return any(
        (alias.asname or alias.name.partition(".")[0]) == root
        for function in ctx.functions()
        for alias in ctx.within(function.node, ast.alias)
    )
