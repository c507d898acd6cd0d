"""The models of benchmarks/dispatch.py, each with its arguments and what a call of it does."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import nn

__all__ = ["MODELS", "Affine", "Chain", "Model", "Numbered", "NumberedChain", "constant_backend"]

_SHARED_HAS_TAGS = not hasattr(torch._C._dynamo.guards.GuardManager, "has_unoptimized_relational_guard")
"""Later torches cover nothing by tags that reads an object which others read as well."""


def constant_backend(
    graph: torch.fx.GraphModule, example_inputs: Sequence[torch.Tensor]
) -> Callable[..., Any]:
    """A backend whose compiled graph costs nothing: it returns the first result for ever."""
    with torch.no_grad():
        result = graph(*example_inputs)
    return lambda *args: result


@dataclasses.dataclass(frozen=True)
class Model:
    """One model to dispatch.

    Args:
        name: The heading.
        make: Builds the callable that is compiled, each time with code of its own.
        inputs: The arguments of the calls, in turn.
        backend: Of ``torch.compile``.
        options: More arguments of ``torch.compile``.
        context: What surrounds the calls.
        step: One call, with what follows it.
        changes: Of something that the model reads; afterwards its result is another.
        wanted: The least ratios to ``torch.compile`` that are promised, by variant.
        put: What the compiled form is called through.
    """

    name: str
    make: Callable[[], Any]
    inputs: Callable[[], list[tuple[Any, ...]]]
    backend: Any = "inductor"
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    context: Callable[[], Any] = contextlib.nullcontext
    step: Callable[[Any, tuple[Any, ...]], Any] = lambda call, args: call(*args)
    changes: tuple[Callable[[Any], object], ...] = ()
    wanted: dict[str, float] = dataclasses.field(default_factory=dict)
    put: Callable[[Any], Any] = lambda call: call


def own_code(cls: type[nn.Module]) -> Any:
    """A subclass whose ``forward`` has a code object, and so entries in Dynamo's cache, of its own."""
    forward: Any = cls.forward
    copy = types.FunctionType(
        forward.__code__.replace(), forward.__globals__, forward.__name__, forward.__defaults__
    )
    return type(cls.__name__, (cls,), {"forward": copy})


class Affine(nn.Module):
    """A leaf with two scalar attributes, each of which costs a guard."""

    def __init__(self, gain: int) -> None:
        super().__init__()
        self.gain = gain
        self.shift = 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scale and shift."""
        return x * self.gain + self.shift


class Chain(nn.Module):
    """``submodules`` leaves one after another."""

    def __init__(self, submodules: int) -> None:
        super().__init__()
        self.leaves = nn.ModuleList([Affine(1) for _ in range(submodules)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the leaves in order."""
        for leaf in self.leaves:
            x = leaf(x)
        return x


class Broken(Chain):
    """A chain of twenty leaves whose graph breaks after every so many."""

    def __init__(self, each: int) -> None:
        super().__init__(20)
        self.each = each

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the leaves in order; unrolled, since Dynamo leaves a loop with a break in it alone."""
        leaves, each = self.leaves, self.each
        for leaf in leaves[:each]:
            x = leaf(x)
        torch._dynamo.graph_break()
        for leaf in leaves[each : 2 * each]:
            x = leaf(x)
        if 2 * each < len(leaves):
            torch._dynamo.graph_break()
            for leaf in leaves[2 * each : 3 * each]:
                x = leaf(x)
            torch._dynamo.graph_break()
            for leaf in leaves[3 * each :]:
                x = leaf(x)
        return x


class Numbered(nn.Module):
    """A leaf that adds its number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add."""
        return x + self.number


class NumberedChain(nn.Module):
    """The model of depyf's tutorial on optimization: leaves that add 0, 1, 2, ..."""

    def __init__(self, submodules: int) -> None:
        super().__init__()
        self.leaves = nn.ModuleList([Numbered(number) for number in range(submodules)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the leaves in order."""
        for leaf in self.leaves:
            x = leaf(x)
        return x


class Shared:
    """A plain object that all layers read."""

    def __init__(self) -> None:
        self.enabled = True


class Part(nn.Module):
    """A small module of a decoder layer."""

    def __init__(self, width: int, shared: Shared, weighted: bool) -> None:
        super().__init__()
        self.width = width
        self.shared = shared
        self.weight = nn.Parameter(torch.ones(width)) if weighted else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Read what is guarded, compute nothing."""
        if not self.shared.enabled or x.shape[-1] != self.width:
            x = x + 1
        return x if self.weight is None or self.weight.shape[0] == self.width else x * 2


class DecoderLayer(nn.Module):
    """Fourteen parts and a float scale."""

    def __init__(self, width: int, shared: Shared) -> None:
        super().__init__()
        self.parts = nn.ModuleList([Part(width, shared, weighted=index % 4 != 0) for index in range(14)])
        self.scale = 0.5

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the parts."""
        for part in self.parts:
            x = part(x)
        return x if self.scale < 1 else x * self.scale


class Decoder(nn.Module):
    """The guards of a 36-layer decoder around one addition."""

    def __init__(self, layers: int = 36, width: int = 4) -> None:
        super().__init__()
        self.shared = Shared()
        self.layers = nn.ModuleList([DecoderLayer(width, self.shared) for _ in range(layers)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layers, then add."""
        for layer in self.layers:
            x = layer(x)
        return x + 1


class Encoder(nn.Module):
    """Four layers of a small transformer."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True) for _ in range(4)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layers in order."""
        for layer in self.layers:
            x = layer(x)
        return x


class Perceptron(nn.Module):
    """Three linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 8)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layers in order."""
        y: torch.Tensor = self.body(x)
        return y


def train_step(call: Any, args: tuple[Any, ...]) -> None:
    """Forward, backward, and the gradients dropped."""
    call(*args).sum().backward()
    for parameter in PARAMETERS:
        parameter.grad = None


def backward(call: Any, args: tuple[Any, ...]) -> None:
    """Forward and backward; the gradients add up."""
    call(*args).sum().backward()


@contextlib.contextmanager
def one_process() -> Iterator[None]:
    """A process group of this process alone."""
    store: Any = torch.distributed.HashStore()  # type: ignore[attr-defined]
    torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    try:
        yield
    finally:
        torch.distributed.destroy_process_group()


def data_parallel(module: Any) -> Any:
    """`DistributedDataParallel` of a module."""
    return nn.parallel.DistributedDataParallel(module)


def sharded(module: nn.Module) -> nn.Module:
    """FSDP2 of a module and of the linear layers in it."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    mesh = init_device_mesh("cpu", (1,))
    for part in module.modules():
        if isinstance(part, nn.Linear):
            fully_shard(part, mesh=mesh)
    fully_shard(module, mesh=mesh)
    return module


def distributed(name: str, make: Callable[[], Any], put: Callable[[Any], Any] = lambda call: call) -> Model:
    """The perceptron in a wrapper of torch.distributed, forward and backward, over gloo."""
    return Model(
        name, make, lambda: [(torch.randn(8, 64),)], "eager", context=one_process, put=put, step=backward
    )


# Of the perceptron that is measured; its compiled forms share them.
PARAMETERS: list[nn.Parameter] = []


def make_perceptron() -> nn.Module:
    """A perceptron whose gradients ``train_step`` drops."""
    module: nn.Module = own_code(Perceptron)()
    PARAMETERS.extend(module.parameters())
    return module


def make_sum() -> types.FunctionType:
    """A function of a hundred tensors that reads the first size of each."""
    names = [f"x{index}" for index in range(100)]
    sizes = " + ".join(f"{name}.shape[0]" for name in names)
    namespace: dict[str, Any] = {"__name__": __name__}
    exec(f"def add_sizes({', '.join(names)}):\n    return x0 + ({sizes})\n", namespace)
    function: types.FunctionType = namespace["add_sizes"]
    return function


def make_caller() -> types.FunctionType:
    """A function that calls the module it is given."""

    def call(module: nn.Module, x: torch.Tensor) -> Any:
        return module(x)

    return types.FunctionType(call.__code__.replace(), globals(), "call")


def instances() -> list[tuple[Any, ...]]:
    """Two chains of one class, which differ in a number, each with an input."""
    one, other = Chain(100), Chain(100)
    other.leaves[50].gain = 2  # type: ignore[assignment]  # of an Affine
    return [(module, torch.ones(4)) for module in (one, other)]


CHAIN_CHANGES: tuple[Callable[[Any], object], ...] = (
    lambda one: setattr(one.leaves[0], "gain", 3),
    lambda one: one.leaves.append(Affine(5)),
)


def broken(name: str, each: int) -> Model:
    """The chain with graph breaks under the backend that costs nothing."""
    return Model(
        name,
        lambda: own_code(Broken)(each),
        lambda: [(torch.ones(4),)],
        constant_backend,
        changes=(
            # What follows the last break: constants before it would hide a change.
            lambda one: setattr(one.leaves[-1], "gain", 3),
            lambda one: setattr(one.leaves[-1], "shift", 5),
        ),
        wanted={"full": 1.2, "token": 2.0},
    )


def chain(submodules: int) -> Model:
    """The chain under the backend that costs nothing."""
    wanted = {
        100: {"full": 5.0, "token": 8.0, "frozen": 8.0},
        1000: {"full": 15.0, "token": 15.0, "frozen": 100.0},
    }
    return Model(
        f"chain {submodules}",
        lambda: own_code(Chain)(submodules),
        lambda: [(torch.ones(4),)],
        constant_backend,
        # Each change costs each variant a compilation, of half a minute all together for the longest chain.
        changes=CHAIN_CHANGES if submodules <= 100 else (),
        wanted=wanted.get(submodules, {}),
    )


class Same(nn.Module):
    """Returns its input: Dynamo finds nothing to compile, and skips the frame."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the input."""
        return x


def same(x: torch.Tensor) -> torch.Tensor:
    """Return the input, from a function."""
    return x


def skipped(name: str, make: Callable[[], Any]) -> Model:
    """What Dynamo skips: nothing can be gained, and little may be lost."""
    most = 1.5
    return Model(
        name,
        make,
        lambda: [(torch.ones(4),)],
        "eager",
        wanted=dict.fromkeys(("full, no tags", "full", "token"), 1 / most),
    )


MODELS = (
    *(chain(submodules) for submodules in (1, 10, 100, 1000)),
    broken("one break", 10),
    broken("three breaks", 5),
    Model(
        "decoder",
        lambda: own_code(Decoder)(),
        lambda: [(torch.ones(4),)],
        "eager",
        context=torch.inference_mode,
        changes=(
            lambda one: setattr(one.shared, "enabled", False),
            lambda one: setattr(one.layers[7], "scale", 2.0),
            lambda one: setattr(one.layers[9].parts[1], "width", 5),
        ),
        wanted={"full": 3.5, "token": 10.0} if _SHARED_HAS_TAGS else {"token": 10.0},
    ),
    Model(
        "ten sizes",
        lambda: own_code(Chain)(100),
        lambda: [(torch.ones(size),) for size in range(10, 101, 10)],
        constant_backend,
        options={"dynamic": False},
        context=functools.partial(torch._dynamo.config.patch, recompile_limit=16),
        wanted={"full": 3.0, "token": 5.0},
    ),
    Model("two instances", make_caller, instances, constant_backend),
    Model(
        "ten entries",
        make_sum,
        lambda: [tuple(torch.ones(size) for _ in range(100)) for size in range(10, 101, 10)],
        options={"dynamic": False},
        context=functools.partial(torch._dynamo.config.patch, recompile_limit=16),
    ),
    Model(
        "encoder",
        lambda: own_code(Encoder)().eval(),
        lambda: [(torch.randn(2, 16, 64),)],
        context=torch.inference_mode,
        changes=(lambda one: setattr(one.layers[0].norm1, "eps", 10.0),),
    ),
    Model(
        "perceptron",
        make_perceptron,
        lambda: [(torch.randn(8, 64),)],
        step=train_step,
        changes=(lambda one: one.body.__setitem__(1, nn.Tanh()),),
    ),
    distributed("DDP of compiled", lambda: own_code(Perceptron)(), data_parallel),
    distributed("compiled DDP", lambda: data_parallel(own_code(Perceptron)())),
    distributed("compiled FSDP2", lambda: sharded(own_code(Perceptron)())),
    skipped("skipped function", lambda: types.FunctionType(same.__code__.replace(), globals(), "same")),
    skipped("skipped module", lambda: own_code(Same)()),
)
