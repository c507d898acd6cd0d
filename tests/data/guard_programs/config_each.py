"""Layers that each read a configuration of their own."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Options:
    def __init__(self, scale: int) -> None:
        self.scale = scale
        self.shift = 1


class Block(nn.Module):
    def __init__(self, scale: int) -> None:
        super().__init__()
        self.options = Options(scale)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.options.scale + self.options.shift


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(k) for k in range(8)])

    def forward(self, x: Tensor) -> Tensor:
        for block in self.blocks:
            x = block(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
