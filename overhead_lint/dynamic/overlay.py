"""Other texts for some of a program's files: it runs with these, and its files stay as they are."""

from __future__ import annotations

import json
import linecache
import os
import types
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from overhead_lint.support import atomic

__all__ = ["Overlay", "write_overlay"]

_INDEX: Final = "index.json"


class Overlay:
    """The texts in a folder that `write_overlay` filled; without a folder none."""

    def __init__(self, folder: Path | None) -> None:
        self._files: dict[str, Path] = {}
        if folder is not None:
            index: dict[str, str] = json.loads((folder / _INDEX).read_bytes())
            self._files = {path: folder / name for path, name in index.items()}

    def code(self, path: str, code: types.CodeType) -> types.CodeType:
        """The code to run for a file: that of its other text if there is one.

        Tracebacks and `inspect` show the other text, too.
        """
        file = self.file(path)
        if file is None:
            return code
        data = file.read_bytes()
        text = data.decode()
        linecache.cache[code.co_filename] = len(text), None, text.splitlines(keepends=True), code.co_filename
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those of the text that was compiled before were shown
            return compile(data, code.co_filename, "exec", dont_inherit=True)

    def file(self, path: str) -> Path | None:
        """The file that holds the other text; None if there is none."""
        return self._files.get(os.path.realpath(path)) if self._files else None


def write_overlay(folder: Path, texts: Mapping[Path, str]) -> None:
    """Put texts into a folder, by the path of the file that each is for. Raises `OSError`."""
    index = {}
    for number, (path, text) in enumerate(sorted(texts.items())):
        name = f"{number}_{path.name}"
        atomic.write(folder / name, text.encode())
        index[os.path.realpath(path)] = name
    atomic.write(folder / _INDEX, json.dumps(index).encode())
