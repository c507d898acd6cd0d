"""What earlier runs learned, found by what it depends on: a run of the command and an editor share it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from overhead_lint import __version__
from overhead_lint.cache.stamps import stamp
from overhead_lint.cache.store import Cache
from overhead_lint.config.run_settings import Settings
from overhead_lint.config.setting_keys import SELECTING

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.config.settings import SettingsFile

__all__ = ["cache_of"]

_UNSELECTED: Final[dict[str, Any]] = {
    name: getattr(Settings(), name) for name in ("select", "ignore", "min_heat", "preview")
}
"""What `Settings` has to say of which findings are reported, as it is by default."""


def cache_of(
    folder: Path,
    settings: Settings,
    file: SettingsFile | None,
    packs: str,
    project: str = "",
    left_out: tuple[object, ...] = (),
) -> Cache:
    """Return what earlier runs of the project learned, whichever findings they were asked for.

    What a look into a file gives depends, besides the file, on this program, on Python's grammar, on the
    rules that there are, and on settings, but for those that only select findings.

    Args:
        folder: where it lies.
        settings: of the run.
        file: the settings file that counts, with those it extends.
        packs: `overhead_lint.engine.packs.stamp` of the rules; empty without packs.
        project: what tells it from others in the same folder; empty where there is one.
        left_out: rules that are left out in files besides what settings files say, and the folder from
            which their patterns count.
    """
    values = [file.values for file in file.files()] if file else []
    written = [{key: value for key, value in one.items() if key not in SELECTING} for one in values]
    selecting = [{key: value for key, value in one.items() if key in SELECTING} for one in values]
    python = (sys.version_info[:2], sys.getfilesystemencoding())  # with another, names of files are others
    looking = settings._replace(**_UNSELECTED)
    key = (__version__, stamp(), *python, looking, packs, written, *filter(None, [project]))
    selected = [getattr(settings, name) for name in _UNSELECTED]
    return Cache(folder, repr(key), repr((selected, selecting, *left_out)))
