"""What a process does with each file of the program that it loads: other text, findings, counted places."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
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

    from overhead_lint.rule import Span

__all__ = ["FileWatch", "StepMarks"]


@dataclass(frozen=True, slots=True)
class StepMarks:
    """What to call at steps that the text of files tells.

    Attributes:
        loop: given the place of a hot loop, what to call at each of its rounds.
        round: given what it is, what to call at each round of a server or decoder.
        function: what to call where the step function begins.
        name: the step function, where it is one of the program's own file, else "".
        path: that file.
    """

    loop: Callable[[str], Callable[[], None]]
    round: Callable[[str], Callable[[], None]]
    function: Callable[[], None]
    name: str = ""
    path: str = ""


class FileWatch:
    """Lints the files that a program loads, and counts the places of what is found.

    Args:
        folders: whose files are the program's own, in any spelling; the settings of the first one count.
        overlay: a folder with other texts of some files.
        bare: count nothing; hot loops are marked all the same.
        marks: what to call at steps that the text of files tells; None for nothing.

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
        marks: StepMarks | None = None,
    ) -> None:
        real = [Path(os.path.realpath(folder)) for folder in folders]
        self.candidates = Candidates(Scope(tuple(sorted(set(real)))), real[0])
        self.counter = counter()
        self._overlay = Overlay(overlay)
        self._bare = bare
        self._marks = marks

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
        loops = self._steps(path)
        if not findings and not loops:
            return code
        source = self.candidates.sources[Path(os.path.realpath(path))]
        return self.counter.watch(code, source, findings, loops)

    def _steps(self, path: str) -> dict[Span, Callable[[], None]]:
        """What to call where: the better sign wins where two tell of one statement."""
        marks = self._marks
        if marks is None:
            return {}
        found = {span: marks.round(what) for span, what in self.candidates.rounds(path)}
        found |= {span: marks.loop(place) for span, place in self.candidates.loops(path)}
        if marks.name and os.path.realpath(path) == os.path.realpath(marks.path):
            beginning = self.candidates.beginning(path, marks.name)
            if beginning is not None:
                found[beginning] = marks.function
        return found
