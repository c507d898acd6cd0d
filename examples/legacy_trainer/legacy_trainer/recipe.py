"""Numerical recipes, and the layer that follows one."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Recipe:
    """How a layer computes: data type and scaling of its output."""

    name: str = "mixed"
    compute_dtype: torch.dtype = torch.bfloat16
    margin: int = 0
    amax_history: int = 16
    amax_reduction: str = "max"
    stochastic_rounding: bool = False
    enabled: bool = True


@dataclass
class DelayedScaling(Recipe):
    """A recipe that looks at the largest values of past steps."""

    name: str = "delayed"
    interval: int = 1
    amax_history: int = 1024

    def __repr__(self):
        return (
            f"DelayedScaling(name={self.name}, compute_dtype={self.compute_dtype}, margin={self.margin}, "
            f"interval={self.interval}, amax_history={self.amax_history}, "
            f"amax_reduction={self.amax_reduction})"
        )


class ScaledLinear(nn.Linear):
    """A linear layer that computes in the recipe's data type.

    What a recipe implies is looked up by its text, so that a recipe that is edited during the run takes effect.
    """

    def __init__(self, n_in: int, n_out: int, recipe: Recipe):
        super().__init__(n_in, n_out)
        self.recipe = recipe
        self.scales = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        key = str(self.recipe)
        if key not in self.scales:
            self.scales[key] = 2.0 ** -self.recipe.margin
        with torch.autocast(x.device.type, dtype=self.recipe.compute_dtype, enabled=self.recipe.enabled):
            y = super().forward(x)
        return y * self.scales[key]
