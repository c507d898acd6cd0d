"""Forms of overhead as whole modules: `forms.toml` has them, this lints them."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from rule_cases import ALL

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.syntax.source import Source

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["FORMS", "Form", "spoken"]

_TABLE: Final = Path(__file__).with_name("forms.toml")
_HEAD: Final = """\
import math
import random

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal
from torch.utils.data import DataLoader
"""
_FORWARD: Final = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
{init}

    def forward(
        self,
        x: torch.Tensor,
        y: torch.Tensor,
        mask: torch.Tensor,
        lengths: torch.Tensor,
        index: torch.Tensor,
    ):
{body}
"""
_LOOP: Final = """
def train(model, loader, optimizer, device, bar, writer):
    total, correct, losses, predictions = 0.0, 0, [], []
    for step, (x, y) in enumerate(loader):
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
{body}
"""


class Form(NamedTuple):
    """A form of overhead.

    Attributes:
        name: what it is.
        before: a module that has it.
        after: a module that does without; "" where nothing has to be shown.
        rule: the code of the rule that has to speak; "" where none may.
        still: codes of rules that may speak about `after`.
    """

    name: str
    before: str
    after: str
    rule: str
    still: frozenset[str]


def _module(table: dict[str, str], text: str) -> str:
    body = textwrap.dedent(text).strip("\n")
    where = table.get("where", "forward")
    if where == "module":
        return f"{_HEAD}\n{body}\n"
    lines = textwrap.indent(body, " " * 8)
    if where == "loop":
        return _HEAD + _LOOP.format(body=lines)
    init = textwrap.indent(table.get("init", "pass").strip("\n"), " " * 8)
    return _HEAD + _FORWARD.format(init=init, body=lines)


def _forms() -> Iterator[Form]:
    for table in tomllib.loads(_TABLE.read_text(encoding="utf-8"))["form"]:
        after = _module(table, table["after"]) if "after" in table else ""
        still = frozenset(table.get("still", ()))
        yield Form(table["name"], _module(table, table["before"]), after, table.get("rule", ""), still)


FORMS: Final = tuple(_forms())
# Those that are on by default, and the one of forms that are many and cost little.
_LINTER: Final = Linter(packs.select(ALL, ["ALL", "OVH709"], []), Settings())


def spoken(text: str) -> dict[str, list[int]]:
    """The codes of the rules that speak about a module by default, with lines."""
    found: dict[str, list[int]] = {}
    for finding in _LINTER.lint(Source.from_bytes(Path("model.py"), text.encode())):
        found.setdefault(finding.code, []).append(finding.span.line)
    return found
