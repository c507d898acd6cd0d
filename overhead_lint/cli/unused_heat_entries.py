"""Entries of the settings ``hot`` and ``cold`` that fit nothing: most are mistyped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from overhead_lint.cache.store import Cache
    from overhead_lint.cli.options import Options
    from overhead_lint.project.graph.overrides import Overrides

__all__ = ["unused_names"]


def unused_names(
    options: Options, overrides: Overrides, root: Path | None, cache: Cache | None
) -> Iterator[str]:
    """A line for each dotted name that fits no function, where the whole project was asked.

    Args:
        options: of the run.
        overrides: asked about each function before, unless what earlier runs learned was enough.
        root: the project's folder.
        cache: has what earlier runs found, and keeps what this one does.
    """
    unused = overrides.unused()
    if cache is not None:
        if unused is None:
            unused = cache.unused
        cache.unused = unused
    file = options.file
    if file is None or not options.project or options.report.quiet:
        return
    for name, meant in unused or ():
        key = "hot" if name in options.settings.hot else "cold"
        setting = file.setting(key)
        if setting is not None and not _is_there(name, filter(None, (root, setting.path.parent))):
            hint = (
                f": did you mean {meant}?" if meant else "; names start with the module, as in pkg.mod.Cls.f"
            )
            yield f"{setting.place(key, name)}: {key}: no function is called {name}{hint}"


def _is_there(pattern: str, folders: Iterable[Path]) -> bool:
    """Whether a pattern stands for a folder or a file, which may have no functions to be asked about."""
    stem = re.split(r"[*?\[]", pattern)[0].rstrip(".").replace(".", "/")
    names = (stem, f"{stem}.py", f"src/{stem}", f"src/{stem}.py")
    return not stem or any((folder / name).exists() for folder in folders for name in names)
