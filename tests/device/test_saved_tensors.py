"""What autograd keeps for backward is counted as saved-tensor hooks would count it, without any."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from overhead_lint.probes.api import Cause, ProbeUnavailable, Reading
from overhead_lint.probes.saved_tensors_probe import METRICS, SavedProbe

BOTH = frozenset(metric.name for metric in METRICS)
Block = Callable[[], object]


def measured(block: Block) -> Reading:
    probe = SavedProbe()
    probe.start(BOTH)
    kept = block()
    reading = probe.stop()
    del kept  # the graph has to live while the block runs, and no longer
    return reading


def packed(block: Block) -> dict[str, float]:
    """The same numbers by hooks, as torch's documentation counts them."""
    seen: list[int] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        seen.append(tensor.nbytes)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        block()
    return {"saved_tensors": len(seen), "saved_bytes": sum(seen)}


class Keeps(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, None, x * 2)
        return x.clone()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> torch.Tensor:
        return grads[0]


def applied(x: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = Keeps.apply(x)  # type: ignore[no-untyped-call]
    return result


def leaf(*shape: int) -> torch.Tensor:
    return torch.ones(*shape, requires_grad=True)


def transformer() -> Block:
    net = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
    x = torch.ones(2, 3, 8)
    return lambda: net(x).sum()


def convolution() -> Block:
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(inplace=True), nn.MaxPool2d(2))
    x = torch.ones(2, 1, 8, 8)
    return lambda: net(x).sum()


def lists() -> Block:
    w, v = leaf(3), leaf(3)
    return lambda: torch.stack(torch.unbind(torch.cat([w * v, w.exp()]))).logsumexp(0)


def in_place_on_a_view() -> Block:
    w = leaf(4)

    def block() -> object:
        x = w.clone()
        x[1:].mul_(w[1:])
        x.exp_()
        return x.sum()

    return block


def function_in_the_middle() -> Block:
    w = leaf(3)
    return lambda: applied(w).exp().sum()


def function_at_the_end() -> Block:
    w = leaf(3)
    return lambda: applied(w.exp())


def with_backward() -> Block:
    net, x = nn.Linear(4, 2), torch.ones(3, 4)
    return lambda: net(x).relu().pow(2).sum().backward()


def double_backward() -> Block:
    w = leaf(3)
    return lambda: torch.autograd.grad((w**3).sum(), w, create_graph=True)[0].sum().backward()


def lstm() -> Block:
    net, x = nn.LSTM(3, 4, 2), torch.ones(5, 2, 3)
    return lambda: net(x)[0].sum().backward()


def embedding_and_loss() -> Block:
    net, words = nn.Embedding(5, 4), torch.tensor([1, 2, 3])
    return lambda: nn.functional.cross_entropy(net(words), words).backward()


PROGRAMS = [
    transformer,
    convolution,
    lists,
    in_place_on_a_view,
    function_in_the_middle,
    function_at_the_end,
    with_backward,
    double_backward,
    lstm,
    embedding_and_loss,
]


@pytest.mark.parametrize("make", PROGRAMS)
def test_count_is_that_of_saved_tensor_hooks(make: Callable[[], Block]) -> None:
    block = make()
    reading = measured(block)
    assert reading.values == packed(block)
    assert reading.values["saved_tensors"] > 0
    assert not reading.unavailable
    for metric in BOTH:
        assert sum(cause.amount for cause in reading.causes[metric]) == reading.values[metric]


def test_what_is_kept_lies_at_the_line_that_made_the_node() -> None:
    w = leaf(3)

    def block() -> object:
        y = w.exp()
        z = applied(y)
        return z.sum()

    first = inspect.getsourcelines(block)[1]
    reading = measured(block)
    assert reading.causes["saved_tensors"] == (
        Cause(2, __file__, inspect.getsourcelines(applied)[1] + 1, "saved by KeepsBackward"),
        Cause(1, __file__, first + 1, "saved by ExpBackward0"),
    )
    assert reading.causes["saved_bytes"][0].amount == 24


def test_without_gradients_nothing_is_kept() -> None:
    net = nn.Linear(4, 2)

    def block() -> object:
        with torch.no_grad():
            return net(torch.ones(3, 4)), applied(torch.ones(2))

    assert measured(block).values == {"saved_tensors": 0, "saved_bytes": 0}


def test_graph_of_before_the_block_does_not_count() -> None:
    w = leaf(3)
    loss = applied(w.exp()).exp().sum()
    assert measured(loss.backward).values == {"saved_tensors": 0, "saved_bytes": 0}


def test_checkpoint_keeps_less_and_what_it_computes_again_counts() -> None:
    net = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh())
    x = torch.ones(4, 8, requires_grad=True)
    plain = measured(lambda: net(x).sum())
    spared = measured(lambda: checkpoint(net, x, use_reentrant=False).sum())
    assert spared.values["saved_bytes"] < plain.values["saved_bytes"]
    again = measured(lambda: checkpoint(net, x, use_reentrant=False).sum().backward())
    assert again.values["saved_bytes"] > spared.values["saved_bytes"]


def test_hooks_count_with_what_they_returned() -> None:
    w = leaf(8)

    def block() -> object:
        hooks = torch.autograd.graph.saved_tensors_hooks(
            lambda t: (t.dtype, t.half()), lambda packed: packed[1].to(packed[0])
        )
        with hooks:
            return w.exp()

    assert measured(block).values == {"saved_tensors": 1, "saved_bytes": 16}


def test_torch_func_runs_as_without() -> None:
    reading = measured(lambda: torch.func.grad(lambda x: (x**2).sum())(torch.ones(3)))
    assert reading.values["saved_tensors"] > 0


def test_compiled_code_counts_and_is_not_compiled_again() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(nn.Sequential(nn.Linear(4, 4), nn.Tanh()), backend="aot_eager", fullgraph=True)
    x = torch.ones(2, 4)

    def step() -> None:
        compiled(x).sum().backward()

    step()
    before = {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()}
    with torch._dynamo.config.patch(error_on_recompile=True):
        first, second = measured(step), measured(step)
    assert {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()} == before
    assert first.values == second.values
    assert first.values["saved_tensors"] > 0


def test_bytes_of_a_sparse_tensor_are_unavailable_and_never_zero() -> None:
    w = leaf(2, 2)
    eye = torch.eye(2).to_sparse()
    reading = measured(lambda: torch.sparse.mm(eye, w).sum())
    assert reading.values["saved_tensors"] > 0
    assert "saved_bytes" not in reading.values
    assert "sparse" in reading.unavailable["saved_bytes"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*torch.jit.*")
def test_what_a_scripted_function_keeps_is_unavailable_and_never_zero() -> None:
    source = "def twice(x: Tensor):\n    return torch.tanh(torch.tanh(x) * x)\n"
    scripted = torch.jit.CompilationUnit(source).twice
    w = leaf(3)
    for _ in range(3):
        scripted(w)
    probe = SavedProbe()
    probe.start(BOTH)
    kept = scripted(w)
    with pytest.raises(ProbeUnavailable, match="TorchScript function ran"):
        probe.stop()
    assert kept.requires_grad
    with torch.no_grad():
        assert measured(lambda: scripted(w)).values == {"saved_tensors": 0, "saved_bytes": 0}


def test_saved_tensors_without_callbacks_are_unavailable_and_never_zero() -> None:
    w = leaf(3)
    probe = SavedProbe()
    probe.start(BOTH)
    torch._C._autograd._clear_callbacks()  # type: ignore[attr-defined]  # not in its stubs
    kept = w.exp()
    with pytest.raises(ProbeUnavailable, match="cleared or switched off"):
        probe.stop()
    assert kept.requires_grad
    assert measured(lambda: w.exp()).values["saved_tensors"] == 1


def test_a_reason_against_every_count_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    end = SavedProbe.end

    def end_with_doubts(*args: Any) -> dict[str, str]:
        end(*args)
        return {"saved_tensors": "why"}

    monkeypatch.setattr(SavedProbe, "end", end_with_doubts)
    probe = SavedProbe()
    probe.start(frozenset({"saved_tensors"}))
    with pytest.raises(ProbeUnavailable, match="saved_tensors: cannot be measured here: why"):
        probe.stop()


def test_device_tensors_count_like_those_of_the_host(one_device: None) -> None:
    host = nn.Linear(4, 2)
    device = nn.Linear(4, 2, device="cuda")
    x = torch.ones(3, 4)
    y = x.cuda()
    assert measured(lambda: device(y).relu().sum()).values == measured(lambda: host(x).relu().sum()).values


def test_other_threads_count_too() -> None:
    import threading

    w = leaf(3)
    kept: list[torch.Tensor] = []

    def block() -> None:
        thread = threading.Thread(target=lambda: kept.append(w.exp()))
        thread.start()
        thread.join()

    assert measured(block).values["saved_tensors"] == 1
