"""The extension modules of a compiled build."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from compiled_sources import stage

__all__ = ["extensions", "in_units"]

_UNITS = 6


def extensions(root: Path) -> list[Any]:
    """What setuptools is to build: one extension a module, and the one that they share.

    ``OVERHEAD_LINT_OPTIMIZED=0`` has the C compiler hurry, for who wants to know whether it builds at all:
    what is left of its time then goes into headers, so it reads them for some modules at once.

    Args:
        root: the repository.

    Raises:
        ImportError: mypy is not installed.
        SystemExit: a module does not compile; mypyc has printed why.
    """
    from mypyc.build import mypycify

    target = root / "build" / "compiled-sources"
    paths = [os.path.relpath(path, root) for path in stage(root, target)]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    level = os.environ.get("OVERHEAD_LINT_OPTIMIZED", "2")
    found = list(
        mypycify(
            ["--config-file=", "--strict", "--python-version", version, *paths],
            opt_level=level,
            debug_level="0",
            multi_file=True,
            target_dir=os.path.relpath(root / "build" / "compiled-c", root),
        )
    )
    if level == "0":
        for extension in found:
            extension.sources = in_units(extension.sources)
    return found


def in_units(sources: list[str]) -> list[str]:
    """Return C sources of which those of modules are included in a few."""
    modules = [name for name in sources if Path(name).name.startswith("__native_overhead")]
    units = []
    for number in range(min(_UNITS, len(modules))):
        unit = Path(modules[0]).with_name(f"unit_{number}.c")
        names = (os.path.relpath(name, unit.parent) for name in modules[number::_UNITS])
        unit.write_text("".join(f'#include "{name}"\n' for name in names), encoding="utf-8")
        units.append(str(unit))
    return units + [name for name in sources if name not in modules]
