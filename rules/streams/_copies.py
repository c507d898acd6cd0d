"""Copies from the host to the device: what is copied, and where it comes from."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhead_lint.api.torch_calls import given_tensors
from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

from .._devices import device_keyword
from .._names import own_name
from .._views import VIEWS
from .._vocabulary import DEVICES, one_of
from ._values import made_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

_FACTORIES = frozenset(
    """arange bartlett_window blackman_window empty eye full hamming_window hann_window linspace logspace ones
    rand randint randn randperm tensor tril_indices triu_indices zeros""".split()  # noqa: SIM905
)
_SHOWN = VIEWS - {"cpu", "cuda", "numpy", "pin_memory", "to", "type", "type_as"}
_PLACES = (Kind.NUMBER, Kind.OBJECT)
_TURNED = frozenset({"H", "T", "mH", "mT"})
_FOLLOWED = 12
_DEVICE = re.compile(rf"(?i)(^|_){one_of(DEVICES)}$")


class Moved(NamedTuple):
    """A tensor that a call brings to a device.

    Attributes:
        node: the call.
        source: what is moved; None if the call makes the tensor itself.
        template: the device as a template: ``{device}``, or what the method's name stands for.
        device: the device as written, if it is.
        proven: whether the argument is certainly a device, and not told by its name.
        plain: whether the call is told the device and nothing else.
    """

    node: ast.Call
    source: ast.expr | None
    template: str
    device: ast.expr | None
    proven: bool
    plain: bool = True


def moved(node: ast.Call, ctx: Context) -> Moved | None:
    """What ``x.to(device)`` or ``x.cuda()`` moves, if the copy blocks and nothing else is asked for."""
    if not isinstance(node.func, ast.Attribute):
        return None
    source = node.func.value
    if node.func.attr == "cuda" and not node.args and not node.keywords:
        return Moved(node, source, '"cuda"', None, True)
    if node.func.attr == "cuda" and len(node.args) == 1 and not node.keywords:
        return Moved(node, source, "{device}", node.args[0], True, plain=False)
    if node.func.attr != "to":
        return None
    if any(item.arg not in ("device", "dtype", "copy") for item in node.keywords) or len(node.args) > 2:
        return None
    device = device_keyword(node)
    by_keyword = device is not None
    if device is None and node.args:
        device = node.args[0]
    if device is None:
        return None
    proven = by_keyword or _is_device(device, ctx)
    if not proven and not _named_device(device):
        return None
    plain = len(node.args) + len(node.keywords) == 1
    return Moved(node, source, "{device}", device, proven, plain)


def moved_unpinned(node: ast.Call, ctx: Context) -> Moved | None:
    """What ``x.to(device, non_blocking=True)`` moves that was made right here, and not in pinned memory.

    Such a copy goes through memory of the driver, and may wait all the same.
    """
    others = [item for item in node.keywords if item.arg != "non_blocking"]
    if not isinstance(node.func, ast.Attribute) or len(others) == len(node.keywords):
        return None
    source = node.func.value
    if not is_fresh(source, ctx) or _is_pinned(source, ctx):
        return None
    if node.func.attr == "cuda" and len(node.args) + len(others) <= 1:
        return Moved(node, source, "{device}", None, True, plain=False)
    device = device_keyword(node) or next(iter(node.args), None)
    if node.func.attr != "to" or device is None or len(node.args) + len(others) > 2:
        return None
    if not (_is_device(device, ctx) or _named_device(device)):
        return None
    return Moved(node, source, "{device}", device, True, plain=False)


def _is_pinned(node: ast.expr, ctx: Context) -> bool:
    made = ctx.value(node) if isinstance(node, ast.Name) else node
    if made is None:
        return False
    return any(item.arg == "pin_memory" for item in ctx.within(made, ast.keyword)) or any(
        item.attr == "pin_memory" for item in ctx.within(made, ast.Attribute)
    )


def moved_to_tensor(node: ast.Call, ctx: Context) -> Moved | None:
    """What ``x.to(other)`` or ``x.type_as(other)`` moves to where another tensor is."""
    if not (isinstance(node.func, ast.Attribute) and node.func.attr in {"to", "type_as"}):
        return None
    if len(node.args) != 1 or any(item.arg not in ("dtype", "copy") for item in node.keywords):
        return None
    told = ctx.kind(node.args[0])
    if told is not Kind.TENSOR and (told is not Kind.UNKNOWN or not _is_another_tensor(node, ctx)):
        return None
    return Moved(node, node.func.value, "{device}", None, proven=True, plain=False)


def _is_another_tensor(node: ast.Call, ctx: Context) -> bool:
    """Whether what a conversion is told can be a tensor only: devices and dtypes have no shape."""
    other = node.args[0]
    if isinstance(node.func, ast.Attribute) and node.func.attr == "type_as":
        return True
    function = ctx.function(node)
    return function is not None and any(
        isinstance(asked.value, ast.Name) and isinstance(other, ast.Name) and asked.value.id == other.id
        for asked in ctx.within(function.node, ast.Attribute)
        if asked.attr in {"dim", "ndim", "shape", "size"}
    )


def _is_device(node: ast.expr, ctx: Context) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.Call):
        return ctx.qualified_name(node.func) == "torch.device"
    if isinstance(node, ast.Attribute) and node.attr == "device":
        return ctx.kind(node.value) is Kind.TENSOR
    bound = ctx.value(node)
    return (
        bound is not None and bound is not node and not isinstance(bound, ast.Name) and _is_device(bound, ctx)
    )


def _named_device(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and not node.args:  # get_device(), current_device()
        node = node.func
    return bool(_DEVICE.search(own_name(node)))


def own_table(node: ast.expr, ctx: Context) -> ast.Attribute | None:
    """A tensor of the host that is an attribute of ``self`` and is shown in another shape, or as it is.

    None for what is no such, and for what the statement stores back.
    """
    if ctx.kind(node) is not Kind.HOST_TENSOR:
        return None
    while (shown := _shown(node, ctx)) is not None:
        node = shown
    if not (isinstance(node, ast.Attribute) and ctx.text(node).startswith("self.")):
        return None
    statement = ctx.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return node if not any(isinstance(target, ast.Attribute) for target in targets) else None


def _shown(node: ast.expr, ctx: Context) -> ast.expr | None:
    """What an expression is a view of: ``x`` of ``x.expand(3, -1)``, ``x[:n]``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SHOWN:
        return node.func.value
    if not isinstance(node, ast.Subscript):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    is_part = all(isinstance(part, ast.Slice) or ctx.kind(part) in _PLACES for part in parts)
    return node.value if is_part else None


def is_constant(node: ast.expr, ctx: Context) -> bool:
    """Whether a tensor of the host is bound at module level."""
    if not isinstance(node, ast.Name) or ctx.kind(node) is not Kind.HOST_TENSOR:
        return False
    value = ctx.value(node)
    return value is not None and ctx.function(value) is None


def is_fresh(node: ast.expr, ctx: Context, steps: int = _FOLLOWED) -> bool:
    """Whether a tensor of the host is made right here, from nothing but numbers."""
    if not steps or ctx.kind(node) is not Kind.HOST_TENSOR:
        return False
    if isinstance(node, ast.Name):
        value = ctx.value(node)
        return value is not None and value is not node and is_fresh(value, ctx, steps - 1)
    if isinstance(node, ast.BinOp):
        return _fresh_or_number((node.left, node.right), ctx, steps)
    if isinstance(node, ast.UnaryOp):
        return is_fresh(node.operand, ctx, steps - 1)
    if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in _TURNED):
        return is_fresh(node.value, ctx, steps - 1)
    if not isinstance(node, ast.Call) or any(item.arg == "generator" for item in node.keywords):
        return False
    module, _, name = (ctx.qualified_name(node.func) or "").rpartition(".")
    if module == "torch" and name in _FACTORIES:
        return True
    if module == "torch" and name.endswith("Tensor"):  # torch.LongTensor([1, 2])
        return isinstance(made_of(node), (ast.List, ast.ListComp, ast.Tuple))
    if module:
        return module.startswith("torch") and _fresh_or_number(given_tensors(node), ctx, steps)
    # A read back to the host is another matter: sync-in-step says so.
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr not in ("cpu", "numpy", "pin_memory", "to")
        and is_fresh(node.func.value, ctx, steps - 1)
    )


def _fresh_or_number(nodes: Sequence[ast.expr], ctx: Context, steps: int) -> bool:
    found = [is_fresh(node, ctx, steps - 1) for node in nodes]
    others = [ctx.kind(node) for node, fresh in zip(nodes, found, strict=True) if not fresh]
    return any(found) and all(kind in (Kind.NUMBER, Kind.OBJECT, Kind.UNKNOWN) for kind in others)
