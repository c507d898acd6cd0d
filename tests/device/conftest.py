"""A simulated ``cuda`` device for a test, taken back after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from overhead_lint.simulated import simulated_cuda


@pytest.fixture
def one_device() -> Iterator[None]:
    with simulated_cuda(1):
        yield


@pytest.fixture
def two_devices() -> Iterator[None]:
    with simulated_cuda(2):
        yield
