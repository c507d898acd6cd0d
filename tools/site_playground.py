"""Makes the playground's files: linter and libcst as an archive, and Pyodide, which runs them in browsers."""

from __future__ import annotations

import importlib.util
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["add_playground", "write_archive"]

_PYODIDE: Final = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"),
    "pyodide-lock.json",
)
_STATIC: Final = ("playground.js", "worker.js", "example.py")
_LEFT_OUT: Final = {"__pycache__", "tests", "codemod", "testing"}
"""Folders of libcst and of the linter that nothing in a check imports."""
_WINGS: Final = {"native", "native_runtime", "simulated", "dynamic", "server", "runtime", "probes"}
"""Packages of the linter that measure, or serve: a check needs none."""


def add_playground(root: Path, folder: Path) -> bool:
    """Write the playground's files, beside its page.

    Args:
        root: of the repository.
        folder: of the site's pages.

    Returns:
        Whether Pyodide was there to be copied; without it the page says that it cannot run.
    """
    sources, target = root / "docs" / "site" / "playground", folder / "playground"
    target.mkdir(parents=True, exist_ok=True)
    for name in _STATIC:
        shutil.copyfile(sources / name, target / name)
    pyodide = sources / "node_modules" / "pyodide"
    if not pyodide.is_dir():
        return False
    write_archive(root, target / "linter.zip")
    for name in _PYODIDE:
        shutil.copyfile(pyodide / name, target / name)
    return True


def write_archive(root: Path, archive: Path) -> None:
    """Write what a check imports into a zip archive: the same bytes for the same files."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as written:
        for name, source in sorted(_entries(root)):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            written.writestr(entry, source.read_bytes())


def _entries(root: Path) -> Iterator[tuple[str, Path]]:
    yield from _files(root / "overhead_lint", "overhead_lint", _LEFT_OUT | _WINGS)
    yield from _files(root / "rules", "overhead_lint/rules", _LEFT_OUT)
    spec = importlib.util.find_spec("libcst")
    assert spec is not None and spec.origin is not None
    for name, source in _files(Path(spec.origin).parent, "libcst", _LEFT_OUT):
        if source.suffix in {".py", ".typed"}:
            yield name, source
    yield "libcst/native.py", root / "tools" / "playground_libcst.py"
    yield "playground_check.py", root / "tools" / "playground_check.py"


def _files(folder: Path, name: str, left_out: set[str]) -> Iterator[tuple[str, Path]]:
    for source in folder.rglob("*"):
        inside = source.relative_to(folder)
        if (
            source.is_file()
            and not left_out.intersection(inside.parts[:-1])
            and source.suffix not in {".so", ".pyc"}
        ):
            yield f"{name}/{inside.as_posix()}", source
