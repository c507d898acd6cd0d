"""Layers wrapped in adapters that hold a rank, a scale and a switch."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class LoRA(nn.Module):
    def __init__(self, base: nn.Linear, rank: int, alpha: int) -> None:
        super().__init__()
        self.base = base
        self.rank = rank
        self.scaling = alpha // rank
        self.enabled = True
        self.down = nn.Linear(base.in_features, rank, bias=False)
        self.up = nn.Linear(rank, base.out_features, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        y = self.base(x)
        if self.enabled and self.rank > 0:
            y = y + self.up(self.down(x)) * self.scaling
        return y


class Net(nn.Module):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([LoRA(nn.Linear(8, 8), 2, 4) for _ in range(depth)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x).relu()
        return x


def run() -> None:
    model = Net(6)
    model = torch.compile(model, backend="eager", dynamic=False)
    with torch.no_grad():
        for _ in range(2):
            model(torch.ones(2, 8))
