"""The network: an embedding, a compiled trunk, a head."""

from dataclasses import dataclass

import torch
from torch import nn

from legacy_trainer.recipe import Recipe, ScaledLinear


@dataclass
class ModelConfig:
    """Sizes of the network."""

    vocabulary: int = 64
    width: int = 32
    layers: int = 6
    context: int = 16
    compile_backend: str = "inductor"


class Embedding(nn.Module):
    """Token embedding with sinusoidal positions, which are made once for each config."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.positions = {}

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.tokens(tokens)
        key = f"{self.config}"
        if key not in self.positions:
            self.positions[key] = self.make_positions(x)
        return x + self.positions[key]

    def make_positions(self, x: torch.Tensor) -> torch.Tensor:
        place = torch.arange(self.config.context, device=x.device).unsqueeze(1)
        rate = torch.arange(self.config.width, device=x.device) / self.config.width
        return torch.sin(place / 1000.0**rate)


class Layer(nn.Module):
    """A residual layer, with options for experiments."""

    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, width)
        self.activation = "gelu"
        self.residual = True
        self.dropout = 0.0
        self.scale = 1.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.linear(self.norm(x))
        y = nn.functional.gelu(y) if self.activation == "gelu" else nn.functional.relu(y)
        if self.dropout > 0.0:
            y = nn.functional.dropout(y, self.dropout, self.training)
        if self.residual:
            y = x + y * self.scale
        return y


class Trunk(nn.Module):
    """The layers, one after the other."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.layers = nn.ModuleList(Layer(config.width) for _ in range(config.layers))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        return x


class Network(nn.Module):
    """Embedding, trunk and head; only the trunk is compiled."""

    def __init__(self, config: ModelConfig, recipe: Recipe):
        super().__init__()
        self.embedding = Embedding(config)
        self.adapters = nn.ModuleList(ScaledLinear(config.width, config.width, recipe) for _ in range(4))
        self.trunk = torch.compile(Trunk(config), backend=config.compile_backend, fullgraph=True)
        self.head = ScaledLinear(config.width, config.vocabulary, recipe)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for i in range(len(self.adapters)):
            x = x + self.adapters[i](x)
        return self.head(self.trunk(x))
