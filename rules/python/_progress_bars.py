"""Progress bars that are drawn anew by what is said beside them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .._assignments import value_behind
from .._calls import has_unpacked
from .._names import own_name
from .._vocabulary import PROGRESS

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["SETTERS", "redraws"]

_POSTFIXES = frozenset({"set_postfix", "set_postfix_str"})
_DESCRIPTIONS = frozenset({"set_description", "set_description_str"})
SETTERS = _POSTFIXES | _DESCRIPTIONS
"""Methods of tqdm's bars that draw the bar unless they are told not to."""
# Of these the second positional argument says whether to draw; set_postfix takes a dictionary first, too.
_MAKERS = frozenset({"tqdm", "trange", "tqdm_notebook", "tnrange", "progress_bar"})


def redraws(node: ast.Call, ctx: Context) -> bool:
    """Whether a call draws a progress bar of tqdm, however long ago that was done last."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in SETTERS:
        return False
    given = len(node.args) + len(node.keywords)
    if not given or len(node.args) > 1 or has_unpacked(node):
        return False
    if any(keyword.arg == "refresh" for keyword in node.keywords):
        return False
    return node.func.attr in _POSTFIXES or _is_bar(node.func.value, ctx)


def _is_bar(node: ast.expr, ctx: Context) -> bool:
    """Whether a name is bound to ``tqdm(...)`` or says that it is a bar; others have descriptions, too."""
    value = value_behind(node, ctx)
    if isinstance(value, ast.Call):
        return own_name(value.func) in _MAKERS
    return own_name(node).lower().endswith(tuple(PROGRESS))
