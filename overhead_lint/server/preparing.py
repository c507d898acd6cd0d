"""Another process that looks into a whole project, and keeps what it learns where the server finds it."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL
from typing import TYPE_CHECKING, Final

from overhead_lint.cache.folder import FOLDER
from overhead_lint.support import processors

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["prepare"]

# It imports from where the server does. `-m` would have it look into the current folder first, which may be
# the project's: none of its modules is ever to be imported.
_PROGRAM: Final = """\
import sys
sys.path[:] = sys.argv.pop(1).split("\\n")
from overhead_lint.cli.main import console
console()
"""


async def prepare(root: Path) -> bool:
    """Run the command over a project, with half of the processors.

    Files that cannot be checked, and settings that cannot be used, are told of by the server itself.

    Args:
        root: the project's folder.

    Returns:
        Whether what it found is kept there.
    """
    jobs = max(1, processors.usable() // 2)
    options = ("--jobs", str(jobs), "--quiet", "--exit-zero", "--output-format", "concise")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _PROGRAM,
        "\n".join(sys.path),
        "check",
        *options,
        str(root),
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        await process.wait()
    finally:
        if process.returncode is None:  # the server ends
            process.kill()
    return (root / FOLDER).is_dir()
