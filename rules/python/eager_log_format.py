"""OVH606: messages that are formatted whether anybody reads them or not: debug logs, progress bars."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, set_argument
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule

from ._progress_bars import SETTERS, redraws

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH606",
    name="eager-log-format",
    summary="message formatted on every step for nobody",
    triggers=(b".debug(", b".set_postfix", b".set_description"),
    heat=Heat.STEP,
)

_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)
_LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOGGER_NAMES = frozenset({"log", "logger", "logging"})


@RULE.on(ast.Call)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``logger.debug(f"...")`` of a logger that comes from `logging`, or of a function that hands it on."""
    if not node.args:
        return
    is_log = isinstance(node.func, ast.Attribute) and node.func.attr == "debug"
    text = _formatted(node.args[0], ctx) if len(node.args) == 1 else None
    values = _values(text) if text is not None else _worked_out(node.args[1:]) if is_log else []
    if not values or ctx.is_compiled(node):
        return
    if isinstance(node.func, ast.Attribute) and is_log:
        if not _is_logger(node.func.value, ctx):
            return
    elif not _passes_on(node.func, ctx):
        return
    tensor = any(ctx.kind(value) in _TENSORS for value in values)
    what = "reads a tensor back and formats it" if tensor else "formats its message"
    if text is None:
        what = f"works out {_short(values[0], ctx)}"
    yield ctx.finding(
        RULE,
        node,
        f"debug log {what} before it asks whether anybody logs at that level",
        help=(
            "give the logger a format and arguments: it formats what it logs"
            if text is not None
            else "ask logger.isEnabledFor(logging.DEBUG) first"
        ),
        fix=_fix(node, text) if is_log and isinstance(text, ast.JoinedStr) and text is node.args[0] else None,
    )


@RULE.on(ast.Call, named=SETTERS)
def check_bar(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``bar.set_postfix(loss=loss)``, which draws the bar each time, whatever ``mininterval`` says."""
    if redraws(node, ctx) and not ctx.is_compiled(node):
        yield ctx.finding(
            RULE,
            node,
            f"{ctx.text(node.func)}() draws the progress bar on each call, however fast these come",
            help="pass refresh=False: the bar then shows it when it is drawn next",
            fix=Fix(
                Applicability.UNSAFE,
                "leave drawing to the bar's own interval",
                edits=(set_argument(node, "refresh", "False"),),
            ),
        )


def _formatted(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The part of a message that formats values: an f-string, ``"..." % value``, ``"...".format(value)``."""
    if isinstance(node, (ast.JoinedStr, ast.BinOp)):
        parts = [node, *ctx.within(node, ast.JoinedStr)]
        found = next((part for part in parts if isinstance(part, ast.JoinedStr)), None)
        if found is not None:
            return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left):
        return node
    method = node.func if isinstance(node, ast.Call) else None
    if isinstance(method, ast.Attribute) and method.attr == "format" and _is_text(method.value):
        return node
    return None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _values(text: ast.expr) -> list[ast.expr]:
    """What a formatted text is made of, constants left out."""
    found: list[ast.expr] = []
    if isinstance(text, ast.JoinedStr):
        found = [part.value for part in text.values if isinstance(part, ast.FormattedValue)]
    elif isinstance(text, ast.BinOp):
        found = text.right.elts if isinstance(text.right, ast.Tuple) else [text.right]
    elif isinstance(text, ast.Call):
        found = [*text.args, *(keyword.value for keyword in text.keywords)]
    return [value for value in found if not isinstance(value, ast.Constant)]


def _worked_out(arguments: list[ast.expr]) -> list[ast.expr]:
    """Arguments of a log call that take a loop to work out, whether they are logged or not."""
    return [
        argument
        for argument in arguments
        if isinstance(argument, _LOOPS)
        or (isinstance(argument, ast.Call) and any(isinstance(inner, _LOOPS) for inner in argument.args))
    ]


def _short(node: ast.expr, ctx: Context) -> str:
    text = " ".join(ctx.text(node).split())
    return text if len(text) <= 40 else text[:37] + "..."


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
    """Whether it is the module `logging`, or a name that is bound to a logger, or says that it is one."""
    if ctx.qualified_name(node) == "logging":
        return True
    name = _last_name(node)
    made = ctx.value(node) if isinstance(node, (ast.Name, ast.Attribute)) else node
    if isinstance(made, ast.Call):
        return _last_name(made.func) in {"getLogger", "get_logger"}
    return name.lower().rpartition("_")[2] in _LOGGER_NAMES


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


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
