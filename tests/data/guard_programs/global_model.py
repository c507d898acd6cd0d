"""A compiled function that calls a model of its module."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Shift(nn.Module):
    def __init__(self, amount: int) -> None:
        super().__init__()
        self.amount = amount

    def forward(self, x: Tensor) -> Tensor:
        return x + self.amount


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Shift(k) for k in range(8)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


model = Net()


@torch.compile(backend="eager")
def step(x: Tensor) -> Tensor:
    return model(x).sum()


def run() -> None:
    for _ in range(2):
        step(torch.ones(2))
