"""Whether the files that say which torch folders of a project require are as they were."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from overhead_lint.cache import stamps
from overhead_lint.cache.kept_files import KeptFiles

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["RequirementFiles"]

_State = tuple[int, int, bytes]
"""When a file was changed, 0 if that is not to be trusted, its size, and the hash of its content."""


class RequirementFiles(KeptFiles[_State]):
    """What these files were when files of the project were looked into."""

    def differ(self, root: Path, names: Sequence[str]) -> bool:
        """Whether those below the project's folder are others than before, or say something else.

        What lies in the folder itself is among the settings of a run.

        Args:
            root: the project's folder, which may lie elsewhere than before.
            names: their paths.
        """
        before = self.before()
        now = {
            below: state
            for name in names
            if os.sep in (below := os.path.relpath(name, root))
            and (state := _state(name, before.get(below))) is not None
        }
        self.take(now)
        return _contents(now) != _contents(before)


def _contents(states: dict[str, _State]) -> dict[str, bytes]:
    return {below: digest for below, (_, _, digest) in states.items()}


def _state(name: str, before: _State | None) -> _State | None:
    """The state of a file; None for one that cannot be read."""
    try:
        now = os.stat(name)  # noqa: PTH116 - asked of all of them in every run
        changed = stamps.changed_ns(now)
        if before is not None and before[:2] == (changed, now.st_size):
            return before
        with open(name, "rb") as file:  # noqa: PTH123 - a name as it was found
            digest = stamps.content_hash(file.read())
    except OSError:
        return None
    return stamps.trusted(changed), now.st_size, digest
