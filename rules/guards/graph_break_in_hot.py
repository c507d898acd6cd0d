"""OVH311: compiled code that the compiler has to leave on each call."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.rule import Clause, Heat, HeatFilter, Rule

from .._blocks import holders
from .._conditions import tested
from .._names import own_name
from .._releases import BREAKS_SINCE
from .._wording import short
from ..streams._likely import is_likely_truth
from . import _breaks
from ._compiled import is_traced_itself, may_be_traced, runs_compiled
from ._untraced_calls import CONVERSIONS, TENSORS, captures_shapes, untraced

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH311",
    name="graph-break-in-hot",
    summary="compiled function that breaks its graph",
    # A class that is defined in a function costs uncompiled code as well.
    triggers=(b"torch", b"compile", b"        class ", b"namedtuple", b"NamedTuple", b"make_dataclass"),
    heat=Heat.STEP,
    yields_to=("OVH410",),
    stable_since="0.2.0",
)

_IN_STEPS = HeatFilter(least=Heat.STEP)
# What no sync-in-step reports.
_PYTHON = frozenset({_breaks.OUTSIDE, _breaks.AT_CONSTRUCTION, *_breaks.OTHER_METHODS.values()})
_OF_PYTHON = frozenset(
    {name.rpartition(".")[2] for name, help in _breaks.FUNCTIONS.items() if help in _PYTHON}
    | {"deepcopy", "range", "replace", "repr", "str"}
    | {*_breaks.BUILTINS, *_breaks.LOG_METHODS, *_breaks.OTHER_METHODS}
)
_MAKE_CLASSES = frozenset(
    {
        "collections.namedtuple",
        "dataclasses.make_dataclass",
        "enum.Enum",
        "types.new_class",
        "typing.NamedTuple",
    }
)
_CALLED = frozenset(
    {f"math.{name}" for name in dir(math)}
    | {"copy.deepcopy", "copy.replace", "item", "range", "repeat_interleave", "repr", "str", "torch.where"}
    | {*CONVERSIONS, *_breaks.BUILTINS, *_breaks.FUNCTIONS, *_breaks.LOG_METHODS, *_breaks.OTHER_METHODS}
    | {*_breaks.SHAPE_FUNCTIONS, *_breaks.SHAPE_METHODS, *_breaks.VALUE_METHODS}
    | {*_breaks.SIZES, *_breaks.SIZE_METHODS, *_breaks.OPTIMIZER_METHODS}
    | {"all", "any", "torch._assert", "torch.nn.functional.one_hot", *BREAKS_SINCE}
)

# What Dynamo may be told to trace.
_READING_ONE = frozenset({*CONVERSIONS, "item"})


@RULE.on(ast.Call, named=_CALLED)
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """Calls that the compiler does not trace."""
    if own_name(node.func) in _READING_ONE:
        ctx.seek_settings()  # before it is known that another file compiles this one
    if runs_compiled(node, ctx):
        found = untraced(node, ctx)
        if found is not None:
            yield _finding(node, *found, ctx)
    elif _may_be_python(node, ctx) and may_be_traced(node, ctx) and _is_always_traced(node, ctx):
        found = untraced(node, ctx)
        if found is not None and found[1] in _PYTHON:
            yield _presumed(node, *found, ctx)


@RULE.on(ast.If, ast.While, ast.IfExp, ast.Assert)
def check_branch(node: ast.If | ast.While | ast.IfExp | ast.Assert, ctx: Context) -> Iterator[Finding]:
    """A branch on what a tensor holds; a bare ``assert tensor`` is traced."""
    if isinstance(node, ast.Assert) and _is_traced(node):
        return
    for test in tested(node.test):
        if ctx.kind(test) in TENSORS or is_likely_truth(test, ctx):
            word = {ast.While: "while", ast.Assert: "assert"}.get(type(node), "if")
            if runs_compiled(test, ctx):
                yield _finding(test, f"`{word}` on the value of a tensor", _breaks.ON_DEVICE, ctx)
                return
            if may_be_traced(test, ctx):
                yield _presumed(test, f"`{word}` on the value of a tensor", _breaks.ON_DEVICE, ctx)
                return


@RULE.on(ast.Subscript)
def check_mask(node: ast.Subscript, ctx: Context) -> Iterator[Finding]:
    """``x[mask]``, whose length depends on the mask; ``x[mask] = value`` is traced."""
    if not (isinstance(node.ctx, ast.Load) and runs_compiled(node, ctx) and ctx.is_mask(node.slice)):
        return
    if ctx.kind(node.value) in TENSORS and not captures_shapes(ctx):
        yield _finding(node, f"the length of {short(node, ctx)}", _breaks.FIXED_SHAPE, ctx)


@RULE.on(ast.ClassDef)
def check_class(node: ast.ClassDef, ctx: Context) -> Iterator[Finding]:
    """A class that is defined on each call, which takes long also where nothing is compiled."""
    if ctx.function(node) is not None:
        yield ctx.finding(
            RULE,
            node,
            f"class {node.name} is defined on each call, which takes tens of microseconds, "
            "and breaks the graph in compiled code",
            help="define it at module level",
            only=_IN_STEPS,
        )


@RULE.on(ast.Call, named=(*_MAKE_CLASSES, "type"))
def check_made_class(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``namedtuple("Output", ...)`` and kin, which make a class on each call."""
    name = ctx.qualified_name(node.func)
    if name is None and isinstance(node.func, ast.Name) and not ctx.is_bound("type", node):
        name = node.func.id if len(node.args) == 3 else None
    if name not in {*_MAKE_CLASSES, "type"} or ctx.function(node) is None or ctx.is_compiled(node):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{short(node.func, ctx)}() makes a class on each call, which takes tens of microseconds, "
        "and breaks the graph in compiled code",
        help="define it at module level",
        only=_IN_STEPS,
    )


@RULE.on(ast.Global)
def check_global(node: ast.Global, ctx: Context) -> Iterator[Finding]:
    """``global name`` in ``backward`` of an autograd function, which then assigns it."""
    function = ctx.function(node)
    if function is None or function.cls is None or not function.qualname.endswith(".backward"):
        return
    if not any(base.endswith("autograd.Function") for base in function.cls.bases):
        return
    assigned = (name.id for name in ctx.within(function.node, ast.Name) if not isinstance(name.ctx, ast.Load))
    if set(node.names) & set(assigned):
        yield ctx.finding(
            RULE,
            node,
            "backward of an autograd function sets a global: where it is compiled, the graph breaks there",
            help="set it outside of the autograd function",
        )


def _finding(node: ast.AST, what: str, help: str, ctx: Context) -> Finding:
    return ctx.finding(
        RULE,
        node,
        f"{what} breaks the graph: the compiled code stops there on each call, and goes on in another graph",
        help=help,
    )


def _presumed(node: ast.AST, what: str, help: str, ctx: Context) -> Finding:
    waits = ", and the host waits for the device" if help == _breaks.ON_DEVICE else ""
    message = f"{what} breaks the graph where users compile this (", Clause.TRACE_EVIDENCE, f"){waits}"
    return ctx.finding(RULE, node, message, help=help, needs_trace=True)


def _may_be_python(node: ast.Call, ctx: Context) -> bool:
    """Whether a call may be one of those that no sync-in-step reports, by its name."""
    function = node.func
    name = ctx.qualified_name(function)
    if name is not None:
        return name.rpartition(".")[2] in _OF_PYTHON
    return own_name(function) in _OF_PYTHON


def _is_always_traced(node: ast.AST, ctx: Context) -> bool:
    """Whether nothing in a method that is traced itself decides if a place runs.

    Warnings and messages behind conditions are for what is unusual, and helpers often run outside as well.
    """
    if not is_traced_itself(node, ctx):
        return False
    for holder, part in holders(node, ctx):
        if isinstance(holder, (ast.If, ast.IfExp, ast.While)):
            if part is not holder.test and not _is_mode(holder.test):
                return False
        elif isinstance(holder, ast.BoolOp) and part is not holder.values[0]:
            return False
        if isinstance(holder, (ast.ExceptHandler, ast.match_case)):
            return False
    return True


def _is_mode(test: ast.expr) -> bool:
    """``self.training`` or its negation, one of which holds all the time."""
    value = test.operand if isinstance(test, ast.UnaryOp) else test
    return isinstance(value, ast.Attribute) and value.attr == "training"


def _is_traced(node: ast.Assert) -> bool:
    """Whether the compiler makes an assertion part of the graph: one value, and no message made for it."""
    plain = isinstance(node.test, (ast.Compare, ast.Call, ast.Name, ast.Attribute))
    return plain and (node.msg is None or _is_constant(node.msg))


def _is_constant(node: ast.expr) -> bool:
    """Whether Python makes a constant of a text: also of ``f"text"`` without fields, and of ``"a" + "b"``."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and all(map(_is_folded, (node.left, node.right)))
    if isinstance(node, ast.JoinedStr):
        return all(isinstance(part, ast.Constant) for part in node.values)
    return isinstance(node, ast.Constant)


def _is_folded(node: ast.expr) -> bool:
    """Whether Python joins what is added to a constant: an f-string is none to it yet."""
    return not isinstance(node, ast.JoinedStr) and _is_constant(node)
