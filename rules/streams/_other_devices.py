"""Places that are for devices without streams, or for those that have them, by what tests and calls name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import named_device

from .._conditions import branches, passed
from .._devices import device_keyword, is_to_host

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_OTHER_DEVICES = frozenset({"cpu", "hpu", "meta", "mps", "npu", "privateuseone", "xla"})
_OF_TENSORS = frozenset({"device", "is_cpu", "is_cuda", "is_xpu"})
_ACCELERATORS = frozenset({"cuda", "xpu"})
_AVAILABLE = frozenset(
    {"torch.accelerator.is_available", "torch.cuda.is_available", "torch.xpu.is_available"}
)
# Through so many assignments what a name holds is followed to what it is made of.
_FOLLOWED = 3


def is_for_other_devices(node: ast.AST, ctx: Context) -> bool:
    """Whether a branch or the function is for devices without streams: ``device.type == "mps"``."""
    function = ctx.function(node)
    if function is not None and any(part.endswith("_cpu") for part in function.qualname.split(".")):
        return not _copies_to_host(function.node, ctx)  # `_to_cpu` is for what is elsewhere
    return any(True for _ in _for_other_devices(branches(node, ctx), ctx))


def is_refused_on_device(node: ast.AST, ctx: Context) -> bool:
    """Whether what is used at a place was refused before where it is on a device with streams.

    ``if x.is_cuda: raise ValueError`` before ``x.item()``.
    """
    return any(_is_about(test, node, ctx) for test in _for_other_devices(passed(node, ctx), ctx))


def _for_other_devices(conditions: Iterable[tuple[ast.expr, bool]], ctx: Context) -> Iterator[ast.expr]:
    """What those conditions ask which have an outcome for devices without streams."""
    for condition, outcome in conditions:
        yield from _of_others(condition, outcome, ctx)


def _of_others(test: ast.expr, holds: bool, ctx: Context) -> list[ast.expr]:
    """What a test asks of devices, if it only holds, or only does not, for one without streams."""
    test, holds = _asked(test, holds, ctx)
    if isinstance(test, ast.BoolOp):
        found = [_of_others(value, holds, ctx) for value in test.values]
        all_hold = isinstance(test.op, ast.And) is holds
        return [one for some in found for one in some] if all_hold or all(found) else []
    refuses = isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.NotEq, ast.NotIn))
    names = _names_other_device if holds is not refuses else _names_accelerator
    return [test] if names(test, ctx) else []


def _is_about(test: ast.expr, node: ast.AST, ctx: Context) -> bool:
    """Whether a test of devices is about something that is used at a place, or about no tensor's."""
    asked = [item for item in ast.walk(test) if isinstance(item, ast.Attribute) and item.attr in _OF_TENSORS]
    if not asked:
        return True
    used = _made_of(node, ctx)
    return any(ctx.text(item.value) in used for item in asked)


def _made_of(node: ast.AST, ctx: Context) -> set[str]:
    """The names that are used at a place, and those that what they hold may be made of."""
    function = ctx.function(node)
    assigned = list(ctx.within(function.node, ast.Assign)) if function is not None else []
    found: set[str] = set()
    parts = [node]
    for _ in range(_FOLLOWED):
        used = {
            ctx.text(item)
            for part in parts
            for item in ast.walk(part)
            if isinstance(item, (ast.Attribute, ast.Name))
        }
        new = used - found
        found |= new
        parts = [one.value for one in assigned if any(name.id in new for name in _bound(one))]
    return found


def _bound(statement: ast.Assign) -> Iterator[ast.Name]:
    """The names that a statement gives a value to, or a part of one."""
    for target in statement.targets:
        yield from (part for part in ast.walk(target) if isinstance(part, ast.Name))


def _asked(test: ast.expr, holds: bool, ctx: Context) -> tuple[ast.expr, bool]:
    """What a test asks, without ``not``, and whether that is so where the test holds, or does not."""
    if isinstance(test, ast.Name):
        test = ctx.value(test) or test
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    return test, holds


def _copies_to_host(function: ast.AST, ctx: Context) -> bool:
    """Whether a function itself copies something to the host, so that it is given what is on a device."""
    return any(is_to_host(call) for call in ctx.within(function, ast.Call))


def _names_other_device(test: ast.expr, ctx: Context) -> bool:
    """Whether a test is about a device without streams, or some of which CUDA is none."""
    named = _named(test, ctx)
    return bool(named & _OTHER_DEVICES) and named <= _OTHER_DEVICES | {"xpu"}


def _names_accelerator(test: ast.expr, ctx: Context) -> bool:
    """Whether a test is about a device with streams: ``device.type == "cuda"``, ``x.is_cuda``."""
    if isinstance(test, ast.Call):
        return ctx.qualified_name(test.func) in _AVAILABLE
    if isinstance(test, ast.Attribute):
        return test.attr in ("is_cuda", "is_xpu")
    return bool(_named(test, ctx) & _ACCELERATORS)


def _named(test: ast.expr, ctx: Context) -> set[str]:
    """The texts that something is compared with."""
    if not (
        isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.In, ast.NotEq, ast.NotIn))
    ):
        return set()
    return {item.value for item in ctx.within(test, ast.Constant) if isinstance(item.value, str)}


def is_for_cuda(node: ast.Call, ctx: Context) -> bool:
    """Whether a call names a device with streams itself: ``x.cuda()``, ``device="cuda:0"``.

    Data sets and what puts batches together work on the host; one that does so copies each sample by itself.
    """
    if isinstance(node.func, ast.Attribute) and node.func.attr == "cuda":
        return True
    told = device_keyword(node)
    if told is None and isinstance(node.func, ast.Attribute) and node.func.attr == "to" and node.args:
        told = node.args[0]
    return named_device(told, ctx.qualified_name).partition(":")[0] in _ACCELERATORS
