"""What the linter says of a package, and of the lines of it that ran: findings, heat, statements."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.discovery.project_file import File
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.rule import Finding, Heat, Warmth
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.examiner import Examiner, facts_in_project
from overhead_lint.workspace.workspace import Workspace

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["Package", "Places"]

_JOBS: Final = 2


class Package:
    """A package as the linter sees it.

    Args:
        folder: its real path.
        heat: the least heat of findings.
    """

    def __init__(self, folder: Path, heat: Heat = Heat.STEP) -> None:
        self.folder = folder
        settings = Settings(min_heat=heat)
        rules = packs.select(packs.load(()), settings.select, settings.ignore)
        self._linter = Linter(rules, settings)
        found = files.collect([folder])
        self._targets = [one for one in found if isinstance(one, files.Target)]
        self._workspace = Workspace(
            folder, self._targets, lambda _root: (), lambda: Examiner(self._linter_of), jobs=_JOBS
        )

    def _linter_of(self, _target: files.Target) -> Linter:
        return self._linter

    @cached_property
    def findings(self) -> dict[str, list[Finding]]:
        """The findings of each file that has some, by its path."""
        found: dict[str, list[Finding]] = {}
        for target in self._targets:
            try:
                of_file = self._workspace.findings(target)
            except SourceError:
                continue
            if of_file:
                found[str(target.path)] = of_file
        return found

    def places(self, path: str) -> Places:
        """The statements of a file, and their heat.

        Raises:
            SourceError: it cannot be read, or does not parse.
        """
        source = Source.read(Path(path))
        for target in self._targets:
            if str(target.path) == path:
                file = File(os.path.relpath(path, self.folder), target, checked=True)
                workspace = self._workspace
                warmths, told = workspace.warmths(target.path), workspace.told(target.path)
                return Places(source, facts_in_project(source, file, self.folder, warmths, told))
        raise SourceError(Path(path), 0, 0, "is not one of the files that are checked")


class Places:
    """The statements of one file.

    Args:
        source: its text.
        facts: what is known of it.
    """

    def __init__(self, source: Source, facts: FileFacts) -> None:
        self._source = source
        self._facts = facts
        self._statements: dict[int, ast.stmt] = {}
        for node in ast.walk(facts.scan.tree):  # from the outside in
            if isinstance(node, ast.stmt):
                self._statements.update(dict.fromkeys(_lines(node), node))

    def heat(self, line: int) -> Warmth:
        """How hot the statement on a line is; cold where none stands."""
        statement = self._statements.get(line)
        return self._facts.heat.warmth(statement) if statement is not None else Warmth(Heat.COLD, "no code")

    def same(self, line: int) -> Sequence[int]:
        """The lines of the statement that a line belongs to; of a block those of its head."""
        statement = self._statements.get(line)
        return _lines(statement) if statement is not None else (line,)

    def text(self, line: int) -> str:
        """A line, without the space around it."""
        return self._source.line_text(line).strip()

    def function(self, line: int) -> str:
        """The function around a line, dotted; "" at the top level."""
        statement = self._statements.get(line)
        found = self._facts.function_of(statement) if statement is not None else None
        return found.qualname if found is not None else ""


def _lines(statement: ast.stmt) -> range:
    """The lines of a statement, of a block those before its first statement."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    first = min((one.lineno for one in decorators), default=statement.lineno)
    body: list[ast.AST] = getattr(statement, "body", []) or getattr(statement, "cases", [])
    last = min(_starts(body), default=(statement.end_lineno or first) + 1) - 1
    return range(first, max(first, last) + 1)


def _starts(body: Sequence[ast.AST]) -> Iterator[int]:
    for node in body:
        first: ast.AST = getattr(node, "pattern", node)
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        yield min((one.lineno for one in decorators), default=getattr(first, "lineno", 0))
