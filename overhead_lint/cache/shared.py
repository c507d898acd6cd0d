"""What earlier runs learned, found by what it depends on: a run of the command and an editor share it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from overhead_lint import __version__
from overhead_lint.cache.stamps import stamp
from overhead_lint.cache.store import Cache

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.config import Settings
    from overhead_lint.settings import SettingsFile

__all__ = ["cache_of"]


def cache_of(
    folder: Path, settings: Settings, file: SettingsFile | None, packs: str, project: str = ""
) -> Cache:
    """What earlier runs with the same rules and settings learned.

    Results depend, besides the files, on this program, on Python's grammar, on rules and settings.

    Args:
        folder: where it lies.
        settings: of the run.
        file: the settings file that counts, with those it extends.
        packs: `overhead_lint.packs.stamp` of the rules; empty without packs.
        project: what tells it from others in the same folder; empty where there is one.
    """
    written = [file.values for file in file.files()] if file else []
    python = (sys.version_info[:2], sys.getfilesystemencoding())  # with another, names of files are others
    key = (__version__, stamp(), *python, settings, packs, written, *filter(None, [project]))
    return Cache(folder, repr(key))
