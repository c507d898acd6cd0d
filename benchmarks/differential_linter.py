"""A copy of a checkout's linter, so that it stays the same while it runs and its files are edited."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from corpus_files import CorpusError

__all__ = ["CHECK", "ROOT", "Linter", "copied"]

ROOT: Final = Path(__file__).parent.parent
CHECK: Final = ("check", "--isolated", "--preview", "--min-heat", "presumed", "-j", "1", "-q", "--no-cache")
"""All rules, and the least heat that may be asked for; settings that a project has are not read."""


class Linter(NamedTuple):
    """A linter to run.

    Attributes:
        site: the folder that it is imported from.
        version: the commit of its checkout, and whether its sources were as they were then.
    """

    site: Path
    version: str

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a process that is to run it."""
        paths = filter(None, (str(self.site), os.environ.get("PYTHONPATH")))
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@contextmanager
def copied(checkout: Path) -> Iterator[Linter]:
    """Copy the linter of a checkout with its rules, as wheels have them.

    Raises:
        CorpusError: there is none.
    """
    if not (checkout / "overhead_lint").is_dir() or not (checkout / "rules").is_dir():
        raise CorpusError(f"{checkout}: no checkout of the linter")
    version = _version(checkout)
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as work:
        site = Path(work)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(checkout / "overhead_lint", site / "overhead_lint", ignore=ignored)
        shutil.copytree(checkout / "rules", site / "overhead_lint" / "rules", ignore=ignored)
        compileall.compile_dir(site, quiet=2)
        yield Linter(site, version)


def _version(checkout: Path) -> str:
    def git(*arguments: str) -> str:
        command = ["git", "-C", str(checkout), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--", "overhead_lint", "rules")
    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + (" with changes" if changed else "")
