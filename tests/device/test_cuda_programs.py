"""The rest of what ordinary CUDA code does: devices, streams, copies, memory, random states, tools."""

from __future__ import annotations

import gc
import io
import subprocess
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.nn.parallel import comm
from torch.utils.data import DataLoader, TensorDataset
from warm_python import DYNAMO, python

from overhead_lint.probes import measure
from overhead_lint.probes.events_probe import METRICS, EventsProbe
from overhead_lint.simulated.switch import activity

EVENTS = frozenset(metric.name for metric in METRICS) - {"alloc"}


def ones(*shape: int, device: str = "cuda") -> torch.Tensor:
    return torch.ones(shape, device=device)


def nothing(function: Callable[..., object], *args: object) -> bool:
    """Whether a call works and gives None."""
    return function(*args) is None


def counted(block: Callable[[], object]) -> dict[str, float]:
    """Event metrics and copies between host and device that are not 0."""
    if torch.version.cuda is not None:
        names = {"copies_h2d": "copy_h2d", "copies_d2h": "copy_d2h"}
        with measure([*EVENTS, *names], attribute=False) as measured:
            block()
        return {names.get(name, name): value for name, value in measured.values.items() if value}
    before = activity()
    probe = EventsProbe(attribute=False)
    probe.start(EVENTS)
    block()
    values = dict(probe.stop().values)
    values.update({k: v - before[k] for k, v in activity().items() if k in ("copy_h2d", "copy_d2h")})
    return {name: value for name, value in values.items() if value}


# Each of these must hold on two devices; the name says what.
HOLDS: dict[str, Callable[[], object]] = {
    "cuda is available": lambda: torch.cuda.is_available() and torch.backends.cuda.is_built(),
    "device count": lambda: torch.cuda.device_count() == 2,
    "accelerator is cuda": lambda: torch.accelerator.current_accelerator() == torch.device("cuda"),
    "accelerator counts devices": lambda: torch.accelerator.device_count() == 2,
    "bare cuda is the current device": lambda: ones(1).device == torch.device("cuda:0"),
    "second device": lambda: ones(1, device="cuda:1").get_device() == 1,
    "int as device": lambda: torch.zeros(1, device=1).device == torch.device("cuda:1"),
    "cuda() and cpu()": lambda: torch.ones(2).cuda().cpu().device.type == "cpu",
    "is_cuda": lambda: ones(1).is_cuda and not torch.ones(1).is_cuda,
    "to() keeps what is there": lambda: (lambda x: x.to("cuda") is x)(ones(2)),
    "device block": lambda: _in_device_block(),
    "set_device": lambda: _set_device(),
    "device of a tensor": lambda: _device_of(),
    "default device": lambda: _default_device(),
    "device as context": lambda: _device_context(),
    "device properties": lambda: torch.cuda.get_device_properties(0).major >= 7,
    "device capability": lambda: torch.cuda.get_device_capability() >= (7, 0),
    "device name": lambda: bool(torch.cuda.get_device_name(0)),
    "bfloat16 support": lambda: torch.cuda.is_bf16_supported(),
    "peer access": lambda: torch.cuda.can_device_access_peer(0, 1),
    "copy to another device": lambda: torch.equal(ones(2).to("cuda:1").cpu(), torch.ones(2)),
    "module to a device": lambda: next(nn.Linear(1, 1).to("cuda:1").parameters()).get_device() == 1,
    "current stream is the default one": lambda: torch.cuda.current_stream() == torch.cuda.default_stream(),
    "stream block": lambda: _in_stream_block(),
    "stream on another device": lambda: torch.cuda.Stream("cuda:1").device == torch.device("cuda:1"),
    "stream priority": lambda: torch.cuda.Stream(priority=-1).priority == -1,
    "streams differ": lambda: torch.cuda.Stream() != torch.cuda.Stream(),
    "stream in a set": lambda: (lambda s: len({s, s}) == 1)(torch.cuda.Stream()),
    "stream query": lambda: torch.cuda.Stream().query(),
    "external stream": lambda: torch.cuda.ExternalStream(torch.cuda.Stream().cuda_stream).cuda_stream > 0,
    "generic stream": lambda: torch.Stream("cuda").device.type == "cuda",
    "record_stream": lambda: nothing(ones(2).record_stream, torch.cuda.Stream()),
    "event query": lambda: _recorded().query(),
    "event times": lambda: _times() >= 0,
    "event before it is recorded": lambda: torch.cuda.Event().query(),
    "event waited for by a stream": lambda: nothing(torch.cuda.Stream().wait_event, _recorded()),
    "event as text": lambda: (
        repr(torch.cuda.Event()) == "<torch.cuda.Event uninitialized>"
        and repr(_recorded()).startswith("<torch.cuda.Event 0x")
    ),
    "event for a C function": lambda: (lambda e: e._as_parameter_.value == e.cuda_event)(_recorded()),
    "generic event": lambda: torch.Event("cuda").device.type == "cuda",
    "pinned memory": lambda: (lambda x: x.is_pinned() and not torch.ones(2).is_pinned())(
        torch.ones(2).pin_memory()
    ),
    "pinned factory": lambda: torch.empty(3, pin_memory=True).is_pinned(),
    "view of pinned memory": lambda: torch.ones(4).pin_memory()[2:].is_pinned(),
    "memory is counted": lambda: _memory_grows_and_shrinks(),
    "peak memory": lambda: _peak_memory(),
    "memory summary": lambda: "Allocated memory" in torch.cuda.memory_summary(),
    "memory of the device": lambda: torch.cuda.mem_get_info()[1] > 0,
    "empty_cache": lambda: nothing(torch.cuda.empty_cache),
    "reset of the peak": lambda: nothing(torch.cuda.reset_peak_memory_stats),
    "random state of the device": lambda: _random_state(),
    "random states of all devices": lambda: len(torch.cuda.get_rng_state_all()) == 2,
    "cpu's random numbers do not move": lambda: _cpu_random_stays(),
    "fork_rng": lambda: _fork_rng(),
    "device seeds differ from the cpu's draw": lambda: _manual_seed(),
    "initial seed": lambda: (torch.manual_seed(3), torch.cuda.initial_seed())[1] == 3,
    "grad scaler": lambda: _grad_scaler(),
    "data loader with pinned memory": lambda: _loader(pin_memory=True),
    "data parallel": lambda: _data_parallel(),
    "storage": lambda: ones(3).untyped_storage().device == torch.device("cuda:0"),
    "storage from a class": lambda: torch.UntypedStorage(8, device="cuda").nbytes() == 8,
    "storage resized": lambda: ones(3).untyped_storage().resize_(32).nbytes() == 32,
    "saved to a file and mapped": lambda: _mapped(),
    "numpy through the host": lambda: ones(2).cpu().numpy().sum() == 2,
    "numpy to the device": lambda: torch.from_numpy(torch.ones(2).numpy()).cuda().sum().item() == 2,
    "printed": lambda: "device='cuda:0'" in repr(ones(2)),
    "used as a bool": lambda: bool(ones(1).sum() > 0),
    "formatted": lambda: f"{ones(1).sum():.1f}" == "1.0",
    "iterated": lambda: sum(float(x) for x in ones(3)) == 3,
    "tolist": lambda: ones(2).tolist() == [1.0, 1.0],
    "data pointer": lambda: ones(2).data_ptr() != 0,
    "nvtx range": lambda: _nvtx(),
    "error of the runtime": lambda: str(torch.cuda.CudaError(2)) == "simulated cuda error (2)",
    "ranges of autograd for nvtx": lambda: _emitted_nvtx(),
    "plans of cuFFT": lambda: _plans(),
    "cudart": lambda: torch.cuda.cudart().cudaProfilerStart() == 0,
    "profiler": lambda: _profiled(),
    "compiled without a backend": lambda: _compiled("eager"),
    "compiled through autograd": lambda: _compiled("aot_eager"),
    "exported": lambda: _exported(),
    "traced": lambda: torch.jit.trace(lambda x: x * 2, ones(2))(ones(2)).is_cuda,
    "fake tensors": lambda: _fake(),
    "meta to device": lambda: nn.Linear(2, 2, device="meta").to_empty(device="cuda").weight.is_cuda,
    "hooks see the device": lambda: _hook(),
    "non-blocking copy": lambda: torch.ones(2).pin_memory().to("cuda", non_blocking=True).is_cuda,
    "no graph is being captured": lambda: not torch.cuda.is_current_stream_capturing(),
    "sync debug mode": lambda: torch.cuda.get_sync_debug_mode() == 0,
}


def _in_device_block() -> bool:
    with torch.cuda.device(1):
        inside = ones(1).get_device()
    return (inside, ones(1).get_device()) == (1, 0)


def _set_device() -> bool:
    torch.cuda.set_device(1)
    return ones(1).get_device() == 1


def _device_of() -> bool:
    with torch.cuda.device_of(ones(1, device="cuda:1")):
        return torch.cuda.current_device() == 1


def _default_device() -> bool:
    torch.set_default_device("cuda")
    try:
        return torch.ones(1).is_cuda
    finally:
        torch.set_default_device(None)


def _device_context() -> bool:
    with torch.device("cuda:1"):
        return torch.ones(1).get_device() == 1


def _in_stream_block() -> bool:
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        inside = torch.cuda.current_stream()
    return inside == stream and torch.cuda.current_stream() != stream


def _recorded() -> torch.cuda.Event:
    event = torch.cuda.Event(enable_timing=True)
    event.record()
    return event


def _times() -> float:
    first, last = _recorded(), _recorded()
    last.synchronize()
    return float(first.elapsed_time(last))


def _memory_grows_and_shrinks() -> bool:
    gc.collect()  # what earlier blocks left in cycles must not be freed in between
    # On the second device, since a thread of the engine may still hold, and then free, what was on the first.
    before = torch.cuda.memory_allocated(1)
    x = torch.empty(1000, device="cuda:1")
    during = torch.cuda.memory_allocated(1)
    del x
    return (during - before, torch.cuda.memory_allocated(1)) == (4000, before)


def _peak_memory() -> bool:
    gc.collect()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.max_memory_allocated()
    torch.empty(1000, device="cuda")
    return torch.cuda.max_memory_allocated() - before == 4000


def _random_state() -> bool:
    state = torch.cuda.get_rng_state()
    first = torch.rand(3, device="cuda")
    torch.cuda.set_rng_state(state)
    return torch.equal(torch.rand(3, device="cuda"), first)


def _cpu_random_stays() -> bool:
    before = torch.get_rng_state()
    torch.rand(3, device="cuda")
    torch.dropout(ones(100), 0.5, True)
    torch.cuda.manual_seed(1)
    return torch.equal(torch.get_rng_state(), before)


def _fork_rng() -> bool:
    torch.manual_seed(0)
    with torch.random.fork_rng(devices=[0]):
        first = torch.rand(3, device="cuda")
    return torch.equal(torch.rand(3, device="cuda"), first)


def _manual_seed() -> bool:
    torch.cuda.manual_seed_all(1)
    zero, one = torch.rand(3, device="cuda:0").cpu(), torch.rand(3, device="cuda:1").cpu()
    return torch.equal(zero, one) and not torch.equal(torch.rand(3, device="cuda:0").cpu(), zero)


def _grad_scaler() -> bool:
    net = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", init_scale=1024.0)
    before = net.weight.detach().clone()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = net(ones(2, 4)).float().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    return scaler.get_scale() == 1024.0 and not torch.equal(net.weight, before)


def _loader(*, pin_memory: bool) -> bool:
    loader = DataLoader(TensorDataset(torch.arange(6.0)), batch_size=3, pin_memory=pin_memory)
    return [batch.is_pinned() for (batch,) in loader] == [pin_memory] * 2


def _data_parallel() -> bool:
    net = nn.DataParallel(nn.Linear(4, 2).cuda())
    out = net(ones(6, 4))
    out.sum().backward()
    return out.shape == (6, 2) and all(p.grad is not None for p in net.parameters())


def _mapped() -> bool:
    file = io.BytesIO()
    torch.save(ones(2, device="cuda:1"), file)
    file.seek(0)
    kept = torch.load(file).device
    file.seek(0)
    return (kept, torch.load(file, map_location="cpu").device.type) == (torch.device("cuda:1"), "cpu")


def _plans() -> bool:
    plans = torch.backends.cuda.cufft_plan_cache
    plans.max_size = 8
    plans.clear()
    return (plans.size, plans.max_size, plans[1].max_size) == (0, 8, 4096)


def _nvtx() -> bool:
    with torch.cuda.nvtx.range("step"):
        torch.cuda.nvtx.mark("here")
    return True


def _emitted_nvtx() -> bool:
    with torch.autograd.profiler.emit_nvtx():
        return ones(2).add(1).is_cuda


def _profiled() -> bool:
    with torch.profiler.profile() as profile:
        ones(2).add(1)
    return any(event.name == "aten::add" for event in profile.events())


def _compiled(backend: str) -> bool:
    torch._dynamo.reset()
    net = nn.Linear(3, 2).cuda()
    out = torch.compile(net, backend=backend, fullgraph=True)(ones(2, 3))
    out.sum().backward()
    return out.is_cuda and net.weight.grad is not None and net.weight.grad.is_cuda


def _exported() -> bool:
    program = torch.export.export(nn.Linear(3, 2).cuda(), (ones(2, 3),))
    return program.module()(ones(2, 3)).is_cuda  # type: ignore[no-any-return]


def _fake() -> bool:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        return (torch.empty(2, device="cuda") + 1).device == torch.device("cuda:0")


def _hook() -> bool:
    seen: list[torch.device] = []
    w = ones(2).requires_grad_()
    w.register_hook(lambda grad: seen.append(grad.device))
    (w * 2).sum().backward()
    return seen == [torch.device("cuda:0")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HOLDS)
def test_holds(two_devices: None, name: str) -> None:
    assert HOLDS[name]()


def test_profiler_of_the_device_tells_kernels_without_a_warning_for_each(
    one_device: None, capfd: pytest.CaptureFixture[str]
) -> None:
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]

    def profiled() -> None:
        with torch.profiler.profile(activities=activities) as profile:
            (ones(2, 2) @ ones(2, 2)).sum().item()
        kernels = {event.key: event.self_device_time_total for event in profile.key_averages()}
        assert kernels["aten::mm"] == kernels["aten::sum"] == 1  # each a tick of the virtual clock

    assert not counted(profiled).keys() & {"event_create", "event_record"}
    assert "Failed to record CUDA event" not in capfd.readouterr().err


# Counts of host synchronisations, events and copies, as CUDA makes them.
COUNTS: dict[str, tuple[Callable[[], object], dict[str, float]]] = {
    "item": (lambda: ones(2).sum().item(), {"stream_sync": 1, "copy_d2h": 1}),
    "bool": (lambda: bool(ones(1) > 0), {"stream_sync": 1, "copy_d2h": 1}),
    "float": (lambda: float(ones(1)), {"stream_sync": 1, "copy_d2h": 1}),
    "to the host": (lambda: ones(2).cpu(), {"stream_sync": 1, "copy_d2h": 1}),
    "tolist": (lambda: ones(2).tolist(), {"stream_sync": 1, "copy_d2h": 1}),
    "from the host": (lambda: torch.ones(2).cuda(), {"stream_sync": 1, "copy_h2d": 1}),
    "tensor of a list": (lambda: torch.tensor([1.0, 2.0], device="cuda"), {"stream_sync": 1, "copy_h2d": 1}),
    "from the host, not blocking": (lambda: torch.ones(2).to("cuda", non_blocking=True), {"copy_h2d": 1}),
    "nothing from the host": (lambda: torch.ones(0).cuda(), {}),
    "nothing to the host": (lambda: ones(2)[:0].cpu(), {}),
    "factory": (lambda: torch.zeros(2, device="cuda"), {}),
    "arithmetic": (lambda: (ones(2) * 2).relu().sum(), {}),
    "nonzero": (lambda: ones(2).nonzero(), {"stream_sync": 1}),
    "boolean index": (lambda: ones(2)[ones(2) > 0], {"stream_sync": 1}),
    "number under a mask": (lambda: ones(2).__setitem__(ones(2) > 0, 3.0), {}),
    "tensor under a mask": (lambda: ones(2).__setitem__(ones(2) > 0, ones(2)), {"stream_sync": 1}),
    "choice by two masks": (lambda: ones(2, 2)[ones(2) > 0, ones(2) > 0], {"stream_sync": 2}),
    "number under two masks": (
        lambda: ones(2, 2).__setitem__((ones(2) > 0, ones(2) > 0), 3.0),
        {"stream_sync": 3, "copy_h2d": 1},
    ),
    "masked_fill": (lambda: ones(2).masked_fill_(ones(2) > 0, 3.0), {}),
    "masked_select": (lambda: ones(2).masked_select(ones(2) > 0), {"stream_sync": 1}),
    "where": (lambda: torch.where(ones(2) > 0, ones(2), 0.0), {}),
    "unique": (lambda: ones(2).unique(), {"stream_sync": 1, "copy_d2h": 1}),
    "unique of nothing": (lambda: ones(0).unique(), {}),
    "equal": (lambda: torch.equal(ones(2), ones(2)), {"stream_sync": 1, "copy_d2h": 1}),
    "equal to itself": (lambda: (lambda x: torch.equal(x, x.view(2)))(ones(2)), {}),
    "equal to another size": (lambda: torch.equal(ones(2), ones(3)), {}),
    "repeats": (lambda: ones(2).repeat_interleave(ones(2).long()), {"stream_sync": 2, "copy_d2h": 2}),
    "bincount": (lambda: ones(2).long().bincount(), {"stream_sync": 2, "copy_d2h": 2}),
    "histogram": (lambda: ones(2).histc(), {"stream_sync": 2, "copy_d2h": 2}),
    "histogram of a range": (lambda: ones(2).histc(min=0, max=2), {}),
    "normal with a tensor of deviations": (
        lambda: torch.normal(ones(2), ones(2)),
        {"stream_sync": 2, "copy_d2h": 2},
    ),
    "normal with one deviation": (lambda: torch.normal(ones(2), 1.0), {}),
    "multinomial": (lambda: torch.multinomial(ones(4), 2), {}),
    "masked_fill with a device number": (
        lambda: ones(2).masked_fill_(ones(2) > 0, ones()),
        {"stream_sync": 1, "copy_d2h": 1},
    ),
    "index_fill with a device number": (
        lambda: ones(2).index_fill_(0, ones(1).long(), ones()),
        {"stream_sync": 1, "copy_d2h": 1},
    ),
    "index on the device": (lambda: ones(2)[ones(1).long()], {}),
    "index on the host": (lambda: ones(2)[torch.tensor([0])], {"stream_sync": 1, "copy_h2d": 1}),
    "number at indices": (
        lambda: ones(2).__setitem__(ones(1).long(), 3.0),
        {"stream_sync": 1, "copy_h2d": 1},
    ),
    "tensor at indices": (lambda: ones(2).__setitem__(ones(1).long(), ones(1)), {}),
    "repeats of a known sum": (lambda: ones(2).repeat_interleave(ones(2).long(), output_size=2), {}),
    "allclose": (lambda: torch.allclose(ones(2), ones(2)), {"stream_sync": 1, "copy_d2h": 1}),
    "synchronize": (lambda: torch.cuda.synchronize(), {"device_sync": 1}),
    "synchronize a stream": (lambda: torch.cuda.current_stream().synchronize(), {"stream_sync": 1}),
    "synchronize an event": (
        lambda: _recorded().synchronize(),
        {"event_create": 1, "event_record": 1, "event_sync": 1},
    ),
    "new stream": (lambda: torch.cuda.Stream(), {"stream_create": 1}),
    "wait_stream": (
        lambda: torch.cuda.default_stream().wait_stream(torch.cuda.current_stream()),
        {"event_create": 1, "event_record": 1, "event_wait": 1},
    ),
    "event recorded twice": (
        lambda: (lambda e: (e.record(), e.record()))(torch.cuda.Event()),
        {"event_create": 1, "event_record": 2},
    ),
    "event never recorded": (lambda: torch.cuda.Event().synchronize(), {}),
    "between devices": (
        lambda: ones(2).to("cuda:1"),
        {"event_create": 2, "event_record": 2, "event_wait": 2},
    ),
    "many to another device, by type and size": (
        lambda: comm.broadcast_coalesced([ones(2), ones(3), ones(1).long(), ones(9)], [0, 1], 20),
        {"event_create": 6, "event_record": 6, "event_wait": 6},
    ),
    "scattered by the host": (
        lambda: torch.nn.parallel.scatter(torch.ones(4, 2), [0, 1]),
        {"copy_h2d": 2, "stream_create": 2, "event_create": 2, "event_record": 2, "event_wait": 2},
    ),
    "gathered on the host": (
        lambda: torch.nn.parallel.gather([ones(2), ones(2, device="cuda:1")], "cpu"),  # type: ignore[arg-type]
        {"copy_d2h": 2},
    ),
    "gathered on a device": (
        lambda: torch.nn.parallel.gather([ones(2), ones(2, device="cuda:1")], 0),
        {"event_create": 2, "event_record": 2, "event_wait": 2},
    ),
    "clip by norm": (
        lambda: nn.utils.clip_grad_norm_([_with_grad()], 1.0),
        {},
    ),
    "found inf of a scaler": (lambda: _scaler_step(), {"stream_sync": 1, "copy_d2h": 1}),
}


def _with_grad() -> torch.Tensor:
    w = ones(2).requires_grad_()
    w.grad = ones(2)
    return w


def _scaler_step() -> None:
    w = _with_grad()
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0)
    scaler._lazy_init_scale_growth_tracker(torch.device("cuda"))
    scaler.step(torch.optim.SGD([w], lr=0.1))


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_cudas(two_devices: None, name: str) -> None:
    if torch.version.cuda is not None and name in ("new stream", "scattered by the host"):
        pytest.skip("CUDA makes its streams all at once, and this may need two GPUs")
    block, expected = COUNTS[name]
    assert counted(block) == expected


def test_sync_debug_mode_warns(one_device: None) -> None:
    torch.cuda.set_sync_debug_mode("warn")
    with pytest.warns(UserWarning, match="called a synchronizing CUDA operation"):
        ones(1).item()


def test_same_seed_draws_the_same_in_another_block() -> None:
    if torch.version.cuda is not None:
        pytest.skip("torch is built for CUDA")
    from overhead_lint.simulated import simulated_cuda

    draws = []
    for _ in range(2):
        with simulated_cuda():
            draws.append(torch.rand(3, device="cuda").tolist())
    assert draws[0] == draws[1]


def test_loader_workers_load_on_the_host(one_device: None) -> None:
    loader = DataLoader(TensorDataset(torch.arange(6.0)), batch_size=3, num_workers=1)
    assert [batch.cuda().sum().item() for (batch,) in loader] == [3.0, 12.0]


@pytest.mark.skipif(torch.version.cuda is not None, reason="torch is built for CUDA")
def test_two_processes_train_together_over_gloo(tmp_path: Path) -> None:
    code = """
        import sys, torch, torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel
        from overhead_lint.simulated import simulated_cuda

        def work(rank, store):
            dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
            with simulated_cuda():
                torch.manual_seed(0)
                net = DistributedDataParallel(torch.nn.Linear(2, 1).cuda())
                net(torch.full((1, 2), float(rank), device="cuda")).sum().backward()
                total = torch.ones(1, device="cuda") * (rank + 1)
                dist.all_reduce(total)
                print(rank, total.item(), net.module.weight.grad.tolist(), flush=True)
            # It holds the group, which waits as it goes for a thread that may wait for the interpreter.
            del net
            dist.destroy_process_group()

        work(int(sys.argv[1]), sys.argv[2])
    """
    command = "-W", "ignore", "-c", textwrap.dedent(code)

    def started(rank: str) -> subprocess.CompletedProcess[str]:
        return python(*command, rank, str(tmp_path / "store"), modules=DYNAMO)

    with ThreadPoolExecutor() as threads:
        ranks = [*threads.map(started, "01")]
    assert [rank.returncode for rank in ranks] == [0, 0], [rank.stderr for rank in ranks]
    assert sorted(rank.stdout.strip() for rank in ranks) == ["0 3.0 [[0.5, 0.5]]", "1 3.0 [[0.5, 0.5]]"]


def test_what_travels_together_to_another_device_arrives_apart(two_devices: None) -> None:
    x, y, z = ones(2), torch.arange(3, device="cuda"), torch.full((1, 2), 5.0, device="cuda")
    here, there = comm.broadcast_coalesced([x, y, z, x], [0, 1])
    assert [a is b for a, b in zip(here, (x, y, z, x), strict=True)] == [True] * 4
    assert [t.tolist() for t in there] == [[1, 1], [0, 1, 2], [[5, 5]], [1, 1]]
    assert {t.device for t in there} == {torch.device("cuda:1")}
    there[0].zero_()
    assert [t._version for t in there] == [1, 0, 0, 0]
    with pytest.raises(RuntimeError, match=r"all tensors must be on devices\[0\]"):
        comm.broadcast_coalesced([ones(1, device="cuda:1")], [0, 1])
