"""Stages of blocks of layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Layer(nn.Module):
    def __init__(self, rate: int) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        return x * self.rate


class Stage(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(*[Layer(1) for _ in range(depth)])

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stages = nn.ModuleList([Stage(4) for _ in range(3)])

    def forward(self, x: Tensor) -> Tensor:
        for stage in self.stages:
            x = stage(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
