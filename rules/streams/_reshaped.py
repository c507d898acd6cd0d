"""Tensors that are made on the host, take another shape, and are moved then: made where they go to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.edits import set_argument, unwrap
from overhead_lint.rule import Applicability, Fix
from overhead_lint.syntax.dotted_names import is_dotted

from .._calls import argument_values, has_unpacked
from .._literals import elements_of, is_whole
from ._slices import written_place

if TYPE_CHECKING:
    from overhead_lint.rule import Context

    from ._copies import Moved

__all__ = ["made_there"]

# Their numbers are the same on each device.
_FACTORIES: Final = frozenset(
    f"torch.{name}"
    for name in ("arange", "empty", "eye", "full", "ones", "tril_indices", "triu_indices", "zeros")
)
_CASTS: Final = frozenset({"bool", "double", "float", "int", "long"})
"""Methods that convert to a dtype, alike on each device."""
_SHAPES: Final = _CASTS | frozenset(
    "contiguous flatten permute repeat reshape squeeze t tile transpose unsqueeze view".split()  # noqa: SIM905
)
"""Besides, those that give the same numbers in another shape."""
_WIDE: Final = frozenset({"broadcast_to", "expand", "expand_as"})
"""Methods whose result shows a number several times that is once in memory: a copy has it as often."""
_WHOLE: Final = frozenset({"...", ":", "None"})
"""Indices that leave nothing out, so that a copy lies in memory as what it is of."""
_IN_THE_WAY: Final = frozenset({"device", "layout", "out", "pin_memory", "requires_grad", None})


class _Chain:
    """A chain of methods and indices that takes what a factory makes into another shape.

    Attributes:
        links: the methods by name and the indices as written, the last one first.
        is_cast: whether the links convert to a dtype and do nothing else.
        is_wide: whether a copy of the result may lie otherwise in memory than the result.
    """

    def __init__(self) -> None:
        self.links: list[str] = []
        self.is_cast = True
        self.is_wide = False

    def follow(self, node: ast.expr, ctx: Context) -> ast.expr:
        """Go back over links, and return what they begin with."""
        match node:
            case ast.Call(func=ast.Attribute(attr=name, value=receiver)) if (
                name in _SHAPES | _WIDE
                and ctx.qualified_name(node.func) is None
                and not has_unpacked(node)
                and all(item.arg for item in node.keywords)
            ):
                self.is_cast = self.is_cast and name in _CASTS
                self.is_wide = self.is_wide or name in _WIDE
                self.links.append(f".{name}" if node.args or node.keywords else f".{name}()")
                return self.follow(receiver, ctx)
            case ast.Subscript(value=receiver, slice=index):
                places = [written_place(one, {}) for one in elements_of(index)]
                if None not in places:
                    self.is_cast = False
                    self.is_wide = self.is_wide or not _WHOLE.issuperset(map(str, places))
                    self.links.append(f"[{', '.join(map(str, places))}]")
                    return self.follow(receiver, ctx)
        return node


def made_there(node: ast.Call, found: Moved, ctx: Context) -> Fix | None:
    """Return the fix that tells a factory the device: ``torch.arange(n).unsqueeze(0).to(device)``.

    Args:
        node: the call that moves a tensor to the device.
        found: what that moves, and where.
        ctx: the file.

    Returns:
        None for what is no such chain, and where the device is no name that can be read earlier.
    """
    if not found.plain or found.source is None or (found.device is not None and not is_dotted(found.device)):
        return None
    chain = _Chain()
    factory = chain.follow(found.source, ctx)
    if not isinstance(factory, ast.Call) or has_unpacked(factory):
        return None
    if ctx.qualified_name(factory.func) not in _FACTORIES:
        return None
    if any(item.arg in _IN_THE_WAY for item in factory.keywords):
        return None
    is_plain = all(item.arg != "dtype" for item in factory.keywords) and chain.links == [".float()"]
    if not chain.links or (chain.is_cast and not is_plain):
        return None  # what a factory is told itself: OVH701 says so, but where it has that dtype as a rule
    device = {"device": found.device} if found.device is not None else {}
    is_exact = ctx.qualified_name(factory.func) != "torch.arange" or all(
        is_whole(value, ctx) for value in argument_values(factory)
    )
    is_safe = found.proven and is_exact and not chain.is_wide
    return Fix(
        Applicability.SAFE if is_safe else Applicability.UNSAFE,
        "make it on the device",
        edits=(unwrap(node, found.source), set_argument(factory, "device", found.template, **device)),
    )
