"""Trains two layers, one of them in eight bits."""

import warnings

import torch
from precision import Recipe, State, eight_bits, scaled
from torch import nn

warnings.simplefilter("ignore", DeprecationWarning)


class Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if State.enabled and not State.calibrating:
            x = (x * 16).round() / 16
        return self.linear(x)


def main() -> None:
    torch.manual_seed(0)
    layers = [Layer(4), Layer(4), Layer(4)]
    optimizer = torch.optim.SGD([p for layer in layers for p in layer.parameters()], lr=0.1)
    recipe = Recipe(margin=1)
    for _ in range(12):
        x = torch.ones(2, 4)
        with scaled(recipe=recipe):
            x = layers[0](x)
            with State.calibration():
                x = layers[1](x)
        with eight_bits(enabled=False):
            x = layers[2](x)
        loss = x.square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(loss.item(), State.entries, State.depth, State.enabled)


if __name__ == "__main__":
    main()
