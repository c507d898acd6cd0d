"""A function that closes over numbers and a model."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def build(scale: int) -> object:
    model = nn.Linear(4, 4)
    shift = 3

    def step(x: Tensor) -> Tensor:
        return model(x) * scale + shift

    return torch.compile(step, backend="eager")


def run() -> None:
    fast = build(2)
    with torch.no_grad():
        for _ in range(2):
            fast(torch.ones(2, 4))
