"""Storages of the device: made, set, found by their address, pinned."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from overhead_lint.simulated import simulated_cuda


def test_storages_are_made_of_nothing_a_size_or_numbers(one_device: None) -> None:
    assert torch.UntypedStorage(device="cuda").nbytes() == 0
    assert torch.UntypedStorage(3, device="cuda").nbytes() == 3
    assert torch.UntypedStorage([1, 2], device="cuda").tolist() == [1, 2]
    assert vars(torch.cuda)["FloatStorage"]().device == torch.device("cuda:0")


# What torch would have read beyond the memory of, or taken from the host.
REFUSED: dict[str, tuple[Callable[[torch.Tensor], object], str]] = {
    "storage of the host": (
        lambda x: torch.empty(0, device="cuda").set_(torch.ones(2).untyped_storage()),
        'on device "cuda:0" to a storage on different device "cpu"',
    ),
    "tensor of the host": (
        lambda x: torch.empty(0, device="cuda").set_(torch.ones(2)),  # type: ignore[call-overload]
        'on device "cuda:0" to a storage on different device "cpu"',
    ),
    "tensor of another device": (
        lambda x: torch.empty(0, device="cuda:1").set_(x),  # type: ignore[call-overload]
        'on device "cuda:1" to a storage on different device "cuda:0"',
    ),
    "offset beyond the end": (
        lambda x: torch.empty(2, device="cuda").set_(x.untyped_storage(), 1 << 20, (2,), (1,)),
        "out of bounds for storage",
    ),
    "offset before the beginning": (
        lambda x: torch.empty(0, device="cuda").set_(x.untyped_storage(), -1, (2,), (1,)),
        "invalid storage offset -1",
    ),
    "strides of another length": (
        lambda x: torch.empty(0, device="cuda").set_(x.untyped_storage(), 0, (2,), (1, 1)),
        "unequal size length",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_within_a_storage_of_the_device_is_not_set(two_devices: None, name: str) -> None:
    attempt, message = REFUSED[name]
    with pytest.raises(RuntimeError, match=message):
        attempt(torch.ones(2, device="cuda"))


def test_a_storage_that_is_too_small_grows_as_on_the_cpu(one_device: None) -> None:
    for device in ("cpu", "cuda"):
        x = torch.arange(2.0, device=device)
        grown = torch.empty(0, device=device).set_(x.untyped_storage(), 1, (3, 2), (2, 1))
        assert (grown.untyped_storage().nbytes(), grown[0, 0].item(), x.tolist()) == (28, 1.0, [0.0, 1.0])


def test_sizes_of_a_set_storage_are_those_asked_for(one_device: None) -> None:
    storage = torch.arange(6.0, device="cuda").untyped_storage()
    x = torch.empty(0, device="cuda")
    assert x.set_(storage).tolist() == [0, 1, 2, 3, 4, 5]
    assert x.set_(storage, 1, (2, 2), (2, 1)).tolist() == [[1, 2], [3, 4]]
    assert x.set_(storage, 0, (2,), (3,)).tolist() == [0, 3]
    assert x.set_(storage, 4, (), ()).item() == 4


class _Array:
    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor
        self.__cuda_array_interface__ = tensor.__cuda_array_interface__


def test_an_array_is_taken_from_the_device_that_its_memory_lies_on(two_devices: None) -> None:
    there = torch.arange(4.0, device="cuda:1")
    taken = torch.as_tensor(_Array(there[1:]))
    assert (taken.device, taken.tolist()) == (torch.device("cuda:1"), [1, 2, 3])
    taken.zero_()
    assert there.tolist() == [0, 0, 0, 0]


def test_memory_of_the_host_is_no_array_of_the_device(one_device: None) -> None:
    array = _Array(torch.ones(2, device="cuda"))
    on_host = torch.ones(2)
    array.__cuda_array_interface__ = {**array.__cuda_array_interface__, "data": (on_host.data_ptr(), False)}
    with pytest.raises(RuntimeError, match="pointer resides on host memory"):
        torch.as_tensor(array)


def test_registered_memory_of_the_host_is_pinned(one_device: None) -> None:
    x, runtime = torch.ones(4), torch.cuda.cudart()
    runtime.cudaHostRegister(x.data_ptr(), 16, 0)
    assert x.is_pinned()
    runtime.cudaHostUnregister(x.data_ptr())
    assert not x.is_pinned()


# A storage that was given back, as FSDP does with parameters: reading or writing it would crash the process.
USES: dict[str, Callable[[torch.Tensor], object]] = {
    "arithmetic": lambda x: x + 1,
    "in place": lambda x: x.add_(1),
    "result": lambda x: torch.add(torch.ones(4, device="cuda"), 1, out=x),
    "sum": lambda x: x.sum().item(),
    "to the host": lambda x: x.cpu(),
    "from the host": lambda x: x.copy_(torch.ones(4)),
    "softmax": lambda x: x.softmax(0),
    "index": lambda x: torch.ones(4, device="cuda")[x],
    "equal": lambda x: torch.equal(x, torch.ones(4, device="cuda")),
}


@pytest.mark.parametrize("bytes_left", [0, 8])
@pytest.mark.parametrize("name", USES)
def test_what_lies_beyond_a_storage_is_not_touched(one_device: None, name: str, bytes_left: int) -> None:
    x = torch.ones(4, device="cuda", dtype=torch.long if name == "index" else None)
    x.untyped_storage().resize_(bytes_left)
    with pytest.raises(RuntimeError, match="illegal memory access was encountered"):
        USES[name](x)


def test_a_tensor_whose_storage_was_given_back_can_be_looked_at_and_filled_again(one_device: None) -> None:
    x = torch.nn.Parameter(torch.ones(4, device="cuda"))
    x.untyped_storage().resize_(0)
    assert (x.shape, x.detach().view(2, 2).shape, torch.zeros_like(x).tolist()) == ((4,), (2, 2), [0.0] * 4)
    x.untyped_storage().resize_(16)
    with torch.no_grad():
        x.fill_(2)
    assert (x * 2).tolist() == [4.0] * 4


def test_pinned_memory_may_outlive_the_device() -> None:
    with simulated_cuda():
        pinned = torch.ones(4).pin_memory()
        torch.ones(4, device="cuda").copy_(pinned, non_blocking=True)
    del pinned  # no stream is left to record an event on
    with simulated_cuda():
        assert torch.ones(2).pin_memory().is_pinned()
