"""The options of ``overhead-lint check`` about baselines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.cli.complaints import complain
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from overhead_lint.config.settings import SettingsFile
    from overhead_lint.report.baseline import Baseline, Scope
    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

__all__ = [
    "BaselineOptions",
    "Compared",
    "add_arguments",
    "compare",
    "load",
    "unused",
    "update",
    "with_default",
]

_DEFAULT = "overhead-baseline.jsonl"
_WRITE = "--write-baseline"
_UNNAMED = "\0"
"""Stands for the name of a file that is not given: no argument of a command line holds it."""
_ENDINGS = (".json", ".jsonl")
"""What a baseline's name ends in, and what no path that is checked does."""


class BaselineOptions(NamedTuple):
    """What a run does with a baseline.

    Attributes:
        path: the file, to compare with or to write; None if there is no baseline.
        write: write it.
        strict: fail when it holds more than was found.
        refused: the settings' baseline is not to count.
    """

    path: Path | None = None
    write: bool = False
    strict: bool = False
    refused: bool = False

    @classmethod
    def of(
        cls, found: argparse.Namespace, parser: argparse.ArgumentParser, file: SettingsFile | None
    ) -> BaselineOptions:
        """The options of a parsed command line that `add_arguments` prepared.

        Args:
            found: the command line.
            parser: what took it apart.
            file: the settings file, which may name the baseline.

        Raises:
            SystemExit: with status 2 when they do not go together.
        """
        named = None if file is None or found.no_baseline else file.named_file("baseline")
        path = found.baseline or named
        if found.baseline_strict and path is None:
            parser.error("--baseline-strict goes with --baseline, or with the setting of that name")
        if found.write_baseline is None:
            if path is not None and found.add_ignore is not None:
                parser.error("--add-ignore silences what the settings' baseline holds: add --no-baseline")
            return cls(path, False, found.baseline_strict, found.no_baseline)
        reports = (found.diff, found.statistics, found.output_file, found.output_format != "full")
        if any(reports):
            parser.error("--write-baseline reports no findings: no --diff or options of a report with it")
        unnamed = found.write_baseline == Path(_UNNAMED)
        return cls((named or Path(_DEFAULT)) if unnamed else found.write_baseline, True)


class Compared(NamedTuple):
    """What comparing with a baseline leaves.

    Attributes:
        findings: the new ones.
        known: how many are in the baseline.
        stale: whether the baseline holds more than it may.
    """

    findings: list[Finding]
    known: int = 0
    stale: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this module to a parser."""
    group = parser.add_argument_group("what to let through")
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--baseline", type=Path, metavar="FILE", help="report only findings that are not in this baseline"
    )
    which.add_argument(
        "--write-baseline",
        type=Path,
        metavar="FILE.jsonl",
        help=f"put today's findings into a baseline, and report none (alone: the setting, or {_DEFAULT})",
    )
    which.add_argument(
        "--no-baseline",
        action="store_true",
        help="report what the settings' baseline lets through, too",
    )
    group.add_argument(
        "--baseline-strict", action="store_true", help="fail, too, when the baseline holds what is fixed"
    )


def with_default(arguments: Sequence[str]) -> list[str]:
    """Arguments in which a ``--write-baseline`` alone names its file.

    An optional value would swallow the path that follows: ``--write-baseline src/``. What follows names the
    file if it ends as baselines do; what is checked are folders, modules and notebooks.
    """
    named: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            return [*named, argument, *rest]
        before = named[-1] if named else ""
        if before == f"{_WRITE}={_UNNAMED}" and argument.endswith(_ENDINGS):
            named[-1] = f"{_WRITE}={argument}"
        else:
            named.append(f"{_WRITE}={_UNNAMED}" if argument == _WRITE else argument)
    return named


def load(options: BaselineOptions) -> Baseline | None:
    """The baseline that is asked for; an empty one if it is yet to be written.

    Raises:
        BaselineError: it is missing, damaged, or cannot be written.
    """
    if options.path is None:
        return None
    from overhead_lint.report.baseline import Baseline, BaselineError

    if options.write and not options.path.exists():
        if not options.path.parent.is_dir():
            raise BaselineError(f"{options.path}: cannot be written: no such folder: {options.path.parent}")
        return Baseline(options.path, {})
    if options.write and not options.path.is_file() and not options.path.is_dir():
        # What is there is read first: of a pipe such as /dev/stdout nothing would ever come.
        raise BaselineError(f"{options.path}: cannot be written: is no file")
    return Baseline.read(options.path)


def unused(options: BaselineOptions, folders: Sequence[Path | None]) -> Path | None:
    """Return the baseline in one of some folders that a run leaves unused; None if there is none."""
    if options.path is not None or options.refused:
        return None
    return next((folder / _DEFAULT for folder in folders if folder and (folder / _DEFAULT).is_file()), None)


def compare(
    baseline: Baseline,
    options: BaselineOptions,
    findings: Sequence[Finding],
    sources: Mapping[Path, Source],
    scopes: Sequence[Scope],
) -> Compared:
    """Take away what the baseline knows; with strict options, say what it should know no more."""
    new = baseline.new(findings, sources)
    gone = baseline.gone(findings, sources, scopes) if options.strict else []
    for entry, count in gone:
        many = f" ({count} times)" if count > 1 else ""
        complain(f"{baseline.path}: no longer found{many}: {entry}")
    if gone:
        complain(f"{baseline.path}: take these out with --write-baseline={baseline.path}")
    return Compared(new, len(findings) - len(new), bool(gone))


def update(
    baseline: Baseline, findings: Sequence[Finding], sources: Mapping[Path, Source], scopes: Sequence[Scope]
) -> str:
    """Write the baseline anew, and say in one line what changed.

    Raises:
        BaselineError: it cannot be written.
    """
    added = len(baseline.new(findings, sources))
    removed = sum(count for _, count in baseline.gone(findings, sources, scopes))
    after = baseline.updated(findings, sources, scopes)
    after.write()
    return f"{after.path}: {len(after)} known ({added} added, {removed} removed)."
