"""Trains two layers with a recipe for each."""

from __future__ import annotations

import torch
from recipes import Blockwise, Delayed, Recipe
from state import State
from torch import nn


class scaled:
    """Run the layers of a block by a recipe."""

    __slots__ = ("recipe",)

    def __init__(self, recipe: Recipe | None = None) -> None:
        self.recipe = recipe

    def __enter__(self) -> None:
        State.enter(self.recipe)

    def __exit__(self, *exc: object) -> None:
        State.leave()


class Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        State.add(x)
        return self.linear(x)


def step(layers: list[Layer], recipes: list[Recipe]) -> torch.Tensor:
    x = torch.ones(2, 4)
    for layer, recipe in zip(layers, recipes):
        with scaled(recipe):
            x = layer(x)
    return x.square().mean()


def main() -> None:
    torch.manual_seed(0)
    layers = [Layer(4), Layer(4)]
    recipes: list[Recipe] = [Delayed(margin=1), Blockwise()]
    optimizer = torch.optim.SGD([p for layer in layers for p in layer.parameters()], lr=0.1)
    for number in range(12):
        if number == 6:
            recipes[0].margin = 2
        loss = step(layers, recipes)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(loss.item(), sorted(text for text, _ in map(eval, State.arguments)))


if __name__ == "__main__":
    main()
