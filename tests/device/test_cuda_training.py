"""A training loop's tools compute on the simulated device what they compute on the CPU, bit by bit."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as fn
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
from torch.utils.data import DataLoader, TensorDataset

from .device_cases import numbers, through_file

Tensors = list[torch.Tensor]


def network(d: str) -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)).to(d)


def values(net: nn.Module) -> Tensors:
    return [p.detach() for p in net.parameters()]


def step(net: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> torch.Tensor:
    optimizer.zero_grad()
    loss = net(x).square().mean()
    loss.backward()
    optimizer.step()
    return loss.detach()  # type: ignore[no-any-return]


def optimized(d: str, make: Callable[..., torch.optim.Optimizer], **options: Any) -> Tensors:
    net = network(d)
    optimizer = make(net.parameters(), **options)
    for i in range(3):
        step(net, optimizer, numbers(d, 5, 4) + i)
    return values(net)


OPTIMIZERS: dict[str, Callable[[str], Tensors]] = {
    "sgd foreach": lambda d: optimized(d, torch.optim.SGD, lr=0.1, foreach=True, weight_decay=0.1),
    "sgd nesterov": lambda d: optimized(d, torch.optim.SGD, lr=0.1, momentum=0.9, nesterov=True),
    "adam fused": lambda d: optimized(d, torch.optim.Adam, fused=True),
    "adam amsgrad": lambda d: optimized(d, torch.optim.Adam, amsgrad=True, foreach=True),
    "adam with a rate in a tensor": lambda d: optimized(
        d, torch.optim.Adam, lr=torch.tensor(0.01), fused=True
    ),
    "adamw foreach": lambda d: optimized(d, torch.optim.AdamW, foreach=True),
    "adamw for loop": lambda d: optimized(d, torch.optim.AdamW, foreach=False),
    "nadam": lambda d: optimized(d, torch.optim.NAdam, foreach=True),
    "radam": lambda d: optimized(d, torch.optim.RAdam, foreach=True),
    "adamax": lambda d: optimized(d, torch.optim.Adamax, foreach=True),
    "adadelta": lambda d: optimized(d, torch.optim.Adadelta, foreach=True),
    "adagrad fused": lambda d: optimized(d, torch.optim.Adagrad, foreach=True),
    "asgd": lambda d: optimized(d, torch.optim.ASGD, foreach=True),
    "rprop": lambda d: optimized(d, torch.optim.Rprop, foreach=True),
    "adafactor": lambda d: optimized(d, torch.optim.Adafactor, foreach=False),
    "lbfgs": lambda d: _lbfgs(d),
    "groups": lambda d: _groups(d),
    "weights of a moving average": lambda d: _averaged(d),
    "cosine schedule": lambda d: _scheduled(d),
    "one step in a hook after each gradient": lambda d: _step_in_backward(d),
}


def _lbfgs(d: str) -> Tensors:
    net = network(d)
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=4)
    x = numbers(d, 5, 4)

    def closure() -> float:
        optimizer.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        return float(loss)

    optimizer.step(closure)
    return values(net)


def _groups(d: str) -> Tensors:
    net = network(d)
    groups: list[dict[str, Any]] = [
        {"params": net[0].parameters(), "lr": 0.1},
        {"params": net[2].parameters()},
    ]
    step(net, torch.optim.AdamW(groups, lr=0.01), numbers(d, 5, 4))
    return values(net)


def _averaged(d: str) -> Tensors:
    net = network(d)
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)
    )
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        step(net, optimizer, numbers(d, 5, 4) + i)
        average.update_parameters(net)
    return values(average)


def _scheduled(d: str) -> Tensors:
    net = network(d)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)
    for i in range(3):
        step(net, optimizer, numbers(d, 5, 4) + i)
        schedule.step()
    return values(net)


def _step_in_backward(d: str) -> Tensors:
    net = network(d)
    optimizers = {p: torch.optim.SGD([p], lr=0.1) for p in net.parameters()}

    def apply(p: torch.Tensor) -> None:
        optimizers[p].step()  # type: ignore[index]
        optimizers[p].zero_grad()  # type: ignore[index]

    for p in net.parameters():
        p.register_post_accumulate_grad_hook(apply)
    net(numbers(d, 5, 4)).square().mean().backward()
    return values(net)


PRECISION: dict[str, Callable[[str], Tensors]] = {
    "autocast to half": lambda d: _autocast(d, torch.float16),
    "autocast to bfloat16 with gradients": lambda d: _autocast(d, torch.bfloat16),
    "autocast switched off inside": lambda d: _autocast_off(d),
    "scaled gradients": lambda d: _scaled(d, torch.tensor(1.0)),
    "step left out after an infinity": lambda d: _scaled(d, torch.tensor(float("inf"))),
    "unscaled and clipped": lambda d: _unscaled(d),
    "model in bfloat16": lambda d: _in_bfloat16(d),
    "half-precision softmax": lambda d: [fn.softmax(numbers(d, 3, 4).half(), -1, dtype=torch.float32)],
    "product of halves in float": lambda d: _product_in_float(d),
}


def _autocast(d: str, dtype: torch.dtype) -> Tensors:
    net = network(d)
    with torch.autocast(d, dtype=dtype):
        out = net(numbers(d, 5, 4))
    out.float().square().mean().backward()
    return [out.detach(), *(p.grad for p in net.parameters() if p.grad is not None)]


def _autocast_off(d: str) -> Tensors:
    net = network(d)
    with torch.autocast(d, dtype=torch.bfloat16):
        inner = net[0](numbers(d, 5, 4))
        with torch.autocast(d, enabled=False):
            outer = net[2](inner.float())
    return [inner.detach(), outer.detach()]


def _scaled(d: str, factor: torch.Tensor) -> Tensors:
    net = network(d)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(d, init_scale=64.0, growth_interval=1)
    scaler.scale((net(numbers(d, 5, 4)) * factor.to(d)).square().mean()).backward()
    scaler.step(optimizer)
    scaler.update()
    return [*values(net), torch.tensor(scaler.get_scale(), device=d)]


def _unscaled(d: str) -> Tensors:
    net = network(d)
    optimizer = torch.optim.AdamW(net.parameters())
    scaler = torch.amp.GradScaler(d, init_scale=64.0)
    scaler.scale(net(numbers(d, 5, 4)).square().mean()).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    scaler.step(optimizer)
    return [norm, *values(net)]


def _in_bfloat16(d: str) -> Tensors:
    net = network(d).bfloat16()
    step(net, torch.optim.SGD(net.parameters(), lr=0.1), numbers(d, 5, 4).bfloat16())
    return values(net)


def _product_in_float(d: str) -> Tensors:
    a, b = numbers(d, 3, 4).bfloat16(), numbers(d, 4, 2).bfloat16()
    # On the CPU there is no such operator: this is what it means.
    return [torch.mm(a, b, out_dtype=torch.float32) if d == "cuda" else torch.mm(a.float(), b.float())]


MEMORY_SAVED: dict[str, Callable[[str], Tensors]] = {
    "checkpoint, reentrant": lambda d: _checkpointed(d, reentrant=True),
    "checkpoint with dropout": lambda d: _checkpointed(d, reentrant=False),
    "checkpointed sequence": lambda d: _checkpointed_sequence(d),
    "saved tensors on the cpu": lambda d: _saved_on_the_cpu(d),
    "graph retained": lambda d: _retained(d),
    "gradients of inputs only": lambda d: _input_gradients(d),
    "no_grad and inference_mode": lambda d: _without_gradients(d),
    "functional call": lambda d: _functional_call(d),
    "per-sample gradients": lambda d: _per_sample(d),
    "custom function": lambda d: _custom_function(d),
    "hooks that change gradients": lambda d: _hooked(d),
    "clip by value": lambda d: _clipped_by_value(d),
    "spectral norm": lambda d: _spectral(d),
    "pruned": lambda d: _pruned(d),
}


def _checkpointed(d: str, *, reentrant: bool) -> Tensors:
    torch.manual_seed(3)
    x = numbers(d, 40).requires_grad_()
    y: torch.Tensor = checkpoint(lambda v: fn.dropout(v.exp(), 0.5), x, use_reentrant=reentrant)
    y.sum().backward()
    assert x.grad is not None
    # What was dropped is dropped again: the state of the device's generator is kept.
    assert torch.equal(x.grad == 0, y.detach() == 0)
    return [x.grad, y.detach()]


def _checkpointed_sequence(d: str) -> Tensors:
    net = network(d)
    x = numbers(d, 5, 4).requires_grad_()
    checkpoint_sequential(net, 2, x, use_reentrant=False).sum().backward()
    return [p.grad for p in net.parameters() if p.grad is not None]


def _saved_on_the_cpu(d: str) -> Tensors:
    net = network(d)
    with torch.autograd.graph.save_on_cpu():
        loss = net(numbers(d, 5, 4)).square().mean()
    loss.backward()
    return [p.grad for p in net.parameters() if p.grad is not None]


def _retained(d: str) -> Tensors:
    x = numbers(d, 5).requires_grad_()
    y = (x**3).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad is not None
    return [x.grad]


def _input_gradients(d: str) -> Tensors:
    x = numbers(d, 5, 4).requires_grad_()
    return list(torch.autograd.grad(network(d)(x).sum(), x))


def _without_gradients(d: str) -> Tensors:
    net = network(d)
    with torch.no_grad():
        first = net(numbers(d, 5, 4))
    with torch.inference_mode():
        second = net(numbers(d, 5, 4))
    assert not first.requires_grad
    return [first, second]


def _functional_call(d: str) -> Tensors:
    net = network(d)
    doubled = {name: p.detach() * 2 for name, p in net.named_parameters()}
    return [torch.func.functional_call(net, doubled, (numbers(d, 5, 4),)).detach()]


def _per_sample(d: str) -> Tensors:
    net = network(d)
    parameters = {name: p.detach() for name, p in net.named_parameters()}

    def loss(parameters: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(net, parameters, (x,)).square().sum()  # type: ignore[no-any-return]

    found = torch.vmap(torch.func.grad(loss), in_dims=(None, 0))(parameters, numbers(d, 5, 4))
    return list(found.values())


class _Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return gradients[0] * 3 * x**2  # type: ignore[no-any-return]


def _custom_function(d: str) -> Tensors:
    x = numbers(d, 5).requires_grad_()
    _Cube.apply(x).sum().backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None
    return [x.grad]


def _hooked(d: str) -> Tensors:
    net = network(d)
    first, last = net[0], net[2]
    assert isinstance(last, nn.Linear)
    first.register_full_backward_hook(lambda module, inputs, outputs: (inputs[0],))  # type: ignore[index]
    last.weight.register_hook(lambda gradient: gradient * 2)
    net(numbers(d, 5, 4).requires_grad_()).sum().backward()
    return [p.grad for p in net.parameters() if p.grad is not None]


def _clipped_by_value(d: str) -> Tensors:
    net = network(d)
    net(numbers(d, 5, 4)).sum().backward()
    nn.utils.clip_grad_value_(net.parameters(), 0.01)
    return [p.grad for p in net.parameters() if p.grad is not None]


def _spectral(d: str) -> Tensors:
    torch.manual_seed(0)
    layer = nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3)).to(d)
    return [layer(numbers(d, 5, 4)).detach()]


def _pruned(d: str) -> Tensors:
    from torch.nn.utils import prune

    net = network(d)
    prune.l1_unstructured(net[0], "weight", amount=0.3)
    return [net(numbers(d, 5, 4)).detach()]


STATE: dict[str, Callable[[str], Tensors]] = {
    "checkpoint file of a whole run": lambda d: _resumed(d),
    "loaded on the cpu and moved": lambda d: _loaded_on_the_cpu(d),
    "whole module in a file": lambda d: _module_in_a_file(d),
    "copied optimizer": lambda d: _copied_optimizer(d),
    "tied weights in a file": lambda d: _tied(d),
    "buffers": lambda d: _buffers(d),
    "lazy modules": lambda d: _lazy(d),
    "meta device, then made": lambda d: _from_meta(d),
    "loader with workers, shuffled by a seed": lambda d: _loaded_by_workers(d),
    "loader into pinned memory": lambda d: _loaded_pinned(d),
    "random state in a file": lambda d: _random_state_in_a_file(d),
}


def _resumed(d: str) -> Tensors:
    def start() -> tuple[nn.Module, torch.optim.Optimizer]:
        net = network(d)
        return net, torch.optim.AdamW(net.parameters(), foreach=True)

    net, optimizer = start()
    step(net, optimizer, numbers(d, 5, 4))
    state = through_file({"net": net.state_dict(), "optimizer": optimizer.state_dict()})
    net, optimizer = start()
    net.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optimizer"])
    step(net, optimizer, numbers(d, 5, 4))
    return values(net)


def _loaded_on_the_cpu(d: str) -> Tensors:
    state = through_file(network(d).state_dict(), map_location="cpu")
    assert {t.device.type for t in state.values()} == {"cpu"}
    return [t.to(d) for t in state.values()]


def _module_in_a_file(d: str) -> Tensors:
    return values(through_file(network(d), weights_only=False))


def _copied_optimizer(d: str) -> Tensors:
    net = network(d)
    optimizer = torch.optim.Adam(net.parameters(), foreach=True)
    step(net, optimizer, numbers(d, 5, 4))
    copied_net, copied = copy.deepcopy((net, optimizer))
    step(copied_net, copied, numbers(d, 5, 4))
    return values(copied_net)


def _tied(d: str) -> Tensors:
    weight = numbers(d, 3, 3)
    first, second = through_file([weight, weight.t()])
    first.zero_()
    return [second]


def _buffers(d: str) -> Tensors:
    norm = nn.BatchNorm1d(4).to(d)
    norm(numbers(d, 5, 4))
    return [buffer.clone() for buffer in norm.buffers()]


def _lazy(d: str) -> Tensors:
    torch.manual_seed(0)
    layer = nn.LazyLinear(3)
    layer(numbers("cpu", 5, 4))
    return [layer.to(d)(numbers(d, 5, 4)).detach()]


def _from_meta(d: str) -> Tensors:
    layer = nn.Linear(4, 3, device="meta").to_empty(device=d)
    nn.init.ones_(layer.weight)
    nn.init.zeros_(layer.bias)
    return [layer(numbers(d, 5, 4)).detach()]


def _loaded_by_workers(d: str) -> Tensors:
    order = torch.Generator().manual_seed(2)
    loader = DataLoader(TensorDataset(torch.arange(12.0)), 5, shuffle=True, generator=order, num_workers=1)
    return [batch.to(d) for (batch,) in loader]


def _loaded_pinned(d: str) -> Tensors:
    loader = DataLoader(TensorDataset(torch.arange(12.0)), 5, pin_memory=d == "cuda")
    return [batch.to(d, non_blocking=True) for (batch,) in loader]


def _random_state_in_a_file(d: str) -> Tensors:
    generator = torch.Generator(d).manual_seed(4)
    state = through_file(generator.get_state())
    first = torch.rand(3, device=d, generator=generator)
    generator.set_state(state)
    assert torch.equal(torch.rand(3, device=d, generator=generator), first)
    return [first]


COMPILED: dict[str, Callable[[str], Tensors]] = {
    "compiled and trained, eager": lambda d: _compiled(d, "eager"),
    "compiled and trained, aot_eager": lambda d: _compiled(d, "aot_eager"),
    "compiled, dynamic shapes": lambda d: _compiled_dynamic(d),
    "compiled with a graph break": lambda d: _compiled_with_a_break(d),
    "compiled under autocast": lambda d: _compiled_autocast(d),
    "scripted": lambda d: [torch.jit.script(network(d))(numbers(d, 5, 4)).detach()],
    "traced": lambda d: [torch.jit.trace(network(d), numbers(d, 5, 4))(numbers(d, 5, 4)).detach()],
    "symbolically traced": lambda d: [torch.fx.symbolic_trace(network(d))(numbers(d, 5, 4)).detach()],
    "exported": lambda d: [
        torch.export.export(network(d), (numbers(d, 5, 4),)).module()(numbers(d, 5, 4)).detach()
    ],
}


def _compiled(d: str, backend: str) -> Tensors:
    torch._dynamo.reset()
    net = network(d)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    compiled: nn.Module = torch.compile(net, backend=backend)  # type: ignore[assignment]
    for i in range(2):
        step(compiled, optimizer, numbers(d, 5, 4) + i)
    return values(net)


def _compiled_dynamic(d: str) -> Tensors:
    torch._dynamo.reset()
    function = torch.compile(lambda x: (x * 2).cumsum(0), backend="aot_eager", dynamic=True)
    return [function(numbers(d, size)) for size in (3, 5, 7)]


def _compiled_with_a_break(d: str) -> Tensors:
    torch._dynamo.reset()

    def function(x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        return y + 1 if y.sum().item() > 0 else y - 1

    return [torch.compile(function, backend="eager")(numbers(d, 5))]


def _compiled_autocast(d: str) -> Tensors:
    torch._dynamo.reset()
    net = network(d)

    def function(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast(d, dtype=torch.bfloat16):
            return net(x)  # type: ignore[no-any-return]

    return [torch.compile(function, backend="aot_eager")(numbers(d, 5, 4)).detach()]


GROUPS = {**OPTIMIZERS, **PRECISION, **MEMORY_SAVED, **STATE, **COMPILED}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GROUPS)
def test_tool_computes_on_the_device_what_it_computes_on_the_cpu(one_device: None, name: str) -> None:
    expected, got = GROUPS[name]("cpu"), GROUPS[name]("cuda")
    assert len(expected) == len(got) > 0
    for right, ours in zip(expected, got, strict=True):
        assert ours.device == torch.device("cuda", 0)
        assert ours.dtype == right.dtype
        assert torch.equal(ours.cpu(), right)


def test_model_over_two_devices_trains_as_on_one(two_devices: None) -> None:
    def train(first: str, second: str) -> Tensors:
        net = network("cpu")
        net[0].to(first)
        net[2].to(second)
        loss = net[2](torch.tanh(net[0](numbers(first, 5, 4))).to(second)).square().mean()
        loss.backward()
        return [p.grad.cpu() for p in net.parameters() if p.grad is not None]

    for right, ours in zip(train("cpu", "cpu"), train("cuda:0", "cuda:1"), strict=True):
        assert torch.equal(right, ours)


VIEWS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "transposed": lambda x: x.t(),
    "slice": lambda x: x[:2],
    "reshaped": lambda x: x.view(2, 8),
    "expanded": lambda x: x[:1].expand(4, 4),
    "part": lambda x: x.chunk(2)[0],
    "detached view": lambda x: x[None].detach(),
}


@pytest.mark.parametrize("inference", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_autocast_casts_views_as_it_casts_tensors(one_device: None, name: str, inference: bool) -> None:
    with torch.inference_mode(inference):
        view = VIEWS[name](torch.ones(4, 4, device="cuda"))
        with torch.autocast("cuda", dtype=torch.bfloat16):
            assert (view @ view.mT).dtype is torch.bfloat16
            assert torch.nn.functional.scaled_dot_product_attention(view, view, view).dtype is torch.bfloat16
        assert (view @ view.mT).dtype is torch.float32
