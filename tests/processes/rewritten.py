"""Rewrites the assertions of test files once, for all the processes that run them.

Each of those collects all files, at the same time as the others, so that each would rewrite all: six seconds
of processor time. pytest keeps what it has rewritten in files beside the tests, and reads those also where
processes write no bytecode. It has no other way to write them than to import a test, so that this goes by
names that are pytest's own. Where it has others, processes rewrite for themselves.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from _pytest.assertion import rewrite

from overhead_lint.support.processors import usable

if TYPE_CHECKING:
    import pytest

__all__ = ["kept", "rewrite_once"]

_NAMES = (
    "PYC_TAIL",
    "_read_pyc",
    "_rewrite_test",
    "_write_pyc",
    "assertstate_key",
    "get_cache_dir",
    "try_makedirs",
)


def rewrite_once(config: pytest.Config, files: Iterable[Path]) -> None:
    """Rewrite files that have changed since pytest last did, in a process for each processor.

    Args:
        config: of this session.
        files: test files and conftest files.
    """
    if not (hasattr(os, "fork") and all(hasattr(rewrite, name) for name in _NAMES)):
        return
    changed = [file for file in files if rewrite._read_pyc(file, kept(file)) is None]
    processes = [_forked(config, changed[first :: usable()]) for first in range(usable())]
    for process in processes:
        os.waitpid(process, 0)


def kept(file: Path) -> Path:
    """Where pytest keeps a file once it is rewritten."""
    return rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"


def _forked(config: pytest.Config, files: Sequence[Path]) -> int:
    process = os.fork()
    if not process:
        try:
            for file in files:
                with contextlib.suppress(SyntaxError):  # told when it is collected
                    _write(config, file)
        finally:
            os._exit(0)
    return process


def _write(config: pytest.Config, file: Path) -> None:
    rewrite.try_makedirs(kept(file).parent)
    source, code = rewrite._rewrite_test(file, config)
    rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, kept(file))
