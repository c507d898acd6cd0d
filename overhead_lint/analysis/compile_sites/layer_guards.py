"""How many guards one layer of torch's own needs each time that compiled code runs it.

Counted with torch 2.13 by ``python benchmarks/guard_estimates.py --layers``: chains of two and of six layers,
in evaluation; the difference is what one more layer needs, without the key of the list that holds it.
"""

from __future__ import annotations

from typing import Final

__all__ = ["LAYER_GUARDS", "UNKNOWN_LAYER"]

UNKNOWN_LAYER: Final = 6
"""For a layer of a library that is not in the table: about what the median of these needs."""

LAYER_GUARDS: Final = {
    "AdaptiveAvgPool2d": 3,
    "AvgPool2d": 8,
    "BatchNorm1d": 17,
    "BatchNorm2d": 17,
    "Conv1d": 19,
    "Conv2d": 19,
    "ConvTranspose2d": 22,
    "Dropout": 5,
    "ELU": 4,
    "Embedding": 10,
    "Flatten": 4,
    "GELU": 3,
    "GroupNorm": 9,
    "Identity": 2,
    "LayerNorm": 11,
    "LeakyReLU": 4,
    "Linear": 7,
    "MaxPool2d": 8,
    "MultiheadAttention": 23,
    "RMSNorm": 9,
    "ReLU": 3,
    "SiLU": 3,
    "Sigmoid": 2,
    "Softmax": 3,
    "Tanh": 2,
    "Upsample": 7,
}
