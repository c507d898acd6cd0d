"""Two towers of the same class, one after the other."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Tower(nn.Module):
    def __init__(self, depth: int, rate: int) -> None:
        super().__init__()
        self.rate = rate
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])
        self.norms = nn.ModuleList([nn.LayerNorm(4) for _ in range(depth)])

    def forward(self, x: Tensor) -> Tensor:
        for layer, norm in zip(self.layers, self.norms):
            x = norm(layer(x)) * self.rate
        return x


class Pair(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.left = Tower(5, 2)
        self.right = Tower(5, 3)

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return self.left(a) @ self.right(b).T


def run() -> None:
    pair = Pair()
    pair.compile(backend="eager")
    with torch.no_grad():
        for _ in range(2):
            pair(torch.ones(2, 4), torch.ones(2, 4))
