"""A simulated ``cuda`` device for a test, taken back after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture
def one_device() -> Iterator[None]:
    from overhead_lint.simulated import simulated_cuda  # imports torch, which may be missing

    with simulated_cuda(1):
        yield


@pytest.fixture
def two_devices() -> Iterator[None]:
    from overhead_lint.simulated import simulated_cuda

    with simulated_cuda(2):
        yield
