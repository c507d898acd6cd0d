"""Modules for the stream rules: a forward that is given a stream, one that calls, a loop over a loader."""

from __future__ import annotations

import textwrap

from rule_cases import forward


def streams(body: str, init: str = "self.event = torch.cuda.Event()") -> str:
    """A forward that is given a stream; its body begins at line 10."""
    return forward(body, init=init).replace("x: torch.Tensor", "x, stream: torch.cuda.Stream, other=None")


def calling(name: str, value: str) -> str:
    """A module whose forward calls another method, which gives a value; that is on line 12."""
    text = forward(f"return self.{name}(x)")
    return f"{text}    def {name}(self, x: torch.Tensor):\n        return {value}\n"


def training(body: str, *, loader: str = "loader", before: str = "pass") -> str:
    """A training loop with the body; its first line is the seventh."""
    return (
        "import numpy as np\nimport torch\nfrom torch.utils.data import DataLoader\n"
        f"def train(model, optimizer, data, device):\n    {before}\n"
        f"    for step, batch in enumerate({loader}):\n"
        + textwrap.indent(textwrap.dedent(body), " " * 8)
        + "\n        model(batch).sum().backward()\n        optimizer.step()\n"
    )
