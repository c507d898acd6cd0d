"""``overhead-lint --fix --verify COMMAND``: fixes are written once a command ends with them as without."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.errors import Complaint
from overhead_lint.fixing.trial import Trial, TrialError, tried
from overhead_lint.fixing.writer import WriteError, write_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.syntax.source import Source

__all__ = ["verified"]


def verified(command: str, held: Sequence[tuple[Source, str]], root: Path | None, *, runs: int) -> Trial:
    """Try a command with fixes, and write these where it ends as before; then all of them, or none.

    Args:
        command: as a shell takes it.
        held: the files, and their texts with the fixes.
        root: the folder of the project; None where nothing says: then what holds the files is.
        runs: how many times the command is timed each way.

    Raises:
        TrialError: the command can verify nothing.
        Complaint: a file cannot be written, or was changed meanwhile.
    """
    changes = {Path(os.path.realpath(source.path)): source.encode(text) for source, text in held}
    trial = tried(command, changes, _root(changes, root), runs=runs)
    if trial.is_equal:
        try:
            write_all(held)
        except (CannotFix, WriteError) as error:
            raise Complaint(f"nothing was changed: {error}") from error
    return trial


def _root(changes: dict[Path, bytes], root: Path | None) -> Path:
    """The folder to copy: it holds the project and all changed files.

    Raises:
        TrialError: that is no folder of one project.
    """
    folders = [str(path.parent) for path in changes]
    found = Path(os.path.commonpath([*folders, *([os.path.realpath(root)] if root is not None else [])]))
    if Path(os.path.realpath(Path.home())).is_relative_to(found):
        raise TrialError(f"--verify copies the project, and nothing says where it begins below {found}")
    return found
