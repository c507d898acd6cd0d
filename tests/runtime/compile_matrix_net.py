"""The module of the mutation matrix, which reads an attribute and a global of each kind that people have."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import nn

OFFSET = 3
TABLE = {"k": 1}


def helper(x: torch.Tensor) -> torch.Tensor:
    """A global function that the model calls."""
    return x + 11


class Point(NamedTuple):
    """A named tuple that the model reads."""

    x: int
    y: int


@dataclasses.dataclass
class Settings:
    """A dataclass that the model reads."""

    gain: float = 1.0


class Slotted:
    """An object without an instance dict."""

    __slots__ = ("k",)

    def __init__(self) -> None:
        self.k = 4


class Shared:
    """A plain object that several modules may read."""

    def __init__(self, step: int = 2) -> None:
        self.flag = True
        self.rows = [[1], 2]
        self.step = step


class Leaf(nn.Module):
    """A leaf with one attribute of each kind that people put on modules."""

    class_gain = 2
    bias: torch.Tensor
    rich: bool = False

    def __init__(self) -> None:
        super().__init__()
        self.count = 1
        self.ratio = 0.5
        self.mode = "a"
        self.items = [1, 2]
        self.table = {"k": 1}
        self.pair = (1, 2)
        self.names = {1, 2}
        self.point = Point(1, 2)
        self.constant = torch.ones(4)
        self.weight = nn.Parameter(torch.ones(4))
        self.register_buffer("bias", torch.ones(4))

    @property
    def doubled(self) -> int:
        """Twice the count."""
        return self.count * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Read every attribute."""
        y = x * self.count + self.ratio + self.weight + self.bias + self.constant
        y = y + self.items[0] + self.table["k"] + self.pair[0] + self.class_gain + self.point.y + self.doubled
        if self.mode == "a":
            y = y + 1
        if self.rich and 1 in self.names:
            y = y + 100
        return y * 2 if self.training else y


class Reader(nn.Module):
    """One of several modules that read the same plain object."""

    def __init__(self, source: Shared) -> None:
        super().__init__()
        self.source = source

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Read it."""
        return x + self.source.step


class Net(nn.Module):
    """The model under test; ``make_net`` gives each case a class of its own.

    A ``rich`` one also reads a set, slots and a namespace, whose changes have no version number.
    In a ``broken`` one the graph breaks between the leaves and the rest.
    """

    rich = False
    broken = False

    def __init__(self, leaf: type[Leaf]) -> None:
        super().__init__()
        self.leaves = nn.ModuleList([leaf()])
        self.extra = nn.ModuleDict({"a": nn.Identity()})
        self.shared = Shared()
        self.readers = nn.ModuleList([Reader(self.shared), Reader(self.shared)])
        self.slotted = Slotted()
        self.settings = Settings()
        self.space = types.SimpleNamespace(z=1)
        k = 5

        def closure(x: torch.Tensor) -> torch.Tensor:
            return x + k

        def set_k(value: int) -> None:
            nonlocal k
            k = value

        def with_default(x: torch.Tensor, a: int = 3, *, b: int = 1) -> torch.Tensor:
            return x * a + b

        self.closure, self.set_k, self.with_default = closure, set_k, with_default

    def forward(self, x: Any, y: Any = None) -> Any:
        """Use the leaves, the plain objects, the globals and the grad mode."""
        for leaf in self.leaves:
            x = leaf(x)
        if self.broken:
            torch._dynamo.graph_break()
        for extra in self.extra.values():
            x = extra(x)
        for reader in self.readers:
            x = reader(x)
        if self.shared.flag:
            x = x + 10
        x = x + self.shared.rows[0][0] + self.settings.gain  # type: ignore[index]
        if self.rich:
            x = x + self.slotted.k + self.space.z
        x = x + OFFSET + TABLE["k"]
        x = helper(self.with_default(self.closure(x)))
        if torch.is_grad_enabled():
            x = x + 1000
        return x if y is None else x + y


def make_net(rich: bool = False, broken: bool = False) -> Any:
    """A net of fresh classes and functions, so that a case may replace any of them."""
    leaf = type(
        "CaseLeaf",
        (Leaf,),
        {"forward": _copy(Leaf.forward), "doubled": Leaf.doubled, "class_gain": 2, "rich": rich},
    )
    net = type("CaseNet", (Net,), {"forward": _copy(Net.forward), "rich": rich, "broken": broken})
    return net(leaf)


def _copy(function: Any) -> types.FunctionType:
    copy = types.FunctionType(
        function.__code__.replace(), function.__globals__, function.__name__, function.__defaults__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def vector() -> torch.Tensor:
    """The usual input."""
    return torch.arange(4.0)


def set_global(name: str, value: Any) -> Callable[[Any], None]:
    """A change of a global of this file."""

    def change(net: Any) -> None:
        globals()[name] = value

    return change


def restore() -> None:
    """Undo what the cases do to the process."""
    globals().update(OFFSET=3, helper=_HELPER)
    TABLE["k"] = 1
    torch.set_default_dtype(torch.float32)
    torch.use_deterministic_algorithms(False)
    torch.set_default_device(None)
    torch.set_num_threads(_THREADS)
    module = nn.modules.module
    for hooks in (
        module._global_forward_hooks,
        module._global_forward_hooks_always_called,
        module._global_forward_hooks_with_kwargs,
        module._global_forward_pre_hooks,
    ):
        hooks.clear()


_HELPER = helper
_THREADS = torch.get_num_threads()
