"""OVH402: events and streams that are created in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_after, insert_before, replace, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Rule, RuntimeNeed

from .._blocks import block_of
from .._by_name import variables_named
from .._calls import argument_values
from .._classes import in_init
from .._handed import handed_over, run_by_partial, says_nothing
from .._hoists import loop_to_leave, moved_above
from .._names import own_name
from .._once import once
from .._taken import is_declared_outer
from .._wording import short
from ._streams import BUILT_EVENTS, BUILT_STREAMS
from ._waits import is_timing

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Edit, Finding

RULE = Rule(
    code="OVH402",
    name="event-per-step",
    summary="device event or stream created on every step",
    triggers=(b"Event", b"Stream", b"record_event"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_KEEP = "take it from a runtime.EventPool, or keep it on the object"
_CLASSES = frozenset(name.rpartition(".")[2] for name in BUILT_EVENTS | BUILT_STREAMS)
_RECORDING = frozenset(f"{name}.record_event" for name in BUILT_STREAMS)
_PLAIN_METACLASSES = frozenset({"ABCMeta", "EnumMeta", "EnumType", "type"})
_POOL = "_EVENTS"
_POOLED = "torch.cuda.Event"
_STARTING = ("Thread", "run_in_executor", "submit", "to_thread")
"""What has another thread run a function."""
_ASKING = frozenset({"query", "synchronize", "wait"})
"""Methods of events that record nothing."""
_PURPOSE = frozenset({"blocking", "enable_timing", "external", "interprocess"})
"""Arguments of events that are made for something else than to order streams."""


@RULE.on(ast.Call, named=(*BUILT_EVENTS, *BUILT_STREAMS))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``torch.cuda.Event()`` and ``torch.cuda.Stream()``."""
    name = ctx.qualified_name(node.func)
    if name in BUILT_EVENTS:
        if _has_purpose(node) or _costs_little(node, ctx) or _is_beside(node, ctx):
            return
        if _is_never_recorded(node, ctx):
            return
        yield ctx.finding(
            RULE,
            node,
            f"{name} creates an event on every call, and recording it creates another in the driver",
            help=_KEEP,
            fix=_fix(node, ctx),
        )
    elif name in BUILT_STREAMS and not _costs_little(node, ctx):
        yield ctx.finding(
            RULE,
            node,
            f"{name} takes another stream each time, and the allocator shares no blocks between streams",
            help="create it once and keep it",
        )


@RULE.on(ast.Call)
def check_named_otherwise(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``stream.record_event()``, events of a device module, of a partial, of a field, by another name."""
    name = own_name(node.func)
    records = name == "record_event" and not node.args and not node.keywords
    if not (records or name in _CLASSES or _handed(ctx)) or not says_nothing(node, ctx):
        return
    run = set(ctx.apis(node))
    is_event = bool(run & (_RECORDING if records else BUILT_EVENTS))
    if not (is_event or run & BUILT_STREAMS) or _has_purpose(node) or _costs_little(node, ctx):
        return
    if is_event and _is_beside(node, ctx):
        return
    called = f"{short(node.func, ctx)}()"
    if is_event:
        what = "makes an event" if not records else "without an event makes one"
        help = "give it an event that is kept, or one of a runtime.EventPool" if records else _KEEP
        yield ctx.finding(
            RULE,
            node,
            f"{called} {what} on every call, and recording it creates another in the driver",
            help=help,
        )
    else:
        yield ctx.finding(
            RULE,
            node,
            f"{called} takes another stream each time, and the allocator shares no blocks between streams",
            help="create it once and keep it",
        )


@RULE.on(ast.Call, named={"functools.partial"})
def check_partial(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A partial call that makes an event each time that another file calls it."""
    runs = run_by_partial(node, BUILT_EVENTS, ctx)
    if runs is not None and not _has_purpose(node) and not _costs_little(node, ctx):
        yield ctx.finding(
            RULE,
            node,
            "what this gives makes an event on every call, and recording it creates another in the driver",
            help=_KEEP,
            runs=runs,
        )


@once
def _handed(ctx: Context) -> bool:
    """Whether the file hands over or keeps a class of events or streams."""
    return bool(handed_over(BUILT_EVENTS | BUILT_STREAMS, ctx))


def _has_purpose(node: ast.Call) -> bool:
    """Whether an event is made for something else than to order streams; a default may be written out."""
    return any(
        item.arg in _PURPOSE and not (isinstance(item.value, ast.Constant) and not item.value.value)
        for item in node.keywords
    )


def _costs_little(node: ast.Call, ctx: Context) -> bool:
    """Whether it is there to take times, or is made once."""
    return is_timing(node, ctx) or _is_made_once(node, ctx)


def _is_beside(node: ast.Call, ctx: Context) -> bool:
    """Whether another thread runs the function around, and makes one each time that it is started."""
    function = ctx.function(node)
    name = getattr(function.node, "name", "") if function is not None and not ctx.loops(node) else ""
    given = (one for called in _STARTING for call in ctx.calls(called) for one in argument_values(call))
    return bool(name) and any(own_name(one) == name for one in given)


def _is_never_recorded(node: ast.Call, ctx: Context) -> bool:
    """Whether nobody records an event: the driver makes none then, and waiting for it returns at once."""
    statement, function = ctx.parent(node), ctx.function(node)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) if function is not None:
            if is_declared_outer(name, function.node, ctx):
                return False
            within = {*ctx.within(function.node, ast.Name)}
            uses = [
                use for use in variables_named(name, ctx) if use in within and isinstance(use.ctx, ast.Load)
            ]
            return bool(uses) and all(_only_waits(use, ctx) for use in uses)
    return False


def _only_waits(use: ast.Name, ctx: Context) -> bool:
    """Whether a use of an event asks for it, or has somebody wait for it, and does nothing else with it."""
    parent = ctx.parent(use)
    if isinstance(parent, ast.Attribute):
        return parent.attr in _ASKING
    return isinstance(parent, ast.Call) and own_name(parent.func) == "wait_event"


def _is_made_once(node: ast.Call, ctx: Context) -> bool:
    """Whether a metaclass decides how often the constructor around runs: most keep the one instance."""
    cls = ctx.cls(node)
    return (
        cls is not None
        and in_init(node, ctx)
        and any(
            item.arg == "metaclass" and own_name(item.value) not in _PLAIN_METACLASSES
            for item in cls.node.keywords
        )
    )


def _fix(node: ast.Call, ctx: Context) -> Fix | None:
    last, anchor = _last_use(node, ctx), _first_definition(ctx)
    if last is None or ctx.is_compiled(node) or ctx.qualified_name(node.func) != _POOLED:
        return None
    plain = _kept_above(node, ctx)
    if anchor is None:
        return plain
    target = ctx.statement(node)
    assert isinstance(target, ast.Assign) and isinstance(target.targets[0], ast.Name)
    edits: tuple[Edit, ...] = (
        replace(node, f"{_POOL}.acquire()"),
        insert_after(last, f"{_POOL}.release({{event}})", event=target.targets[0]),
    )
    if not ctx.is_bound(_POOL, node):
        pool = insert_before(anchor, f"{_POOL} = {{runtime}}.EventPool()", blank_lines=2)
        imports = (runtime_import(ctx.runtime_module),)
        return Fix(Applicability.UNSAFE, "take it from a pool", (*edits, pool), imports, plain)
    if not _has_pool(ctx):
        return plain
    return Fix(
        Applicability.UNSAFE,
        "take it from a pool",
        edits,
        without_runtime=plain,
        runtime_need=RuntimeNeed.PRESENT,
    )


def _kept_above(node: ast.Call, ctx: Context) -> Fix | None:
    """Return the fix that creates an event once above the loop, whose rounds record it again.

    Who waits for an event waits for what was recorded when it was told to, so that a later record changes
    nothing for it.
    """
    loop = loop_to_leave(node, ctx)
    edits = moved_above(node, loop, ctx) if loop is not None else ()
    return Fix(Applicability.UNSAFE, "create it once above the loop", edits) if edits else None


def _last_use(node: ast.Call, ctx: Context) -> ast.stmt | None:
    """The last use of a local event, if all that happens to it is recording and waiting in its own block."""
    statement, function = ctx.parent(node), ctx.function(node)
    if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1) or function is None:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or node.args or node.keywords:
        return None
    if is_declared_outer(target.id, function.node, ctx):
        return None  # others may wait for it
    block = block_of(statement, ctx)
    last: ast.stmt = statement
    for name in ctx.within(function.node, ast.Name):
        if name.id != target.id or name is target:
            continue
        use = ctx.statement(name)
        if use not in block or not isinstance(use, ast.Expr) or not _orders(name, use.value, ctx):
            return None
        if block.index(use) < block.index(statement):
            return None
        last = max(last, use, key=block.index)
    if last is statement or any(
        _leaves(other) for other in block[block.index(statement) : block.index(last)]
    ):
        return None
    return last


def _orders(name: ast.Name, value: ast.expr, ctx: Context) -> bool:
    """Whether a whole statement is ``event.record(...)``, ``event.wait(...)`` or ``x.wait_event(event)``."""
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return False
    if value.func.value is name:
        return value.func.attr in ("record", "wait")
    return value.func.attr == "wait_event" and value.args == [name]


def _leaves(statement: ast.stmt) -> bool:
    """Whether a statement may leave the block, so that what follows would not run."""
    return any(
        isinstance(
            item, (ast.Return, ast.Break, ast.Continue, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
        )
        for item in ast.walk(statement)
    )


def _first_definition(ctx: Context) -> ast.stmt | None:
    """The first class or function of the module, before which a pool can stand."""
    return next(
        (
            item
            for item in ctx.tree.body
            if isinstance(item, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        ),
        None,
    )


def _has_pool(ctx: Context) -> bool:
    """Whether the module binds the pool already, once, as the fix would."""
    bound = [
        item.value
        for item in ctx.tree.body
        if isinstance(item, ast.Assign) and any(ctx.text(target) == _POOL for target in item.targets)
    ]
    return (
        len(bound) == 1
        and isinstance(bound[0], ast.Call)
        and ctx.qualified_name(bound[0].func) == f"{ctx.runtime_module}.EventPool"
    )
