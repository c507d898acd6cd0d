"""Lays a fixed file out again, where it was as the formatter of its project has it.

A longer argument list would have the next run of ``ruff format`` or ``black`` change the line once more.
Neither is needed: where none is installed, or the file was not formatted, the text stays as it is.
"""

from __future__ import annotations

import ast
import functools
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.syntax.source import Source

__all__ = ["RUFF", "formatted", "installed", "laid_out"]

RUFF: Final = ("ruff", "format", "-q")
_BLACK: Final = ("black", "-q")
_LONGEST: Final = 60.0  # seconds


@functools.cache
def installed() -> tuple[str, ...] | None:
    """The command of the formatter that is there, beside this Python or on the path; None for none.

    What black has formatted, ruff leaves alone, and it starts in a tenth of the time.
    """
    for name, *options in (RUFF, _BLACK):
        beside = shutil.which(name, path=str(Path(sys.executable).parent))
        program = beside or shutil.which(name)
        if program is not None:
            return program, *options
    return None


def laid_out(before: Source, after_text: str, command: Sequence[str] | None = None) -> str:
    """A fixed text as the formatter has it, if it left the file before the fixes as it was; else unchanged.

    Args:
        before: the file before its fixes.
        after_text: its text with them.
        command: the formatter, which takes a text on stdin and reads the settings of the project itself; None
            for the one that is installed.
    """
    command = command or installed()
    if command is None or before.notebook is not None or before.encoding != "utf-8" or before.bom:
        return after_text
    if formatted(before, before.text, command) != before.text:
        return after_text
    text = formatted(before, after_text, command)
    return text if text is not None and _same_code(text, after_text) else after_text


def formatted(source: Source, text: str, command: Sequence[str]) -> str | None:
    """A text as a formatter has it; None where it cannot say."""
    try:
        done = subprocess.run(
            [*command, "--stdin-filename", str(source.path.absolute()), "-"],
            input=text.encode(),
            capture_output=True,
            check=False,
            timeout=_LONGEST,
        )
        return done.stdout.decode() if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, UnicodeError):
        return None


def _same_code(one: str, other: str) -> bool:
    """Whether two texts are the same program."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
