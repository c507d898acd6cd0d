"""OVH204: configs and dataclasses copied whole on every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Heat, Kind, Rule

from .._layers import is_of_layer
from .._wording import short
from ._keys import is_named_config

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH204",
    name="asdict-per-step",
    summary="config or arguments of a layer copied whole on every step",
    triggers=(b"asdict", b"astuple", b"deepcopy", b"dataclasses.replace", b"import replace"),
    heat=Heat.STEP,
    preview=True,
)

_COPIES = {
    "dataclasses.asdict": "copies {} field by field, with all that they hold",
    "dataclasses.astuple": "copies {} field by field, with all that they hold",
    "dataclasses.replace": "builds {} anew from all of its fields",
    "copy.deepcopy": "copies {} with all that it holds",
}
_HELP = {
    "dataclasses.asdict": "read the fields that are needed, or keep the dict until the object changes",
    "dataclasses.astuple": "read the fields that are needed, or keep the tuple until the object changes",
    "dataclasses.replace": "keep the changed object, or set the field",
    "copy.deepcopy": "copy what will be changed, or copy once and reset it",
}


@RULE.on(ast.Call, named=_COPIES)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``asdict(config)``, ``copy.deepcopy(self.config)`` and kin."""
    name = ctx.qualified_name(node.func)
    if name not in _COPIES or not node.args or ctx.is_compiled(node):
        return
    subject = node.args[0]
    if not is_of_layer(ctx.warmth(node)):
        return  # whoever loads data, or keeps results, mostly means to copy
    if name == "dataclasses.replace" and not is_named_config(subject):
        return
    if name == "copy.deepcopy" and (_is_cheap(subject, ctx) or _must_be_copied(node, ctx)):
        return
    yield ctx.finding(RULE, node, _COPIES[name].format(short(subject, ctx)), help=_HELP[name])


def _is_cheap(subject: ast.expr, ctx: Context) -> bool:
    """Whether a deep copy is of a number, a tensor, or something small that is written out."""
    if ctx.kind(subject) in (Kind.NUMBER, Kind.TENSOR, Kind.HOST_TENSOR, Kind.ARRAY):
        return True
    return isinstance(subject, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set))


def _must_be_copied(node: ast.Call, ctx: Context) -> bool:
    """Whether the copy is kept for later, as best weights and snapshots are: that is what it is for."""
    statement = ctx.statement(node)
    if isinstance(statement, ast.Return):
        return True
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)
