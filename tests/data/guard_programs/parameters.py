"""Layers that each hold a parameter."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Gain(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.eps = 1e-6

    def forward(self, x: Tensor) -> Tensor:
        return x * self.gain


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gains = nn.ModuleList([Gain(4) for _ in range(10)])

    def forward(self, x: Tensor) -> Tensor:
        for gain in self.gains:
            x = gain(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(4))
