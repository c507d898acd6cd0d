"""A module that loops over a list of numbers."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.shifts = [1, 2, 3, 4, 5, 6, 7, 8]

    def forward(self, x: Tensor) -> Tensor:
        for shift in self.shifts:
            x = x + shift
        return x


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
