"""Experts of which each runs on all tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Expert(nn.Module):
    def __init__(self, width: int, scale: float) -> None:
        super().__init__()
        self.up = nn.Linear(width, width)
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return self.up(x).relu() * self.scale


class Mixture(nn.Module):
    def __init__(self, width: int, count: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, count)
        self.experts = nn.ModuleList(Expert(width, 1.0 / (k + 1)) for k in range(count))

    def forward(self, x: Tensor) -> Tensor:
        weights = self.gate(x).softmax(-1)
        return sum(weights[..., k : k + 1] * expert(x) for k, expert in enumerate(self.experts))


def run() -> None:
    net = torch.compile(Mixture(4, 6), backend="eager")
    with torch.no_grad():
        for _ in range(2):
            net(torch.ones(2, 4))
