"""What a stream expression stands for, and which values of a step are on the device."""

from __future__ import annotations

import ast
import enum
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import all_parameters, positional, with_defaults
from overhead_lint.tuples import NamedTuple

from .._blocks import holders, scope_of
from .._classes import class_named
from .._families import family
from .._literals import is_none
from .._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context

BUILT_STREAMS = frozenset(
    {
        "torch.cuda.Stream",
        "torch.cuda.streams.Stream",
        "torch.cuda.ExternalStream",
        "torch.Stream",
        "torch.xpu.Stream",
    }
)
_CURRENT = frozenset(
    {"torch.cuda.current_stream", "torch.xpu.current_stream", "torch.accelerator.current_stream"}
)
_DEFAULT = frozenset({"torch.cuda.default_stream"})
BUILT_EVENTS = frozenset({"torch.cuda.Event", "torch.Event", "torch.xpu.Event"})
_ENTERED = frozenset({"torch.cuda.stream", "torch.cuda.StreamContext", "torch.xpu.stream"})


class Origin(enum.Enum):
    """Where a stream comes from."""

    UNKNOWN = "unknown"
    OWN = "own"
    """Built here: never the current stream, unless it is entered."""
    CURRENT = "current"
    """The current or default stream."""
    GIVEN = "given"
    """A parameter: whatever the caller has, the current stream too."""
    FALLBACK = "fallback"
    """The current stream when nothing else was given."""


class Stream(NamedTuple):
    """A stream expression: where it comes from, and whether it is certainly a torch stream."""

    origin: Origin
    proven: bool
    key: str
    """Equal for expressions that stand for the same stream, within one statement list."""


CURRENT = Stream(Origin.CURRENT, True, "current()")
"""What a call without a stream works on."""


def stream_of(node: ast.expr, ctx: Context, *, steps: int = 6) -> Stream:
    """What a stream expression stands for, as far as this file shows.

    Args:
        node: the expression.
        ctx: its file.
        steps: how many assignments to follow: names may be bound in a circle.
    """
    if isinstance(node, ast.Call):
        return _called(node, ctx)
    values = [value for value in _bound_values(node, ctx) if not is_none(value)] if steps else []
    found = _origin_of_values(values, ctx, steps)
    if found.origin is not Origin.UNKNOWN:
        if found.proven and _may_be_other(node, ctx):
            found = found._replace(proven=False)
        return found if found.origin is Origin.CURRENT else found._replace(key=ctx.text(node))
    annotated, is_parameter = _parameter(node, ctx)
    if is_parameter:
        assert isinstance(node, ast.Name)
        if steps and (_is_callers_own(node, ctx, steps) or _is_entered(node, ctx)):
            return Stream(Origin.OWN, False, ctx.text(node))
        is_as_given = all(isinstance(one, ast.arg) for one in ctx.bindings(node))
        return Stream(Origin.GIVEN, annotated and is_as_given, ctx.text(node))
    return Stream(Origin.UNKNOWN, annotated, ctx.text(node))


def _called(node: ast.Call, ctx: Context) -> Stream:
    name = ctx.qualified_name(node.func)
    arguments = ", ".join(ctx.text(item) for item in node.args)
    if name in BUILT_STREAMS:
        return Stream(Origin.OWN, True, ctx.text(node))
    if name in _CURRENT:
        return Stream(Origin.CURRENT, True, f"current({arguments})")
    if name in _DEFAULT:
        return Stream(Origin.CURRENT, True, f"default({arguments})")
    return Stream(Origin.UNKNOWN, False, ctx.text(node))


def _bound_values(node: ast.expr, ctx: Context) -> list[ast.expr]:
    """What a name, ``self.attribute`` in its class, or what a class holds is assigned, in all branches."""
    value = ctx.value(node)
    if value is not None:
        return [value] if value is not node else []
    function, cls = ctx.function(node), ctx.cls(node)
    if isinstance(node, ast.Name):
        scope: ast.AST | None = function.node if function is not None else None
    elif isinstance(node, ast.Attribute) and class_named(ctx.qualified_name(node.value), ctx) is not None:
        scope = ctx.tree
    else:
        scope = cls.node if cls is not None and ctx.text(node).startswith("self.") else None
    assigned = ctx.within(scope, ast.Assign) if scope is not None else ()
    pairs = (
        pair for assign in assigned for target in assign.targets for pair in _pairs(target, assign.value)
    )
    return [given for target, given in pairs if ctx.text(target) == ctx.text(node)]


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Return what an assignment gives to what: of tuples that are written out, part by part."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            return list(zip(targets, values, strict=True))
    return [(target, value)]


def _may_be_other(node: ast.expr, ctx: Context) -> bool:
    """Whether a name or an attribute is bound in some other way than by plain assignments of its scope.

    An annotated parameter is what it says.
    """
    if isinstance(node, ast.Attribute):
        return _is_bound_elsewhere(node, ctx)
    if not isinstance(node, ast.Name) or ctx.value(node) is not None:
        return False
    annotated, _ = _parameter(node, ctx)
    return not all(
        annotated if isinstance(one, ast.arg) else _is_assigned(one, ctx) for one in ctx.bindings(node)
    )


def _is_bound_elsewhere(node: ast.Attribute, ctx: Context) -> bool:
    """Whether the file binds an attribute so called for any object but that of the class around it."""
    cls = ctx.cls(node)
    related = family(cls, ctx) if cls is not None else []
    for item in ctx.nodes(ast.Attribute):
        if item.attr != node.attr or isinstance(item.ctx, ast.Load):
            continue
        is_same = ctx.text(item) == ctx.text(node)
        if is_same and ctx.cls(item) is cls and _is_assigned(item, ctx):
            continue
        if not is_same or ctx.cls(item) in related:
            return True
    named = (item for call in ctx.calls("setattr") for item in call.args)
    return any(isinstance(item, ast.Constant) and item.value == node.attr for item in named)


def _is_assigned(target: ast.AST, ctx: Context) -> bool:
    statement = ctx.parent(target)
    return isinstance(statement, ast.Assign) and target in statement.targets


def _origin_of_values(values: list[ast.expr], ctx: Context, steps: int) -> Stream:
    """One value, or alternatives of which one is the current stream."""
    choices: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.IfExp):
            choices += [value.body, value.orelse]
        elif isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
            choices += value.values
        elif isinstance(value, ast.Subscript) and isinstance(value.value, (ast.List, ast.Tuple)):
            choices += value.value.elts  # one of several that are written out
        else:
            choices.append(value)
    choices = [choice for choice in choices if not is_none(choice)]
    streams = [
        stream_of(choice, ctx, steps=steps - 1)
        for choice in choices
        if isinstance(choice, (ast.Call, ast.Name, ast.Attribute))
    ]
    if len(choices) == 1 and len(streams) == 1:
        return streams[0]
    if any(stream.origin is Origin.CURRENT for stream in streams):
        known = len(streams) == len(choices)
        return Stream(Origin.FALLBACK, known and all(stream.proven for stream in streams), "")
    return Stream(Origin.UNKNOWN, False, "")


def _is_side_stream(node: ast.Name, ctx: Context) -> bool:
    """Whether callers who have no stream beside the current one give None, as the code around asks.

    Then nobody gives the current stream: a model that overlaps its layers makes one, or has none.
    """
    function = ctx.function(node)
    if function is None or function.cls is None or isinstance(function.node, ast.Lambda):
        return False
    return _is_none_by_default(node.id, function.node.args) and any(
        isinstance(test.ops[0], ast.IsNot)
        and isinstance(test.left, ast.Attribute)
        and is_none(test.comparators[0])
        and isinstance(kept := ctx.value(test.left), ast.Name)
        and kept.id == node.id
        for test in ctx.within(function.cls.node, ast.Compare)
    )


def _is_entered(node: ast.Name, ctx: Context) -> bool:
    """Whether the function around enters a parameter: it is written for a stream beside the current one."""
    function = ctx.function(node)
    return function is not None and any(
        isinstance(call.args[0], ast.Name) and call.args[0].id == node.id
        for call in ctx.within(function.node, ast.Call)
        if call.args and ctx.qualified_name(call.func) in _ENTERED
    )


def _is_none_by_default(name: str, arguments: ast.arguments) -> bool:
    """Whether a parameter is None where it is left out."""
    return any(one.arg == name and is_none(given) for one, given in with_defaults(arguments))


def _is_callers_own(node: ast.Name, ctx: Context, steps: int) -> bool:
    """Whether what the file gives a parameter is a stream that was made for it.

    By its calls of the function around, of the class where that is a constructor, and by keywords of the same
    name: models make a stream and hand it on to their layers under one name, some through other files.
    """
    given = [streams[node.id] for streams in arguments_of(node, ctx) if node.id in streams]
    given += [item.value for item in ctx.nodes(ast.keyword) if item.arg == node.id]
    known = [one for one in given if not is_none(one) and not _is_handed_on(one, node.id, ctx)]
    if not known:
        return _is_side_stream(node, ctx)
    return all(stream_of(one, ctx, steps=steps - 1).origin is Origin.OWN for one in known)


def _is_handed_on(given: ast.expr, name: str, ctx: Context) -> bool:
    """Whether a parameter is given on under its own name, kept first or not: others say what it is."""
    if isinstance(given, ast.Attribute):
        kept = ctx.value(given) if given.attr == name else None
        return kept is not None and isinstance(kept, ast.Name) and _is_handed_on(kept, name, ctx)
    if not (isinstance(given, ast.Name) and given.id == name):
        return False
    if not all(isinstance(one, ast.arg) for one in ctx.bindings(given)):
        return False  # the function makes one where it is given none
    function = ctx.function(given)
    while function is not None and isinstance(function.node, ast.Lambda) and not _takes(function.node, name):
        function = ctx.function(function.node)
    return function is not None and _takes(function.node, name)


def _takes(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str) -> bool:
    """Whether a function has a parameter of a name."""
    arguments = function.args
    return any(one.arg == name for one in all_parameters(arguments))


def arguments_of(node: ast.AST, ctx: Context) -> list[dict[str, ast.expr]]:
    """What the file's calls of the function around a node give to its parameters, by their names.

    ``forward`` of an autograd function is given what ``apply`` is.
    """
    function = ctx.function(node)
    if function is None or isinstance(function.node, ast.Lambda):
        return []
    names = [item.arg for item in positional(function.node.args)]
    if function.cls is not None:
        names = names[1:]
    found = []
    is_constructor = function.cls is not None and function.node.name == "__init__"
    named = function.cls.node.name if is_constructor and function.cls is not None else function.node.name
    called = ctx.calls(named)
    if function.cls is not None and any(one.endswith("autograd.Function") for one in function.cls.bases):
        cls = function.cls.node.name
        called = [
            call
            for call in ctx.calls("apply" if named == "forward" else named)
            if isinstance(call.func, ast.Attribute) and own_name(call.func.value) == cls
        ]
    for call in called:
        if not any(isinstance(item, ast.Starred) for item in call.args):
            given = dict(zip(names, call.args, strict=False))
            given.update((item.arg, item.value) for item in call.keywords if item.arg is not None)
            found.append(given)
    return found


def _parameter(node: ast.expr, ctx: Context) -> tuple[bool, bool]:
    """Whether the name is annotated as a stream, and whether it is a parameter."""
    function = ctx.function(node)
    if not isinstance(node, ast.Name) or function is None:
        return False, False
    arguments = function.node.args
    for arg in all_parameters(arguments):
        if arg.arg == node.id and arg.arg not in ("self", "cls"):
            return arg.annotation is not None and ctx.qualified_name(arg.annotation) in BUILT_STREAMS, True
    return False, False


def is_event(node: ast.expr, ctx: Context) -> bool:
    """Whether a name or attribute is bound to an event of torch."""
    value = ctx.value(node)
    return isinstance(value, ast.Call) and ctx.qualified_name(value.func) in BUILT_EVENTS


def entered_stream(node: ast.AST, ctx: Context) -> ast.expr | None:
    """The stream of the innermost ``with torch.cuda.stream(s)`` around the node."""
    for holder, part in holders(node, ctx):
        if isinstance(holder, ast.Lambda):
            return None
        for item in reversed(holder.items) if isinstance(holder, ast.With) and part in holder.body else ():
            call = item.context_expr
            if isinstance(call, ast.Call) and ctx.qualified_name(call.func) in _ENTERED and call.args:
                return call.args[0]
    return None


def is_compared(ctx: Context, *streams: ast.expr | None) -> bool:
    """Whether the function around compares one of the streams with any other; None is the current one."""
    named = [stream for stream in streams if stream is not None]
    texts = {ctx.text(stream) for stream in named}
    for item in ctx.within(scope_of(named[0], ctx) if named else ctx.tree, ast.Compare):
        if not isinstance(item.ops[0], (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) or is_none(
            item.comparators[0]
        ):
            continue
        sides = (item.left, item.comparators[0])
        if any(ctx.text(_bare(side)) in texts for side in sides):
            return True
    return False


def _bare(node: ast.expr) -> ast.expr:
    return (
        node.value if isinstance(node, ast.Attribute) and node.attr in ("cuda_stream", "stream_id") else node
    )


def is_accelerator(node: ast.expr) -> bool:
    """Whether it is the module of a device by its name: ``get_accelerator()``, ``device_module``."""
    called = node.func if isinstance(node, ast.Call) else node
    return own_name(called).endswith(("accelerator", "accelerator_module", "device_module"))
