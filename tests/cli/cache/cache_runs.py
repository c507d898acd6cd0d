"""Runs of the linter, and the files that they looked into."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from overhead_lint.cli import main as cli

if TYPE_CHECKING:
    import pytest

TRAIN = "from model import f\nfor batch in loader:\n    f(batch)\n"

MODEL = "import torch\ndef f(x):\n    return torch.exp(x).item()\n"


class Run:
    """One run: its output, and the files that it looked into."""

    def __init__(
        self, capsys: pytest.CaptureFixture[str], seen: list[str], arguments: tuple[str, ...]
    ) -> None:
        seen.clear()
        self.status = cli.main([*arguments, "--output-format", "json"])
        self.out = capsys.readouterr().out
        self.seen = sorted(seen)


Runner = Callable[..., Run]
