"""A partial of the compiler, and a model in an attribute."""

from __future__ import annotations

import torch
from torch import Tensor, nn

import functools

fast = functools.partial(torch.compile, backend="eager")


class Shift(nn.Module):
    def __init__(self, amount: int) -> None:
        super().__init__()
        self.amount = amount

    def forward(self, x: Tensor) -> Tensor:
        return x + self.amount


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Shift(k) for k in range(6)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


class Trainer:
    def __init__(self) -> None:
        self.model = Net()
        self.model = fast(self.model)


def run() -> None:
    trainer = Trainer()
    for _ in range(2):
        trainer.model(torch.ones(2))
