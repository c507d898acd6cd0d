"""A ``cuda`` device for a test: the GPU where torch has one, else a simulated one, taken back after it.

What these tests hold the simulated device to is what CUDA does, so a GPU is held to it as well.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest


def gpus() -> int:
    """How many GPUs torch finds."""
    import torch  # may be missing

    return torch.cuda.device_count() if torch.version.cuda is not None else 0


def _device(number: int) -> Iterator[None]:
    from overhead_lint.simulated import simulated_cuda  # imports torch, which may be missing

    if gpus():
        yield
        return
    with simulated_cuda(number):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Skip what needs two devices where there is one GPU."""
    try:
        return (yield)
    except Exception as error:
        if "invalid device ordinal" in str(error) and gpus() == 1:
            pytest.skip("one GPU: this needs two")
        raise


@pytest.fixture
def one_device() -> Iterator[None]:
    yield from _device(1)


@pytest.fixture
def two_devices() -> Iterator[None]:
    yield from _device(2)
