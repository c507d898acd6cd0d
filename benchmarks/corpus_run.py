"""Lints an unpacked package and presents what was found."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from corpus_files import CorpusError, Package
from tabulate import tabulate

from overhead_lint.report.expected_cost import ROUNDS
from overhead_lint.report.folded import FOLDED
from overhead_lint.report.order import Ranked, in_groups, kinds_of
from overhead_lint.rule import Heat, ReasonKind, Tier

__all__ = ["Found", "PackageRun", "excerpt", "lint", "sample", "table"]

SAMPLE_SIZE = 20
CONTEXT_LINES = 6
_LOOPS = {kind.label for kind in ReasonKind if kind.is_loop}


class Found(NamedTuple):
    """A finding in a package of the corpus."""

    package: str
    path: str
    """Relative to the unpacked wheel, with ``/``."""
    line: int
    code: str
    name: str
    message: str
    heat: str
    why: str
    also: tuple[int, ...] = ()
    """Lines of others of its kind that follow in a row, and that it tells of."""
    tier: str = ""
    reason: str = ""
    """What its chain begins with."""
    links: int = 0
    """Of the chain."""
    branches: int = 0
    options: int = 0
    """How many its place hangs on."""
    fix: str = ""
    """How its fix may be applied; "" for none."""
    rank: int = 0
    """Its place in the full report of the package, from 1; 0 for what that counts, or tells with another."""
    waits: bool = False
    """Whether the host waits for the device."""
    waits_again: bool = False
    """Whether it waits once more behind the place."""
    gains_little: bool = False
    """Whether it is minor for where it stands: the host waits there anyway, or evaluations alone run it."""
    is_told: bool = False
    """Whether another finding tells it in the full report: one change mends both."""
    tells: tuple[str, ...] = ()
    """The places of those that it tells."""


class PackageRun(NamedTuple):
    """What linting one package gave."""

    package: Package
    folder: Path
    files: int
    lines: int
    seconds: float
    """CPU time of the linter's process, start-up included."""
    findings: tuple[Found, ...]
    unchecked: tuple[str, ...]
    """The linter's own words on files that it could not check."""


def lint(package: Package, folder: Path, *options: str) -> PackageRun:
    """Run the command line on an unpacked package, cold, as a user would, with options if there are any.

    Costs are those that ship, not those that this machine may have timed.

    Raises:
        CorpusError: the linter did not answer with JSON.
    """
    command = [
        sys.executable,
        "-m",
        "overhead_lint",
        "check",
        "--no-cache",
        "--output-format=json",
        *options,
        str(folder),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    costs = {"OVERHEAD_LINT_COSTS": os.devnull}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder.parent, env=os.environ | costs
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        answer: list[dict[str, Any]] = json.loads(done.stdout)
    except ValueError as error:
        said = done.stderr.strip().splitlines()
        raise CorpusError(
            f"{package.name}: exit {done.returncode}, no JSON: {said[-1] if said else ''}"
        ) from error
    sources = sorted(folder.rglob("*.py"))
    return PackageRun(
        package=package,
        folder=folder,
        files=len(sources),
        lines=sum(source.read_bytes().count(b"\n") for source in sources),
        seconds=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        findings=tuple(sorted(_found(package.name, folder, answer))),
        unchecked=tuple(done.stderr.strip().splitlines()),
    )


def _found(package: str, folder: Path, answer: Sequence[dict[str, Any]]) -> Iterator[Found]:
    ranks = _ranks(answer)
    named = {one["path"]: (folder.parent / one["path"]).relative_to(folder).as_posix() for one in answer}
    tells: dict[tuple[str, int, str], list[str]] = {}
    for one in answer:
        if (teller := one["told_by"]) is not None:
            told = tells.setdefault((teller["path"], teller["line"], teller["code"]), [])
            told += [f"{named[one['path']]}:{line} {one['code']}" for line in (one["line"], *one["also"])]
    for number, one in enumerate(answer):
        path = named[one["path"]]
        line, code, name, message = (one[key] for key in ("line", "code", "name", "message"))
        fix = one["fix"]["applicability"] if one["fix"] else ""
        kind, links = (one["reason"][key] for key in ("kind", "links"))
        standing = one["tier"], kind, links, one["branches"], len(one["options"]), fix, ranks.get(number, 0)
        cost = one["cost"] or {}
        also = tuple(one["also"])
        yield Found(
            package,
            path,
            line,
            code,
            name,
            message,
            one["heat"],
            one["why"],
            also,
            *standing,
            cost.get("waits", False),
            cost.get("waits_again", False),
            bool(cost.get("stays")) or one["reason"]["evaluates"],
            one["told_by"] is not None,
            tuple(tells.get((one["path"], line, code), ()) if one["told_by"] is None else ()),
        )


def _ranks(answer: Sequence[dict[str, Any]]) -> dict[int, int]:
    """The places of findings in the full report, from 1; none of what that counts, or tells with another."""
    listed = [
        number
        for number, one in enumerate(answer)
        if one["told_by"] is None and Tier(one["tier"]) not in FOLDED
    ]
    groups = in_groups([_sorted_by(answer[number], at) for at, number in enumerate(listed)])
    ordered = [listed[at] for _, numbers in groups for at in numbers]
    return {number: rank for rank, number in enumerate(ordered, 1)}


def _sorted_by(one: dict[str, Any], number: int) -> Ranked:
    """What the report sorts a finding by; of loops the place is the cause, of other reasons the kind."""
    kind, first = one["reason"]["kind"], next(iter(one["chain"]), None)
    if one["heat"] == Heat.COLD.label:
        kind = ReasonKind.OTHER.label
    cause = f"{first['path']}:{first['line']}" if first and kind in _LOOPS else kind
    cost, likely = one["cost"] or {}, min(one["worth"], one["confidence"])
    likely /= ROUNDS if cost.get("rounds_assumed") else 1
    seconds, executions = (cost.get(key) or 0.0 for key in ("seconds_per_step", "executions_per_step"))
    expense = -seconds * likely, -executions * likely, number
    return Ranked(Tier(one["tier"]), cause, expense, kinds_of(one["path"], one["code"], one["message"]))


def table(runs: Sequence[PackageRun], form: str = "simple") -> str:
    """One row a package and one for all: files, lines, seconds, findings by rule."""
    codes = sorted({found.code for run in runs for found in run.findings})
    rows: list[list[str | float]] = []
    for run in runs:
        counts = Counter(found.code for found in run.findings)
        name = f"{run.package.name} {run.package.version}"
        rows.append([name, run.files, run.lines, run.seconds, *(counts[code] for code in codes)])
    counts = Counter(found.code for run in runs for found in run.findings)
    files, lines = sum(run.files for run in runs), sum(run.lines for run in runs)
    seconds = sum(run.seconds for run in runs)
    rows.append(["all", files, lines, seconds, *(counts[code] for code in codes)])
    return tabulate(
        rows, headers=["package", "files", "lines", "CPU s", *codes], tablefmt=form, floatfmt=".1f"
    )


def sample(runs: Sequence[PackageRun], code: str, seed: int) -> list[Found]:
    """Up to 20 findings of a rule, drawn over all packages; the same for the same seed."""
    findings = [found for run in runs for found in run.findings if found.code == code]
    return sorted(random.Random(seed).sample(findings, min(SAMPLE_SIZE, len(findings))))


def excerpt(folder: Path, found: Found) -> str:
    """The finding with its source lines around it, ready to be read and judged."""
    lines = (folder / found.path).read_text(encoding="utf-8", errors="replace").splitlines()
    first, last = max(1, found.line - CONTEXT_LINES), min(len(lines), found.line + CONTEXT_LINES)
    text = [f"{found.package}  {found.path}:{found.line}  {found.code} {found.message}"]
    text.append(f"  {found.heat}: {found.why}")
    for number in range(first, last + 1):
        text.append(f"{'>' if number == found.line else ' '}{number:6d}  {lines[number - 1]}")
    text += [f"  also {place}" for place in found.tells]
    return "\n".join(text)
