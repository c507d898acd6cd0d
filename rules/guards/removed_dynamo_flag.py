"""OVH309: compiler settings that no longer do anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import remove_statement
from overhead_lint.grammar import TRIES
from overhead_lint.rule import Applicability, Fix, Heat, Rule

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH309",
    name="removed-dynamo-flag",
    summary="compiler setting that does nothing, or is gone",
    triggers=(b"_dynamo", b"_inductor"),
    heat=Heat.COLD,
)

# Settings that torch 2.13 accepts and never reads.
_IDLE = frozenset(
    f"torch._dynamo.config.{name}"
    for name in """capture_autograd_function capture_func_transforms dead_code_elimination dynamic_shapes
    enable_cpp_framelocals_guard_eval enable_cpp_guard_manager inline_inbuilt_nn_modules
    minimum_call_count optimize_ddp_lazy_compile raise_on_unsafe_aot_autograd report_guard_failures
    skip_code_recursive_on_cache_limit_hit skip_code_recursive_on_recompile_limit_hit
    skipfiles_inline_module_allowlist""".split()  # noqa: SIM905
) | frozenset(
    f"torch._inductor.config.{name}"
    for name in """autotune_fallback_to_aten batch_fusion group_fusion mixed_mm_choice search_autotune_cache
    split_cat_fx_passes use_mixed_mm""".split()  # noqa: SIM905
)
# Settings of earlier versions that raise AttributeError with torch 2.13, and what to write instead.
_GONE = {
    **{
        f"torch._dynamo.config.{name}": "delete it"
        for name in """allow_complex_guards_as_runtime_asserts constant_functions dynamic_propagation
        enforce_cond_guards_match fake_tensor_propagation inline_torch_dispatch_torch_function normalize_ir
        numpy_ndarray_as_tensor raise_on_assertion_error raise_on_backend_error
        report_all_guard_failures""".split()  # noqa: SIM905
    },
    "torch._dynamo.config.log_level": "use torch._logging.set_logs(dynamo=level)",
    "torch._dynamo.config.output_code": "use torch._logging.set_logs(output_code=True)",
    "torch._dynamo.config.output_graph_code": "use torch._logging.set_logs(graph_code=True)",
    "torch._dynamo.config.print_graph_breaks": "use torch._logging.set_logs(graph_breaks=True)",
}
_IDLE_FROM = (2, 13)
_CONFIGS = frozenset({"torch._dynamo.config", "torch._inductor.config"})
_READERS = frozenset({"getattr", "hasattr", "setattr"})


@RULE.on(ast.Attribute)
def check_attribute(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """``torch._dynamo.config.flag = value``."""
    name = ctx.qualified_name(node)
    if name is None or not isinstance(node.ctx, ast.Store) or _is_probed(node, name, ctx):
        return
    statement = ctx.statement(node)
    if name in _IDLE:
        yield _idle(node, name, _fix(statement, name, ctx), ctx)
    elif name in _GONE:
        yield _gone(node, name, ctx)


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
        if name in _IDLE:
            yield _idle(place, name, None, ctx)
        elif name in _GONE:
            yield _gone(place, name, ctx)


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
        f"{name.removeprefix('torch.')} does nothing: torch 2.13 accepts the setting and never reads it",
        help="delete it, unless the code has to run with a torch that still reads it",
        fix=fix,
    )


def _gone(node: ast.AST, name: str, ctx: Context) -> Finding:
    return ctx.finding(
        RULE,
        node,
        f"{name.removeprefix('torch.')} is gone: with torch 2.13 setting it raises AttributeError",
        help=_GONE[name],
    )


def _is_probed(node: ast.AST, name: str, ctx: Context) -> bool:
    """Whether the code asks first: for the attribute by name, for the version of torch, or in a ``try``."""
    last = name.rpartition(".")[2]
    parent = ctx.parent(node)
    while parent is not None:
        if isinstance(parent, TRIES):
            return True
        if isinstance(parent, ast.If) and any(
            (isinstance(item, ast.Constant) and item.value == last)
            or (isinstance(item, (ast.Name, ast.Attribute)) and "version" in ctx.text(item).lower())
            for item in (parent.test, *ctx.within(parent.test, ast.expr))
        ):
            return True
        parent = ctx.parent(parent)
    return False


def _fix(statement: ast.stmt, name: str, ctx: Context) -> Fix | None:
    """Drops a statement that only sets the flag, to a value whose evaluation does nothing: a literal or name.

    Unsafe where the file reads the flag, too: it would read what torch has set.
    """
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    value = statement.value
    plain = isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and ctx.is_bound(value.id, value))
    if not isinstance(statement.targets[0], ast.Attribute) or not plain:
        return None
    last = name.rpartition(".")[2]
    is_read = any(
        item.attr == last and isinstance(item.ctx, ast.Load) for item in ctx.nodes(ast.Attribute)
    ) or any(item.value == last for item in ctx.nodes(ast.Constant))
    idle = ctx.target_torch >= _IDLE_FROM and not is_read
    return Fix(
        Applicability.SAFE if idle else Applicability.UNSAFE,
        "delete the setting",
        edits=(remove_statement(statement),),
    )
