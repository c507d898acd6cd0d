"""What tells whether files, and this program itself, are what they were."""

from __future__ import annotations

import importlib.util
import os
import time
from functools import cache
from pathlib import Path
from typing import Final

from overhead_lint import __version__

__all__ = ["changed_ns", "content_hash", "recorded_hash", "rules_path", "stamp", "trusted"]

_IRRELEVANT: Final = frozenset({"__pycache__", "native", "runtime", "simulated", "probes", "output", "cli"})
# A file that changed less than this before it was read may change again within the same tick of its clock.
_TICK_NS: Final = 50_000_000


def changed_ns(stat: os.stat_result) -> int:
    """When a file was last changed, or put where it is.

    What unpacks archives, or copies trees, sets times of files to one that may have been theirs before. That
    they were set has a time of its own.
    """
    return max(stat.st_mtime_ns, stat.st_ctime_ns)


def trusted(changed: int) -> int:
    """The time of change to be kept for a file that was read just now; 0 if it may change unseen."""
    return changed if time.time_ns() - changed > _TICK_NS else 0


def content_hash(data: bytes) -> bytes:
    """Hash of a file's content."""
    try:
        from _blake2 import blake2b  # that of hashlib, which loads OpenSSL to begin with
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=16).digest()


@cache
def stamp() -> tuple[int, int] | bytes:
    """Return what tells the state of the program that this process runs from others.

    Where it was installed, that is a hash of its files as the installer recorded them: the same on every
    machine, whenever it was installed there. In a checkout, or where files were changed since, it is when
    the sources were changed last, and how many bytes they have. The version alone would keep what an older
    state of a checkout found. What a process has once imported stays so: it is looked for once.
    """
    newest, total = _newest_and_total()
    package = Path(__file__).parent.parent
    recorded = recorded_hash(package, f"{package.name}-{__version__}.dist-info", newest)
    return recorded or (newest, total)


def recorded_hash(package: Path, metadata: str, newest_ns: int) -> bytes:
    """Return a hash of the files of an installed package; empty where the record of them does not hold.

    Args:
        package: its folder.
        metadata: the name of the folder with its metadata, which lies beside it.
        newest_ns: when the newest of its files was changed.
    """
    record = package.parent / metadata / "RECORD"
    try:
        if record.stat().st_mtime_ns < newest_ns:  # installers write it when the files are there
            return b""
        lines = record.read_bytes().splitlines()
    except OSError:
        return b""
    start = f"{package.name}/".encode()
    # What installers compile has the time of the sources in it.
    files = sorted(line for line in lines if line.startswith(start) and b"__pycache__" not in line)
    return content_hash(b"\n".join(files)) if files else b""


def _newest_and_total() -> tuple[int, int]:
    newest = total = 0
    package = Path(__file__).parent.parent
    stack = [package, Path(rules_path() or package)]
    while stack:
        with os.scandir(stack.pop()) as found:
            for item in found:
                if item.name.endswith(".py"):
                    stat = item.stat()
                    newest, total = max(newest, stat.st_mtime_ns), total + stat.st_size
                elif item.is_dir() and item.name not in _IRRELEVANT:
                    stack.append(Path(item.path))
    return newest, total


def rules_path() -> str | None:
    """Where the built-in rules lie: not below this package in a checkout."""
    spec = importlib.util.find_spec("overhead_lint.rules")
    return next(iter(spec.submodule_search_locations or ()), None) if spec is not None else None
