"""Convolutions with batch norms, in evaluation."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Unit(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.act = nn.ReLU()

    def forward(self, x: Tensor) -> Tensor:
        return self.act(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.units = nn.Sequential(*[Unit(4) for _ in range(6)])

    def forward(self, x: Tensor) -> Tensor:
        return self.units(x)


def run() -> None:
    net = Net()
    net.eval()
    net = torch.compile(net, backend="eager")
    with torch.no_grad():
        for _ in range(2):
            net(torch.ones(1, 4, 5, 5))
