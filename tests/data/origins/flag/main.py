"""Calls a compiled function through a wrapper that asks for settings each time."""

from __future__ import annotations

import torch
import torch._dynamo
from torch import nn


class Dispatcher(nn.Module):
    """Runs the compiled form of a layer, unless a setting says that nothing is to be compiled."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer
        self.compiled = torch.compile(layer, backend="eager")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if torch._dynamo.config.suppress_errors:
            return self.layer(x)
        if x.shape[0] > torch._dynamo.config.recompile_limit:
            return self.layer(x)
        return self.compiled(x)


def main() -> None:
    torch.manual_seed(0)
    model = Dispatcher(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(12):
        loss = model(torch.ones(2, 4)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(loss.item())


if __name__ == "__main__":
    main()
