"""Whether a program can import a module, as far as that can be told before any of its code runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.dynamic.program import Loaded

__all__ = ["is_missing"]

_MOVERS: Final = (
    b"sys.path",
    b"import path",
    b"addsitedir",
    b"meta_path",
    b"path_hooks",
    b"importlib",
    b"sys.modules",
)
"""What files have in their text that find modules where the interpreter would not, or make some."""
_MOST_FILES: Final = 300
"""That are read for it; a program of more may do anything."""


def is_missing(name: str, program: Loaded) -> bool:
    """Whether nothing finds a module, neither now nor when the program runs.

    Nothing of the program is run or imported. Where one of its files, as far as they lie beside each other,
    may change where modules are looked for, the answer is False: it cannot be told.

    Args:
        name: of the module, with dots.
        program: the program that is to import it.
    """
    if name in sys.modules:
        return False
    folders = program.search
    return not _is_found(name, folders) and not _may_move(Path(program.path), Path(program.folder))


def _is_found(name: str, folders: Sequence[str]) -> bool:
    """Whether a module is found, or a package on the way may say itself where its modules are."""
    before, whole = sys.path[:], ""
    places: Sequence[str] | None = None
    sys.path[:] = folders
    try:
        for part in name.split("."):
            whole = f"{whole}.{part}" if whole else part
            spec = _spec(whole, places)
            if spec is None:
                return False
            if whole == name:
                return True
            if spec.submodule_search_locations is None:
                return False  # a module, which has no modules in it
            if spec.origin is not None and _has(Path(spec.origin), (b"__path__", *_MOVERS)):
                return True
            places = spec.submodule_search_locations
    finally:
        sys.path[:] = before
    return True


def _spec(name: str, places: Sequence[str] | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = find(name, places) if find is not None else None
        if spec is not None:
            return spec
    return None


def _may_move(file: Path, folder: Path) -> bool:
    """Whether a file, or one beside it that it imports, may change where modules are looked for."""
    files, seen = [file], {file}
    while files:
        file = files.pop()
        if len(seen) > _MOST_FILES or _has(file, _MOVERS):
            return True
        for near in _imported(file, folder):
            if near not in seen and near.is_file():
                seen.add(near)
                files.append(near)
    return False


def _has(file: Path, signs: tuple[bytes, ...]) -> bool:
    try:
        text = file.read_bytes()
    except OSError:
        return True
    return any(sign in text for sign in signs)


def _imported(file: Path, folder: Path) -> Iterator[Path]:
    """Where the modules would be that a file imports, if they lay in the program's folder."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [(folder, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = file.parents[node.level - 1] if 0 < node.level <= len(file.parents) else folder
            start = f"{node.module}." if node.module else ""
            found = [(base, start + alias.name) for alias in node.names]
        else:
            continue
        for base, name in found:
            place = base
            for part in name.split("."):
                yield place / f"{part}.py"
                place = place / part
                yield place / "__init__.py"
