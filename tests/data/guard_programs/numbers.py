"""Layers that each hold a number."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Shift(nn.Module):
    def __init__(self, amount: int) -> None:
        super().__init__()
        self.amount = amount

    def forward(self, x: Tensor) -> Tensor:
        return x + self.amount


class Chain(nn.Module):
    def __init__(self, length: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Shift(k) for k in range(length)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def run() -> None:
    model = torch.compile(Chain(24), backend="eager")
    for _ in range(2):
        model(torch.ones(2))
