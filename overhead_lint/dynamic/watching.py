"""What a process does with each file of the program that it loads: other text, findings, counted places."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.dynamic import counting_dynamo, shadowed
from overhead_lint.dynamic.candidates import Candidates, Scope
from overhead_lint.dynamic.counting import counter
from overhead_lint.dynamic.importing import after_import, watch_code
from overhead_lint.dynamic.overlay import Overlay
from overhead_lint.dynamic.signals import put_off
from overhead_lint.errors import class_and_message

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["FileWatch"]


class FileWatch:
    """Lints the files that a program loads, and counts the places of what is found.

    Args:
        folders: whose files are the program's own, in any spelling; the settings of the first one count.
        overlay: a folder with other texts of some files.
        bare: count nothing; hot loops are marked all the same.
        loop_mark: given the place of a hot loop, what to call at each of its rounds; None for nothing.

    Attributes:
        candidates: the files and their findings.
        counter: counts executions.
    """

    def __init__(
        self,
        folders: Iterable[Path],
        overlay: Path | None,
        *,
        bare: bool,
        loop_mark: Callable[[str], Callable[[], None]] | None = None,
    ) -> None:
        real = [Path(os.path.realpath(folder)) for folder in folders]
        self.candidates = Candidates(Scope(tuple(sorted(set(real)))), real[0])
        self.counter = counter()
        self._overlay = Overlay(overlay)
        self._bare = bare
        self._loop_mark = loop_mark

    @contextlib.contextmanager
    def watching(self, hooks: Mapping[str, Callable[[types.ModuleType], None]]) -> Iterator[None]:
        """See what is imported in the block.

        Args:
            hooks: what to call with modules right after their import, by name.
        """
        dynamo = {counting_dynamo.MODULE: counting_dynamo.read_program_only}
        with watch_code(self.watch), after_import({**hooks, **dynamo}):
            yield

    def watch(self, path: str, code: types.CodeType) -> types.CodeType:
        """The code to run for a file's code."""
        try:
            if not self.candidates.is_looked_at(path):
                return code
            with put_off(), shadowed.ours():
                return self._watched(path, code)
        except Exception as error:  # a defect of ours must not be one of the program that is measured
            text = class_and_message(error)
            self.candidates.failed[Path(path)] = f"{path}: is not counted: {text}"
            return code

    def _watched(self, path: str, code: types.CodeType) -> types.CodeType:
        code = self._overlay.code(path, code)
        findings = self.candidates.load(path, self._overlay.file(path))
        if self._bare:
            findings = ()
        loops = {}
        if self._loop_mark is not None:
            loops = {span: self._loop_mark(place) for span, place in self.candidates.loops(path)}
        if not findings and not loops:
            return code
        source = self.candidates.sources[Path(os.path.realpath(path))]
        return self.counter.watch(code, source, findings, loops)
