"""OVH603: the environment read in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule

from .._module_level import constant_fix, in_f_string, is_literal
from .._process_state import changes_environment

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH603",
    name="env-read-per-step",
    summary="environment variable read on every step",
    triggers=(b"environ", b"getenv"),
    heat=Heat.STEP,
    brief=True,
    stable_since="0.2.0",
)

_GETTERS = frozenset({"os.getenv", "os.environ.get"})
_ON = frozenset({"1", "true", "True", "TRUE", "yes", "on"})
_OFF = frozenset({"0", "", "false", "False", "FALSE", "no", "off"})


@RULE.on(ast.Call, named=_GETTERS)
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``os.getenv(...)`` and ``os.environ.get(...)``."""
    if ctx.qualified_name(node.func) in _GETTERS and node.args and not ctx.is_compiled(node):
        yield _finding(node, node.args[0], ctx)


@RULE.on(ast.Subscript)
def check_item(node: ast.Subscript, ctx: Context) -> Iterator[Finding]:
    """``os.environ["NAME"]``, where it is read."""
    if isinstance(node.ctx, ast.Load) and _is_environ(node.value, ctx) and not ctx.is_compiled(node):
        yield _finding(node, node.slice, ctx)


@RULE.on(ast.Compare)
def check_membership(node: ast.Compare, ctx: Context) -> Iterator[Finding]:
    """``"NAME" in os.environ``."""
    if (
        len(node.ops) == 1
        and isinstance(node.ops[0], (ast.In, ast.NotIn))
        and _is_environ(node.comparators[0], ctx)
        and not ctx.is_compiled(node)
    ):
        yield _finding(node, node.left, ctx)


def _is_environ(node: ast.expr, ctx: Context) -> bool:
    return ctx.qualified_name(node) == "os.environ"


def _finding(node: ast.expr, key: ast.expr, ctx: Context) -> Finding:
    named = key.value if isinstance(key, ast.Constant) else None
    fix, help = None, "read it once, and keep the value"
    if isinstance(named, str):
        fix, help = _fix(node, named, ctx)
    return ctx.finding(
        RULE,
        node,
        f"{named if isinstance(named, str) else 'an environment variable'} is read each time: "
        "the name is encoded, looked up and the value decoded",
        help=help,
        fix=fix,
    )


def _fix(node: ast.expr, name: str, ctx: Context) -> tuple[Fix | None, str]:
    """A switch becomes a flag of the runtime, anything else a constant of the module.

    Unsafe: neither sees what the program sets later.
    """
    if in_f_string(node, ctx):
        return None, "read it once, and keep the value"
    if changes_environment(lambda variable: variable == name, ctx):
        return None, "keep the value beside the place that sets it"
    switch = _switch(node, ctx)
    if switch is not None:
        fix = Fix(
            Applicability.UNSAFE,
            "use runtime.env_flag",
            edits=(replace(switch, f'{{runtime}}.env_flag("{name}")'),),
            imports=(runtime_import(ctx.runtime_module),),
            without_runtime=constant_fix(switch, name, Applicability.UNSAFE, ctx),
        )
        return fix, "use runtime.env_flag, which reads it once"
    if isinstance(node, ast.Subscript):
        return None, "read it once, and keep the value"  # at import it would raise where it is missing
    if isinstance(node, ast.Call) and not all(is_literal(value, ctx) for value in node.args):
        return None, "read it once, and keep the value"
    whole = _converted(node, ctx)
    return constant_fix(whole, name, Applicability.UNSAFE, ctx), "read it once, when the module is imported"


def _converted(node: ast.expr, ctx: Context) -> ast.expr:
    """The expression with ``int(...)`` and the like around it, unless that raises where nothing is set."""
    if isinstance(node, ast.Call) and ctx.qualified_name(node.func) in _GETTERS and len(node.args) < 2:
        return node
    parent = ctx.parent(node)
    if (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id in {"int", "float", "bool", "str"}
        and not ctx.is_bound(parent.func.id, parent)
        and parent.args == [node]
        and not parent.keywords
    ):
        return _converted(parent, ctx)
    return node


def _switch(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The comparison that makes a switch of a read with a default that means off."""
    if not (isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords):
        return None
    default = node.args[1]
    if not (isinstance(default, ast.Constant) and default.value in _OFF):
        return None
    parent = ctx.parent(node)
    if not (isinstance(parent, ast.Compare) and parent.left is node and len(parent.ops) == 1):
        return None
    right = parent.comparators[0]
    if isinstance(parent.ops[0], ast.Eq):
        return parent if isinstance(right, ast.Constant) and right.value in _ON else None
    if isinstance(parent.ops[0], ast.In) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
        words = [item.value for item in right.elts if isinstance(item, ast.Constant)]
        return parent if len(words) == len(right.elts) and set(words) <= _ON else None
    return None
