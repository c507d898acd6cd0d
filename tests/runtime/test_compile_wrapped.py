"""`compile` of modules whose call Dynamo compiles in a frame of its own: those of torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch.utils.checkpoint
from torch import nn

from overhead_runtime import compile as full_compile

from .compile_matrix_run import build_native  # type: ignore[import-not-found]  # tests are no package

pytestmark = pytest.mark.usefixtures("fresh_dynamo")

X = torch.arange(8.0).reshape(2, 4)


@pytest.fixture(params=["full", "token"])
def guard_eval(request: pytest.FixtureRequest) -> str:
    build_native()
    return str(request.param)


def _compile(module: nn.Module, guard_eval: str) -> Any:
    return full_compile(module, backend="eager", guard_eval=guard_eval, dynamic=False)


def _linear() -> nn.Module:
    return nn.Linear(4, 4)


def _layers() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5), nn.ReLU())


def _last(module: Any) -> Any:
    return module[0] if isinstance(module, nn.Sequential) else module


CHANGES: dict[str, Callable[[Any], object]] = {
    "nothing": lambda module: None,
    "another weight": lambda module: setattr(_last(module), "weight", nn.Parameter(torch.ones(4, 4))),
    "a smaller weight": lambda module: (
        _last(module).__dict__["_parameters"].update(weight=nn.Parameter(torch.ones(2, 4)), bias=None)
    ),
    "no bias": lambda module: setattr(_last(module), "bias", None),
    "eval": lambda module: module.eval(),
    "a frozen weight": lambda module: _last(module).weight.requires_grad_(False),
    "double": lambda module: module.double(),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("make", [_linear, _layers], ids=["linear", "layers"])
def test_a_module_of_torch_is_served_and_changes_of_it_are_seen(
    make: Callable[[], nn.Module], change: str, guard_eval: str
) -> None:
    module = make().eval() if change != "eval" else make()
    compiled = _compile(module, guard_eval)
    for _ in range(5):
        compiled(X)
    stats = compiled.stats()
    assert (stats.unsupported, stats.hits, stats.fallbacks, stats.not_native) == (None, 4, {}, None)
    assert stats.dispatched_natively == 3
    assert stats.recognised == (3 if guard_eval == "token" and stats.not_recognised is None else 0)
    CHANGES[change](module)
    x = X.double() if change == "double" else X
    for _ in range(3):
        result, wanted = compiled(x), module(x)
        assert torch.equal(result, wanted)
        assert (result.dtype, result.requires_grad) == (wanted.dtype, wanted.requires_grad)
    assert torch.equal(compiled(input=x), module(x))


def test_hooks_of_the_compiled_module_are_called_by_stock(guard_eval: str) -> None:
    compiled = _compile(nn.Linear(4, 4), guard_eval)
    for _ in range(3):
        compiled(X)
    called = []
    handle = compiled.register_forward_hook(lambda module, given, result: called.append(1))
    for _ in range(2):
        compiled(X)
    assert len(called) == 2
    handle.remove()
    before = compiled.stats().hits
    compiled(X)
    assert compiled.stats().hits == before + 1
    assert len(called) == 2


def test_hooks_that_were_there_are_called(guard_eval: str) -> None:
    module = nn.Linear(4, 4)
    module.register_forward_hook(lambda module, given, result: result * 3)
    compiled = _compile(module, guard_eval)
    for _ in range(4):
        assert torch.equal(compiled(X), module(X))


def test_modules_of_one_class_have_their_own_weights(guard_eval: str) -> None:
    modules = [nn.Linear(4, 4) for _ in range(3)] + [nn.Linear(4, 2)]
    every = [_compile(module, guard_eval) for module in modules]
    for _ in range(4):
        for compiled, module in zip(every, modules, strict=True):
            assert torch.equal(compiled(X), module(X))
    assert all(compiled.stats().hits >= 2 for compiled in every)


def test_no_argument_is_taken_for_the_module(guard_eval: str) -> None:
    compiled = _compile(nn.Linear(4, 4), guard_eval)
    for _ in range(4):
        compiled(X)
    with pytest.raises(TypeError, match="self"):
        compiled(self=X)
    with pytest.raises(TypeError):
        compiled(X, X)


@pytest.fixture
def one_process() -> Iterator[None]:
    """A process group of this process alone."""
    if not torch.distributed.is_available():
        pytest.skip("this torch is built without torch.distributed")
    store: Any = torch.distributed.HashStore()  # type: ignore[attr-defined]
    torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    yield
    torch.distributed.destroy_process_group()


def _train(model: Any, other: nn.Module) -> None:
    """Train both side by side; their results stay the same."""
    optimizers = [torch.optim.SGD(one.parameters(), 0.001) for one in (model, other)]
    for step in range(5):
        results = [one(X + step) for one in (model, other)]
        torch.testing.assert_close(*results)
        for result, optimizer in zip(results, optimizers, strict=True):
            result.square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()


class Checkpointed(nn.Module):
    """Computes a part of it again in the backward pass."""

    def __init__(self) -> None:
        super().__init__()
        self.layers: Any = _layers().eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first = torch.utils.checkpoint.checkpoint(self.layers[0], x, use_reentrant=False)
        return self.layers[2](first)  # type: ignore[no-any-return]


def _with_a_hook() -> Any:
    module: Any = Checkpointed()
    module.layers[0].register_forward_hook(lambda module, given, result: result * 2)
    return module


def _in_one_piece(model: nn.Module, guard_eval: str) -> tuple[Any, list[Any]]:
    compiled = _compile(model, guard_eval)
    return compiled, [compiled]


def _inside_ddp(model: nn.Module, guard_eval: str) -> tuple[Any, list[Any]]:
    compiled = _compile(model, guard_eval)
    return torch.nn.parallel.DistributedDataParallel(compiled), [compiled]


def _around_ddp(model: nn.Module, guard_eval: str) -> tuple[Any, list[Any]]:
    compiled = _compile(torch.nn.parallel.DistributedDataParallel(model), guard_eval)
    return compiled, [compiled]  # Dynamo breaks the graph there.


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", [Checkpointed, _with_a_hook], ids=["checkpointed", "with a hook"])
@pytest.mark.parametrize("put", [_in_one_piece, _inside_ddp, _around_ddp])
def test_what_is_put_around_a_model_in_training_keeps_its_results(
    one_process: None,
    guard_eval: str,
    make: Callable[[], nn.Module],
    put: Callable[[nn.Module, str], tuple[Any, list[Any]]],
) -> None:
    model, other = make(), make()
    other.load_state_dict(model.state_dict())
    trained, compiled = put(model, guard_eval)
    _train(trained, other)
    for one in compiled:
        assert (one.stats().hits, one.stats().fallbacks) == (4, {})


@pytest.mark.filterwarnings("ignore")
def test_sharded_layers_that_are_compiled_one_by_one_train(one_process: None, guard_eval: str) -> None:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    model: Any = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    other = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    other.load_state_dict(model.state_dict())
    mesh = init_device_mesh("cpu", (1,))
    for layer in model:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    for index in range(2):
        model[index] = _compile(model[index], guard_eval)
    _train(model, other)
    for layer in model:
        stats = layer.stats()
        assert stats.unsupported is None
        assert stats.hits + stats.misses + sum(stats.fallbacks.values()) == 5


@pytest.mark.filterwarnings("ignore")
def test_why_a_sharded_model_that_is_compiled_as_a_whole_goes_to_stock_is_counted(
    one_process: None, guard_eval: str
) -> None:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    model, other = Checkpointed(), Checkpointed()
    other.load_state_dict(model.state_dict())
    fully_shard(model, mesh=init_device_mesh("cpu", (1,)))
    compiled = _compile(model, guard_eval)
    _train(compiled, other)
    assert compiled.stats().fallbacks == {"the module has hooks": 5}
