"""Layers by index."""

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
        self.layers = nn.ModuleList([Shift(k) for k in range(12)])

    def forward(self, x: Tensor) -> Tensor:
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        return x


def run() -> None:
    net = Net()
    net.compile(backend="eager")
    for _ in range(2):
        net(torch.ones(2))
