"""What tests of the simulated device share: numbers that are the same on each device, files, source lines."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable
from typing import Any

import torch

__all__ = ["line_of", "numbers", "through_file"]


def numbers(device: str, *shape: int) -> torch.Tensor:
    """A float32 tensor of a shape with numbers from -1 to 1, the same on each device."""
    count = 1
    for size in shape:
        count *= size
    return (torch.arange(count, dtype=torch.float32).reshape(shape) * 0.37).sin().to(device)


def through_file(value: Any, **options: Any) -> Any:
    """What `torch.load` makes of what `torch.save` wrote.

    Args:
        value: what is saved.
        options: of `torch.load`.
    """
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, **options)


def line_of(function: Callable[..., object], text: str) -> int:
    """The line number of the first line of `function` that holds `text`."""
    lines, first = inspect.getsourcelines(function)
    return first + next(number for number, line in enumerate(lines) if text in line)
