"""The class of machines that times are kept for: those that take about as long for the same work."""

from __future__ import annotations

import functools
import os
import platform
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

__all__ = ["NAME", "VARIABLE", "BadClass", "machine_class"]

VARIABLE = "OVERHEAD_MACHINE"
NAME = "overhead_machine"
"""Of the ini option."""
_NOISE = re.compile(r"\((r|tm)\)|\bcpu\b|\bprocessor\b|\b\d+-core\b|@.*")
_CLASS = re.compile(r"[A-Za-z0-9_-]+")


class BadClass(ValueError):
    """A name that cannot be that of a class; the message says where it comes from."""


def machine_class(config: pytest.Config) -> str:
    """What the environment or the ini file names, else the processor's name with its number of cores.

    Raises:
        BadClass: a name with other characters than letters, digits, ``_`` and ``-``.
    """
    for where, name in ((VARIABLE, os.environ.get(VARIABLE, "")), (NAME, str(config.getini(NAME)))):
        if name:
            if not _CLASS.fullmatch(name):
                raise BadClass(f"{where}={name!r}: name a class with letters, digits, _ and -")
            return name
    return _processor()


@functools.cache
def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    names = (line.partition(":")[2] for line in text.splitlines() if line.startswith("model name"))
    name = next(names, "") or platform.processor() or platform.machine()
    words = re.findall(r"[a-z0-9]+", _NOISE.sub(" ", name.lower()))
    return "-".join([*words, f"{os.cpu_count()}c"])
