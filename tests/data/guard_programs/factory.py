"""A model that a function compiles and gives back."""

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
    def __init__(self, depth: int = 6) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Shift(k) for k in range(depth)])
        self.flag = True

    def forward(self, x: Tensor) -> Tensor:
        for k, layer in enumerate(self.layers):
            if self.flag:
                x = layer(x) + k
        return x


def prepare(model: nn.Module) -> nn.Module:
    return torch.compile(model, backend="eager")


def run() -> None:
    fast = prepare(Net())
    for _ in range(2):
        fast(torch.ones(2))
