"""A decoder on the device, a token a call, by compiler: for `case_runtime.py`."""

from __future__ import annotations

from typing import Any

import torch
from dispatch_models import Model, own_code
from torch import nn

__all__ = ["compilers", "decoder"]


class Layer(nn.Module):
    """Attention to what was cached, and a perceptron; both small enough that launching them is the cost."""

    def __init__(self, width: int, heads: int, context: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attended, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(1, heads, context, width // heads))

    def forward(self, x: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        """Take the token at a position; what later positions hold is zeros, attended to by all alike."""
        keys, values = self.get_buffer("keys"), self.get_buffer("values")
        query, key, value = self.attended(self.before(x)).view(1, 1, 3, self.heads, -1).unbind(2)
        keys = keys.index_copy_(2, at, key.transpose(1, 2))
        values = values.index_copy_(2, at, value.transpose(1, 2))
        attended = nn.functional.scaled_dot_product_attention(query.transpose(1, 2), keys, values)
        x = x + self.out(attended.transpose(1, 2).reshape(x.shape))
        y: torch.Tensor = x + self.narrow(nn.functional.gelu(self.wide(self.between(x))))
        return y


class Decoder(nn.Module):
    """Embeds a token, applies the layers, and gives the likeliest next one."""

    def __init__(self, layers: int, width: int, context: int = 128, vocabulary: int = 1024) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(Layer(width, 8, context) for _ in range(layers))
        self.logits = nn.Linear(width, vocabulary)

    def forward(self, token: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
        """Return the next token, of shape (1, 1) like the one that is given."""
        x = self.tokens(token)
        for layer in self.layers:
            x = layer(x, at)
        likeliest: torch.Tensor = self.logits(x).argmax(-1)
        return likeliest


def decoder(how: dict[str, Any], *, small: bool) -> Model:
    """Return the decoder for `dispatch_variants.time_model`.

    Args:
        how: what it is compiled with.
        small: for a dry run.
    """
    options = {name: value for name, value in how.items() if name != "backend"}

    def make() -> Any:
        torch.manual_seed(0)
        return own_code(Decoder)(*((2, 64) if small else (12, 512))).to("cuda").eval()

    def inputs() -> list[tuple[Any, ...]]:
        return [
            (
                torch.zeros(1, 1, dtype=torch.int64, device="cuda"),
                torch.zeros(1, dtype=torch.int64, device="cuda"),
            )
        ]

    def step(call: Any, arguments: tuple[Any, ...]) -> None:
        token, at = arguments
        # As a program that prints what it generates: each token is read before the next is asked for.
        call(token, at).item()

    return Model("decoder", make, inputs, how["backend"], options, torch.inference_mode, step)


def compilers(*, small: bool) -> list[tuple[str, dict[str, Any]]]:
    """Return what the decoder is compiled with, by name."""
    if small:
        return [("eager", {"backend": "eager"})]
    return [
        ("Inductor", {"backend": "inductor"}),
        ("Inductor with CUDA graphs", {"backend": "inductor", "mode": "reduce-overhead"}),
    ]
