"""OVH401: an event between two streams that may be one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace, replace_statement, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule
from overhead_lint.syntax.dotted_names import is_dotted

from .._blocks import before
from ._streams import (
    BUILT_STREAMS,
    CURRENT,
    Origin,
    Stream,
    arguments_of,
    entered_stream,
    is_compared,
    is_event,
    stream_of,
)

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH401",
    name="same-stream-event",
    summary="event recorded and waited for where both streams may be the same",
    triggers=(b"wait_stream", b"wait_event", b".record("),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_OPEN = frozenset({Origin.GIVEN, Origin.FALLBACK})


@RULE.on(ast.Call, named=("wait_stream",))
def check_wait_stream(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``consumer.wait_stream(producer)``."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr == "wait_stream"):
        return
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        return
    consumer, producer = node.func.value, node.args[0]
    if _follows_its_reverse(node, consumer, producer, ctx):
        yield ctx.finding(
            RULE,
            node,
            "the streams wait for each other, one right after the other: nothing that follows on one "
            "can run beside what is on the other",
            help="wait in the one direction in which data goes",
        )
        return
    first, second = stream_of(consumer, ctx), stream_of(producer, ctx)
    if _is_entered_own(consumer, first, second, node, ctx) or _is_entered_own(
        producer, second, first, node, ctx
    ):
        yield ctx.finding(
            RULE,
            node,
            "inside its own `with` block the stream is the current stream, and waits for itself: "
            "an event is created and recorded, and orders nothing",
            help="wait before the block, where the current stream is still the other one",
        )
    elif (
        may_be_same(first, second)
        or _are_usual(first, second, ctx)
        or _are_same_for_callers(consumer, producer, ctx)
    ) and not is_compared(ctx, consumer, producer):
        function = ctx.function(node)
        is_safe = (
            first.proven
            and second.proven
            and not (function is not None and function.compiled)
            and not _has_own_streams(ctx)
        )
        applicability = Applicability.SAFE if is_safe else Applicability.UNSAFE
        yield ctx.finding(
            RULE,
            node,
            "wait_stream creates, records and waits for an event, also when both are the same stream, "
            f"and {_open_side(first, second)} may be the current stream",
            help="use runtime.wait_stream(consumer, producer), which does nothing for equal streams",
            fix=Fix(
                applicability,
                "use runtime.wait_stream",
                edits=(
                    replace(
                        node,
                        "{runtime}.wait_stream({consumer}, {producer})",
                        consumer=consumer,
                        producer=producer,
                    ),
                ),
                imports=(runtime_import(ctx.runtime_module),),
                without_runtime=_compared(node, consumer, producer, applicability, ctx),
            ),
        )


@RULE.on(ast.FunctionDef, ast.AsyncFunctionDef)
def check_pairs(function: ast.FunctionDef | ast.AsyncFunctionDef, ctx: Context) -> Iterator[Finding]:
    """``event.record(producer)`` and ``consumer.wait_event(event)`` in one function."""
    records: dict[str, list[tuple[ast.Call, ast.expr | None]]] = {}
    waits: list[tuple[ast.Call, str, ast.expr | None]] = []
    for call in ctx.within(function, ast.Call):
        if not isinstance(call.func, ast.Attribute) or len(call.args) > 1 or call.keywords:
            continue
        owner, argument = call.func.value, call.args[0] if call.args else None
        if call.func.attr == "record":
            records.setdefault(ctx.text(owner), []).append((call, argument))
        elif call.func.attr == "wait_event" and argument is not None:
            waits.append((call, ctx.text(argument), owner))
        elif call.func.attr == "wait":
            waits.append((call, ctx.text(owner), argument))
    for wait, event, consumer in waits:
        if len(records.get(event, ())) != 1:
            continue
        record, producer = records[event][0]
        assert isinstance(record.func, ast.Attribute)
        if entered_stream(wait, ctx) is not entered_stream(record, ctx):
            continue
        given = [stream_of(side, ctx) for side in (consumer, producer) if side is not None]
        if not any(stream.proven for stream in given) and not is_event(record.func.value, ctx):
            continue
        first, second = (stream_of(side, ctx) if side else CURRENT for side in (consumer, producer))
        is_same = may_be_same(first, second) or _are_same_for_callers(consumer, producer, ctx)
        if not is_same or is_compared(ctx, consumer, producer):
            continue
        yield ctx.finding(
            RULE,
            wait,
            f"{event} is recorded (line {record.lineno}) and waited for also when both are the same stream, "
            f"and {_open_side(first, second)} may be the current stream",
            help="compare the streams first, or use runtime.wait_stream(consumer, producer) for the pair",
        )


def _compared(
    node: ast.Call, consumer: ast.expr, producer: ast.expr, applicability: Applicability, ctx: Context
) -> Fix | None:
    """Return the fix that compares the streams first, where asking twice for them changes nothing."""
    statement = ctx.parent(node)
    if not isinstance(statement, ast.Expr) or not (_is_read(consumer, ctx) and _is_read(producer, ctx)):
        return None
    template = "if {consumer} != {producer}:\n    {call}"
    edit = replace_statement(statement, template, consumer=consumer, producer=producer, call=node)
    return Fix(applicability, "compare the streams first", edits=(edit,))


def _is_read(stream: ast.expr, ctx: Context) -> bool:
    """Whether an expression only reads which stream it is: a name, an attribute, the current stream."""
    if isinstance(stream, ast.Call) and not stream.args and not stream.keywords:
        return (ctx.qualified_name(stream.func) or "").endswith((".current_stream", ".default_stream"))
    return is_dotted(stream)


def _follows_its_reverse(node: ast.Call, consumer: ast.expr, producer: ast.expr, ctx: Context) -> bool:
    """Whether the statement before is ``producer.wait_stream(consumer)``."""
    last = before(ctx.statement(node), ctx)[-1:]
    call = last[0].value if last and isinstance(last[0], ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "wait_stream"
        and len(call.args) == 1
        and ctx.text(call.func.value) == ctx.text(producer)
        and ctx.text(call.args[0]) == ctx.text(consumer)
    )


def may_be_same(first: Stream, second: Stream) -> bool:
    """Whether nothing tells the two streams apart, and one is open to being the other."""
    if Origin.UNKNOWN in (first.origin, second.origin):
        return False
    if first.origin is Origin.CURRENT and second.origin is Origin.CURRENT:
        return first.key == second.key
    if Origin.OWN in (first.origin, second.origin):
        return False
    # Two streams that callers give are two for a reason; the current stream is whatever is current.
    origins = (first.origin, second.origin)
    return Origin.FALLBACK in origins or (Origin.GIVEN in origins and Origin.CURRENT in origins)


def _are_usual(first: Stream, second: Stream, ctx: Context) -> bool:
    """Whether they are the current and the default stream of a device, in a file that enters no other."""
    kinds = {stream.key.partition("(")[0] for stream in (first, second)}
    devices = {stream.key.partition("(")[2] for stream in (first, second)}
    return (
        first.origin is Origin.CURRENT is second.origin
        and kinds == {"current", "default"}
        and len(devices) == 1
        and not any(ctx.calls(name) for name in ("stream", "StreamContext"))
    )


def _are_same_for_callers(consumer: ast.expr | None, producer: ast.expr | None, ctx: Context) -> bool:
    """Whether two parameters may be one stream in a call of the file."""
    if not (isinstance(consumer, ast.Name) and isinstance(producer, ast.Name)):
        return False
    pairs = [
        (given[consumer.id], given[producer.id])
        for given in arguments_of(consumer, ctx)
        if {consumer.id, producer.id} <= given.keys()
    ]
    return any(may_be_same(stream_of(one, ctx), stream_of(other, ctx)) for one, other in pairs)


def _is_entered_own(own: ast.expr, stream: Stream, other: Stream, node: ast.AST, ctx: Context) -> bool:
    entered = entered_stream(node, ctx)
    return (
        entered is not None
        and ctx.text(entered) == ctx.text(own)
        and stream.origin in (Origin.OWN, Origin.GIVEN, Origin.FALLBACK)
        and other.key == "current()"
    )


def _has_own_streams(ctx: Context) -> bool:
    """Whether a class of the file derives from a stream: it may wait in its own way."""
    return any(BUILT_STREAMS.intersection(cls.bases) for cls in ctx.classes())


def _open_side(first: Stream, second: Stream) -> str:
    for stream in (first, second):
        if stream.origin in _OPEN:
            return stream.key
    return "each side"
