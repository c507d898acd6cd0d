"""OVH202: classes whose repr serves as a key and is not cached."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

from ._keys import TRIGGERS, KeyUse, key_uses
from ._reprs import advice, cached_repr_fix, is_named_tuple

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH202",
    name="uncached-repr-class",
    summary="class whose repr is used as a key and formats its fields each time",
    triggers=TRIGGERS,
    heat=Heat.COLD,
    stable_since="0.2.0",
)


@RULE.on(ast.Module)
def check(module: ast.Module, ctx: Context) -> Iterator[Finding]:
    """Every class of the file that OVH201 sees used as a key."""
    first: dict[str, KeyUse] = {}
    for use in key_uses(ctx):
        if use.cls is None or use.has_own_str or is_named_tuple(use.cls):
            continue
        if ctx.warmth(use.node).heat >= Heat.STEP:
            first.setdefault(use.cls.qualname, use)
    for use in first.values():
        assert use.cls is not None
        yield ctx.finding(
            RULE,
            use.cls.node,
            f"line {use.node.lineno} uses the text of {use.cls.qualname} as {use.role} "
            f"({ctx.warmth(use.node).why}), and each repr of it formats every field again",
            help=advice(use.cls, ctx, has_own_str=False),
            fix=cached_repr_fix(use.cls, ctx),
        )
