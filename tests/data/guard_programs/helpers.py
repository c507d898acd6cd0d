"""A function that calls others of its module."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def scaled(x: Tensor, factor: int) -> Tensor:
    return x * factor


def shifted(x: Tensor) -> Tensor:
    return scaled(x, 2) + 1


def rotated(x: Tensor) -> Tensor:
    return torch.roll(shifted(x), 1)


@torch.compile(backend="eager")
def step(x: Tensor) -> Tensor:
    return rotated(shifted(x)) + scaled(x, 3)


def run() -> None:
    for _ in range(2):
        step(torch.ones(2))
