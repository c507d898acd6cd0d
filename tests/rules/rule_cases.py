"""Lint and fix small modules with one built-in rule."""

from __future__ import annotations

import textwrap
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Heat
from overhead_lint.syntax.source import Source
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from overhead_lint.rule import Finding

_version = "0.0.0"
with suppress(ModuleNotFoundError):  # most of these tests need none
    import torch

    _version = str(torch.__version__)

ALL = packs.load()
_major, _minor, _ = _version.split(".", 2)
RUNNING = (int(_major), int(_minor))
"""The torch that the tests run with, as (major, minor); (0, 0) where there is none."""


def lint(
    code: str, text: str, least: Heat = Heat.STEP, target_torch: tuple[int, int] | None = None
) -> list[Finding]:
    """The findings of one rule in a module, where it is at least so hot."""
    source = Source.from_bytes(Path("model.py"), textwrap.dedent(text).encode())
    settings = Settings(min_heat=least, target_torch=target_torch)
    return Linter(packs.select(ALL, [code], []), settings).lint(source)


def lint_project(
    code: str, root: Path, sources: dict[str, str], checked: str, least: Heat = Heat.STEP
) -> list[Finding]:
    """The findings of one rule in a file of a project, where it is at least so hot.

    Args:
        code: the rule's.
        root: the project's folder, which is the working directory.
        sources: the texts of its files, by their paths below that.
        checked: the path of the file that is checked.
        least: how hot a place has to be.
    """
    for path, text in sources.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    linter = Linter(packs.select(ALL, [code], []), Settings(min_heat=least))
    target = files.Target(checked, "")
    workspace = Workspace(
        root,
        [target],
        lambda folder: [found for found in files.collect([folder]) if isinstance(found, files.Target)],
        lambda: Examiner(lambda _: linter),
    )
    return list(workspace.findings(target))


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
