"""Whether files that a formatter had laid out are laid out still once they are fixed."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.fixing.fixer import diff
from overhead_lint.fixing.layout import RUFF, formatted, installed, laid_out
from overhead_lint.syntax.source import Source

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from overhead_lint.fixing.fixer import FixResult

__all__ = ["formatter_of", "layout_problems", "line_length"]

_USUAL: Final = (88, 120, 119, 100, 79, 110)
"""Lengths of lines that are tried where nothing says how long they may be; the most usual first."""


def layout_problems(result: FixResult, fix: Callable[[Source], FixResult]) -> Iterator[str]:
    """What does not hold of a fixed file that ``ruff format`` would have left alone before.

    Args:
        result: what fixing it gave.
        fix: fixes a source in the same way.
    """
    command = formatter_of(result.before)
    if command is None:
        return
    text = laid_out(result.before, result.after_text, command)
    after = Source.from_bytes(result.before.path, result.before.encode(text))
    again = fix(after)
    if again.changed:
        yield f"a second run changes it once it is laid out\n{diff(after, again.after_text)}"
    if len(again.remaining) != len(result.remaining):
        yield f"has {len(again.remaining)} findings once it is laid out, and {len(result.remaining)} before"
    if formatted(after, text, command) != text:
        yield "is changed by ruff format, which left it alone before"


def formatter_of(source: Source) -> tuple[str, ...] | None:
    """The ruff that leaves a file as it is; None where none does.

    Lines are as long as the project's settings have it, or else as the first usual length has it with which
    the file is as it should be.
    """
    ruff = installed()
    if ruff is None or ruff[1:] != RUFF[1:] or source.notebook is not None:
        return None
    told = line_length(source.path)
    for length in (told,) if told is not None else _USUAL:
        command = (*ruff, "--isolated", "--no-cache", "--line-length", str(length))
        if formatted(source, source.text, command) == source.text:
            return command
    return None


def line_length(path: Path) -> int | None:
    """How long lines may be by the settings of ruff or black above a file; None where these do not say."""
    for folder in path.absolute().parents:
        for name in ("ruff.toml", ".ruff.toml", "pyproject.toml"):
            if (folder / name).is_file():
                return _told(folder / name)
    return None


@functools.cache
def _told(file: Path) -> int | None:
    try:
        found: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    tools = found.get("tool", {}) if file.name == "pyproject.toml" else {"ruff": found}
    for tool in (tools.get("ruff", {}), tools.get("black", {})):
        if isinstance(length := tool.get("line-length"), int):
            return length
    return None
