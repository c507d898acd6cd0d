"""OVH705: ``einsum`` and ``rearrange`` with a written pattern that one plain operator does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Rule

from .._calls import has_unpacked
from .._literals import text_in
from ._einsum import plain_form, view_form

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH705",
    name="fixed-einsum",
    summary="pattern parsed on every call for one plain operator",
    triggers=(b"einsum", b"einops"),
    heat=Heat.LOOP,
    stable_since="0.2.0",
)

_EINSUMS = frozenset({"torch.einsum", "torch.functional.einsum", "opt_einsum.contract", "einops.einsum"})


@RULE.on(ast.Call, named=(*_EINSUMS, "rearrange"))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.einsum("bij,bjk->bik", a, b)`` and ``rearrange(x, "b n d -> n b d")``."""
    if not node.args or has_unpacked(node):
        return
    name = ctx.qualified_name(node.func)
    if name in _EINSUMS and not node.keywords:
        pattern = node.args[-1 if name == "einops.einsum" else 0]
        operands = [argument for argument in node.args if argument is not pattern]
        plain = plain_form(text_in(pattern), [ctx.text(operand) for operand in operands], name)
    elif name in ("einops.rearrange", "einops.einops.rearrange") and len(node.args) == 2:
        pattern = node.args[1]
        plain = view_form(text_in(pattern), ctx.text(node.args[0]))
    else:
        return
    if not plain or ctx.is_compiled(node):
        return
    yield ctx.finding(
        RULE,
        node,
        f'parses "{text_in(pattern)}" on every call, where one plain operator does the same',
        help=f"write {plain}",
    )
