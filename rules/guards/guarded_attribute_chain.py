"""OVH305: nested attributes that compiled code reads, and guards, again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

from ._submodules import chains, methods_compiled

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH305",
    name="guarded-attribute-chain",
    summary="compiled module that reads many values of a configuration",
    triggers=(b"compile", b"_dynamo"),
    heat=Heat.STEP,
)

_MANY = 3
"""So many different values of one configuration are worth a message."""


@RULE.on(ast.ClassDef)
def check(node: ast.ClassDef, ctx: Context) -> Iterator[Finding]:
    """``self.config.a``, ``self.config.b``, ``self.config.c`` in the compiled methods of a module."""
    cls = next((item for item in ctx.classes() if item.node is node), None)
    if cls is None or not cls.is_module:
        return
    found: dict[str, dict[str, ast.Attribute]] = {}
    for function in methods_compiled(cls, ctx):
        for read, owner in chains(function, ctx):
            found.setdefault(owner, {}).setdefault(ctx.text(read), read)
    for owner, reads in found.items():
        if len(reads) >= _MANY:
            first = min(reads.values(), key=lambda read: (read.lineno, read.col_offset))
            yield ctx.finding(
                RULE,
                first,
                f"compiled {cls.qualname} reads {len(reads)} values of self.{owner}: each is guarded on "
                "every call, and so are the type of the object and its dictionary",
                help="read them in __init__, into attributes of the module",
            )
