"""One rule: sleeping in a step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from overhead_lint.hookspecs import hookimpl
from overhead_lint.rule import Context, Finding, Heat, Rule

RULE = Rule(
    code="EXA001",
    name="sleep-in-step",
    summary="sleeping in a step",
    triggers=(b"sleep",),
    heat=Heat.STEP,
)


@RULE.on(ast.Call)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """See calls of ``time.sleep``."""
    if ctx.qualified_name(node.func) == "time.sleep":
        yield ctx.finding(RULE, node, "the step sleeps", help="wait for an event")


@hookimpl
def overhead_lint_rules() -> list[Rule]:
    """The rules of this pack."""
    return [RULE]
