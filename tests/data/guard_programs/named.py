"""A dictionary of layers."""

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
    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleDict({str(k): Shift(k) for k in range(10)})

    def forward(self, x: Tensor) -> Tensor:
        for part in self.parts.values():
            x = part(x)
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
