"""The simulated device comes and goes without a trace."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
import torch.cuda.graphs
import torch.cuda.nvtx
import torch.utils._device
import torch.utils.cpp_extension
from warm_python import python

from overhead_lint.native import build
from overhead_lint.simulated import disable, enable, is_enabled, simulated_cuda

pytestmark = pytest.mark.skipif(torch.version.cuda is not None, reason="torch is built for CUDA")


def snapshot() -> dict[str, dict[str, Any]]:
    """All attributes of torch's modules and classes that have to do with CUDA."""
    owners: list[ModuleType | type] = [
        torch,
        torch.cuda,
        torch.cuda.graphs,
        torch.cuda.nvtx,
        torch.backends.cuda,
        torch._C,
        torch.UntypedStorage,
        torch.cuda.Stream,
        torch.cuda.Event,
        torch.cuda.ExternalStream,
        torch.cuda.CUDAGraph,
        torch.cuda.MemPool,
        torch.cuda.memory,
        torch.cuda.nccl,
        torch.backends.cuda.cuFFTPlanCache,
        torch.backends.cudnn,
        torch.nn.parallel._functions,
        torch.distributed.distributed_c10d,
        torch.distributed.distributed_c10d.Backend,
        torch.utils.cpp_extension,
        sys,
    ]
    return {repr(owner): dict(vars(owner)) for owner in owners}


def work() -> float:
    x = torch.randn(4, 4, device="cuda", requires_grad=True)
    (x * 2).sum().backward()
    torch.cuda.synchronize()
    return x.sum().item()


def test_hundred_cycles_leave_every_attribute_as_it_was() -> None:
    with simulated_cuda():
        work()  # lazily imported modules are in place after the first
    before = snapshot()
    for _ in range(100):
        with simulated_cuda(2):
            assert torch.cuda.is_available()
            assert torch.cuda.device_count() == 2
            work()
        assert not torch.cuda.is_available()
        assert torch.cuda.device_count() == 0
    assert snapshot() == before


def test_storage_classes_work_as_before_afterwards() -> None:
    with simulated_cuda():
        work()
    assert torch.UntypedStorage(4).nbytes() == 4
    storage = torch.UntypedStorage(4, device="cpu")
    storage.resize_(8)
    assert storage.nbytes() == 8


def test_no_device_is_named_after_it_was_taken_back() -> None:
    with simulated_cuda():
        work()
    with pytest.raises((RuntimeError, AssertionError), match=r"CUDA|cuda"):
        torch.ones(2, device="cuda")
    with pytest.raises((RuntimeError, AssertionError), match=r"CUDA|cuda"):
        torch.ones(2).cuda()
    assert not torch.accelerator.is_available()


def test_tensor_that_outlives_the_block_is_refused_and_not_computed() -> None:
    with simulated_cuda():
        x = torch.ones(2, device="cuda")
    for use in (lambda: x + 1, lambda: x.cpu(), lambda: x.sum().item(), lambda: x.zero_()):
        with pytest.raises(RuntimeError, match="after the device was taken back"):
            use()
    with simulated_cuda():
        assert (x + 1).sum().item() == 4


def test_stream_that_outlives_the_block_is_refused() -> None:
    with simulated_cuda():
        stream = torch.cuda.Stream()
    other = torch.Stream(stream_id=3, device_index=0, device_type=1)
    for consumer in (stream, other):
        with pytest.raises(RuntimeError, match="after the device was taken back"):
            consumer.wait_stream(other)


def test_streams_that_data_parallel_keeps_are_those_of_the_block() -> None:
    for devices in (1, 2):
        with simulated_cuda(devices):
            sent = torch.nn.parallel.scatter(torch.ones(2), list(range(devices)))
            assert [part.device.index for part in sent] == list(range(devices))


def test_state_set_for_the_device_is_restored() -> None:
    before = (torch.is_autocast_enabled("cuda"), torch.get_autocast_dtype("cuda"))
    with simulated_cuda(2):
        torch.set_autocast_enabled("cuda", True)
        torch.set_autocast_dtype("cuda", torch.bfloat16)
        torch.set_default_device("cuda")
        torch.cuda.set_device(1)
        torch.cuda.set_stream(torch.cuda.Stream())
        torch.cuda.set_sync_debug_mode("error")
    assert (torch.is_autocast_enabled("cuda"), torch.get_autocast_dtype("cuda")) == before
    assert torch.ones(1).device.type == "cpu"
    with simulated_cuda(2):
        assert torch.cuda.current_device() == 0
        assert torch.cuda.current_stream() == torch.cuda.default_stream()
        assert torch.cuda.get_sync_debug_mode() == 0
        torch.ones(1, device="cuda").item()


def test_blocks_nest_and_only_the_outermost_takes_the_device_back() -> None:
    with simulated_cuda(2):
        with simulated_cuda(1):
            assert is_enabled()
        assert torch.cuda.device_count() == 2
        with pytest.raises(RuntimeError, match="3 devices asked for inside a block that shows 2"):
            enable(3)
    assert not is_enabled()
    disable()  # one too many does nothing


@pytest.mark.parametrize("devices", [0, -1, 99])
def test_wrong_number_of_devices_is_refused(devices: int) -> None:
    with pytest.raises(ValueError, match="1 to 8 devices can be shown"):
        enable(devices)
    assert not is_enabled()
    assert not torch.cuda.is_available()


def test_visible_devices_of_the_environment_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with simulated_cuda(2):
        assert torch.cuda.device_count() == 2
    assert torch.cuda.device_count() == 0


def test_names_imported_before_work_in_the_block() -> None:
    from torch.cuda import Event, Stream, current_stream, is_available

    with simulated_cuda():
        assert is_available()
        stream = Stream()
        assert isinstance(stream, Stream)
        assert isinstance(Event(), Event)
        with torch.cuda.stream(stream):
            assert current_stream() == stream


def test_arming_after_a_cpu_backward_works() -> None:
    code = """
        import torch
        torch.ones(2, requires_grad=True).mul(2).sum().backward()
        from overhead_lint.simulated import simulated_cuda
        with simulated_cuda(2):
            x = torch.ones(2, device="cuda:1", requires_grad=True)
            x.mul(2).sum().backward()
            print(x.grad.tolist())
    """
    assert run(code).strip() == "[2.0, 2.0]"


OTHER = """
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <Python.h>
static PyModuleDef def = {PyModuleDef_HEAD_INIT, "other", nullptr, -1, nullptr};
PyMODINIT_FUNC PyInit_other() {
  static auto* guard = new c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::HPU>;  // of one device
  c10::impl::DeviceGuardImplRegistrar(c10::DeviceType::HPU, guard);
  return PyModule_Create(&def);
}
"""


@pytest.mark.parametrize("before", ["torch.ones(2, requires_grad=True).mul(2).sum().backward()", "pass"])
def test_threads_of_the_engine_for_a_device_of_another_kind_give_way(tmp_path: Path, before: str) -> None:
    # As in torch with Vulkan (Debian's), which counts one device of that kind on every machine.
    (tmp_path / "unit.cpp").write_text(OTHER)
    library = build.build(build.Extension("other", tmp_path))
    code = f"""
        import importlib.util, torch
        spec = importlib.util.spec_from_file_location("other", {str(library)!r})
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
        {before}
        from overhead_lint.simulated import simulated_cuda
        with simulated_cuda(2):
            for device in ("cuda:0", "cuda:1"):
                x = torch.ones(2, device=device, requires_grad=True)
                x.mul(2).sum().backward()
                print(x.grad.tolist())
    """
    assert run(code).splitlines() == ["[2.0, 2.0]"] * 2


def test_streams_work_after_a_compilation_on_the_cpu() -> None:
    with simulated_cuda():
        work()
    torch.compile(torch.neg, backend="eager")(torch.ones(2))
    with simulated_cuda():
        assert torch.cuda.Stream() != torch.cuda.current_stream()
        work()


def test_forked_child_is_told_to_be_spawned() -> None:
    code = """
        import os, torch
        from overhead_lint.simulated import enable, simulated_cuda
        with simulated_cuda():
            x = torch.ones(2, device="cuda")
            x.sum().item()
            if os.fork() == 0:
                for use in (lambda: torch.ones(2, device="cuda"), lambda: x + 1, lambda: enable(5)):
                    try:
                        use()
                    except RuntimeError as error:
                        print(str(error).split(".")[0], flush=True)
                os._exit(0)
            _, status = os.wait()
            print(status, (x + 1).tolist())
    """
    out = run(code).splitlines()
    assert out[0].startswith("Cannot re-initialize CUDA in forked subprocess")
    assert out[1].startswith("Cannot re-initialize CUDA in forked subprocess")
    assert out[-1] == "0 [2.0, 2.0]"


def test_a_process_forked_from_one_that_only_registered_the_device_has_one_of_its_own() -> None:
    code = """
        import os, torch
        from overhead_lint.native import load
        from overhead_lint.simulated import simulated_cuda
        from overhead_lint.simulated.arming import register
        register(load("simulated"))
        if os.fork() == 0:
            with simulated_cuda():
                x = torch.ones(2, device="cuda", requires_grad=True)
                x.mul(2).sum().backward()
                print(x.grad.tolist(), flush=True)
            os._exit(0)
        _, status = os.wait()
        print(status, torch.cuda.is_available())
    """
    assert run(code).splitlines() == ["[2.0, 2.0]", "0 False"]


def run(code: str) -> str:
    done = python("-W", "ignore", "-c", textwrap.dedent(code))
    assert done.returncode == 0, done.stderr
    return done.stdout
