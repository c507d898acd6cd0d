"""``overhead-lint --watch``: check, and check again when a file of the project or its settings change."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from overhead_lint.cli import options as cli_options
from overhead_lint.config.setting_keys import SETTINGS_FILES
from overhead_lint.config.settings import SettingsError, extended, find
from overhead_lint.discovery import files
from overhead_lint.workspace.roots import is_project, root_of

__all__ = ["changes", "run", "state"]

State = Mapping[Path, tuple[int, int]]
"""Time of change and size of each file."""

_PAUSE: Final = 0.3
"""Seconds between two looks at least; a look at very many files takes a tenth of the time at most."""
_CLEAR: Final = "\x1b[2J\x1b[H"


def run(arguments: Sequence[str], check: Callable[[Sequence[str]], int]) -> int:
    """Check again whenever something has changed, until Ctrl-C.

    Args:
        arguments: those of the command line.
        check: runs the linter with arguments, and gives its exit status.

    Returns:
        The exit status of the last check.
    """
    once = [argument for argument in arguments if argument != "--watch"]
    options = cli_options.parse(once)
    named = (options.file.path if options.file else None, options.baseline.path, options.evidence.path)
    besides = [path for path in named if path is not None]
    before = state(options.paths, besides)
    status = check(once)
    sys.stdout.flush()  # a pipe would keep it until something changes
    try:
        for changed in changes(options.paths, before, besides):
            if sys.stdout.isatty():
                sys.stdout.write(_CLEAR)
            print(f"{time.strftime('%H:%M:%S')} {_told(changed)}", file=sys.stderr)
            status = check(once)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return status
    return status


def changes(paths: Sequence[Path], before: State, besides: Sequence[Path] = ()) -> Iterator[list[Path]]:
    """The files that were changed, added or removed, each time that some were; it never ends.

    Args:
        paths: what is checked.
        before: what it was like.
        besides: other files that a check depends on.
    """
    print("Watching; Ctrl-C ends it.", file=sys.stderr)
    while True:
        start = time.perf_counter()
        files.forget()
        now = state(paths, besides)
        # What is there is not watched while settings that cannot be used say nothing of the project's root.
        now = {**{path: before[path] for path in before.keys() - now.keys() if path.exists()}, **now}
        if changed := sorted(
            path for path in before.keys() | now.keys() if before.get(path) != now.get(path)
        ):
            before = now
            yield changed
        time.sleep(max(_PAUSE, 9 * (time.perf_counter() - start)))


def state(paths: Sequence[Path], besides: Sequence[Path] = ()) -> State:
    """Time of change and size of the files that a check of paths depends on.

    Args:
        paths: what is checked.
        besides: other files that a check depends on.
    """
    found: dict[Path, tuple[int, int]] = {}
    bases = (base for path in besides if path.suffix == ".toml" for base in extended(path))
    for path in (*_watched(paths), *besides, *bases):
        try:
            stat = path.stat()
        except OSError:  # it has gone since it was listed
            continue
        found[path] = stat.st_mtime_ns, stat.st_size
    return found


def _watched(paths: Sequence[Path]) -> Iterator[Path]:
    try:
        settings = find(paths)
    except SettingsError:  # the check says so
        settings = None
    roots = _projects(paths, settings.path if settings else None)
    below = files.collected([*paths, *roots])
    for target in below.found:
        if isinstance(target, files.Target):
            yield target.path
    for file in map(Path, below.settings):
        yield file
        yield from extended(file)
    for path in (*paths, *roots):
        for folder in (path.absolute(), *path.absolute().parents):
            for name in SETTINGS_FILES:
                yield folder / name
                if settings is None or folder / name == settings.path:  # which has others that it extends
                    yield from extended(folder / name)


def _projects(paths: Sequence[Path], settings: Path | None) -> list[Path]:
    """The folders of the projects that paths are of, whose other files a check depends on."""
    root = root_of(paths, settings)
    if root is None or is_project(root, settings):
        return [root] if root is not None else []
    own = (root_of([path], None) for path in paths)
    return [found for found in own if found is not None]


def _told(changed: Sequence[Path]) -> str:
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    return f"{changed[0]}{more} changed"
