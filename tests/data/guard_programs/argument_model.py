"""A compiled function that is given a model."""

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


def decode(model: Net, x: Tensor, limit: int) -> Tensor:
    return model(x) % limit


def run() -> None:
    fast = torch.compile(decode, backend="eager")
    model = Net()
    for _ in range(2):
        fast(model, torch.ones(2), 7)
