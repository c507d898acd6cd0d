"""A module that reads a dictionary of settings."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.settings = {"scale": 2, "shift": 3, "power": 2}

    def forward(self, x: Tensor) -> Tensor:
        x = x * self.settings["scale"] + self.settings["shift"]
        return x ** self.settings["power"]


def run() -> None:
    net = torch.compile(Net(), backend="eager")
    for _ in range(2):
        net(torch.ones(2))
