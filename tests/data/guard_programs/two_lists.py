"""Two lists of layers, one run with the other."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Up(nn.Module):
    def __init__(self, factor: int) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


class Down(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x - 1


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ups = nn.ModuleList([Up(k) for k in range(6)])
        self.downs = nn.ModuleList([Down() for _ in range(6)])

    def forward(self, x: Tensor) -> Tensor:
        for up, down in zip(self.ups, self.downs):
            x = down(up(x))
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
