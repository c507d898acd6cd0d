"""OVH201: keys that are the text of a config, formatted anew on every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

from .._wording import short
from ._keys import TRIGGERS, key_uses
from ._reprs import advice, cached_repr_fix, kept_str

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH201",
    name="uncached-repr-key",
    summary="config formatted to text for a key on every step",
    triggers=TRIGGERS,
    heat=Heat.STEP,
    stable_since="0.2.0",
)


@RULE.on(ast.Module)
def check(module: ast.Module, ctx: Context) -> Iterator[Finding]:
    """Every place whose text of an object serves as a key."""
    for use in key_uses(ctx):
        holder = f"the {use.elsewhere.cls} that it has" if use.elsewhere is not None else ""
        subject = short(use.subject, ctx) if use.subject is not None else holder
        known = advice(use.cls, ctx, has_own_str=use.has_own_str) if use.cls is not None else ""
        if use.elsewhere is not None and use.cls is None:
            named = f"{use.elsewhere.cls} ({use.elsewhere.path}:{use.elsewhere.line})"
            known = f"derive {named} from runtime.CachedRepr, which keeps the text until an attribute changes"
            if use.has_own_str:
                known = kept_str(named)
        yield ctx.finding(
            RULE,
            use.node,
            f"{short(use.node, ctx)} formats every field of {subject} each time, to serve as {use.role}",
            help=known
            or "key by the object itself if it can be hashed, or derive its class from runtime.CachedRepr",
            fix=None if use.cls is None or use.has_own_str else cached_repr_fix(use.cls, ctx),
        )
