"""Layers that each hold a buffer."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Mask(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("mask", torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.mask


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.masks = nn.ModuleList([Mask(4) for _ in range(10)])

    def forward(self, x: Tensor) -> Tensor:
        for mask in self.masks:
            x = mask(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(4))
