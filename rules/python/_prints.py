"""Messages that a layer shows on each call, most of them left over from a search for a fault."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from overhead_lint.rule import Heat, Kind, ReasonKind
from overhead_lint.syntax.receivers import is_self

from .._blocks import holders
from .._layers import is_of_layer
from .._vocabulary import MESSAGE_FLAGS, SHOWING, one_of
from ._loggers import shown_message

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["SHOWN_BY", "is_left_over"]

_SHOWS: Final = re.compile(rf"(?i){one_of(SHOWING)}|str__")
_ASKS_FOR_MESSAGES: Final = re.compile(rf"(?i){one_of(SHOWING | MESSAGE_FLAGS)}")
_CHOICES: Final = (ast.If, ast.IfExp, ast.ExceptHandler, ast.match_case, ast.BoolOp)
_TENSORS: Final = (Kind.TENSOR, Kind.HOST_TENSOR)
_PRINTS: Final = frozenset(
    {"pprint.pprint", "rich.print", "sys.stderr.write", "sys.stdout.write", "warnings.warn"}
)
SHOWN_BY: Final = ("print", *sorted(_PRINTS), "error", "info", "warn", "warning")
"""Names of what shows messages."""


def is_left_over(node: ast.Call, ctx: Context) -> bool:
    """Whether a message is shown each time that a layer is called, whatever the values are.

    Or one without values in any step. Of tensors other rules speak, since the host waits for these.
    """
    function = ctx.function(node)
    if function is None or not node.args or not _is_message(node, ctx):
        return False
    if _SHOWS.search(function.qualname.rpartition(".")[2]) or _is_chosen(node, ctx) or _is_rest(node, ctx):
        return False
    shown = [part for argument in node.args for part in _shown(argument)]
    if any(ctx.kind(part) in _TENSORS or _is_handed(part, function.node, ctx) for part in shown):
        return False
    warmth = ctx.warmth(node)
    if warmth.kind is ReasonKind.HOOK:
        return False  # who puts a hook in place that prints wants to read it
    if _warns(node) and warmth.links > 1:
        return False  # helpers are called for what is unusual, too
    if warmth.links > 2:
        return False  # what is called that far away mostly runs for a reason that is not seen
    if is_of_layer(warmth):
        return True
    # A loop may tell of its rounds itself.
    said = all(isinstance(part, ast.Constant) for part in shown)
    return warmth.heat >= Heat.STEP and warmth.links > 1 and said


def _is_handed(part: ast.expr, function: ast.AST, ctx: Context) -> bool:
    """Whether a function shows what it is handed: then its callers have something to show."""
    return isinstance(part, ast.Name) and any(item.arg == part.id for item in ctx.within(function, ast.arg))


def _is_message(node: ast.Call, ctx: Context) -> bool:
    """Whether a call prints, or logs at a level that is shown."""
    if isinstance(node.func, ast.Name) and node.func.id == "print":
        return not ctx.is_bound("print", node) and not any(
            item.arg in {None, "file"} for item in node.keywords
        )
    return ctx.qualified_name(node.func) in _PRINTS or shown_message(node, ctx)


def _is_rest(node: ast.AST, ctx: Context) -> bool:
    """Whether the function may have left before, so that the message is for what is unusual."""
    function = ctx.function(node)
    return function is not None and any(
        leave.lineno < node.lineno and ctx.function(leave) is function  # type: ignore[attr-defined]
        for leave in ctx.within(function.node, ast.Return, ast.Continue, ast.Break)
    )


def _is_option(choice: ast.AST, child: ast.AST) -> bool:
    """Whether an option of the layer decides, which stays as it is, and is not there to ask for messages."""
    if not isinstance(choice, ast.If) or child is choice.test:
        return False
    asked = [part for part in ast.walk(choice.test) if isinstance(part, (ast.Attribute, ast.Call, ast.Name))]
    owners = [part.value for part in asked if isinstance(part, ast.Attribute)]
    return (
        bool(owners)
        and all(is_self(owner) for owner in owners)
        and all(isinstance(part, ast.Attribute) or part in owners for part in asked)
        and not any(
            isinstance(part, ast.Attribute) and _ASKS_FOR_MESSAGES.search(part.attr) for part in asked
        )
    )


def _warns(node: ast.Call) -> bool:
    """Whether a message is for what is unusual."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return name in {"error", "warn", "warning"}


def _shown(argument: ast.expr) -> list[ast.expr]:
    """What an argument shows: itself, or the values of an f-string."""
    if isinstance(argument, ast.JoinedStr):
        return [part.value for part in argument.values if isinstance(part, ast.FormattedValue)]
    return [argument]


def _is_chosen(node: ast.Call, ctx: Context) -> bool:
    """Whether something decides if the place runs, other than loops."""
    return any(
        isinstance(holder, _CHOICES) and (_warns(node) or not _is_option(holder, part))
        for holder, part in holders(node, ctx)
    )
