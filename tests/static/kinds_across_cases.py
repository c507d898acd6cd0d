"""Projects of several files in which kinds of values go from one to another."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from project_cases import others

from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from overhead_lint.cache.store import Cache

PACKAGE = {
    "pkg/__init__.py": "from .ops import make_mask as mask_of\nfrom .stars import *\n",
    "pkg/stars.py": "from .ops import *\n",
    "pkg/ops.py": """
        from collections import namedtuple
        import numpy as np
        import torch
        from torch import nn

        LIMIT = 3
        Both = namedtuple("Both", "count mask")
        TABLE = torch.zeros(3, device="cuda")

        def make_mask(x):
            return x > torch.zeros_like(x)
        def again(x):
            return make_mask(x)
        def pair(x):
            return torch.exp(x), 3
        def named(x):
            return Both(3, make_mask(x))
        def spread(x):
            return torch.distributions.Normal(torch.exp(x), 1.0)
        def length(x: torch.Tensor):
            return x.shape[0]
        def array(x):
            return np.zeros(3)
        def either(x):
            if x is None:
                return length(x)
            return make_mask(x)
        def unsure(x):
            return x if LIMIT else make_mask(x)
        class Base:
            def mask(self, x):
                raise NotImplementedError
            def both(self, x):
                return self.mask(x), self.count(x)
            def count(self, x):
                return 3
            @property
            def state(self):
                return torch.exp(self.value)
        class Helper(Base):
            def __init__(self):
                self.table = torch.ones(3).cuda()
                self.size = 3
            def mask(self, x):
                return make_mask(x)
        class Layer(nn.Module):
            def forward(self, x):
                return torch.relu(x)
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x
        """,
}
HEAD = """\
import torch
import pkg
from pkg import mask_of
from pkg.ops import LIMIT, TABLE, Base, Double, Helper, Layer
from pkg.ops import again, array, either, length, make_mask, named, pair, spread, unsure

class Net(Helper):
    def __init__(self):
        self.helper = Helper()
        self.layer = Layer()

    def forward(self, x, base: Base):
        {statement}

for batch in loader:
    Net().forward(batch, Helper())
"""


def linter(code: str) -> Linter:
    """Runs one rule."""
    return Linter(packs.select(packs.load(), [code], []), Settings())


def write(folder: Path, sources: dict[str, str]) -> None:
    """Write files of a project."""
    for name, text in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")


def workspace_of(
    folder: Path, *targets: str, cache: Cache | None = None, alone: bool = False, code: str = "OVH404"
) -> Workspace:
    """The project below a folder, with one rule."""
    checked = [files.Target(str(folder / name), "") for name in targets]
    one = linter(code)
    return Workspace(
        folder,
        checked,
        others,
        lambda: Examiner(lambda target: one),
        cache=cache,
        alone=alone,
    )


def found(workspace: Workspace, path: Path) -> list[str]:
    """The source text of what the findings in a file mark."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        lines[one.span.line - 1][one.span.column - 1 : one.span.end_column - 1]
        for one in workspace.findings(files.Target(str(path), ""))
    ]
