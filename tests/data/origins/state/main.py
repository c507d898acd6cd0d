"""Trains a compiled layer, and does some work of each step on one thread."""

from __future__ import annotations

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x).tanh()


def batch(number: int) -> torch.Tensor:
    """Make a batch, with as many threads as one needs."""
    return torch.full((2, 4), 1.0 + number % 3)


def step(model: nn.Module, optimizer: torch.optim.Optimizer, x: torch.Tensor) -> torch.Tensor:
    loss = model(x).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss


def build() -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(0)
    layer = Layer(4)
    return torch.compile(layer, backend="eager"), torch.optim.SGD(layer.parameters(), lr=0.1)


def train(steps: int) -> float:
    model, optimizer = build()
    loss = torch.zeros(())
    for number in range(steps):
        if number % 2:
            torch.set_num_threads(1)
        x = batch(number)
        loss = step(model, optimizer, x)
        torch.set_num_threads(2)
    return loss.item()


def main() -> None:
    torch.set_num_threads(2)
    print(train(12))


if __name__ == "__main__":
    main()
