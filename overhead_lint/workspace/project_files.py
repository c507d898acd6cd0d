"""The files of a project, and what is known of them: by earlier runs, or since they were looked into."""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.cache.learned import Learned
from overhead_lint.cache.record_views import Content
from overhead_lint.discovery import files
from overhead_lint.project.marked_names import mark
from overhead_lint.workspace.file_names import FileNames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from overhead_lint.analysis.options.shipped import Shipped
    from overhead_lint.cache.store import Cache
    from overhead_lint.discovery.project_file import File
    from overhead_lint.project.graph.member import Member
    from overhead_lint.support.progress import Tell
    from overhead_lint.syntax.source_error import SourceError
    from overhead_lint.workspace.examiner import Examiner

__all__ = ["ProjectFiles"]


class ProjectFiles:
    """Holds the files of a run, and has those looked into that must be.

    Args:
        root: the project's folder; None if there is none but the files that are checked.
        examiner: makes what looks into files; called when the first one has to be.
        cache: what earlier runs learned; None to learn all anew.
        alone: whether each file is judged by itself.
        shipped: what settings files that ship with the project have for options.

    Attributes:
        root: see there.
        alone: see there.
        shipped: see there.
        names: what files are called.
        learned: what is known of them.
        errors: the checked files that cannot be checked, by name, with the reason.
        has_lost: whether the cache had lost what it should know of a file.
    """

    def __init__(
        self,
        root: Path | None,
        examiner: Callable[[], Examiner],
        cache: Cache | None,
        *,
        alone: bool,
        shipped: Sequence[Shipped] = (),
    ) -> None:
        self.root = root
        self.alone = alone
        self.shipped = shipped
        self.names = FileNames(root)
        self.learned = Learned(cache, alone=alone, shipped=_hash(shipped))
        self.errors: dict[str, SourceError] = {}
        self.has_lost = False
        self._make_examiner = examiner

    @property
    def files(self) -> dict[str, File]:
        """The files, by name."""
        return self.names.files

    @cached_property
    def examiner(self) -> Examiner:
        """What looks into files."""
        return self._make_examiner()

    def unknown(self) -> list[File]:
        """The files that no earlier run knows as they are now; notes what is known of the others."""
        return self.learned.unknown(self.files.values())

    def examine(self, unknown: Sequence[File], jobs: int = 1, tell: Tell | None = None) -> None:
        """Look into files, with as many processes as may share the work; tells how far that is."""
        for number, (name, examined) in enumerate(self.examiner.all(unknown, self.root, jobs), 1):
            if tell is not None:
                tell("looking into files", number, len(unknown))
            if examined.error is not None:
                if self.files[name].checked:
                    self.errors[name] = examined.error
                continue
            assert examined.entry is not None
            self.learned.take(name, examined.entry, examined.record)
        self.examiner.forget()

    def recover_lost(self, names: Iterable[str] | None = None) -> None:
        """Look again into files, all by default, whose records the cache has lost."""
        learned, entries = self.learned, self.learned.entries
        asked = entries if names is None else names
        lost = [self.files[name] for name in asked if not learned.kept(name)]
        if lost:
            self.has_lost = True
            self.examine(lost)
        for name, *_ in lost:
            if not learned.kept(name):  # it cannot be looked into any more, and takes no part
                entries[name] = entries[name]._replace(in_graph=b"")

    def members(self, names: Iterable[str], *, reuse: bool) -> dict[str, Member]:
        """What a graph needs of files, by their keys in it; none of those that take no part.

        Args:
            names: the files.
            reuse: give also what earlier graphs found out of them.
        """
        from overhead_lint.project.graph.member import Member

        members, get = {}, self.learned.kept
        for name in names:
            if self.learned.entries[name].in_graph:
                module, folder = files.dotted_names(self.files[name].target.path, self.root)
                content = Content(get, name, self.alone, reuse)
                members[f"{name}:"] = Member(mark(name), module, folder, content)
        return members


def _hash(shipped: Sequence[Shipped]) -> bytes:
    return zlib.crc32(repr(shipped).encode()).to_bytes(4, "big") if shipped else b""
