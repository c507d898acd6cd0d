"""OVH610: rank and world size asked for in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH610",
    name="dist-query-per-step",
    summary="rank or world size asked for on every step",
    triggers=(
        *(b"get_rank", b"get_world_size", b"is_initialized"),
        *(b"get_backend", b"get_global_rank", b"get_group_rank", b"get_process_group_ranks", b"new_group"),
        b"new_subgroups",
        b"evice_mesh",
    ),
    heat=Heat.STEP,
    brief=True,
    stable_since="0.2.0",
)

_MODULES = ("torch.distributed", "torch.distributed.distributed_c10d")
_QUERIES = frozenset(
    f"{module}.{name}"
    for module in _MODULES
    for name in (
        *("get_rank", "get_world_size", "is_initialized"),
        *("get_backend", "get_global_rank", "get_group_rank", "get_process_group_ranks"),
    )
)
_GROUPS = frozenset(f"{module}.{name}" for module in _MODULES for name in ("new_group", "new_subgroups")) | {
    "torch.distributed.init_device_mesh",
    "torch.distributed.device_mesh.init_device_mesh",
    "torch.distributed.device_mesh.DeviceMesh",
}


@RULE.on(ast.Call, named=_QUERIES)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A question about the process group."""
    name = ctx.qualified_name(node.func)
    if name not in _QUERIES or ctx.is_compiled(node):
        return
    assert name is not None
    what = name.rpartition(".")[2]
    yield ctx.finding(
        RULE,
        node,
        f"{what} looks up the process group on every call, though its answer does not change",
        help="ask once after the process group was set up, and keep the answer beside it",
    )


@RULE.on(ast.Call, named=_GROUPS)
def check_group(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``dist.new_group(...)``, for which all ranks have to meet."""
    name = ctx.qualified_name(node.func)
    if name in _GROUPS and not ctx.is_compiled(node):
        yield ctx.finding(
            RULE,
            node,
            f"{name} makes a communicator anew: all ranks wait for each other, and each keeps its buffers",
            help="make the group once, or use the group of all ranks: dist.group.WORLD",
        )
