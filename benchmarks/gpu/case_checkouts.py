"""Takes what a study needs out of a public repository, at its commit."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from case_study import Study

__all__ = ["CheckoutError", "checkout"]


class CheckoutError(Exception):
    """A commit cannot be had; the message says which and why."""


def checkout(study: Study, to: Path, mirrors: Path | None = None) -> None:
    """Put the files of a study into a new folder.

    Args:
        study: which.
        to: the folder; its parents are made.
        mirrors: a folder of bare repositories, each ``owner+name`` or ``owner+name/repo``; the commit is
            fetched from GitHub without.

    Raises:
        CheckoutError: neither has it.
    """
    with tempfile.TemporaryDirectory() as work:
        repository = _mirror(study, mirrors) if mirrors is not None else _fetched(study, Path(work))
        archive = _git(repository, "archive", "--format=tar", study.commit, *study.paths)
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(to, filter="data")


def _mirror(study: Study, mirrors: Path) -> Path:
    folder = mirrors / study.repository.replace("/", "+")
    nested = folder / "repo"
    return nested if nested.is_dir() else folder


def _fetched(study: Study, work: Path) -> Path:
    _git(work, "init", "--quiet", "--bare")
    _git(work, "fetch", "--quiet", "--depth=1", f"https://github.com/{study.repository}", study.commit)
    return work


def _git(repository: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(repository), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise CheckoutError(f"{command[0]} cannot be started: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise CheckoutError(f"{repository}: git {arguments[0]} ends with {done.returncode}: {said}")
    return done.stdout
