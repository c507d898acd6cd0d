"""How tensors are scaled to eight bits: what users choose from."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Quantizer:
    """How one kind of tensor is rounded."""

    power_of_two: bool = False
    epsilon: float = 0.0


class Recipe:
    """What all recipes have in common."""

    def delayed(self) -> bool:
        return isinstance(self, Delayed)

    def blockwise(self) -> bool:
        return isinstance(self, Blockwise)


@dataclass()
class Delayed(Recipe):
    """Scales that come from the maxima of earlier steps."""

    margin: int = 0
    history: int = 16
    reduce: bool = True
    attention: bool = False

    def __post_init__(self) -> None:
        assert self.history > 0, "a recipe needs a history"

    def __repr__(self) -> str:
        return (
            f"kind={self.__class__.__name__}, "
            f"margin={self.margin}, "
            f"history={self.history}, "
            f"reduce={self.reduce}, "
            f"attention={self.attention}"
        )


@dataclass()
class Blockwise(Recipe):
    """A scale for each block of a tensor."""

    inputs: Quantizer = field(default_factory=lambda: Quantizer(power_of_two=True))
    weights: Quantizer = field(default_factory=lambda: Quantizer(epsilon=1e-6))
    size: int = 128

    def __post_init__(self) -> None:
        assert self.size % 32 == 0, "blocks have a multiple of 32 numbers"
        self.rows = self.size // 32

    def __repr__(self) -> str:
        return (
            f"kind={self.__class__.__name__}, "
            f"inputs={self.inputs}, "
            f"weights={self.weights}, "
            f"size={self.size}"
        )
