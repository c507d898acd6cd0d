"""The ``cuda`` device that tests get: a real one, or the simulated one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_overhead.builds import announce_builds

if TYPE_CHECKING:
    import pytest

__all__ = ["NoDevice", "cuda_device"]


class NoDevice(RuntimeError):
    """No ``cuda`` device can be given; the message says what is missing."""


@contextmanager
def cuda_device(config: pytest.Config, choice: str) -> Iterator[None]:
    """Let the ``cuda`` device type work while the block runs.

    Args:
        config: pytest's configuration.
        choice: ``real`` for a GPU, ``simulated`` for the simulated device, ``auto`` for a GPU where there is
            one and else the simulated device.

    Raises:
        NoDevice: the device cannot be had: no torch, no compiler, no GPU.
    """
    try:
        import torch

        from overhead_lint import simulated
        from overhead_lint.native import NativeUnavailable
    except ImportError as error:
        raise NoDevice(f"torch cannot be imported ({error}): install torch") from None
    real = torch.cuda.is_available() and not simulated.is_enabled()
    if choice == "real" and not real:
        raise NoDevice("torch finds no CUDA device")
    if real and choice != "simulated":
        yield
        return
    announce_builds(config)
    try:
        simulated.enable()
    except NativeUnavailable as error:
        raise NoDevice(error.why) from None
    except RuntimeError as error:
        raise NoDevice(str(error)) from None
    try:
        yield
    finally:
        simulated.disable()
