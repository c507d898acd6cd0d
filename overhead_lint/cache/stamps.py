"""What tells whether files, and this program itself, are what they were."""

from __future__ import annotations

import importlib.util
import os
import time
from pathlib import Path
from typing import Final

__all__ = ["changed_ns", "content_hash", "rules_path", "stamp", "trusted"]

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


def stamp() -> tuple[int, int]:
    """When this program's own sources were changed last, and how many bytes they have.

    The version alone would keep what an older state of a checkout found.
    """
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
