"""What CUDA refuses is refused with its words, and what is not simulated says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as fn
import torch.utils.cpp_extension
from torch import nn

Attempt = Callable[[], object]


def ones(*shape: int, device: str = "cuda") -> torch.Tensor:
    return torch.ones(*shape, device=device)


def index(*values: int, device: str = "cuda") -> torch.Tensor:
    return torch.tensor(values, device=device)


# A kernel over all elements names the devices, any other the argument: torch has two texts.
TWO_DEVICES = "found at least two devices, cuda:0 and cpu!"
ELSEWHERE = (
    "Expected all tensors to be on the same device, but got {} is on {}, different from other tensors on {} "
)
INDICES = r"indices should be either on cpu or on the same device as the indexed tensor \({}\)"


def elsewhere(argument: str, device: str = "cpu", others: str = "cuda:0") -> str:
    return ELSEWHERE.format(argument, device, others)


MIXED: dict[str, tuple[Attempt, str]] = {
    "device and cpu": (lambda: ones(2) + torch.ones(2), TWO_DEVICES),
    "cpu and device": (lambda: torch.ones(2) + ones(2), TWO_DEVICES),
    "cpu and a device number": (lambda: torch.ones(2) + torch.tensor(1.0).cuda(), TWO_DEVICES),
    "device number into the cpu": (lambda: torch.ones(()).add_(torch.tensor(1.0).cuda()), TWO_DEVICES),
    "result on the cpu": (lambda: torch.add(ones(3), 1, out=torch.empty(3)), TWO_DEVICES),
    "two devices": (lambda: ones(2) + ones(2, device="cuda:1"), "two devices, cuda:0 and cuda:1!"),
    "number of another device": (
        lambda: ones(2) + torch.tensor(1.0, device="cuda:1"),
        "two devices, cuda:0 and cuda:1!",
    ),
    "mask on the cpu": (lambda: ones(3).masked_fill(torch.ones(3) > 0, 1.0), TWO_DEVICES),
    "condition on the cpu": (lambda: torch.where(torch.ones(3) > 0, ones(3), 1.0), TWO_DEVICES),
    "module on the cpu": (lambda: nn.Linear(2, 2)(ones(2)), elsewhere("mat1", "cuda:0", "cpu")),
    "module on another device": (
        lambda: nn.Linear(2, 2).to("cuda:1")(ones(1, 2)),
        elsewhere("mat1", "cuda:0", "cuda:1"),
    ),
    "convolution on the cpu": (lambda: nn.Conv2d(1, 1, 1)(ones(1, 1, 2, 2)), "on the same device"),
    "statistics on the cpu": (
        lambda: fn.batch_norm(ones(2, 3), torch.zeros(3), torch.ones(3)),
        elsewhere("running_mean"),
    ),
    "hidden state on the cpu": (
        lambda: nn.LSTM(2, 2).cuda()(ones(1, 1, 2), (torch.zeros(1, 1, 2), torch.zeros(1, 1, 2))),
        "Input and hidden tensors are not at the same device",
    ),
    "lists of two devices": (lambda: torch.cat([ones(2), torch.ones(2)]), elsewhere("tensors")),
    "two lists, one on the cpu": (lambda: torch._foreach_add([ones(2)], [torch.ones(2)]), TWO_DEVICES),
    "matrix on the cpu": (lambda: ones(2, 2) @ torch.ones(2, 2), elsewhere("mat2")),
    "index of gather on the cpu": (lambda: ones(3).gather(0, torch.tensor([1])), elsewhere("index")),
    "single index on the cpu": (lambda: ones(3).index_select(0, torch.tensor(1)), elsewhere("index")),
    "token on the cpu": (lambda: nn.Embedding(3, 2).cuda()(torch.tensor(1)), elsewhere("index")),
    "single target on the cpu": (
        lambda: fn.cross_entropy(ones(3), torch.tensor(1)),
        elsewhere("target"),
    ),
    "weights of classes on the cpu": (
        lambda: fn.cross_entropy(ones(2, 3), index(0, 1), weight=torch.ones(3)),
        elsewhere("weight"),
    ),
    "boundaries on the cpu": (lambda: torch.bucketize(ones(3), torch.ones(2)), elsewhere("boundaries")),
    "indices on the device": (lambda: torch.ones(3)[index(0)], INDICES.format("cpu")),
    "indices on another device": (lambda: ones(3)[index(0, device="cuda:1")], INDICES.format("cuda:0")),
    "written by indices on the device": (
        lambda: torch.ones(3).__setitem__(index(0), 1.0),
        INDICES.format("cpu"),
    ),
    "values on the cpu": (lambda: ones(3).__setitem__(index(0, 1), torch.ones(2)), TWO_DEVICES),
    "gradient on the cpu": (
        lambda: setattr(nn.Parameter(ones(2)), "grad", torch.ones(2)),
        "attempting to assign a gradient with device type 'cpu'",
    ),
    "gradient of the loss on the cpu": (
        lambda: (ones(3).requires_grad_() * 2).backward(torch.ones(3)),
        "expected device cuda:0 but got cpu",
    ),
    "numpy": (lambda: ones(2).numpy(), "can't convert cuda:0 device type tensor to numpy"),
    "pinned twice": (lambda: ones(2).pin_memory(), "only dense CPU tensors can be pinned"),
}

ORDINALS: dict[str, tuple[Attempt, str]] = {
    "tensor": (lambda: torch.ones(1, device="cuda:2"), "invalid device ordinal"),
    "copy": (lambda: torch.ones(1).cuda(5), "invalid device ordinal"),
    "current device": (lambda: torch.cuda.set_device(2), "invalid device ordinal"),
    "block": (lambda: torch.cuda.device(5).__enter__(), "invalid device ordinal"),
    "stream": (lambda: torch.cuda.Stream("cuda:3"), "invalid device ordinal"),
    "current stream": (lambda: torch.cuda.current_stream(5), "invalid device ordinal"),
    "synchronize": (lambda: torch.cuda.synchronize(5), "invalid device ordinal"),
    "memory": (lambda: (ones(1), torch.cuda.memory_allocated(5)), "invalid device ordinal"),
    "statistics of memory, set anew": (
        lambda: torch.cuda.reset_peak_memory_stats(100),
        "invalid device ordinal",
    ),
    "accumulated statistics of memory": (
        lambda: torch.cuda.reset_accumulated_memory_stats(100),
        "invalid device ordinal",
    ),
    "share of memory": (
        lambda: torch.cuda.get_per_process_memory_fraction(100),
        "invalid device ordinal",
    ),
    "default stream": (lambda: torch.cuda.default_stream(5), "invalid device ordinal"),
    "stream of the cpu": (lambda: torch.cuda.Stream("cpu"), "Expected a cuda device, but got: cpu"),
    "properties": (lambda: torch.cuda.get_device_properties(5), "Invalid device id"),
    "generator": (lambda: torch.Generator("cuda:5"), "device_index is invalid"),
    "cpu as current device": (lambda: torch.cuda.set_device("cpu"), "Expected a cuda device"),
}

GENERATORS: dict[str, tuple[Attempt, str]] = {
    "cpu's for a factory": (
        lambda: torch.rand(2, device="cuda", generator=torch.Generator()),
        "Expected a 'cuda' device type for generator but found 'cpu'",
    ),
    "cpu's in place": (
        lambda: ones(2).normal_(generator=torch.Generator()),
        "Expected a 'cuda' device type for generator but found 'cpu'",
    ),
    "cpu's for a draw": (
        lambda: torch.multinomial(ones(3), 1, generator=torch.Generator()),
        "Expected a 'cuda' device type for generator but found 'cpu'",
    ),
    "device's on the cpu": (
        lambda: torch.rand(2, generator=torch.Generator("cuda")),
        "Expected a 'cpu' device type for generator but found 'cuda'",
    ),
}

WRONG: dict[str, tuple[Attempt, str]] = {
    "mismatched shapes": (lambda: ones(2, 3) @ ones(2, 3), "cannot be multiplied"),
    "index out of range": (lambda: ones(2)[index(5)], "out of bounds"),
    "synchronisation in error mode": (lambda: _sync_in_error_mode(), "called a synchronizing CUDA operation"),
    "unknown mode of synchronisation": (
        lambda: torch.cuda.set_sync_debug_mode(7),
        "invalid value of debug_mode, expected one of 0,1,2",
    ),
    "times before the work is done": (lambda: _unfinished(), "Both events must be completed"),
    "untimed event": (lambda: torch.cuda.Event().elapsed_time(torch.cuda.Event()), "enable_timing=True"),
    "more memory than there is": (
        lambda: torch.empty(1 << 36, dtype=torch.uint8, device="cuda"),
        "CUDA out of memory. Tried to allocate 68719476736 bytes",
    ),
    "more memory than allowed": (lambda: _over_the_limit(), "CUDA out of memory"),
    "operator that CUDA lacks": (
        lambda: torch.histogram(ones(3), 2),
        r"Could not run 'aten::histogram.bin_ct' with arguments from the 'CUDA' backend",
    ),
    "pinned memory of the device": (
        lambda: torch.zeros(2, device="cuda", pin_memory=True),
        "Only dense CPU tensors can be pinned",
    ),
}


def integers(*shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return torch.ones(*shape, dtype=dtype, device="cuda")


# What the CPU computes, and CUDA has no kernel for.
OTHER_TYPES: dict[str, tuple[Attempt, str]] = {
    "product of matrices": (
        lambda: integers(2, 2) @ integers(2, 2),
        "\"addmm_cuda\" not implemented for 'Long'",
    ),
    "batch of products": (
        lambda: torch.bmm(integers(1, 2, 2, dtype=torch.int32), integers(1, 2, 2, dtype=torch.int32)),
        "\"baddbmm_cuda\" not implemented for 'Int'",
    ),
    "sum of products": (
        lambda: torch.einsum("ij,jk->ik", integers(2, 2), integers(2, 2)),
        "not implemented for 'Long'",
    ),
    "matrix by vector": (
        lambda: integers(2, 2).mv(integers(2)),
        "\"addmv_impl_cuda\" not implemented for 'Long'",
    ),
    "inner product": (lambda: integers(2).dot(integers(2)), "\"dot\" not implemented for 'Long'"),
    "linear layer": (
        lambda: nn.functional.linear(integers(2, 2), integers(2, 2)),
        "\"addmm_cuda\" not implemented for 'Long'",
    ),
    "convolution": (
        lambda: nn.functional.conv2d(integers(1, 1, 2, 2), integers(1, 1, 1, 1)),
        "not implemented for 'Long'",
    ),
    "largest of a window": (
        lambda: nn.functional.max_pool2d(integers(1, 1, 2, 2, dtype=torch.uint8), 2),
        "not implemented for 'Byte'",
    ),
    "resized picture of bytes": (
        lambda: nn.functional.interpolate(
            integers(1, 1, 2, 2, dtype=torch.uint8), scale_factor=2, mode="bilinear"
        ),
        "not implemented for 'Byte'",
    ),
    "product of eight bits": (
        lambda: ones(16, 16).to(torch.float8_e4m3fn) @ ones(16, 16).to(torch.float8_e4m3fn),
        "\"addmm_cuda\" not implemented for 'Float8_e4m3fn'",
    ),
    "transform of half precision": (
        lambda: torch.fft.rfft(ones(2, 6).half()),
        r"sizes are powers of two when computing in half precision, but got a signal size of\[6\]",
    ),
    "transform back of half precision": (
        lambda: torch.fft.irfft2(ones(2, 4).to(torch.complex32)),
        r"powers of two when computing in half precision, but got a signal size of\[2, 6\]",
    ),
    "angle of half precision": (lambda: ones(2).half().angle(), "\"angle_cuda\" not implemented for 'Half'"),
}

ABSENT: dict[str, tuple[Attempt, str]] = {
    "graph": (lambda: torch.cuda.CUDAGraph(), "a CUDA graph"),
    "graphed callable": (
        lambda: torch.cuda.make_graphed_callables(nn.Linear(2, 2).cuda(), (ones(2),)),
        "graph",
    ),
    "pool of a graph": (lambda: torch.cuda.graph_pool_handle(), "the memory pool of a CUDA graph"),
    "compiled into graphs": (
        lambda: _compiled("cudagraphs"),
        "a CUDA graph",
    ),
    "memory pool": (lambda: torch.cuda.MemPool(), "a memory pool"),
    "inductor": (lambda: _compiled("inductor"), "Triton.* or backend='aot_eager'"),
    "nccl": (
        lambda: dist.init_process_group("nccl", init_method="tcp://127.0.0.1:1", rank=0, world_size=1),
        "NCCL backend.* or the backend 'gloo'",
    ),
    "nccl by hand": (lambda: torch.cuda.nccl.version(), "NCCL"),
    "extension compiled at once": (
        lambda: torch.utils.cpp_extension.load_inline("x", "", cuda_sources="__global__ void f() {}"),
        "an extension with CUDA sources",
    ),
    "extension of a package": (
        lambda: torch.utils.cpp_extension.CUDAExtension("x", ["x.cu"]),
        "an extension with CUDA sources",
    ),
    "default tensor type": (
        lambda: torch.set_default_tensor_type("torch.cuda.FloatTensor"),
        "a default tensor type of the device",
    ),
    "default tensor type, itself": (
        lambda: torch.set_default_tensor_type(vars(torch.cuda)["HalfTensor"]),
        r"a default tensor type of the device.*torch\.set_default_device",
    ),
    "jiterator": (
        lambda: torch.cuda.jiterator._create_jit_fn("template <typename T> T f(T x) { return x; }")(ones(2)),
        "a jiterator kernel",
    ),
    "direct storage": (
        lambda: torch.cuda.gds.gds_register_buffer(ones(2).untyped_storage()),  # type: ignore[arg-type]
        "GPUDirect storage",
    ),
    "event of another process": (
        lambda: torch.cuda.Event.from_ipc_handle(torch.device("cuda"), b""),
        "an event of another process",
    ),
    "event for another process": (
        lambda: torch.cuda.Event().ipc_handle(),
        "an event shared between processes",
    ),
    "tensor for another process": (
        lambda: mp.reductions.reduce_tensor(ones(2)),
        "a tensor shared between processes",
    ),
    "tensor in a queue": (
        lambda: vars(type(mp.Queue()))["put"](mp.Queue(), {"loss": [ones(2)]}),
        r"a tensor of the device in a queue between processes .*\.cpu\(\)",
    ),
    "attention of jagged": (lambda: _jagged_attention(), "attention between rows of jagged tensors.*padded"),
    "layer of nested": (
        lambda: fn.linear(torch.nested.nested_tensor([ones(2, 3), ones(1, 3)]), ones(2, 3)),
        "NestedTensor",
    ),
    "half precision that the cpu lacks": (
        lambda: torch.cdist(ones(2, 2).half(), ones(2, 2).half()),
        "the kernel of the CPU says so",
    ),
    "green context": (lambda: torch.cuda.GreenContext.create(num_sms=8), "a green context"),
    "statistics of pinned memory": (
        lambda: (ones(1), torch.cuda.host_memory_stats()),
        "a count of pinned memory",
    ),
    "quantized": (lambda: torch.quantize_per_tensor(ones(2), 0.1, 0, torch.qint8), "quantized"),
    "nested": (lambda: torch.nested.nested_tensor([ones(2), ones(3)]) + 1, "[nN]ested"),
    "tuning of operators": (lambda: torch.cuda.tunable.enable(True), "the tuning of operators"),
    "file of the tuning": (lambda: torch.cuda.tunable.get_filename(), "the tuning of operators"),
}


def _jagged_attention() -> torch.Tensor:
    rows = torch.nested.nested_tensor([ones(2, 4), ones(3, 4)], layout=torch.jagged)
    heads = rows.unflatten(-1, [2, 2]).transpose(1, 2)
    return fn.scaled_dot_product_attention(heads, heads, heads)


def _unfinished() -> float:
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    first.record()
    ones(4).sin()
    last.record()
    return float(first.elapsed_time(last))


def _sync_in_error_mode() -> None:
    torch.cuda.set_sync_debug_mode("error")
    ones(1).item()


def _over_the_limit() -> None:
    torch.cuda.set_per_process_memory_fraction(2**-20)
    torch.empty(1 << 16, dtype=torch.uint8, device="cuda")


def _compiled(backend: str) -> None:
    torch._dynamo.reset()
    torch.compile(lambda x: x.sin() + 1, backend=backend)(ones(64))


REFUSED = {
    f"{group}: {name}": attempt
    for group, attempts in (
        ("mixed", MIXED),
        ("ordinal", ORDINALS),
        ("generator", GENERATORS),
        ("wrong", WRONG),
        ("other types", OTHER_TYPES),
    )
    for name, attempt in attempts.items()
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", REFUSED)
def test_what_cuda_refuses_is_refused_with_its_words(two_devices: None, name: str) -> None:
    attempt, message = REFUSED[name]
    with pytest.raises((RuntimeError, TypeError, ValueError, AssertionError, IndexError), match=message):
        attempt()


def test_an_event_stays_on_the_device_of_its_first_record(two_devices: None) -> None:
    event = torch.cuda.Event()
    event.record(torch.cuda.Stream(1))
    event.record(torch.cuda.Stream(1))
    with pytest.raises(RuntimeError, match="Event device 1 does not match recording stream's device 0"):
        event.record()


def _gradient(function: Callable[[torch.Tensor], torch.Tensor], *shape: int) -> torch.Tensor:
    x = ones(*shape).requires_grad_()
    return torch.autograd.grad(function(x).sum(), x)[0]


# What CUDA computes in an order that varies, and by which name it says so.
VARYING: dict[str, tuple[Attempt, str]] = {
    "average pool": (
        lambda: _gradient(lambda x: fn.avg_pool3d(x, 2), 1, 1, 2, 2, 2),
        "avg_pool3d_backward_cuda",
    ),
    "adaptive pool": (
        lambda: _gradient(lambda x: fn.adaptive_avg_pool2d(x, 2), 1, 1, 4, 4),
        "adaptive_avg_pool2d_backward_cuda",
    ),
    "reflection": (
        lambda: _gradient(lambda x: fn.pad(x, (1, 1, 1, 1), mode="reflect"), 1, 1, 3, 3),
        "reflection_pad2d_backward_cuda",
    ),
    "sampled grid": (
        lambda: _gradient(lambda x: fn.grid_sample(x, ones(1, 2, 2, 2), align_corners=False), 1, 1, 3, 3),
        "grid_sampler_2d_backward_cuda",
    ),
    "loss of pictures": (
        lambda: fn.cross_entropy(ones(1, 2, 2, 2), integers(1, 2, 2)),
        "nll_loss2d_forward_out_cuda_template",
    ),
    "weighted counts": (lambda: torch.bincount(integers(2), ones(2)), "_bincount_cuda"),
    "cumulated sum": (lambda: ones(3).cumsum(0), "cumsum_cuda_kernel"),
    "median with its place": (lambda: ones(3).median(0), "median CUDA with indices output"),
}
STEADY: dict[str, Attempt] = {
    "loss of each picture": lambda: fn.cross_entropy(ones(1, 2, 2, 2), integers(1, 2, 2), reduction="none"),
    "counts": lambda: torch.bincount(integers(2)),
    "cumulated integers": lambda: integers(3).cumsum(0),
    "median": lambda: ones(3).median(),
    "resized picture": lambda: _gradient(
        lambda x: fn.interpolate(x, scale_factor=2, mode="bilinear"), 1, 1, 2, 2
    ),
    "product": lambda: ones(2, 2) @ ones(2, 2),
}


@pytest.fixture
def deterministic() -> Iterator[None]:
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


@pytest.mark.parametrize("name", VARYING)
def test_what_varies_on_cuda_is_refused_where_determinism_is_asked_for(
    one_device: None, deterministic: None, name: str
) -> None:
    attempt, kernel = VARYING[name]
    with pytest.raises(RuntimeError, match=f"{kernel} does not have a deterministic implementation"):
        attempt()
    torch.use_deterministic_algorithms(False)
    attempt()


@pytest.mark.parametrize("name", STEADY)
def test_what_does_not_vary_on_cuda_is_computed(one_device: None, deterministic: None, name: str) -> None:
    STEADY[name]()


@pytest.mark.parametrize("dtype", [torch.half, torch.bfloat16, torch.float32])
def test_products_of_floating_point_numbers_are_taken(one_device: None, dtype: torch.dtype) -> None:
    assert (ones(2, 2).to(dtype) @ ones(2, 2).to(dtype)).tolist() == [[2, 2], [2, 2]]


def test_a_type_that_cuda_lacks_does_not_hide_a_mixture_of_devices(one_device: None) -> None:
    with pytest.raises(RuntimeError, match="same device"):
        _ = integers(2, 2) @ torch.ones(2, 2, dtype=torch.int64)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ABSENT)
def test_what_is_not_simulated_says_so(two_devices: None, name: str) -> None:
    attempt, message = ABSENT[name]
    with pytest.raises(RuntimeError, match=f"simulated cuda: .*{message}"):
        attempt()


# What looks like a mixture, and CUDA takes.
TAKEN: dict[str, Callable[[], bool]] = {
    "number of the cpu": lambda: (ones(2) + torch.tensor(1.0)).is_cuda,
    "number of the cpu for where": lambda: torch.where(ones(2) > 0, ones(2), torch.tensor(1.0)).is_cuda,
    "number of the cpu under a mask": lambda: ones(2).masked_fill(ones(2) > 0, torch.tensor(1.0)).is_cuda,
    "indices on the cpu": lambda: ones(3)[torch.tensor([0, 2])].is_cuda,
    "mask on the cpu": lambda: ones(3)[torch.ones(3) > 0].is_cuda,
    "value of the cpu at indices": lambda: _put(torch.tensor(3.0)) == 3,
    "slice of the cpu": lambda: _put_slice() == 3,
    "chances on the cpu": lambda: ones(3).bernoulli_(torch.zeros(3)).tolist() == [0, 0, 0],
    "lengths on the cpu": lambda: (
        nn.utils.rnn.pack_padded_sequence(ones(3, 2, 1), torch.tensor([3, 2])).data.is_cuda
    ),
    "lengths of ctc on the cpu": lambda: (
        fn.ctc_loss(
            ones(4, 1, 3).log_softmax(2), index(1, 2)[None], torch.tensor([4]), torch.tensor([2])
        ).is_cuda
    ),
    "list over two devices": lambda: _list_over_two_devices(),
    "norms over two devices": lambda: (
        [norm.device.index for norm in torch._foreach_norm([ones(2), ones(2, device="cuda:1")])] == [0, 1]
    ),
    "learning rate on the cpu": lambda: _learning_rate_on_the_cpu(),
}


def _put(value: torch.Tensor) -> float:
    x = ones(3)
    x[index(0)] = value
    return x[0].item()


def _put_slice() -> float:
    x = ones(3)
    x[:2] = torch.full((2,), 3.0)
    return x[0].item()


def _list_over_two_devices() -> bool:
    tensors = [ones(2), ones(2, device="cuda:1"), torch.ones(2)]
    torch._foreach_mul_(tensors, 2.0)
    added = torch._foreach_add(tensors, tensors)
    return [t.tolist() for t in added] == [[4.0, 4.0]] * 3 and added[1].get_device() == 1


def _learning_rate_on_the_cpu() -> bool:
    w = nn.Parameter(ones(2))
    w.grad = ones(2)
    torch.optim.AdamW([w], lr=torch.tensor(0.5), fused=True, weight_decay=0.0).step()
    return torch.allclose(w.detach().cpu(), torch.full((2,), 0.5))


@pytest.mark.parametrize("name", TAKEN)
def test_what_cuda_takes_from_the_host_is_taken(two_devices: None, name: str) -> None:
    assert TAKEN[name]()
