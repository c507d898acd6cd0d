"""What is kept between steps for each recipe that is in use."""

from __future__ import annotations

import torch
from recipes import Delayed, Recipe


class State:
    """Maxima of tensors, by recipe and group of processes."""

    recipe: Recipe | None = None
    group: object | None = None
    arguments: dict[str, tuple[Recipe, object | None]] = {}
    maxima: dict[str, list[torch.Tensor]] = {}

    @classmethod
    def unique_key(cls, recipe: Recipe | None = None, group: object | None = None) -> str:
        """Return what tells a recipe and its group apart from others."""
        return str((str(recipe), id(group) if group is not None else None))

    @classmethod
    def buffer_key(cls, forward: bool, recipe: Recipe, group: object | None) -> str:
        """Return the key of the maxima of a pass."""
        return f"{'forward' if forward else 'backward'}_{cls.unique_key(recipe, group)}"

    @classmethod
    def enter(cls, recipe: Recipe | None, group: object | None = None) -> None:
        """Remember what the block that begins was given."""
        cls.recipe = recipe or Delayed()
        cls.group = group
        key = cls.unique_key(cls.recipe, group)
        cls.arguments[key] = (cls.recipe, group)

    @classmethod
    def add(cls, x: torch.Tensor, forward: bool = True) -> None:
        """Note the maximum of a tensor."""
        key = cls.buffer_key(forward, cls.recipe, cls.group)
        if key not in cls.maxima:
            cls.maxima[key] = []
        cls.maxima[key].append(x.detach().abs().amax())

    @classmethod
    def leave(cls) -> None:
        """Forget the maxima of what was entered last."""
        for key in cls.maxima:
            cls.maxima[key].clear()
