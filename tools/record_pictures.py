"""Records what the pictures of the site show: a run of the example.

python tools/record_pictures.py        (in an environment where the linter and torch are; takes a minute)
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["RUN", "without_folders"]

_ROOT = Path(__file__).parent.parent
_EXAMPLE = _ROOT / "examples" / "legacy_trainer"
RUN: Final = _ROOT / "docs" / "site" / "run.json.gz"
_PROGRAM: Final = ("train.py", "--steps", "40", "--layers", "4", "--compile-backend", "eager")
_ABOVE: Final = re.compile(r'(?<=")/[^"]*/(?=(?:site|dist)-packages/|python3\.\d+/)')


def without_folders(text: str, folder: Path) -> str:
    """Return a text without the folder of the program, and what is above that of installed packages."""
    for path in (folder, folder.resolve()):
        text = text.replace(f"{path}/", "")
    return _ABOVE.sub("", text)


def main() -> None:
    """Run the example in a copy, and write what was measured."""
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as made:
        ignored = shutil.ignore_patterns("__pycache__", ".overhead*")
        folder = shutil.copytree(_EXAMPLE, Path(made, "example"), ignore=ignored)
        linter = [sys.executable, "-m", "overhead_lint"]
        run = [*linter, "run", "-q", "--device", "simulated", *_PROGRAM]
        subprocess.run(run, cwd=folder, check=True)
        evidence = without_folders((folder / "overhead.json").read_text(encoding="utf-8"), folder)
    RUN.write_bytes(gzip.compress(evidence.encode(), mtime=0))


if __name__ == "__main__":
    main()
