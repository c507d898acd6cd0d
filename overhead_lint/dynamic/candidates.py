"""What the static rules find in a file at any heat: the places that a run counts."""

from __future__ import annotations

import contextlib
import os
import sysconfig
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.config.run_settings import Settings
from overhead_lint.config.settings import SettingsError, wanted_packs
from overhead_lint.dynamic.rounds import first_statement, function_named, rounds
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter, facts_of
from overhead_lint.rule import Heat
from overhead_lint.syntax.parsing import parse
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import Finding, Span

__all__ = ["Candidates", "Scope", "rules_of"]

# Asked for here: later on a file that is being imported may be one that `sysconfig` itself needs first.
_STANDARD: Final = tuple(
    sorted({os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")})
)
_INSTALLED: Final = frozenset({"site-packages", "dist-packages", "node_modules", ".git"})


@dataclass(frozen=True, slots=True)
class Scope:
    """Which files are the program's own.

    Attributes:
        folders: real paths of folders whose Python files are, what is installed below them left out.
    """

    folders: tuple[Path, ...]

    def __contains__(self, path: str) -> bool:
        """Whether a file is the program's own."""
        real = os.path.realpath(path)
        if any(real.startswith(f"{folder}{os.sep}") for folder in _STANDARD):
            return False
        below = [Path(real).relative_to(folder) for folder in self.folders if _is_below(real, folder)]
        return any(_INSTALLED.isdisjoint(path.parts) for path in below)


def _is_below(path: str, folder: Path) -> bool:
    return path.startswith(f"{str(folder).rstrip(os.sep)}{os.sep}")


def rules_of(folder: Path) -> tuple[packs.LoadedRule, ...]:
    """All rules that its settings load for a folder; where they cannot be read, of all packs.

    Args:
        folder: where settings are looked for, from there upwards.

    Raises:
        PackError: a rule pack cannot be used.
    """
    names = None
    with contextlib.suppress(SettingsError):  # a run has no need of settings
        names = wanted_packs(folder)
    return packs.load(names)


@dataclass
class Candidates:
    """Lints files as the program loads them.

    Attributes:
        scope: the files that count.
        home: the folder whose settings name the rule packs.
        found: the findings of each file that was loaded, by its path.
        sources: these files as they were linted.
        failed: files that could not be linted, with the reason.
    """

    scope: Scope
    home: Path
    found: dict[Path, list[Finding]] = field(default_factory=dict)
    sources: dict[Path, Source] = field(default_factory=dict)
    failed: dict[Path, str] = field(default_factory=dict)

    def is_looked_at(self, path: str) -> bool:
        """Whether a file is the program's own source."""
        return path.endswith(".py") and path in self.scope

    def load(self, path: str, text: Path | None = None) -> Sequence[Finding]:
        """The findings of a file that the program is about to run; none for a file out of scope.

        Args:
            path: the file.
            text: the file that holds the text that is run in its place.
        """
        if not self.is_looked_at(path):
            return ()
        key = Path(os.path.realpath(path))
        if key in self.found or key in self.failed:
            return self.found.get(key, ())
        try:
            source = Source.from_bytes(key, (text or key).read_bytes())
            findings = self._linter.lint(source)
        except (SourceError, OSError) as error:
            self.failed[key] = str(error)
            return ()
        self.found[key], self.sources[key] = findings, source
        return findings

    def loops(self, path: str) -> list[tuple[Span, str]]:
        """Where the rounds of hot loops of a loaded file begin: a statement's span, and the loop's place."""
        source = self.sources.get(Path(os.path.realpath(path)))
        if source is None:
            return []
        found = []
        for loop in facts_of(source).loops.hot():
            body = getattr(loop, "body", None)
            if isinstance(body, list):  # a comprehension has no statements
                place = f"{source.path.name}:{source.span(loop).line}"
                found.append((source.span(body[0]), place))
        return found

    def rounds(self, path: str) -> list[tuple[Span, str]]:
        """Where rounds of servers and decoders in a file begin: a statement's span, and what they are."""
        source = self.sources.get(Path(os.path.realpath(path)))
        if source is None:
            return []
        found = rounds(parse(source))
        return [(source.span(one.first), f"{one.what} at {source.path.name}:{one.line}") for one in found]

    def beginning(self, path: str, function: str) -> Span | None:
        """Where a function of a loaded file begins; None where there is none of that name."""
        source = self.sources.get(Path(os.path.realpath(path)))
        found = function_named(parse(source), function) if source is not None else None
        return source.span(first_statement(found)) if source is not None and found is not None else None

    @cached_property
    def rules(self) -> tuple[packs.LoadedRule, ...]:
        """All rules, with those of the packs that the settings name."""
        return rules_of(self.home)

    @cached_property
    def _linter(self) -> Linter:
        return Linter(packs.select(self.rules, ["ALL"], []), Settings(min_heat=Heat.COLD))
