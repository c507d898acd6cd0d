"""What ``.gitignore`` files, and a repository's ``.git/info/exclude``, leave out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.support.existence import exists, is_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pathspec import GitIgnoreSpec

__all__ = ["Ignored"]


class Ignored:
    """The ``.gitignore`` files that hold for a folder.

    Args:
        specs: folders with the patterns of their file, the outermost first.
    """

    __slots__ = ("_specs",)

    def __init__(self, specs: tuple[tuple[Path, GitIgnoreSpec], ...] = ()) -> None:
        self._specs = specs

    @classmethod
    def above(cls, folder: Path) -> Ignored:
        """What holds for a folder by the files above it, up to the root of its repository."""
        found = cls()
        for base, file in _files_above(folder):
            if is_file(file):
                found = found._with(base, file)
        return found

    @staticmethod
    def files_above(folder: Path) -> list[str]:
        """The files that `above` reads, if they are there."""
        return [str(file) for _, file in _files_above(folder)]

    def __bool__(self) -> bool:
        """Whether anything may be ignored."""
        return bool(self._specs)

    def inside(self, folder: Path) -> Ignored:
        """The same with the folder's own ``.gitignore``, if it can be read."""
        return self._with(folder, folder / ".gitignore")

    def _with(self, folder: Path, file: Path) -> Ignored:
        """The same with the patterns of a file that hold below a folder."""
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            if all(not line.strip() or line.startswith("#") for line in lines):
                return self  # as git leaves its own
        except OSError:  # unreadable: git passes over it too
            return self
        from overhead_lint.config import git_patterns  # only folders with patterns pay for it

        return Ignored((*self._specs, (folder.absolute(), git_patterns.heeded(lines))))

    def file(self, path: Path) -> bool:
        """Whether a file is ignored."""
        return bool(self._specs) and self._decide(path.absolute(), "")

    def folder(self, path: Path) -> bool:
        """Whether a folder is ignored with all that is in it."""
        return bool(self._specs) and self._decide(path.absolute(), "/")

    def _decide(self, path: Path, suffix: str) -> bool:
        from overhead_lint.config.git_patterns import verdict

        for base, spec in reversed(self._specs):
            if path.is_relative_to(base):
                is_out = verdict(spec, path.relative_to(base).as_posix() + suffix)
                if is_out is not None:
                    return is_out
        return False


def _files_above(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Folders above one, up to the root of its repository, with the files whose patterns hold below each."""
    inner = folder.absolute()
    chain = [inner, *inner.parents]
    root = next((index for index, path in enumerate(chain) if exists(path / ".git")), 0)
    yield chain[root], chain[root] / ".git" / "info" / "exclude"
    for path in reversed(chain[1 : root + 1]):
        yield path, path / ".gitignore"
