"""Builds the distributions, checks them, and tries each where nothing else is: ``make dist`` calls it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

__all__ = ["main"]

_ROOT = Path(__file__).parent.parent
_FOLDER = _ROOT / "build" / "dist"
_RUNTIME = _ROOT / "overhead_runtime"
_TRIED = ("--version", "rule OVH101", "--isolated --exit-zero --no-cache .")
"""What an installed linter is asked to do, beside a file of our own."""


def main() -> int:
    """Build wheel and sdist of each distribution, and try them.

    Returns:
        0; 1 where a check or an installed linter fails, which has said why.
    """
    shutil.rmtree(_FOLDER, ignore_errors=True)
    sources = [_ROOT, *([_RUNTIME] if (_RUNTIME / "pyproject.toml").exists() else [])]
    for source in sources:
        _run(sys.executable, "-m", "build", "--outdir", str(_FOLDER), str(source))
    built = sorted(_FOLDER.iterdir())
    _run(sys.executable, "-m", "twine", "check", "--strict", *map(str, built))
    wheels = [str(path) for path in built if path.suffix == ".whl"]
    _run(str(Path(sys.executable).with_name("check-wheel-contents")), "--ignore", "W009", *wheels)
    for path in built:
        if path.name.startswith("overhead_lint-"):
            _try(path)
    print(*(path.name for path in built), sep="\n")
    return 0


def _try(distribution: Path) -> None:
    """Install a distribution, with what it needs of ours beside it, and lint with it."""
    home = _FOLDER.parent / "tried"
    shutil.rmtree(home, ignore_errors=True)
    venv.create(home / "venv", with_pip=True)
    bin_folder = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    options = ["-q", "--disable-pip-version-check", "--find-links", str(_FOLDER)]
    _run(str(bin_folder / "python"), "-m", "pip", "install", *options, str(distribution))
    (home / "work").mkdir()
    (home / "work" / "a.py").write_text("import torch\n", encoding="utf-8")
    for arguments in _TRIED:
        _run(str(bin_folder / "overhead-lint"), *arguments.split(), cwd=home / "work")


def _run(*command: str, cwd: Path = _ROOT) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
