"""OVH606: messages that are formatted whether anybody reads them or not: logs, checks, progress bars."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, set_argument
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule

from .._names import is_loss, own_name
from .._once import once
from .._texts import made_text
from .._wording import short
from ._log_arguments import laid_out
from ._loggers import debug_message, is_once, is_usual
from ._messages import formatted, holds_tensor, is_for_failure, is_long, reads_of, values, worked_out
from ._prints import SHOWN_BY, is_left_over
from ._progress_bars import SETTERS, redraws

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH606",
    name="eager-log-format",
    summary="message formatted on every step for nobody",
    triggers=(
        *(b".debug(", b".log(", b"_once(", b".set_postfix", b".set_description"),
        *(
            b"raise ",
            b"assert ",
            b'f"',
            b"f'",
            b".format(",
            b"print(",
            b".info(",
            b".warn",
            b".error(",
            b"std",
        ),
    ),
    heat=Heat.STEP,
    brief=True,
    stable_since="0.2.0",
)

_ASKS = frozenset({"all", "any", "bool", "callable", "hasattr", "isinstance", "issubclass"})

_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)


@RULE.on(ast.Call)
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``logger.debug(f"...")`` of a logger that comes from `logging`."""
    if not _may_show(node):
        return
    given = debug_message(node, ctx)
    is_log = given is not None
    once = given is None and is_once(node, ctx)
    if once and is_usual(node, ctx):
        given = node.args[-1:]
    if not given or ctx.is_compiled(node):
        return
    text = formatted(given[0], ctx) if len(given) == 1 else None
    parts = values(text, ctx) if text is not None else worked_out(given[1:] or given, ctx) if is_log else []
    if not parts:
        return
    tensor = holds_tensor(parts, ctx)
    what = "waits for a tensor's value and formats it" if tensor else "formats its message"
    if text is None:
        what = f"works out {short(parts[0], ctx)}"
    plain = is_log and isinstance(text, ast.JoinedStr) and text is node.args[0]
    yield ctx.finding(
        RULE,
        node,
        f"debug log {what} even where nobody logs at that level"
        if not once
        else f"{short(node.func, ctx)}() {what} each time, though it is shown once",
        help=_advice(not once, text is not None),
        fix=_fix(node, text, ctx) if plain and isinstance(text, ast.JoinedStr) else None,
    )


def _may_show(node: ast.Call) -> bool:
    """Whether a call may be one that logs, by the name of its method or by what it is handed alone."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name in ("debug", "log") or name.endswith("_once"):
        return True
    return len(node.args) == 1 and isinstance(node.args[0], (ast.BinOp, ast.Call, ast.JoinedStr))


@RULE.on(ast.Assign)
def check_kept(node: ast.Assign, ctx: Context) -> Iterator[Finding]:
    """``message = f"..."`` and ``total = sum(...)`` for a debug log, or for ``raise`` in a branch, alone."""
    if len(node.targets) != 1 or not isinstance(target := node.targets[0], ast.Name):
        return
    if target.id not in _shown(ctx):
        return
    text = formatted(node.value, ctx)
    parts = values(text, ctx) if text is not None else worked_out([node.value], ctx)
    if not parts or ctx.value(target) is not node.value or ctx.is_compiled(node):
        return
    uses = reads_of(target, ctx)
    failures = [is_for_failure(use, ctx) for use in uses]
    if not uses or not all(
        failed or _is_debugged(use, ctx) for failed, use in zip(failures, uses, strict=True)
    ):
        return
    if text is None and any(failures):
        return  # a reading of the values that a failure is about
    what = "formats a message" if text is not None else f"works out {short(node.value, ctx)}"
    if holds_tensor(parts, ctx):
        what = "formats a tensor" if text is not None else f"works out {short(node.value, ctx)}"
    yield ctx.finding(
        RULE,
        node.value,
        f"{what} that only {'a failure' if all(failures) else 'a debug log'} shows",
        help="make it where it is shown" if all(failures) else "ask logger.isEnabledFor(logging.DEBUG) first",
    )


@RULE.on(ast.Expr)
def check_message(node: ast.Expr, ctx: Context) -> Iterator[Finding]:
    """``check(x.ndim == 4, f"got {x}")``: the message of a check that nearly always holds."""
    call = node.value
    if not isinstance(call, ast.Call) or len(call.args) + len(call.keywords) < 2:
        return
    if not call.args or not _is_condition(call.args[0], ctx) or ctx.is_compiled(node):
        return
    for argument in (*call.args[1:], *(item.value for item in call.keywords)):
        text = formatted(argument, ctx)
        parts = values(text, ctx) if text is not None else []
        if holds_tensor(parts, ctx) or any(is_long(part, ctx) for part in parts):
            what = (
                "waits for a tensor's value and formats it"
                if holds_tensor(parts, ctx)
                else "formats its message"
            )
            yield ctx.finding(
                RULE,
                argument,
                f"{short(call.func, ctx)}() {what} also when the check holds",
                help="ask first: if not ...: raise ..., so that the message is made for a failure alone",
            )
            return


@RULE.on(ast.Call, named=SETTERS)
def check_bar(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``bar.set_postfix(loss=loss)``, which draws the bar each time, whatever ``mininterval`` says."""
    if redraws(node, ctx) and not ctx.is_compiled(node):
        yield ctx.finding(
            RULE,
            node,
            f"{short(node.func, ctx)}() draws the progress bar on each call, however fast these come",
            help="pass refresh=False: the bar then shows it when it is drawn next",
            fix=Fix(
                Applicability.UNSAFE,
                "leave drawing to the bar's own interval",
                edits=(set_argument(node, "refresh", "False"),),
            ),
        )


@once
def _shown(ctx: Context) -> frozenset[str]:
    """Names that are read where something has failed, or in what may be a debug log."""
    places: list[ast.AST] = [*ctx.nodes(ast.Raise), *ctx.calls("debug"), *ctx.calls("log")]
    places += [test.msg for test in ctx.nodes(ast.Assert) if test.msg is not None]
    return frozenset(
        name.id
        for place in places
        for name in (place, *ctx.within(place, ast.Name))
        if isinstance(name, ast.Name)
    )


@RULE.on(ast.Call, named=SHOWN_BY)
def check_left_over(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``print("here", x.shape)`` in a layer, where nothing decides whether it runs."""
    if not ctx.is_compiled(node) and is_left_over(node, ctx):
        yield ctx.finding(
            RULE,
            node,
            f"{short(node.func, ctx)}() formats and shows a message each time",
            help="take it out, or give a logger the format and its arguments, at the debug level",
        )


def _advice(is_debug: bool, has_text: bool) -> str:
    if not is_debug:
        return "remember in a flag that it was shown, or leave values out of its text"
    if has_text:
        return "give the logger a format and arguments: it formats what it logs"
    return "ask logger.isEnabledFor(logging.DEBUG) first"


def _is_debugged(use: ast.Name, ctx: Context) -> bool:
    """Whether a name is read in the arguments of a debug log alone."""
    statement = ctx.statement(use)
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and bool(debug_message(call, ctx))


def _is_condition(node: ast.expr, ctx: Context) -> bool:
    """Whether an argument is true or false by its form."""
    if isinstance(node, ast.BoolOp):
        return all(_is_condition(value, ctx) for value in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _ASKS and not ctx.is_bound(node.func.id, node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in {"all", "any", "is_floating_point", "is_complex"}
    return isinstance(node, ast.Compare)


def _fix(node: ast.Call, text: ast.JoinedStr, ctx: Context) -> Fix | None:
    """A pattern with arguments, unless working out an argument takes as much as the text did."""
    if node.keywords:
        return None
    pattern, values = "", []
    for part in text.values:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None or part.conversion not in (-1, ord("s"), ord("r")):
                return None
            value, is_repr = part.value, part.conversion == ord("r")
            if isinstance(value, ast.Call) and not is_repr and (made := made_text(value, ctx)):
                is_repr = own_name(value.func) == "repr"
                value = made[0]  # the logger makes a text of it, too
            elif part.conversion == -1 and _has_format_of_its_own(value, ctx):
                return None
            pattern += "%r" if is_repr else "%s"
            values.append(value)
        elif isinstance(part, ast.Constant):
            pattern += str(part.value).replace("%", "%%")
    if worked_out(values, ctx):
        return None
    # Before Python 3.12 the parts of an f-string have no positions to take their text from.
    code = laid_out(pattern, [ast.unparse(value) for value in values], node, ctx)
    return Fix(
        Applicability.UNSAFE,
        "let the logger format the message",
        edits=(replace(node, "{debug}" + code.replace("{", "{{").replace("}", "}}"), debug=node.func),),
    )


def _has_format_of_its_own(value: ast.expr, ctx: Context) -> bool:
    """Whether an f-string shows a value otherwise than ``%s`` does: ``0.5`` of a tensor with one number."""
    return ctx.kind(value) in _TENSORS or (ctx.kind(value) is Kind.UNKNOWN and is_loss(value))
