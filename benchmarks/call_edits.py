"""Edits that change which functions of a project run which, as most edits of programs do."""

from __future__ import annotations

import ast
import random
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

__all__ = ["Place", "places", "redirect"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FEWEST = 2


class Place(NamedTuple):
    """Where a function may call functions of another module that its file imports.

    Attributes:
        path: the file.
        text: what it holds.
        line: before which line of it a call may stand.
        indent: of that line.
        given: what is passed.
        callees: names of what may be called.
    """

    path: Path
    text: str
    line: int
    indent: str
    given: str
    callees: tuple[str, ...]


def places(folder: Path, count: int) -> list[Place]:
    """Places in as many files, the same in each run."""
    chance = random.Random(0)
    files = sorted(folder.rglob("*.py"))
    chance.shuffle(files)
    return list(islice((place for path in files for place in _in_file(path, folder, chance)), count))


def redirect(found: Sequence[Place]) -> None:
    """Have each place call another function than in the run before."""
    for place in found:
        lines = place.text.splitlines(keepends=True)
        now = place.path.read_text(encoding="utf-8")
        calls = [f"{place.indent}{name}({place.given})\n" for name in place.callees]
        texts = ["".join([*lines[: place.line - 1], call, *lines[place.line - 1 :]]) for call in calls]
        at = texts.index(now) if now in texts else -1
        place.path.write_text(texts[(at + 1) % len(texts)], encoding="utf-8")
    time.sleep(0.1)  # a file that has only just changed is read again by the next run, too


def _in_file(path: Path, folder: Path, chance: random.Random) -> Iterator[Place]:
    """A place in a function of a file, if it imports functions of other files that may be called there."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (SyntaxError, UnicodeDecodeError):
        return
    functions = [node for node in ast.walk(tree) if isinstance(node, _Function) and node.args.args]
    callees = [name for name, file in _imported(tree, path, folder) if _defines(file, name)]
    if functions and len(callees) >= _FEWEST:
        function = chance.choice(functions)
        first = function.body[0]
        indent = " " * first.col_offset
        if first.lineno > function.lineno:
            yield Place(path, text, first.lineno, indent, function.args.args[0].arg, tuple(callees[:_FEWEST]))


def _imported(tree: ast.Module, path: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Names that a file imports at its top level, with the files of the project that they come from."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            base = path.parents[node.level - 1] if node.level else folder / node.module.partition(".")[0]
            file = base.joinpath(*node.module.split(".")).with_suffix(".py")
            if file.is_file():
                yield from ((name.name, file) for name in node.names if name.asname is None)


def _defines(file: Path, name: str) -> bool:
    """Whether a file defines a function of a name."""
    return f"\ndef {name}(" in file.read_text(encoding="utf-8", errors="replace")
