"""OVH309: compiler settings that no longer do anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.edits import remove_statement
from overhead_lint.rule import Applicability, Fix, Heat, Rule, Tier
from overhead_lint.syntax.grammar import TRIES

from .._blocks import holders
from .._conditions import branches
from .._names import own_name
from .._releases import GONE_SINCE, IDLE_SINCE, RENAMED_SINCE, always_has, spelled

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH309",
    name="removed-dynamo-flag",
    summary="compiler setting that does nothing, or is gone",
    triggers=(b"_dynamo", b"_inductor"),
    heat=Heat.COLD,
    tier=Tier.CORRECTNESS,
    stable_since="0.2.0",
)

# What to write instead of a setting that is gone; "delete it" for the others.
_INSTEAD = {
    "torch._dynamo.config.log_level": "use torch._logging.set_logs(dynamo=level)",
    "torch._dynamo.config.output_code": "use torch._logging.set_logs(output_code=True)",
    "torch._dynamo.config.output_graph_code": "use torch._logging.set_logs(graph_code=True)",
    "torch._dynamo.config.print_graph_breaks": "use torch._logging.set_logs(graph_breaks=True)",
    **{
        f"torch._inductor.config.{name}": f"set torch._inductor.config_comms.{name}"
        for name in (
            "reorder_iterative_debug_limit_to_reorder",
            "reorder_iterative_debug_memory_recompute",
            "sink_waits_iterative_debug_limit_to_sink",
        )
    },
}
_NEW_NAMES = {
    "torch._inductor.config.benchmark_epilogue_fusion": "benchmark_template_fusion",
    "torch._inductor.config.max_epilogue_benchmarked_choices": "max_template_fusion_benchmarked_choices",
}
_CONFIGS = frozenset({"torch._dynamo.config", "torch._inductor.config"})
_BY_NAME = frozenset({"delattr", "getattr", "hasattr", "setattr"})
# Methods of a config that give all of its settings.
_COPIES = frozenset(
    """codegen_config get_config_copy get_hash get_serializable_config_copy save_config save_config_portable
    shallow_copy_dict to_dict""".split()  # noqa: SIM905
)


@RULE.on(ast.Attribute)
def check_attribute(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """``torch._dynamo.config.flag = value``."""
    name = ctx.qualified_name(node)
    if name is None or not isinstance(node.ctx, ast.Store) or _is_probed(node, name, ctx):
        return
    statement = ctx.statement(node)
    if name in IDLE_SINCE:
        yield _idle(node, name, _fix(statement, name, ctx), ctx)
    else:
        yield from _other(node, name, ctx)


@RULE.on(ast.Call, named=("patch",))
def check_patch(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch._dynamo.config.patch(flag=value)``, and the same with a string or a dictionary."""
    owner, _, method = (ctx.qualified_name(node.func) or "").rpartition(".")
    if method != "patch" or owner not in _CONFIGS:
        return
    for place, key in _patched(node):
        name = f"{owner}.{key}"
        if _is_probed(node, name, ctx):
            continue
        if name in IDLE_SINCE:
            yield _idle(place, name, None, ctx)
        else:
            yield from _other(place, name, ctx)


def _patched(node: ast.Call) -> Iterator[tuple[ast.AST, str]]:
    for keyword in node.keywords:
        if keyword.arg is not None:
            yield keyword, keyword.arg
    keys: list[ast.expr | None] = list(node.args[:1])
    if keys and isinstance(keys[0], ast.Dict):
        keys = list(keys[0].keys)
    for key in keys:
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key, key.value


def _idle(node: ast.AST, name: str, fix: Fix | None, ctx: Context) -> Finding:
    return ctx.finding(
        RULE,
        node,
        f"{name.removeprefix('torch.')} does nothing: torch {spelled(IDLE_SINCE[name])} and later accept the "
        "setting and never read it",
        help="delete it, unless the code has to run with a torch that still reads it",
        fix=fix,
    )


def _other(node: ast.AST, name: str, ctx: Context) -> Iterator[Finding]:
    """A setting that is gone, or has another name in every torch that the code runs with."""
    short = name.removeprefix("torch.")
    if name in GONE_SINCE:
        yield ctx.finding(
            RULE,
            node,
            f"{short} is gone: with torch {spelled(GONE_SINCE[name])} and later setting it raises "
            "AttributeError",
            help=_INSTEAD.get(name, "delete it"),
        )
    elif name in RENAMED_SINCE and always_has(RENAMED_SINCE[name], ctx):
        yield ctx.finding(
            RULE,
            node,
            f"{short} is an old name: torch {spelled(RENAMED_SINCE[name])} and later warn that it will be "
            "removed",
            help=f"set {_NEW_NAMES[name]}",
        )


def _is_probed(node: ast.AST, name: str, ctx: Context) -> bool:
    """Whether the code asks first: for the attribute by name, for the version of torch, or in a ``try``."""
    last = name.rpartition(".")[2]
    return any(isinstance(holder, TRIES) for holder, _ in holders(node, ctx)) or any(
        (isinstance(item, ast.Constant) and item.value == last)
        or (isinstance(item, (ast.Name, ast.Attribute)) and "version" in ctx.text(item).lower())
        for test, _ in branches(node, ctx)
        for item in (test, *ctx.within(test, ast.expr))
    )


def _fix(statement: ast.stmt, name: str, ctx: Context) -> Fix | None:
    """Drops a statement that only sets the flag, to a value whose evaluation does nothing: a literal or name.

    Unsafe where the file may read the flag, too: it would read what torch has set.
    """
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    value = statement.value
    plain = isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and ctx.is_bound(value.id, value))
    if not isinstance(statement.targets[0], ast.Attribute) or not plain:
        return None
    idle = always_has(IDLE_SINCE[name], ctx) and not _is_read(name, ctx)
    idle = idle and (isinstance(value, ast.Constant) or _is_surely_bound(value, ctx))
    return Fix(
        Applicability.SAFE if idle else Applicability.UNSAFE,
        "delete the setting",
        edits=(remove_statement(statement),),
    )


def _is_read(name: str, ctx: Context) -> bool:
    """Whether the file may read a setting, be it among all of them."""
    last = name.rpartition(".")[2]
    attributes: list[ast.Attribute] = [*ctx.nodes(ast.Attribute)]
    if any(item.attr == last and isinstance(item.ctx, ast.Load) for item in attributes):
        return True
    if any(item.value == last for item in ctx.nodes(ast.Constant)):
        return True
    named: list[ast.Attribute | ast.Name] = [*ctx.nodes(ast.Name), *attributes]
    return any(
        ctx.qualified_name(item) in _CONFIGS and _reads_all(ctx.parent(item))
        for item in named
        if isinstance(item.ctx, ast.Load)
    )


def _reads_all(holder: ast.AST | None) -> bool:
    """Whether what holds a whole config takes more of it than one setting that it names."""
    if isinstance(holder, ast.Call) and own_name(holder.func) in _BY_NAME and len(holder.args) > 1:
        return not isinstance(holder.args[1], ast.Constant)
    return not isinstance(holder, ast.Attribute) or holder.attr in _COPIES


def _is_surely_bound(value: ast.expr, ctx: Context) -> bool:
    """Whether it is a parameter of the function around, or a name that the module binds above, once."""
    made = ctx.value(value)
    if made is not None:
        return ctx.parent(ctx.statement(made)) is ctx.tree and made.lineno < value.lineno
    function = ctx.function(value)
    if function is None or not isinstance(value, ast.Name):
        return False
    arguments = function.node.args
    given = all_parameters(arguments)
    return any(item.arg == value.id for item in given) and not any(
        item.id == value.id and isinstance(item.ctx, ast.Del) for item in ctx.within(function.node, ast.Name)
    )
