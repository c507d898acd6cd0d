"""What the tests of `compile` compile."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class Scaled(nn.Module):
    """A linear layer with attributes that Dynamo guards."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = 3

    def forward(self, x: torch.Tensor, shift: float = 0.0) -> torch.Tensor:
        y: torch.Tensor = self.linear(x) * self.scale + shift
        return y * 2 if self.training else y


class Added(nn.Module):
    """A linear layer with a scale, and something that may be added."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = 3

    def forward(self, x: torch.Tensor, y: Any = None) -> torch.Tensor:
        z: torch.Tensor = self.linear(x) * self.scale
        return z if y is None else z + y


def warm(function: Any, *args: Any) -> Any:
    for _ in range(2):
        function(*args)
    return function
