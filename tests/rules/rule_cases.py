"""Lint and fix small modules with one built-in rule."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from overhead_lint import packs
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.fixer import fix_file
from overhead_lint.rule import Heat
from overhead_lint.source import Source

if TYPE_CHECKING:
    from overhead_lint.rule import Finding

ALL = packs.load()
_major, _minor, _ = torch.__version__.split(".", 2)
RUNNING = (int(_major), int(_minor))
"""The torch that the tests run with, as (major, minor)."""


def lint(
    code: str, text: str, least: Heat = Heat.STEP, target_torch: tuple[int, int] | None = None
) -> list[Finding]:
    """The findings of one rule in a module, where it is at least so hot."""
    source = Source.from_bytes(Path("model.py"), textwrap.dedent(text).encode())
    settings = Settings(min_heat=least, target_torch=target_torch)
    return Linter(packs.select(ALL, [code], []), settings).lint(source)


def fix(
    code: str,
    text: str,
    *,
    unsafe: bool = True,
    least: Heat = Heat.STEP,
    target_torch: tuple[int, int] | None = None,
) -> str:
    """The module after the fixes of one rule."""
    source = Source.from_bytes(Path("model.py"), textwrap.dedent(text).encode())
    rules = packs.select(ALL, [code], [])
    result = fix_file(
        source, Linter(rules, Settings(min_heat=least, target_torch=target_torch)).lint, unsafe=unsafe
    )
    assert not result.failures
    return result.after_text


def lines(code: str, text: str) -> list[int]:
    """The lines of the findings of one rule in a module."""
    return [finding.span.line for finding in lint(code, text)]


def forward(body: str, *, header: str = "import torch\nfrom torch import nn", init: str = "pass") -> str:
    """A module whose forward has the body; its first line is the tenth."""
    head = header.splitlines()
    head += [""] * (4 - len(head))
    indent = " " * 8
    return "\n".join(
        [
            *head,
            "class Net(nn.Module):",
            "    def __init__(self):",
            "        super().__init__()",
            textwrap.indent(init, indent),
            "    def forward(self, x: torch.Tensor):",
            textwrap.indent(textwrap.dedent(body).strip("\n"), indent),
            "",
        ]
    )
