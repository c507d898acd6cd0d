"""A method of a plain class that runs a model."""

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
        self.layers = nn.ModuleList([Shift(k) for k in range(8)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


class Trainer:
    def __init__(self) -> None:
        self.model = Net()
        self.weight = 2

    @torch.compile(backend="eager")
    def loss(self, x: Tensor) -> Tensor:
        return self.model(x).sum() * self.weight


def run() -> None:
    trainer = Trainer()
    for _ in range(2):
        trainer.loss(torch.ones(2))
