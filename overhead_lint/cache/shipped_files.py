"""What the settings files that ship with a project have for options: each is read once a change."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.cache.kept_files import KeptFiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.analysis.options.shipped import Shipped

__all__ = ["ShippedFiles"]

_LARGEST: Final = 1 << 18
"""Bytes: what is larger is data."""
_MOST: Final = 2000
"""Files: a project with more has data in them."""

_Of = tuple[int, int, tuple[Any, ...]]
"""When a file was changed, its size, and what it has for options."""


class ShippedFiles(KeptFiles[_Of]):
    """What is read of settings files."""

    def of(self, names: Sequence[str]) -> Sequence[Shipped]:
        """Return what some files have for options, sorted, each once."""
        if not names or len(names) > _MOST:
            return ()
        before = self.before()
        now = {name: its for name in names if (its := _read(name, before.get(name))) is not None}
        self.take(now)
        return sorted({one for _, _, found in now.values() for one in found})


def _read(name: str, before: _Of | None) -> _Of | None:
    """What a file has; None for one that is not read."""
    try:
        now = os.stat(name)  # noqa: PTH116 - asked of all of them in every run
        changed, size = max(now.st_mtime_ns, now.st_ctime_ns), now.st_size
        if before is not None and before[:2] == (changed, size):
            return before
        if size > _LARGEST or not stat.S_ISREG(now.st_mode):
            return None
        with open(name, "rb") as file:  # noqa: PTH123 - a name as it was found
            text = file.read(_LARGEST).decode("utf-8-sig", errors="replace")
    except OSError:
        return None
    from overhead_lint.analysis.options.reading import shipped_in  # only where something changed

    return changed, size, shipped_in(text, os.path.splitext(name)[1])  # noqa: PTH122 - see above
