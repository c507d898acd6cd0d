"""What files of a project are called: the keys of what is known of them, and how reasons show them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.discovery.project_file import File
from overhead_lint.project.marked_names import unmarked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from overhead_lint.discovery import files

__all__ = ["FileNames"]


class FileNames:
    """Names the files of a run.

    Args:
        root: the project's folder; None if there is none.

    Attributes:
        files: the files that were taken, by name.
        checked: the names of those that are checked, by their paths as text.
    """

    def __init__(self, root: Path | None) -> None:
        self.files: dict[str, File] = {}
        self.checked: dict[str, str] = {}
        self._here = str(Path.cwd())
        self._prefix = f"{root}{os.sep}" if root is not None else ""
        self._in_root = self._prefix == f"{self._here}/"  # else, and on Windows, paths are no keys
        self._plain = False
        self._shown: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def name(self, path: str) -> str:
        """The key of a file: its path below the root, or in full."""
        cut = path.rfind(os.sep) + 1
        folder = path[:cut]
        known = self._folders.get(folder)
        if known is None:
            full = os.path.normpath(os.path.join(self._here, folder)).rstrip(os.sep) + os.sep  # noqa: PTH118
            known = full[len(self._prefix) :] if self._prefix and full.startswith(self._prefix) else full
            self._folders[folder] = known
        return known + path[cut:]

    def take(self, targets: Iterable[files.Target], *, checked: bool, as_given: bool = False) -> None:
        """Take files, under their keys; every run does that with thousands.

        Args:
            targets: the files.
            checked: whether they are checked.
            as_given: whether they are shown as they were given even if not.
        """
        names, known, in_root, new = self.checked, self.files, self._in_root, tuple.__new__
        for target in targets:
            text = target[0]
            name = text if in_root and text[0] != "/" and ".." not in text else self.name(text)
            if checked:
                names[text] = name
            elif name in known:
                continue
            known[name] = new(File, (name, target, checked))
            if as_given:
                self._shown[name] = text
        if checked:
            self._plain = in_root and all(text == name for text, name in names.items())

    def unmarked(self, text: str) -> str:
        """A text with its marked file names replaced by what the run shows for them."""
        if self._plain:
            return text.replace("\0", "")
        return unmarked(text, self.shown)

    def shown(self, name: str) -> str:
        """A file as reasons for heat name it: as it was given, else from here, else in full."""
        known = self._shown.get(name)
        if known is None:
            file = self.files.get(name)
            path = file.target.text if file is not None else name
            if file is not None and file.checked:
                self._shown[name] = path
                return path
            try:
                known = os.path.relpath(path)
            except ValueError:  # another drive
                known = path
            known = self._shown[name] = path if known.startswith("..") else known
        return known
