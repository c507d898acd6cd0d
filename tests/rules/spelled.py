"""Small programs for spellings of one overhead: a module's forward, and a training loop."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from rule_cases import lint

__all__ = ["Spelling", "forward", "loop", "spoken"]

_IMPORTS = """
import contextlib
import functools
from dataclasses import dataclass, field
from contextlib import ExitStack, contextmanager, nullcontext

import torch
from torch import nn
"""


class Spelling(NamedTuple):
    """A way to write something.

    Attributes:
        name: what it is.
        text: a program that does.
        rule: the code of the rule that speaks; "" where none does.
        why: why none does.
    """

    name: str
    text: str
    rule: str = ""
    why: str = ""


def forward(body: str, init: str = "pass", *, above: str = "", methods: str = "") -> str:
    """A module whose forward has the body."""
    return "\n".join(
        [
            _IMPORTS,
            textwrap.dedent(above),
            "class Net(nn.Module):",
            "    def __init__(self, dtype: torch.dtype, stream: torch.cuda.Stream, precision: str):",
            "        super().__init__()",
            "        self.lin = nn.Linear(2, 2)",
            textwrap.indent(textwrap.dedent(init).strip("\n"), " " * 8),
            textwrap.indent(textwrap.dedent(methods), " " * 4),
            "    def forward(self, x: torch.Tensor) -> torch.Tensor:",
            textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8),
            "",
        ]
    )


def loop(body: str, before: str = "", *, above: str = "") -> str:
    """A training loop that has the body, with a model, an optimizer, a loader."""
    return "\n".join(
        [
            _IMPORTS,
            textwrap.dedent(above),
            "def train(model: nn.Module, loader: torch.utils.data.DataLoader, dtype: torch.dtype, device):",
            "    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)",
            textwrap.indent(textwrap.dedent(before).strip("\n"), " " * 4),
            "    for x, y in loader:",
            textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8),
            "        loss.backward()",
            "        optimizer.step()",
            "        optimizer.zero_grad()",
            "",
        ]
    )


def spoken(text: str, codes: tuple[str, ...]) -> set[str]:
    """The codes of those rules of some that say anything about a program."""
    return {code for code in codes if lint(code, text)}
