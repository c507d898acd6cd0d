"""A simulated ``cuda`` device for a test, taken back after it; for some tests the GPU that torch has."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

_CUDAS = frozenset(
    """test_attribution test_composed_operators test_counts_are_cudas test_dispatch test_engine_events
    test_generators test_saved_tensors
    """.split()  # noqa: SIM905
)
"""Files, and tests, that hold the simulated device to what CUDA does, so that a GPU is held to it as well."""


def gpus() -> int:
    """How many GPUs torch finds."""
    import torch  # may be missing

    return torch.cuda.device_count() if torch.version.cuda is not None else 0


def _device(request: pytest.FixtureRequest, number: int) -> Iterator[None]:
    from overhead_lint.simulated import simulated_cuda  # imports torch, which may be missing

    if gpus() and {request.node.path.stem, request.node.originalname} & _CUDAS:
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
def one_device(request: pytest.FixtureRequest) -> Iterator[None]:
    yield from _device(request, 1)


@pytest.fixture
def two_devices(request: pytest.FixtureRequest) -> Iterator[None]:
    yield from _device(request, 2)
