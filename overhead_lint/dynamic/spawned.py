"""The beginning of a process that multiprocessing starts anew: see `overhead_lint.dynamic.workers`."""

from __future__ import annotations

import contextlib
import json
import multiprocessing.util
import runpy
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from overhead_lint.dynamic import shadowed
from overhead_lint.dynamic.watching import FileWatch
from overhead_lint.dynamic.workers import POOL, SETTINGS, Workers

__all__ = ["begin"]

_to_the_end = contextlib.ExitStack()


def begin(folder: str, search: Sequence[str], *, server: bool = False) -> None:
    """Watch this process to its end.

    Whatever is wrong with that, the process goes on without being watched.

    Args:
        folder: of the run.
        search: what this process found in ``sys.path`` before it was told to watch.
        server: this process does nothing but fork others, which are counted, and outlives the run.
    """
    first = list(search[:1])
    with contextlib.suppress(OSError, ValueError, KeyError, RuntimeError):  # the run is over, or half gone
        settings = json.loads((Path(folder) / SETTINGS).read_bytes())
        first.append(settings["first"])
        overlay = None if settings["overlay"] is None else Path(settings["overlay"])
        files = FileWatch(map(Path, settings["folders"]), overlay, bare=settings["bare"])
        workers = Workers(files.counter, Path(folder))
        workers.watch(multiprocessing.util, here=not server)
        workers.start_watched(multiprocessing.util)
        _to_the_end.enter_context(files.watching({POOL: workers.watch_pool}))
        _watch_main(files)
    shadowed.prepare(first, search)
    shadowed.hand_over()


def _watch_main(files: FileWatch) -> None:
    """Watch the script too: multiprocessing runs it once more, by its path and past the import system."""
    module: Any = runpy
    original = getattr(module, "_get_code_from_file", None)
    if original is None:
        return

    def get_code(*arguments: Any) -> Any:
        found = original(*arguments)
        # Python 3.13 gives the code, those before it the code and the path. It is asked for by the path, with
        # the name of the module before it until 3.12, and behind it from 3.15 on.
        code, *rest = found if isinstance(found, tuple) else (found,)
        if isinstance(code, types.CodeType) and code.co_filename in arguments:
            code = files.watch(code.co_filename, code)
        return (code, *rest) if isinstance(found, tuple) else code

    module._get_code_from_file = get_code
