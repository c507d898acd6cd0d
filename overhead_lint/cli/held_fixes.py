"""What a run does with all its fixes at once: a command verifies them, and then they are written."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.edits.model import CannotFix
from overhead_lint.errors import Complaint
from overhead_lint.fixing.trial import Trial, TrialError, tried
from overhead_lint.fixing.writer import WriteError, write_all
from overhead_lint.report import trial_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.cli.options import Options
    from overhead_lint.syntax.source import Source

__all__ = ["settled"]


def settled(held: Sequence[tuple[Source, str]], root: Path | None, options: Options) -> Trial | None:
    """Write fixes, all of them or none: where a command is to verify them, if it ends as before.

    How it ended is told on stderr.

    Args:
        held: the files, and their texts with the fixes; not empty.
        root: the folder of the project; None where nothing says: then what holds the files is.
        options: of the run.

    Returns:
        How the command ended; None where there is none.

    Raises:
        TrialError: the command can verify nothing.
        Complaint: a file cannot be written, or was changed meanwhile.
    """
    trial = None
    if options.verify is not None:
        changes = {Path(os.path.realpath(source.path)): source.encode(text) for source, text in held}
        trial = tried(options.verify, changes, _root(changes, root), runs=options.verify_runs)
        if not (trial.is_equal and options.report.quiet):
            sys.stderr.write(trial_text.render(trial))
    if options.fix and (trial is None or trial.is_equal):
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
