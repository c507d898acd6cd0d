"""Layers that read constants of their class."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Fixed(nn.Module):
    scale = 2

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Fixed() for _ in range(10)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
