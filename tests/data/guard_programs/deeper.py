"""Layers whose own layers hold the numbers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Inner(nn.Module):
    def __init__(self, heads: int) -> None:
        super().__init__()
        self.heads = heads

    def forward(self, x: Tensor) -> Tensor:
        return x * self.heads


class Outer(nn.Module):
    def __init__(self, heads: int) -> None:
        super().__init__()
        self.first = Inner(heads)
        self.second = Inner(heads)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x))


class Net(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(depth):
            self.layers.append(Outer(2))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def run() -> None:
    net = torch.compile(Net(8), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
