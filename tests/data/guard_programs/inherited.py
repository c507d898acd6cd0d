"""Layers whose forward calls that of a base class."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Base(nn.Module):
    def __init__(self, scale: int) -> None:
        super().__init__()
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale


class Shifted(Base):
    def __init__(self, scale: int, shift: int) -> None:
        super().__init__(scale)
        self.shift = shift

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + self.shift


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Shifted(1, k) for k in range(8)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
