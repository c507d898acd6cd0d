"""Trains a layer whose autograd function is given many settings that are no tensors."""

from __future__ import annotations

import torch
from torch import nn


class Scaled(torch.autograd.Function):
    """A linear map whose settings come one by one."""

    @staticmethod
    def forward(
        ctx,
        x,
        weight,
        bias,
        scale: float,
        training: bool,
        first: bool,
        fused: bool,
        parallel: bool,
        mode: str,
        rank: int,
        world: int,
        name: str,
        recompute: bool,
    ):
        ctx.save_for_backward(x, weight)
        ctx.scale = scale
        ctx.parallel = parallel
        return (x @ weight.t() + bias) * scale

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grad = grad * ctx.scale
        return (
            grad @ weight,
            grad.t() @ x,
            grad.sum(0),
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
        )


class Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width, width) / width)
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Scaled.apply(
            x,
            self.weight,
            self.bias,
            0.5,
            self.training,
            True,
            False,
            False,
            "forward",
            0,
            1,
            "layer",
            False,
        )


def main() -> None:
    torch.manual_seed(0)
    layer = Layer(4)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(12):
        loss = (layer(torch.ones(2, 4)) - 1).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(loss.item())


if __name__ == "__main__":
    main()
