"""What the differential tests compare the linter on: packages in folders, and commits of repositories."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from corpus_files import EVALUATION, CorpusError, download, requirements, unpack
from prbench_trees import Tree, cases_of, lay_out, mirror_of, versions
from wild import PACKAGES

__all__ = ["SAMPLE", "Subject", "commits", "packages", "sampled", "wild_packages"]

SAMPLE: Final = 25.0
"""Megabytes of source that a sample takes at most."""
_COMMITS: Final = EVALUATION / "commits"


class Subject(NamedTuple):
    """A project that is linted as a whole.

    Attributes:
        name: what it is called in recordings.
        folder: where it lies; None for a commit, which is laid out when it is wanted.
        paths: what is checked in it, relative to the folder.
        tree: the repository and the commit.
    """

    name: str
    folder: Path | None
    paths: tuple[str, ...] = (".",)
    tree: tuple[Path, str] | None = None

    @property
    def megabytes(self) -> float:
        """How much source lies in its folder; 0 where that is not known."""
        if self.folder is None:
            return 0.0
        return sum(path.stat().st_size for path in self.folder.rglob("*.py")) / 1e6

    @contextmanager
    def laid_out(self) -> Iterator[Path]:
        """Have the sources lie in a folder."""
        if self.folder is not None:
            yield self.folder
            return
        assert self.tree is not None, "a subject has a folder, or a commit"
        git, commit = self.tree
        with tempfile.TemporaryDirectory(prefix="overhead-lint-") as work:
            folder = Path(work) / "tree"
            (folder / ".git").mkdir(parents=True)  # what marks a project's folder
            lay_out(Tree(git, folder, folder), commit, None)
            yield folder


def digest(folder: Path) -> str:
    """A digest of all Python files in a folder, with their paths."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        found.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def packages(folders: Sequence[Path]) -> list[Subject]:
    """The packages in some folders: each folder directly below that holds Python files.

    Raises:
        CorpusError: there is no such folder, or nothing in it.
    """
    found = []
    for folder in folders:
        if not folder.is_dir():
            raise CorpusError(f"{folder}: no such folder")
        below = sorted(
            one for one in folder.iterdir() if one.is_dir() and not one.name.startswith((".", "_"))
        )
        holding = [one for one in below if next(one.rglob("*.py"), None) is not None]
        if not holding:
            raise CorpusError(f"{folder}: no folder in it holds Python files")
        found += [Subject(one.name, one.absolute()) for one in holding]
    return found


def wild_packages(sets: Sequence[str], cache: Path) -> list[Subject]:
    """The packages of some sets of `benchmarks/wild.py`, downloaded and unpacked once.

    Raises:
        CorpusError: a package cannot be had.
    """
    found: dict[str, Subject] = {}
    for name in sets:
        download(cache / "wheels", PACKAGES, name)
        for package in requirements(PACKAGES, name):
            folder = unpack(package, cache / "wheels", cache / "src")
            found[package.folder] = Subject(f"wild/{package.folder}", folder.absolute())
    return list(found.values())


def commits(mirrors: Path) -> tuple[list[Subject], list[str]]:
    """The commits that `evaluation/commits` tells of, with what its cases ask about in each.

    Returns:
        the commits whose repositories are there, and the names of the repositories that are not.
    """
    cases, missing = cases_of(_COMMITS, mirrors)
    asked: dict[tuple[str, str], set[str]] = {}
    for case in cases:
        for commit, _ in versions(case):
            asked.setdefault((case["repo"], commit), set()).add(case["path"])
    found = [
        Subject(
            f"commits/{repository}@{commit[:12]}",
            None,
            tuple(sorted(paths)),
            (mirror_of(mirrors, repository), commit),
        )
        for (repository, commit), paths in sorted(asked.items())
    ]
    return found, missing


def sampled(
    subjects: Sequence[Subject], size: Callable[[Subject], float] = lambda one: one.megabytes
) -> list[Subject]:
    """The smallest packages, as many as a sample takes, and the first commit of each repository."""
    found, total, repositories = [], 0.0, set()
    for subject in sorted(
        (one for one in subjects if one.tree is None), key=lambda one: (size(one), one.name)
    ):
        total += size(subject)
        if total <= SAMPLE:
            found.append(subject)
    for subject in subjects:
        if subject.tree is not None and subject.tree[0] not in repositories:
            repositories.add(subject.tree[0])
            found.append(subject)
    return found
