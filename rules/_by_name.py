"""Where a file has a name: asked for one name after the other, all nodes would be gone through each time."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ._once import once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import Context

__all__ = ["attributes_named", "variables_named"]


def variables_named(name: str, ctx: Context) -> Sequence[ast.Name]:
    """The places that read, bind or delete a variable of a name, in source order."""
    return _variables(ctx).get(name, ())


def attributes_named(name: str, ctx: Context) -> Sequence[ast.Attribute]:
    """The places that read, bind or delete an attribute of a name, in source order."""
    return _attributes(ctx).get(name, ())


@once
def _variables(ctx: Context) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = {}
    for node in ctx.nodes(ast.Name):
        found.setdefault(node.id, []).append(node)
    return found


@once
def _attributes(ctx: Context) -> dict[str, list[ast.Attribute]]:
    found: dict[str, list[ast.Attribute]] = {}
    for node in ctx.nodes(ast.Attribute):
        found.setdefault(node.attr, []).append(node)
    return found
