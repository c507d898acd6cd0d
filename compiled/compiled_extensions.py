"""The extension modules of a compiled build."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from compiled_sources import stage

__all__ = ["extensions"]


def extensions(root: Path) -> list[Any]:
    """What setuptools is to build: one extension a module, and the one that they share.

    ``OVERHEAD_LINT_OPTIMIZED=0`` has the C compiler hurry, for who wants to know whether it builds at all.

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
    return list(
        mypycify(
            ["--config-file=", "--strict", "--python-version", version, *paths],
            opt_level=os.environ.get("OVERHEAD_LINT_OPTIMIZED", "2"),
            debug_level="0",
            multi_file=True,
            target_dir=os.path.relpath(root / "build" / "compiled-c", root),
        )
    )
