"""Ordinary CUDA code computes on the simulated device what it computes on the CPU, bit by bit."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as fn
from torch import nn
from torch.utils.checkpoint import checkpoint

from .device_cases import numbers as a
from .device_cases import through_file

Make = Callable[[str], Any]


def ints(d: str, *values: int) -> torch.Tensor:
    return torch.tensor(values, device=d)


def built(d: str, make: Callable[[], nn.Module]) -> nn.Module:
    torch.manual_seed(0)
    return make().to(d)


def gradients(d: str, make: Callable[[], nn.Module], *inputs: torch.Tensor) -> list[torch.Tensor]:
    """Output, and gradients of all parameters, of a module's sum."""
    module = built(d, make)
    out = module(*inputs)
    out = out[0] if isinstance(out, tuple) else out
    out.square().sum().backward()
    return [out.detach(), *(p.grad for p in module.parameters() if p.grad is not None)]


def trained(d: str, make: Callable[..., torch.optim.Optimizer], **options: Any) -> list[torch.Tensor]:
    """Parameters of a small network after three steps."""
    net = built(d, lambda: nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)))
    optimizer = make(net.parameters(), **options)
    for step in range(3):
        optimizer.zero_grad()
        net(a(d, 5, 4) + step).square().mean().backward()
        optimizer.step()
    return [p.detach() for p in net.parameters()]


ELEMENTWISE: dict[str, Make] = {
    "add": lambda d: a(d, 3, 4) + a(d, 3, 4),
    "add a number": lambda d: a(d, 3) + 2,
    "add a zero-dimensional cpu tensor": lambda d: a(d, 3) + torch.tensor(2.0),
    "broadcast": lambda d: a(d, 3, 1) * a(d, 4),
    "in place": lambda d: a(d, 4).add_(1).mul_(3),
    "divide with rounding": lambda d: torch.div(a(d, 5), 0.1, rounding_mode="floor"),
    "compare": lambda d: a(d, 5) > 0.5,
    "where": lambda d: torch.where(a(d, 5) > 0, a(d, 5), -1.0),
    "clamp": lambda d: a(d, 5).clamp(-0.5, 0.5),
    "exp and log": lambda d: a(d, 5).exp().log1p(),
    "complex": lambda d: torch.complex(a(d, 3), a(d, 3)) * 2j,
    "conjugate": lambda d: torch.complex(a(d, 3), a(d, 3)).conj() + 1,
    "negative view": lambda d: torch.complex(a(d, 3), a(d, 3)).conj().imag + 1,
    "half": lambda d: a(d, 4).half() * 2,
    "bfloat16": lambda d: a(d, 4).bfloat16() + 1,
    "integer arithmetic": lambda d: ints(d, 7, 8, 9) // 2 % 3,
    "bit operations": lambda d: (ints(d, 7, 8) & 3) | (ints(d, 1, 2) << 2),
    "lerp": lambda d: torch.lerp(a(d, 4), a(d, 4) + 1, 0.3),
    "addcmul": lambda d: torch.addcmul(a(d, 4), a(d, 4), a(d, 4), value=0.5),
    "out argument": lambda d: torch.add(a(d, 4), 1, out=torch.empty(4, device=d)),
    "out argument that grows": lambda d: torch.add(a(d, 4), 1, out=torch.empty(0, device=d)),
    "gelu": lambda d: fn.gelu(a(d, 8)),
    "silu in place": lambda d: fn.silu(a(d, 8), inplace=True),
    "nan_to_num": lambda d: torch.nan_to_num(a(d, 3) / 0),
    "type promotion": lambda d: ints(d, 1, 2) + a(d, 2),
    "pow of scalars": lambda d: 2 ** a(d, 3),
}

SHAPES: dict[str, Make] = {
    "view and transpose": lambda d: a(d, 2, 6).view(3, 4).t().contiguous(),
    "slice": lambda d: a(d, 5, 6)[1:4, ::2],
    "write to a slice": lambda d: a(d, 5, 6).index_fill_(0, ints(d, 1), 2.0),
    "assign to a slice": lambda d: _assigned(a(d, 5, 6), (slice(1, 3),), 7.0),
    "assign a tensor": lambda d: _assigned(a(d, 5, 6), (0,), a(d, 6) + 1),
    "index with a list": lambda d: a(d, 5, 6)[[0, 3]],
    "index with a tensor": lambda d: a(d, 5, 6)[ints(d, 4, 0)],
    "index with a cpu tensor": lambda d: a(d, 5, 6)[ints("cpu", 4, 0)],
    "boolean mask": lambda d: a(d, 5)[a(d, 5) > 0],
    "assign under a mask": lambda d: _assigned(a(d, 5), (a(d, 5) > 0,), 0.0),
    "masked_fill": lambda d: a(d, 5).masked_fill(a(d, 5) > 0, -1.0),
    "gather": lambda d: a(d, 3, 4).gather(1, ints(d, 0, 1, 2)[:, None]),
    "scatter_add": lambda d: torch.zeros(3, device=d).scatter_add(0, ints(d, 0, 0, 2), a(d, 3)),
    "index_add": lambda d: torch.zeros(3, 2, device=d).index_add(0, ints(d, 2, 2), a(d, 2, 2)),
    "cat and stack": lambda d: torch.stack([torch.cat([a(d, 2), a(d, 2)])] * 2),
    "split and chunk": lambda d: [*a(d, 6).split(2), *a(d, 6).chunk(4)],
    "expand and repeat": lambda d: a(d, 1, 3).expand(2, 3) + a(d, 3).repeat(2, 1),
    "pad": lambda d: fn.pad(a(d, 2, 3), (1, 2), value=3.0),
    "roll and flip": lambda d: a(d, 6).roll(2).flip(0),
    "tril": lambda d: a(d, 4, 4).tril(-1),
    "unfold": lambda d: a(d, 8).unfold(0, 3, 2),
    "as_strided": lambda d: a(d, 8).as_strided((3, 2), (2, 1), 1),
    "meshgrid": lambda d: list(torch.meshgrid(a(d, 2), a(d, 3), indexing="ij")),
    "channels last": lambda d: a(d, 2, 3, 4, 4).to(memory_format=torch.channels_last) * 2,
    "resize": lambda d: a(d, 4).clone().resize_(2),
    "swap data": lambda d: _set_data(a(d, 4), a(d, 4) * 2),
    "view as complex": lambda d: torch.view_as_complex(a(d, 3, 2)),
    "movedim and flatten": lambda d: a(d, 2, 3, 4).movedim(0, 2).flatten(1),
    "nonzero": lambda d: (a(d, 6) > 0).nonzero(),
    "unique": lambda d: list(ints(d, 3, 1, 3, 2).unique(return_inverse=True, return_counts=True)),
    "repeat_interleave": lambda d: torch.repeat_interleave(a(d, 2), ints(d, 2, 3)),
    "bincount": lambda d: torch.bincount(ints(d, 1, 1, 3)),
    "one_hot": lambda d: fn.one_hot(ints(d, 0, 2), 3),
    "tensor from a list": lambda d: torch.tensor([[1.0, 2.0]], device=d),
    "arange": lambda d: torch.arange(5, device=d),
    "linspace": lambda d: torch.linspace(0, 1, 5, device=d),
    "full_like": lambda d: torch.full_like(a(d, 3), 2.5),
    "eye": lambda d: torch.eye(3, device=d),
    "kaiser window": lambda d: [
        torch.kaiser_window(8, device=d),
        torch.kaiser_window(8, False, 9.0, device=d),
    ],
    "factory with a dtype": lambda d: torch.zeros(2, dtype=torch.float64, device=d),
}

REDUCTIONS: dict[str, Make] = {
    "sum": lambda d: a(d, 3, 4).sum(1, keepdim=True),
    "mean and variance": lambda d: list(torch.var_mean(a(d, 3, 4), 1)),
    "max with indices": lambda d: list(a(d, 3, 4).max(1)),
    "argmax": lambda d: a(d, 3, 4).argmax(),
    "topk": lambda d: list(a(d, 8).topk(3)),
    "sort": lambda d: list(a(d, 8).sort(stable=True)),
    "cumsum": lambda d: a(d, 8).cumsum(0),
    "logsumexp": lambda d: a(d, 3, 4).logsumexp(1),
    "norm": lambda d: a(d, 3, 4).norm(dim=1),
    "any and all": lambda d: [(a(d, 4) > 0).any(), (a(d, 4) > 0).all()],
    "histc": lambda d: a(d, 9).histc(3, -1, 1),
    "quantile": lambda d: a(d, 9).quantile(0.3),
    "prod": lambda d: a(d, 4).prod(),
    "amax": lambda d: a(d, 3, 4).amax(0),
    "searchsorted": lambda d: torch.searchsorted(a(d, 5).sort().values, a(d, 2)),
    "segment mean by scatter": lambda d: torch.zeros(2, device=d).scatter_reduce(
        0, ints(d, 0, 1, 1), a(d, 3), "mean"
    ),
}

LINEAR_ALGEBRA: dict[str, Make] = {
    "matmul": lambda d: a(d, 3, 4) @ a(d, 4, 5),
    "batched matmul": lambda d: a(d, 2, 3, 4) @ a(d, 2, 4, 5),
    "baddbmm": lambda d: torch.baddbmm(a(d, 2, 3, 5), a(d, 2, 3, 4), a(d, 2, 4, 5)),
    "einsum": lambda d: torch.einsum("bij,bjk->bik", a(d, 2, 3, 4), a(d, 2, 4, 5)),
    "outer": lambda d: torch.outer(a(d, 3), a(d, 4)),
    "inverse": lambda d: torch.linalg.inv(a(d, 3, 3) + 3 * torch.eye(3, device=d)),
    "cholesky": lambda d: torch.linalg.cholesky(a(d, 3, 3) @ a(d, 3, 3).T + torch.eye(3, device=d)),
    "singular values": lambda d: torch.linalg.svdvals(a(d, 3, 4)),
    "qr": lambda d: list(torch.linalg.qr(a(d, 4, 3))),
    "solve": lambda d: torch.linalg.solve(a(d, 3, 3) + 3 * torch.eye(3, device=d), a(d, 3, 1)),
    "determinant": lambda d: torch.linalg.det(a(d, 3, 3)),
    "fft": lambda d: torch.fft.rfft(a(d, 8)),
    "inverse fft": lambda d: torch.fft.irfft(torch.fft.rfft(a(d, 8))),
    "stft": lambda d: torch.stft(a(d, 64), 16, window=torch.hann_window(16, device=d), return_complex=True),
}

LAYERS: dict[str, Make] = {
    "linear": lambda d: gradients(d, lambda: nn.Linear(4, 3), a(d, 2, 4)),
    "bilinear": lambda d: gradients(d, lambda: nn.Bilinear(4, 3, 2), a(d, 2, 4), a(d, 2, 3)),
    "convolution 1d": lambda d: gradients(d, lambda: nn.Conv1d(2, 3, 3, padding=1), a(d, 2, 2, 8)),
    "convolution 2d": lambda d: gradients(d, lambda: nn.Conv2d(2, 3, 3, stride=2), a(d, 2, 2, 8, 8)),
    "depthwise convolution": lambda d: gradients(d, lambda: nn.Conv2d(4, 4, 3, groups=4), a(d, 1, 4, 6, 6)),
    "transposed convolution": lambda d: gradients(d, lambda: nn.ConvTranspose2d(2, 3, 3), a(d, 1, 2, 4, 4)),
    "batch norm": lambda d: gradients(d, lambda: nn.BatchNorm2d(3), a(d, 2, 3, 4, 4)),
    "layer norm": lambda d: gradients(d, lambda: nn.LayerNorm(4), a(d, 2, 4)),
    "group norm": lambda d: gradients(d, lambda: nn.GroupNorm(2, 4), a(d, 2, 4, 3)),
    "rms norm": lambda d: gradients(d, lambda: nn.RMSNorm(4), a(d, 2, 4)),
    "instance norm": lambda d: gradients(d, lambda: nn.InstanceNorm2d(3, affine=True), a(d, 2, 3, 4, 4)),
    "embedding": lambda d: gradients(d, lambda: nn.Embedding(5, 3), ints(d, 0, 4, 4)),
    "embedding bag": lambda d: gradients(
        d, lambda: nn.EmbeddingBag(5, 3, mode="sum"), ints(d, 0, 4, 4, 1), ints(d, 0, 2)
    ),
    "max pool": lambda d: fn.max_pool2d(a(d, 1, 2, 6, 6), 2),
    "adaptive pool": lambda d: fn.adaptive_avg_pool2d(a(d, 1, 2, 6, 6), 2),
    "interpolate": lambda d: fn.interpolate(a(d, 1, 2, 3, 3), scale_factor=2, mode="bilinear"),
    "grid sample": lambda d: fn.grid_sample(a(d, 1, 1, 4, 4), a(d, 1, 2, 2, 2), align_corners=False),
    "pixel shuffle": lambda d: fn.pixel_shuffle(a(d, 1, 4, 2, 2), 2),
    "softmax": lambda d: fn.softmax(a(d, 3, 4), -1),
    "log softmax": lambda d: fn.log_softmax(a(d, 3, 4), -1),
}

LOSSES: dict[str, Make] = {
    "cross entropy": lambda d: fn.cross_entropy(a(d, 3, 4), ints(d, 0, 3, 1)),
    "label smoothing": lambda d: fn.cross_entropy(a(d, 3, 4), ints(d, 0, 3, 1), label_smoothing=0.1),
    "nll": lambda d: fn.nll_loss(fn.log_softmax(a(d, 3, 4), 1), ints(d, 0, 3, 1)),
    "mse": lambda d: fn.mse_loss(a(d, 3), a(d, 3) + 1),
    "smooth l1": lambda d: fn.smooth_l1_loss(a(d, 3), a(d, 3) + 1),
    "binary cross entropy": lambda d: fn.binary_cross_entropy_with_logits(a(d, 3), (a(d, 3) > 0).float()),
    "kl divergence": lambda d: fn.kl_div(fn.log_softmax(a(d, 3, 4), 1), fn.softmax(a(d, 3, 4) * 2, 1)),
    "ctc": lambda d: fn.ctc_loss(
        fn.log_softmax(a(d, 6, 1, 4), 2), ints(d, 1, 2)[None], ints("cpu", 6), ints("cpu", 2)
    ),
    "triplet": lambda d: fn.triplet_margin_loss(a(d, 2, 3), a(d, 2, 3) * 2, a(d, 2, 3) - 1),
    "cosine": lambda d: fn.cosine_similarity(a(d, 2, 3), a(d, 2, 3) + 1),
}

RANDOM: dict[str, Make] = {
    "randn": lambda d: _seeded(lambda: torch.randn(5, device=d)),
    "randint": lambda d: _seeded(lambda: torch.randint(0, 9, (5,), device=d)),
    "randperm": lambda d: _seeded(lambda: torch.randperm(7, device=d)),
    "uniform in place": lambda d: _seeded(lambda: torch.empty(4, device=d).uniform_(-1, 1)),
    "dropout": lambda d: _seeded(lambda: fn.dropout(a(d, 20), 0.5)),
    "bernoulli": lambda d: _seeded(lambda: torch.bernoulli(torch.full((6,), 0.5, device=d))),
    "multinomial": lambda d: _seeded(lambda: torch.multinomial(a(d, 6).abs(), 3)),
    "initialisation": lambda d: _seeded(lambda: nn.init.xavier_normal_(torch.empty(3, 4, device=d))),
    "own generator": lambda d: torch.randn(3, device=d, generator=torch.Generator(d).manual_seed(3)),
    "gumbel softmax": lambda d: _seeded(lambda: fn.gumbel_softmax(a(d, 2, 3))),
    "rand_like": lambda d: _seeded(lambda: torch.rand_like(a(d, 3))),
    "normal": lambda d: _seeded(lambda: torch.normal(a(d, 3), 1.0)),
}

TRAINING: dict[str, Make] = {
    "sgd with momentum": lambda d: trained(d, torch.optim.SGD, lr=0.1, momentum=0.9),
    "sgd fused": lambda d: trained(d, torch.optim.SGD, lr=0.1, fused=True),
    "adam": lambda d: trained(d, torch.optim.Adam, foreach=False),
    "adam foreach": lambda d: trained(d, torch.optim.Adam, foreach=True),
    "adamw fused": lambda d: trained(d, torch.optim.AdamW, fused=True),
    "adagrad": lambda d: trained(d, torch.optim.Adagrad, foreach=False),
    "rmsprop": lambda d: trained(d, torch.optim.RMSprop, foreach=True),
    "clip the norm": lambda d: _clipped(d),
    "accumulated gradients": lambda d: _accumulated(d),
    "checkpoint": lambda d: _checkpointed(d),
    "jacobian": lambda d: torch.autograd.functional.jacobian(lambda x: x.sin() ** 2, a(d, 3)),
    "hessian": lambda d: torch.autograd.functional.hessian(lambda x: (x.sin() ** 3).sum(), a(d, 3)),
    "vmap of grad": lambda d: torch.vmap(torch.func.grad(lambda x: (x**3).sum()))(a(d, 2, 3)),
    "forward mode": lambda d: torch.func.jvp(torch.sin, (a(d, 3),), (a(d, 3),))[1],
    "double backward": lambda d: _double_backward(d),
    "anomaly mode": lambda d: _anomaly(d),
    "deep copy": lambda d: _deep_copied(d),
    "state dict": lambda d: _reloaded(d),
    "save and load": lambda d: through_file(a(d, 3)),
    "parametrization": lambda d: gradients(
        d, lambda: nn.utils.parametrizations.weight_norm(nn.Linear(3, 2)), a(d, 2, 3)
    ),
    "autocast to bfloat16": lambda d: _autocast(d),
}

GROUPS = (ELEMENTWISE, SHAPES, REDUCTIONS, LINEAR_ALGEBRA, LAYERS, LOSSES, RANDOM, TRAINING)
ALL = {name: make for group in GROUPS for name, make in group.items()}

ONLY_CLOSE: dict[str, Make] = {
    # The CPU has a fused kernel for the sequence; a CUDA build, and so this, runs a cell at a time.
    "lstm": lambda d: gradients(d, lambda: nn.LSTM(3, 4, 2, bidirectional=True), a(d, 2, 2, 3)),
    "gru": lambda d: gradients(d, lambda: nn.GRU(3, 4), a(d, 2, 2, 3)),
    "lstm cell": lambda d: gradients(d, lambda: nn.LSTMCell(3, 4), a(d, 2, 3)),
    "gru cell": lambda d: gradients(d, lambda: nn.GRUCell(3, 4), a(d, 2, 3)),
    "packed sequence": lambda d: _packed(d),
    "rnn": lambda d: gradients(d, lambda: nn.RNN(3, 4), a(d, 2, 2, 3)),
    # The CPU has a fused kernel for these as well; here the plain formula runs.
    "attention": lambda d: fn.scaled_dot_product_attention(
        a(d, 1, 2, 3, 4), a(d, 1, 2, 3, 4), a(d, 1, 2, 3, 4)
    ),
    "causal attention": lambda d: fn.scaled_dot_product_attention(
        a(d, 1, 2, 3, 4), a(d, 1, 2, 3, 4), a(d, 1, 2, 3, 4), is_causal=True
    ),
    "transformer layer": lambda d: gradients(
        d, lambda: nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True), a(d, 2, 3, 4)
    ),
    "multi-head attention": lambda d: gradients(
        d, lambda: nn.MultiheadAttention(4, 2, batch_first=True), *[a(d, 2, 3, 4)] * 3
    ),
}


def _assigned(x: torch.Tensor, where: tuple[Any, ...], value: Any) -> torch.Tensor:
    x[where] = value
    return x


def _set_data(x: torch.Tensor, data: torch.Tensor) -> torch.Tensor:
    x.data = data
    return x


def _seeded(draw: Callable[[], torch.Tensor]) -> torch.Tensor:
    torch.manual_seed(5)
    return draw()


def _clipped(d: str) -> list[torch.Tensor]:
    net = built(d, lambda: nn.Linear(4, 2))
    net(a(d, 3, 4)).sum().backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    return [norm, *(p.grad for p in net.parameters() if p.grad is not None)]


def _accumulated(d: str) -> torch.Tensor:
    net = nn.Linear(4, 2, bias=False).to(d)
    net.weight.data.fill_(0.5)
    for i in range(3):
        net(a(d, 3, 4) + i).square().sum().backward()
    assert net.weight.grad is not None
    return net.weight.grad


def _checkpointed(d: str) -> torch.Tensor:
    x = a(d, 3).requires_grad_()
    y: torch.Tensor = checkpoint(lambda v: v.sin().exp(), x, use_reentrant=False)
    y.sum().backward()
    assert x.grad is not None
    return x.grad


def _double_backward(d: str) -> torch.Tensor:
    x = a(d, 3).requires_grad_()
    (first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    first.sum().backward()
    assert x.grad is not None
    return x.grad


def _anomaly(d: str) -> torch.Tensor:
    with torch.autograd.detect_anomaly(check_nan=True):
        return _double_backward(d)


def _deep_copied(d: str) -> list[torch.Tensor]:
    return [p.detach() for p in copy.deepcopy(built(d, lambda: nn.Linear(2, 2))).parameters()]


def _reloaded(d: str) -> list[torch.Tensor]:
    net = built(d, lambda: nn.Linear(2, 2))
    state = through_file(net.state_dict(), map_location=d)
    fresh = nn.Linear(2, 2).to(d)
    fresh.load_state_dict(state)
    return [p.detach() for p in fresh.parameters()]


def _autocast(d: str) -> torch.Tensor:
    net = built(d, lambda: nn.Linear(4, 2))
    with torch.autocast(d, dtype=torch.bfloat16):
        out: torch.Tensor = net(a(d, 3, 4))
    assert out.dtype is torch.bfloat16
    return out.detach()


def _packed(d: str) -> list[torch.Tensor]:
    packed = nn.utils.rnn.pack_padded_sequence(a(d, 3, 2, 3), ints("cpu", 3, 2))
    out, _ = built(d, lambda: nn.LSTM(3, 4))(packed)
    return list(nn.utils.rnn.pad_packed_sequence(out)[:1])


def as_list(result: Any) -> list[torch.Tensor]:
    return [result] if isinstance(result, torch.Tensor) else list(result)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ALL)
def test_result_is_on_the_device_and_equals_the_cpus_bit_by_bit(one_device: None, name: str) -> None:
    expected, got = as_list(ALL[name]("cpu")), as_list(ALL[name]("cuda"))
    assert len(expected) == len(got)
    for right, ours in zip(expected, got, strict=True):
        assert ours.device == torch.device("cuda", 0)
        assert ours.dtype == right.dtype
        assert torch.equal(ours.cpu(), right)


@pytest.mark.parametrize("name", ONLY_CLOSE)
def test_result_of_another_kernel_is_on_the_device_and_close_to_the_cpus(one_device: None, name: str) -> None:
    expected, got = as_list(ONLY_CLOSE[name]("cpu")), as_list(ONLY_CLOSE[name]("cuda"))
    for right, ours in zip(expected, got, strict=True):
        assert ours.device == torch.device("cuda", 0)
        torch.testing.assert_close(ours.cpu(), right)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int32, torch.int64])
def test_integers_are_counted_though_the_cpu_has_no_such_kernel(one_device: None, dtype: torch.dtype) -> None:
    numbers = torch.tensor([0, 1, 1, 3], dtype=dtype)
    with pytest.raises(NotImplementedError):
        torch.histc(numbers, bins=4, min=0, max=3)
    found = torch.histc(numbers.cuda(), bins=4, min=0, max=3)
    assert found.is_cuda and found.dtype == dtype
    assert found.cpu().tolist() == [1, 2, 0, 1]


HALF: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "avg_pool3d": lambda x: fn.avg_pool3d(x, 2),
    "antialiased, linear": lambda x: fn.interpolate(x[0], size=(2, 3), mode="bilinear", antialias=True),
    "antialiased, cubic": lambda x: fn.interpolate(x[0], size=(2, 3), mode="bicubic", antialias=True),
    "multi_margin_loss": lambda x: fn.multi_margin_loss(x[0, 0, 0], index_like(x, 4)),
    "multilabel_margin_loss": lambda x: fn.multilabel_margin_loss(x[0, 0, 0], index_like(x, 4, 4)),
}


def index_like(x: torch.Tensor, *shape: int) -> torch.Tensor:
    return torch.ones(shape, dtype=torch.int64, device=x.device)


@pytest.mark.parametrize("dtype", [torch.half, torch.bfloat16])
@pytest.mark.parametrize("name", HALF)
def test_half_precision_is_computed_though_the_cpu_has_no_such_kernel(
    one_device: None, name: str, dtype: torch.dtype
) -> None:
    numbers = torch.linspace(-1, 1, 64).reshape(1, 1, 4, 4, 4).to(dtype)
    with pytest.raises(NotImplementedError):
        HALF[name](numbers)
    ours, right = numbers.cuda().requires_grad_(), numbers.float().requires_grad_()
    found, expected = HALF[name](ours), HALF[name](right)
    assert found.is_cuda and found.dtype == dtype
    torch.testing.assert_close(found.cpu(), expected.to(dtype))
    found.sum().backward()
    expected.sum().backward()
    assert ours.grad is not None and right.grad is not None
    assert ours.grad.dtype == dtype
    torch.testing.assert_close(ours.grad.cpu(), right.grad.to(dtype))


def test_there_are_many_computations() -> None:
    assert len(ALL) == sum(map(len, GROUPS)) >= 150


# Of numbers of half precision, real and complex; sizes are powers of two.
TRANSFORMS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "of real numbers": lambda x: torch.fft.rfft(x),
    "of two dimensions": lambda x: torch.fft.fft2(x),
    "of complex numbers": lambda x: torch.fft.ifft(torch.fft.fft(x)),
    "back to real numbers": lambda x: torch.fft.irfft(torch.fft.rfft(x)),
}


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize("name", TRANSFORMS)
def test_half_precision_is_transformed_though_the_cpu_does_not(one_device: None, name: str) -> None:
    x = a("cpu", 4, 8)
    found, wide = TRANSFORMS[name](x.half().cuda()), TRANSFORMS[name](x.half().float())
    assert found.dtype is (torch.complex32 if wide.is_complex() else torch.half)
    assert torch.allclose(found.cpu().to(wide.dtype), wide, rtol=2e-3, atol=2e-3)
