"""Builds the distributions, checks them, and tries each where nothing else is: ``make dist`` calls it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["main"]

_ROOT = Path(__file__).parent.parent
_FOLDER = _ROOT / "build" / "dist"
_RUNTIME = _ROOT / "overhead_runtime"
_BIN = "Scripts" if os.name == "nt" else "bin"
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
            for install in (_by_pip, _by_uv, _by_pipx):
                _try(path, install)
            if path.suffix == ".gz":
                _test(path)
    print(*(path.name for path in built), sep="\n")
    return 0


def _try(distribution: Path, install: Callable[[Path, Path], Path]) -> None:
    """Install a distribution where nothing else is, with what it needs of ours, and lint with it."""
    home = _FOLDER.parent / "tried"
    shutil.rmtree(home, ignore_errors=True)
    (home / "work").mkdir(parents=True)
    linter = install(distribution, home)
    (home / "work" / "a.py").write_text("import torch\n", encoding="utf-8")
    for arguments in _TRIED:
        _run(str(linter), *arguments.split(), cwd=home / "work")
    shutil.rmtree(home)


def _test(sdist: Path) -> None:
    """Run the tests of a source distribution on what is built of it."""
    home = _FOLDER.parent / "tried"
    home.mkdir(parents=True)
    linter = _by_pip(sdist, home)
    _run(str(linter.with_name("python")), "-m", "pip", "install", "-q", "pytest")
    shutil.unpack_archive(sdist, home)
    (unpacked,) = home.glob("overhead_lint-*")
    _run(str(linter.with_name("pytest")), "-q", cwd=unpacked)
    shutil.rmtree(home)


def _by_pip(distribution: Path, home: Path) -> Path:
    venv.create(home / "venv", with_pip=True)
    options = ["-q", "--disable-pip-version-check", "--find-links", str(_FOLDER)]
    _run(str(home / "venv" / _BIN / "python"), "-m", "pip", "install", *options, str(distribution))
    return home / "venv" / _BIN / "overhead-lint"


def _by_uv(distribution: Path, home: Path) -> Path:
    """By uv, which reads none of pip's settings: it is told where else this machine's pip looks."""
    uv = str(Path(sys.executable).with_name("uv"))
    _run(uv, "venv", "-q", "--python", sys.executable, str(home / "venv"))
    python = str(home / "venv" / _BIN / "python")
    links = [word for link in (str(_FOLDER), *_pip_links()) for word in ("--find-links", link)]
    _run(uv, "pip", "install", "-q", "--native-tls", "--python", python, *links, str(distribution))
    return home / "venv" / _BIN / "overhead-lint"


def _by_pipx(distribution: Path, home: Path) -> Path:
    folders = {
        "PIPX_HOME": str(home / "pipx"),
        "PIPX_BIN_DIR": str(home / "bin"),
        "PIPX_MAN_DIR": str(home / "man"),
    }
    options = f"--find-links {_FOLDER}"
    command = [
        sys.executable,
        "-m",
        "pipx",
        "install",
        "--quiet",
        "--backend",
        "pip",
        f"--pip-args={options}",
    ]
    _run(*command, str(distribution), variables=folders)
    return home / "bin" / "overhead-lint"


def _pip_links() -> list[str]:
    """The folders of wheels that pip is set to look into."""
    found = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    settings = dict(line.split("=", 1) for line in found.stdout.splitlines() if "=" in line)
    links = {settings.get(f"{level}.find-links", "") for level in ("env:", "global", "user", "site")}
    return sorted(link for value in links for link in value.strip("'").split())


def _run(*command: str, cwd: Path = _ROOT, variables: Mapping[str, str] | None = None) -> None:
    environment = {**os.environ, **(variables or {})}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
