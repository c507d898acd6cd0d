"""OVH606: messages of debug logs that are formatted whether anybody logs them or not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH606",
    name="eager-log-format",
    summary="debug message formatted on every step",
    triggers=(b".debug(",),
    heat=Heat.STEP,
)

_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)


@RULE.on(ast.Call)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``logger.debug(f"...")`` of a logger that comes from `logging`, or of a function that hands it on."""
    if len(node.args) != 1 or not isinstance(node.args[0], (ast.JoinedStr, ast.BinOp)):
        return
    texts = [node.args[0], *ctx.within(node.args[0], ast.JoinedStr)]
    text = next((part for part in texts if isinstance(part, ast.JoinedStr)), None)
    if text is None:
        return
    is_log = isinstance(node.func, ast.Attribute) and node.func.attr == "debug"
    if isinstance(node.func, ast.Attribute) and is_log:
        if not _is_logger(node.func.value, ctx):
            return
    elif not _passes_on(node.func, ctx):
        return
    values = [part for part in text.values if isinstance(part, ast.FormattedValue)]
    if not values or ctx.is_compiled(node):
        return
    tensor = any(ctx.kind(part.value) in _TENSORS for part in values)
    what = "reads a tensor back and formats it" if tensor else "formats its message"
    yield ctx.finding(
        RULE,
        node,
        f"debug log {what} before it asks whether anybody logs at that level",
        help="give the logger a format and arguments: it formats what it logs",
        fix=_fix(node, text) if is_log and text is node.args[0] else None,
    )


def _passes_on(function: ast.expr, ctx: Context) -> bool:
    """Whether a function of this file does nothing with its only parameter but log it at debug level."""
    for one in ctx.functions():
        if one.cls is not None or not isinstance(one.node, ast.FunctionDef):
            continue
        if isinstance(function, ast.Name) and one.qualname == function.id:
            parameters = [argument.arg for argument in one.node.args.args]
            uses = [use for use in ctx.within(one.node, ast.Name) if parameters == [use.id]]
            return bool(uses) and all(_is_logged(use, ctx) for use in uses)
    return False


def _is_logged(use: ast.Name, ctx: Context) -> bool:
    """Whether a name is the message of ``logger.debug(...)``, of this file's logger or an imported one."""
    call = ctx.parent(use)
    if not (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "debug"
    ):
        return False
    logger = call.func.value
    imported = (ctx.qualified_name(logger) or "").rpartition(".")[2] == "logger"
    return call.args == [use] and (imported or _is_logger(logger, ctx))


def _is_logger(node: ast.expr, ctx: Context) -> bool:
    """Whether it is the module `logging`, or a name bound once to a logger of it."""
    if ctx.qualified_name(node) == "logging":
        return True
    made = ctx.value(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    return isinstance(made, ast.Call) and ctx.qualified_name(made.func) == "logging.getLogger"


def _fix(node: ast.Call, text: ast.JoinedStr) -> Fix | None:
    if node.keywords:
        return None
    pattern, arguments = "", []
    for part in text.values:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None or part.conversion not in (-1, ord("s"), ord("r")):
                return None
            pattern += "%r" if part.conversion == ord("r") else "%s"
            # Before Python 3.12 the parts of an f-string have no positions to take their text from.
            arguments.append(ast.unparse(part.value))
        elif isinstance(part, ast.Constant):
            pattern += str(part.value).replace("%", "%%")
    literal = repr(pattern) if '"' in pattern else '"' + repr(pattern + '"')[1:-2] + '"'
    code = ", ".join([literal, *arguments]).replace("{", "{{").replace("}", "}}")
    return Fix(
        Applicability.UNSAFE,
        "let the logger format the message",
        edits=(replace(node, f"{{debug}}({code})", debug=node.func),),
    )
