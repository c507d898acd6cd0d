"""``overhead-lint merge-budget BASE OURS THEIRS``: merges budget files, or their lines, for git."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.cli.parser import Parser
from overhead_lint.errors import Complaint
from pytest_overhead import line_profile
from pytest_overhead.bad_file import BadFile
from pytest_overhead.budget_file import BudgetFile, read, write
from pytest_overhead.budgets import Exactly, Multiple
from pytest_overhead.line_profile import LineProfile

if TYPE_CHECKING:
    from overhead_lint.probes.counted_lines import CountedLine

__all__ = ["merged", "merged_lines", "run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command: the result replaces OURS, as git expects it of a merge driver.

    Returns:
        0 when merged, 1 when limits contradict each other (OURS then holds its own ones).

    Raises:
        Complaint: a file cannot be used; OURS is untouched. Git takes that for a conflict, too.
    """
    found = _parser().parse_args(arguments)
    try:
        if line_profile.is_profile(found.ours.read_bytes()):
            sides = (line_profile.read(path) for path in (found.base, found.ours, found.theirs))
            line_profile.write(found.ours, merged_lines(*sides))
            return 0
        base = BudgetFile() if _is_empty(found.base) else _content(found.base)
        result, conflicts = merged(base, _content(found.ours), _content(found.theirs))
        write(found.ours, result)
    except OSError as error:
        raise Complaint(f"{error.filename or found.ours}: {error.strerror}") from error
    for conflict in conflicts:
        print(f"overhead-lint: {conflict}", file=sys.stderr)
    return 1 if conflicts else 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint merge-budget",
        description="Merge two versions of overhead-budget.toml or overhead-budget.lines.jsonl. Where both "
        "changed a limit, the stricter one stays. As a merge driver of git: "
        "overhead-lint merge-budget %%O %%A %%B",
    )
    parser.add_argument("base", type=Path, metavar="BASE", help="the common ancestor; may be empty")
    parser.add_argument("ours", type=Path, metavar="OURS", help="one version; replaced by the result")
    parser.add_argument("theirs", type=Path, metavar="THEIRS", help="the other version")
    return parser


def _is_empty(path: Path) -> bool:
    # Git gives an empty ancestor where both sides added the file.
    return path.stat().st_size == 0


def _content(path: Path) -> BudgetFile:
    content = read(path)
    if content is None:
        raise BadFile(f"{path}: no such file")
    return content


def merged(base: BudgetFile, ours: BudgetFile, theirs: BudgetFile) -> tuple[BudgetFile, list[str]]:
    """Three versions as one.

    A change of one side is taken as it is. A limit that both changed gets the stricter of the two, and
    one that a side dropped stays where the other side changed it. Of fingerprints that both changed,
    ours stays, but for the kinds of device, which are those of both.

    Returns:
        The result, and a line for each limit where no stricter one can be told.
    """
    tests: dict[str, dict[str, float]] = {}
    conflicts: list[str] = []
    for test in ours.tests.keys() | theirs.tests.keys():
        before, mine, other = (side.tests.get(test, {}) for side in (base, ours, theirs))
        limits: dict[str, float] = {}
        for metric in mine.keys() | other.keys():
            limit = _merged_limit(before.get(metric), mine.get(metric), other.get(metric))
            if limit is None:
                continue
            limits[metric] = limit
            if _contradict(limit, other.get(metric)) and _key(other[metric]) != _key(before.get(metric)):
                conflicts.append(f"{test}: {metric} is to be {_shown(limit)} and {_shown(other[metric])}")
        if limits:
            tests[test] = limits
    fingerprint = _merged_fingerprint(base.fingerprint, ours.fingerprint, theirs.fingerprint)
    return BudgetFile(tests, fingerprint), sorted(conflicts)


def merged_lines(base: LineProfile, ours: LineProfile, theirs: LineProfile) -> LineProfile:
    """Return three versions of a profile as one, which goes with what `merged` makes of the budget files.

    Lines that one side changed are taken as they are; where both did, those that make the smaller count.
    """
    tests: dict[str, dict[str, tuple[CountedLine, ...]]] = {}
    for test in ours.tests.keys() | theirs.tests.keys():
        for key in ours.tests.get(test, {}).keys() | theirs.tests.get(test, {}).keys():
            before, mine, other = (side.lines_of(test, key) for side in (base, ours, theirs))
            changed = [lines for lines in (mine, other) if lines != before]
            kept = min(filter(None, changed), key=_total, default=()) if changed else mine
            if kept:
                tests.setdefault(test, {})[key] = kept
    return LineProfile(tests)


def _total(lines: tuple[CountedLine, ...]) -> int:
    return sum(line.amount for line in lines)


def _merged_limit(before: float | None, mine: float | None, other: float | None) -> float | None:
    if _key(mine) == _key(before):
        return other
    if _key(other) == _key(before):
        return mine
    if mine is None or other is None:
        return other if mine is None else mine
    if isinstance(mine, Multiple) is not isinstance(other, Multiple):
        return mine
    if isinstance(other, Exactly) and not isinstance(mine, Exactly) and other <= mine:
        return other
    if isinstance(mine, Exactly):
        return mine
    return mine if isinstance(other, Exactly) else min(mine, other)


def _contradict(limit: float, other: float | None) -> bool:
    """Whether no value keeps both limits, or it cannot be told which of a time's is the stricter."""
    if other is None:
        return False
    if isinstance(limit, Multiple) or isinstance(other, Multiple):
        return type(limit) is not type(other)
    if isinstance(limit, Exactly):
        return limit != other if isinstance(other, Exactly) else limit > other
    return isinstance(other, Exactly) and other > limit


def _key(limit: float | None) -> tuple[bool, bool, float | None]:
    return isinstance(limit, Exactly), isinstance(limit, Multiple), limit


def _shown(limit: float) -> str:
    if isinstance(limit, Multiple):
        return f"<= {limit:g}x"
    return f"{'==' if isinstance(limit, Exactly) else '<='} {limit!r}"


def _merged_fingerprint(
    base: Mapping[str, str], ours: Mapping[str, str], theirs: Mapping[str, str]
) -> dict[str, str]:
    changed = {key: value for key, value in theirs.items() if ours.get(key) == base.get(key)}
    both = {**theirs, **ours, **changed}
    kinds = {kind for side in (ours, theirs) for kind in side.get("device", "").split("+") if kind}
    return {**both, "device": "+".join(sorted(kinds))} if kinds else both
