"""Layers that hand on a state each."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Cell(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.rate = 2

    def forward(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        state = torch.tanh(self.proj(x) + state) * self.rate
        return x + state, state


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.ModuleList([Cell(4) for _ in range(5)])

    def forward(self, x: Tensor, states: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        kept = []
        for cell, state in zip(self.cells, states):
            x, state = cell(x, state)
            kept.append(state)
        return x, kept


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    with torch.no_grad():
        for _ in range(2):
            net(torch.ones(2, 4), [torch.ones(2, 4) for _ in range(5)])
