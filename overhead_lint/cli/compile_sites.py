"""``overhead-lint compile-sites``: what a project compiles, and how many guards each call of it evaluates."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.cli.parser import Parser
from overhead_lint.errors import Complaint
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.analysis.compile_sites.estimate import Estimate
    from overhead_lint.analysis.compile_sites.sites import CompileSite
    from overhead_lint.rule import Finding
    from overhead_lint.workspace.project_values import ProjectValues

__all__ = ["run"]

_SCHEMA: Final = 1
_BREAKS: Final = "OVH311"
_ADVICE: Final = ("OVH302", "OVH303", "OVH304", "OVH305", "OVH306", "OVH307")
_MOST_SHOWN: Final = 4


class Measured(NamedTuple):
    """What a run measured of a compiled function.

    Attributes:
        guards: how many guards a call evaluated.
        hot_seconds: how long that took, with warm caches; None if it was not measured.
        cold_seconds: with cold ones.
    """

    guards: int
    hot_seconds: float | None
    cold_seconds: float | None


class _Row(NamedTuple):
    """A place that compiles something, and what is known of it."""

    path: str
    site: CompileSite
    estimate: Estimate | None
    measured: Measured | None
    findings: Sequence[tuple[str, Finding]]

    @property
    def guards(self) -> int | None:
        """How many guards a call evaluates, measured or else estimated."""
        if self.measured is not None:
            return self.measured.guards
        return self.estimate.guards if self.estimate is not None else None


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0, or 2 where a file could not be read.

    Raises:
        Complaint: wrong use.
    """
    found = _parser().parse_args(arguments)
    from overhead_lint.workspace.project_values import read_values

    targets, root = _targets(found.paths)
    evidence = _evidence(found.evidence) if found.evidence is not None else {}
    project = read_values([target.path for target in targets], root, keeps=not found.no_cache)
    for error in project.failed:
        _complain(str(error))
    rows = list(_rows(project, evidence, _findings(targets, root)))
    rows.sort(key=lambda row: -(row.guards or 0))
    if found.output_format == "json":
        print(json.dumps({"schema": _SCHEMA, "sites": [_as_json(row) for row in rows]}, indent=1))
    else:
        print("\n".join(_as_text(rows)))
    return 2 if project.failed else 0


def _complain(text: str) -> None:
    from overhead_lint.cli import streams

    streams.complain(text)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint compile-sites",
        description="List the places that compile something: what they compile, how many guards each call of "
        "it evaluates, what breaks its graph, and what would help. Nothing is imported or run.",
        epilog="Numbers of guards are estimates, made from the source and calibrated with torch 2.13; with "
        "--evidence those that a run measured take their place. The most guards come first.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "paths", nargs="*", type=Path, default=[Path()], metavar="PATH", help="files and folders"
    )
    parser.add_argument(
        "--evidence",
        type=Path,
        metavar="FILE",
        help="what `overhead-lint run` measured, in place of estimates",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="neither use nor write what is kept in the project"
    )
    parser.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="text for people (default), or JSON"
    )
    return parser


def _targets(paths: Sequence[Path]) -> tuple[list[Any], Path | None]:
    """Return the files that are looked at, and the folder that their modules are named from.

    Raises:
        Complaint: a path cannot be read.
    """
    from overhead_lint.discovery import files
    from overhead_lint.workspace.roots import root_of

    found = files.collect(paths)
    targets = [one for one in found if isinstance(one, files.Target)]
    for one in found:
        if not isinstance(one, files.Target):
            raise Complaint(str(one))
    return targets, root_of(paths, None)


def _evidence(path: Path) -> dict[tuple[str, str], Measured]:
    """Return what a run measured, by the real path of the file and the name of the function in it.

    Raises:
        Complaint: the file cannot be read, or is none.
    """
    from overhead_lint.measure.evidence import read
    from overhead_lint.support.versioned_json import UnusableFile

    try:
        content = read(path)
    except UnusableFile as error:
        raise Complaint(str(error)) from error
    found: dict[tuple[str, str], Measured] = {}
    for entry in content.compiled:
        try:
            key = os.path.realpath(path.absolute().parent / str(entry["file"])), str(entry["function"])
            times = (entry.get("hot_seconds"), entry.get("cold_seconds"))
            measured = Measured(int(entry["guards"]), *(None if one is None else float(one) for one in times))
        except (KeyError, TypeError, ValueError) as error:
            raise Complaint(f"{path}: is damaged: a compiled function has no {error}") from error
        if key not in found or found[key].guards < measured.guards:
            found[key] = measured
    return found


def _findings(targets: Sequence[Any], root: Path | None) -> dict[str, list[Finding]]:
    """Return what the rules about compiled code say, wherever they say it, by file."""
    from overhead_lint.config.run_settings import Settings
    from overhead_lint.engine import packs
    from overhead_lint.engine.linter import Linter
    from overhead_lint.rule import Heat
    from overhead_lint.syntax.source_error import SourceError
    from overhead_lint.workspace.examiner import Examiner
    from overhead_lint.workspace.workspace import Workspace

    rules = packs.select(packs.load(()), [_BREAKS, *_ADVICE], [])
    linter = Linter(rules, Settings(min_heat=Heat.COLD))
    workspace = Workspace(root, targets, lambda _: (), lambda: Examiner(lambda _: linter), saves=False)
    found = {}
    for target in targets:
        try:
            found[str(target.path)] = list(workspace.findings(target))
        except SourceError:
            continue  # it is told where values are read
    return found


def _rows(
    project: ProjectValues,
    evidence: Mapping[tuple[str, str], Measured],
    findings: Mapping[str, Sequence[Finding]],
) -> Iterator[_Row]:
    from overhead_lint.analysis.compile_sites.estimate import estimate
    from overhead_lint.analysis.compile_sites.lengths import Lengths
    from overhead_lint.analysis.compile_sites.sites import Spelling, compile_sites

    lengths = Lengths(project.values)
    for site in compile_sites(project.values):
        if site.spelling is Spelling.LIBRARY and not site.entries:
            continue  # given to a library that compiles modules, and perhaps none
        path = str(project.sources[site.body.module.name].path)
        made = estimate(site, project.values, lengths)
        yield _Row(
            path,
            site,
            made,
            _measured(site, project, evidence),
            _told(site, made, project, findings),
        )


def _measured(
    site: CompileSite, project: ProjectValues, evidence: Mapping[tuple[str, str], Measured]
) -> Measured | None:
    for entry in site.entries:
        if entry.function is not None:
            body = entry.function.body
            path = os.path.realpath(project.sources[body.module.name].path)
            found = evidence.get((path, body.record.qualname))
            if found is not None:
                return found
    return None


def _told(
    site: CompileSite,
    made: Estimate | None,
    project: ProjectValues,
    findings: Mapping[str, Sequence[Finding]],
) -> list[tuple[str, Finding]]:
    """Return what rules say of the code that a place reaches, and of the place itself, with the file."""
    from overhead_lint.analysis.compile_sites.extents import lines_of

    reached = made.functions if made is not None else ()
    found = []
    for function in reached:
        path = str(project.sources[function.body.module.name].path)
        lines = lines_of(function)
        found += [
            (path, one) for one in findings.get(path, ()) if one.code != "OVH307" and one.span.line in lines
        ]
    return found


def _as_text(rows: Sequence[_Row]) -> Iterator[str]:
    for row in rows:
        yield f"{row.path}:{row.site.line}: {_subject(row.site)}: {_numbers(row)}"
        yield from (f"    {line}" for line in _details(row))
    total = len(rows)
    yield f"{total} place{'' if total == 1 else 's'} that compile{'s' if total == 1 else ''} something."


def _subject(site: CompileSite) -> str:
    names = [entry.name for entry in site.entries if entry.name]
    if not names:
        return "compiles something that the source does not tell"
    others = "" if site.is_complete and len(names) == len(site.entries) else ", or something else"
    return f"compiles {' or '.join(dict.fromkeys(names))}{others}"


def _numbers(row: _Row) -> str:
    if row.measured is not None:
        times = [
            f"{seconds * 1e6:.3g} us {word}"
            for seconds, word in ((row.measured.hot_seconds, "hot"), (row.measured.cold_seconds, "cold"))
            if seconds is not None
        ]
        return ", ".join([f"{row.measured.guards} guards a call (measured)", *times])
    if row.estimate is None:
        return "guards not known"
    return f"about {row.estimate.guards} guards a call (estimated)"


def _details(row: _Row) -> Iterator[str]:
    made = row.estimate
    if made is not None:
        yield f"runs {made.modules} modules, reads {made.scalars} numbers, texts and flags"
        for way, length in made.lists.items():
            note = " (taken to be: nothing tells)" if way in made.assumed else ""
            yield f"goes over {way}: {length} modules{note}"
        shown = [one for one in made.subjects if one.guards > 1][:_MOST_SHOWN]
        if shown:
            yield "most guards: " + ", ".join(f"{one.name} {one.guards}" for one in shown)
    for path, finding in row.findings:
        word = "breaks the graph" if finding.code == _BREAKS else "advice"
        yield f"{word}: {path}:{finding.span.line}: {finding.code} {finding.help or finding.message}"
    if made is not None and made.is_heavy and row.site.is_stock:
        yield "advice: runtime.compile checks the same guards for less (OVH307)"


def _as_json(row: _Row) -> dict[str, Any]:
    site, made = row.site, row.estimate
    return {
        "path": row.path,
        "line": site.line,
        "spelling": site.spelling.value,
        "compiles": [entry.name for entry in site.entries],
        "is_complete": site.is_complete,
        "options": dict(site.options),
        "guards": row.guards,
        "basis": "measured" if row.measured is not None else "estimated" if made is not None else None,
        "estimate": None
        if made is None
        else {
            "guards": made.guards,
            "modules": made.modules,
            "scalars": made.scalars,
            "lists": {way: {"length": n, "is_assumed": way in made.assumed} for way, n in made.lists.items()},
            "subjects": {one.name: one.guards for one in made.subjects},
            "functions": [function.body.record.qualname for function in made.functions],
        },
        "measured": None if row.measured is None else row.measured._asdict(),
        "findings": [
            {"path": path, "line": one.span.line, "code": one.code, "message": one.message, "help": one.help}
            for path, one in row.findings
        ],
        "is_heavy": made is not None and made.is_heavy,
    }
