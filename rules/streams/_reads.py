"""Reads of device tensors: what makes the host wait for a value."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from overhead_lint.api.torch_calls import named_device
from overhead_lint.tuples import NamedTuple

from .._conditions import tested
from .._devices import device_told
from .._wording import short
from ._checked import CHECKED_CALLS, checked
from ._defaults import is_tensor_by_default
from ._likely import is_likely_tensor, is_likely_truth, on_device
from ._numbers import LENGTH_CALLS, NUMBER_CALLS, lengths, numbers
from ._other_devices import is_for_other_devices
from ._places import one_place, place_in_list
from ._refusals import REFUSING_CALLS, refusal, scale_of_scaler
from ._shown import SHOWING_CALLS, put_into_text, shown_by
from ._sizes import SCANS, SIZED_CALLS, ends, filters, is_member_test, is_scanned, sizes
from ._truths import asked, chained
from ._waits import is_no_wait

if TYPE_CHECKING:
    from overhead_lint.rule import Context

READS = {
    "item": "keep it on the device, and read it every N steps",
    "tolist": "keep it on the device, or read it once after the loop",
    "numpy": "keep it on the device, or read it once after the loop",
    "cpu": "keep it on the device, or copy it with non_blocking=True into pinned memory, and read it later",
}
"""Methods that read a tensor back, with what to do instead."""
_CONVERSIONS = frozenset({"float", "int", "bool", "complex"})
_SIZES = frozenset({"range"})
_EXTREMES = {
    "max": "use torch.maximum, or clamp(min=...)",
    "min": "use torch.minimum, or clamp(max=...)",
}
_COMPARING = frozenset({"torch.allclose", "torch.equal", "torch.is_nonzero"})
_COMPARING_METHODS = frozenset({"allclose", "equal", "is_nonzero"})
_TRUTH_HELP = "keep the decision on the device (torch.where), or take it from values that the host has"
_NUMBER_HELP = "use a form that takes tensors (torch.where, expand, multiplication), or a number of the host"
_PLACE_HELP = "take it with index_select or gather, which want a tensor of one dimension"
_LENGTH_HELP = "pass the lengths as the loader has them, on the host"
_LIST_HELP = "read all places at once before (tolist), or take them from values that the host has"
_SIZE_HELP = "take it from values that the host has (shapes, lengths that the loader counted)"


class Read(NamedTuple):
    """A place that reads a tensor of the device.

    Attributes:
        node: the place.
        how: what reads, in words.
        tensor: what is read.
        help: what to do instead.
        what: what it reads, in words, if it is not the tensor itself.
    """

    node: ast.expr
    how: str
    tensor: ast.expr
    help: str
    what: str = ""


def reads(node: ast.AST, ctx: Context) -> Iterator[Read]:
    """The reads that a node is: a call, a formatted value, a branch, a membership test.

    Left out where a wait is meant: in code that times, data sets, branches for other devices.
    """
    found = _FIND[type(node)](node, ctx)
    for read in found:
        # Of a branch, a part before may ask for another device: `if x.is_cpu and x.any()`.
        if not is_no_wait(node, ctx) and not is_for_other_devices(read.node, ctx):
            yield read


def _first_on_device(values: Iterable[ast.expr], ctx: Context) -> Iterator[ast.expr]:
    """The first of some values that is on a device, if there is one: one read is told of each call."""
    return islice((value for value in values if on_device(value, ctx)), 1)


def _of_call(node: ast.Call, ctx: Context) -> Iterator[Read]:
    """``tensor.item()`` and kin, ``float(tensor)``, ``range(tensor)``, ``print(tensor)``."""
    function = node.func
    for how, value in shown_by(node, ctx):
        if on_device(value, ctx):
            yield Read(node, how, value, READS["item"])
            return
    name = ctx.qualified_name(function) or ""
    if (refused := refusal(node, name, ctx)) is not None:
        yield Read(node, f"{short(function, ctx)}()", refused.tensor, refused.help, refused.what)
    if (scaler := scale_of_scaler(node, ctx)) is not None:
        yield Read(node, ".get_scale()", scaler, READS["item"], "the scale")
    if isinstance(function, ast.Attribute):
        yield from _of_method(node, function, name, ctx)
    elif isinstance(function, ast.Name) and not ctx.is_bound(function.id, node):
        yield from _of_builtin(node, function.id, ctx)


def _of_builtin(node: ast.Call, name: str, ctx: Context) -> Iterator[Read]:
    """``float(tensor)``, ``max(0, tensor)``, ``range(tensor)``, ``print(tensor)``."""
    arguments = node.args
    if name in _CONVERSIONS and len(arguments) == 1 and not node.keywords:
        for tensor in _first_on_device(arguments, ctx):
            yield Read(node, f"{name}()", tensor, READS["item"])
    elif name in _EXTREMES and len(arguments) > 1:
        for tensor in _first_on_device(arguments, ctx):
            yield Read(node, f"{name}()", tensor, _EXTREMES[name])
    elif name in SCANS and len(arguments) == 1 and is_scanned(arguments[0], ctx):
        yield Read(node, f"{name}()", arguments[0], SCANS[name])
    elif name in _SIZES or name == "print":
        for tensor in _first_on_device(arguments, ctx):
            yield Read(node, name, tensor, READS["item"] if name == "print" else _SIZE_HELP)
            return
        for number in arguments if name in _SIZES else ():
            if is_tensor_by_default(number, ctx):
                yield Read(node, name, number, _SIZE_HELP)


def _of_method(node: ast.Call, function: ast.Attribute, name: str, ctx: Context) -> Iterator[Read]:
    receiver = function.value
    for size in islice(sizes(node, function, name, ctx), 1):
        yield Read(node, f"the size given to {function.attr}()", size, _SIZE_HELP)
    for number in islice(numbers(node, function, name, ctx), 1):
        yield Read(node, f"the number given to {function.attr}()", number, _NUMBER_HELP)
    for length in islice(lengths(node, function, name, ctx), 1):
        yield Read(node, function.attr, length, _LENGTH_HELP)
    if (found := checked(node, function, name, ctx)) is not None:
        matrices, unchecked = found
        help = f"use {unchecked}, which leaves the check to its caller"
        yield Read(node, f"{short(function, ctx)}()", matrices, help, "whether it worked")
    if name.startswith("math."):
        for tensor in _first_on_device(node.args, ctx):
            yield Read(node, name, tensor, READS["item"])
    elif name in _COMPARING:
        if node.args and all(on_device(argument, ctx) for argument in node.args[:2]):
            yield Read(node, name, node.args[0], _TRUTH_HELP)
    elif function.attr in _COMPARING_METHODS and not name:
        if all(on_device(side, ctx) for side in (receiver, *node.args[:1])):
            yield Read(node, f".{function.attr}()", receiver, _TRUTH_HELP)
    elif function.attr in READS and _is_read(node):
        if on_device(receiver, ctx) or is_likely_tensor(node, receiver, ctx):
            yield Read(node, f".{function.attr}()", receiver, READS[function.attr])
    elif function.attr == "to" and _is_to_cpu(node, ctx) and on_device(receiver, ctx):
        yield Read(node, '.to("cpu")', receiver, READS["cpu"])


def _of_format(node: ast.FormattedValue, ctx: Context) -> Iterator[Read]:
    """``f"{tensor}"``."""
    if on_device(node.value, ctx):
        yield Read(node.value, "an f-string", node.value, READS["item"])


def _of_branch(node: ast.If | ast.While | ast.IfExp | ast.Assert, ctx: Context) -> Iterator[Read]:
    """``if tensor:`` and kin, ``not`` and the operands of ``and`` and ``or`` included."""
    for test in tested(node.test):
        if on_device(test, ctx) or is_likely_truth(test, ctx):
            word = {ast.While: "while", ast.Assert: "assert"}.get(type(node), "if")
            yield Read(test, f"`{word}`", test, _TRUTH_HELP)
            return


def _of_compare(node: ast.Compare, ctx: Context) -> Iterator[Read]:
    """``value in tensor``, and ``tensor in (1, 2)``."""
    left = node.left
    if (side := chained(node, ctx)) is not None:
        yield Read(node, "a comparison within a chain", side, _TRUTH_HELP)
        return
    for operator, container in zip(node.ops, node.comparators, strict=True):
        if isinstance(operator, (ast.In, ast.NotIn)) and is_member_test(left, container, ctx):
            yield Read(node, "`in`", left, _TRUTH_HELP)
        if isinstance(operator, (ast.In, ast.NotIn)) and on_device(container, ctx):
            yield Read(node, "`in`", container, _TRUTH_HELP)


def _of_filter(node: ast.comprehension, ctx: Context) -> Iterator[Read]:
    """``[x for x in xs if tensor]``."""
    for test in islice(filters(node, ctx), 1):
        yield Read(test, "`if`", test, _TRUTH_HELP)


def _of_slice(node: ast.Slice, ctx: Context) -> Iterator[Read]:
    """``x[:tensor]``."""
    for end in islice(ends(node, ctx), 1):
        yield Read(end, "the end of a slice", end, _SIZE_HELP)


def _of_place(node: ast.Subscript, ctx: Context) -> Iterator[Read]:
    """``x[scores.argmax()]``, ``names[label]``."""
    if (place := one_place(node, ctx)) is not None:
        yield Read(node, "indexing with one number", place, _PLACE_HELP)
    elif (place := place_in_list(node, ctx)) is not None:
        yield Read(node, "indexing a list", place, _LIST_HELP)


def _of_text(node: ast.BinOp, ctx: Context) -> Iterator[Read]:
    """``"%.3f" % tensor``."""
    for value in _first_on_device(put_into_text(node), ctx):
        yield Read(node, "`%`", value, READS["item"])


def _of_truth(node: ast.BoolOp | ast.UnaryOp, ctx: Context) -> Iterator[Read]:
    """``not tensor``, ``tensor and x``, outside of branches."""
    for value in asked(node, ctx):
        if on_device(value, ctx) or is_likely_truth(value, ctx):
            word = "not" if isinstance(node, ast.UnaryOp) else "and" if isinstance(node.op, ast.And) else "or"
            yield Read(node, f"`{word}`", value, _TRUTH_HELP)
            return


_FIND: dict[type[ast.AST], Callable[[Any, Context], Iterator[Read]]] = {
    ast.Assert: _of_branch,
    ast.BinOp: _of_text,
    ast.BoolOp: _of_truth,
    ast.Call: _of_call,
    ast.Compare: _of_compare,
    ast.FormattedValue: _of_format,
    ast.If: _of_branch,
    ast.IfExp: _of_branch,
    ast.Slice: _of_slice,
    ast.Subscript: _of_place,
    ast.UnaryOp: _of_truth,
    ast.While: _of_branch,
    ast.comprehension: _of_filter,
}
READING = tuple(_FIND)
"""The classes of nodes that may read."""
READING_CALLS = (
    _CONVERSIONS
    | _SIZES
    | _COMPARING
    | SIZED_CALLS
    | CHECKED_CALLS
    | NUMBER_CALLS
    | LENGTH_CALLS
    | REFUSING_CALLS
    | SHOWING_CALLS
    | _COMPARING_METHODS
    | {*READS, *_EXTREMES, *SCANS, "print", "to"}
    | {f"math.{name}" for name in dir(math)}
)
"""Names of what is called by those calls that may read."""


def _is_read(node: ast.Call) -> bool:
    """Whether a method reads back: ``numpy()`` alone raises an error for what is on a device."""
    if node.args or any(item.arg != "force" for item in node.keywords):
        return False
    return bool(node.keywords) or not (isinstance(node.func, ast.Attribute) and node.func.attr == "numpy")


def _is_to_cpu(node: ast.Call, ctx: Context) -> bool:
    target = device_told(node)
    if isinstance(target, (ast.Name, ast.Attribute)):
        target = ctx.value(target) or target
    is_cpu = named_device(target, ctx.qualified_name) == "cpu"
    return is_cpu and not any(item.arg == "non_blocking" for item in node.keywords)
