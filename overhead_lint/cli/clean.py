"""``overhead-lint clean [PATH...]``: remove what runs keep for later ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from overhead_lint.cache.folder import FOLDER, clean
from overhead_lint.cli.parser import Parser
from overhead_lint.config.settings import find
from overhead_lint.discovery import files
from overhead_lint.workspace.roots import root_of

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0, also if there is nothing to remove.

    Raises:
        SettingsError: a settings file that cannot be used.
        OSError: there is no such path, or a folder cannot be removed.
        SystemExit: with status 2 and a message on wrong use, with 0 after ``--help``.
    """
    parser = _parser()
    found = parser.parse_args(arguments)
    if found.cache_dir and found.paths:
        parser.error("--cache-dir names the folder itself: no PATH with it")
    paths = found.paths or [Path()]
    folders = [found.cache_dir] if found.cache_dir else list(dict.fromkeys(chain(*map(_folders, paths))))
    removed = clean(folders)
    for folder in removed:
        print(f"Removed {folder}")
    for folder in folders:
        if folder in removed:
            continue
        if folder.exists():
            print(
                f"{folder} holds something else than a cache of overhead-lint; it was left alone",
                file=sys.stderr,
            )
        elif found.cache_dir:
            print(f"{folder} is not there, so nothing was removed", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint clean", description="Remove the caches of the projects that paths belong to."
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument(
        "--cache-dir", type=Path, metavar="FOLDER", help="where results are kept, if not there"
    )
    return parser


def _folders(path: Path) -> Iterator[Path]:
    """The cache folders of the project that a path belongs to, and of those below it that have settings.

    Raises:
        SettingsError: a settings file that cannot be used.
        OSError: there is no such path.
    """
    path.stat()
    settings = find([path])
    root = root_of([path], settings.path if settings else None)
    if root is not None:
        yield root / FOLDER
    for file in files.collected([path]).settings:
        below = Path(file).absolute().parent / FOLDER
        if below.exists():
            yield below
