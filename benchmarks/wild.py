"""Precision on packages that nobody looked at: draws findings of default settings, counts verdicts on them.

    python benchmarks/wild.py --set a                 table: files, lines, seconds, findings by rule
    python benchmarks/wild.py --set a --draw 1        100 findings drawn with seed 1, with their source
    python benchmarks/wild.py --set a --draw 1 --toml the same as readings to fill in
    python benchmarks/wild.py --set a --draw 1 --first the first ten of each package, then others up to 100
    python benchmarks/wild.py --count FILE            what share was right, with its 95 % interval, by rule
    python benchmarks/wild.py --left a b              how much of what was read is found now, by rule
    python benchmarks/wild.py --left                  the same of all sets
    python benchmarks/wild.py --left listed           of what 21 other reports begin with

Sets of wheels are pinned with their hashes in evaluation/wild.txt. A draw takes at most eight findings of
a rule, so that rules that find much do not fill it. A finding is drawn with all that the full report tells
with it, as one change mends them, and read as that change: no draw takes what another finding tells. What was
drawn and judged is in evaluation/wild/, newer readings with what stood beside each finding: tier, heat, what
its chain begins with, fix, and its rank: its place among what the report of its package lists, group by
group. What that only counts, minor and micro findings, has rank 0 and is none of the first ten. Ranks in
readings of the sets up to AM are by tier and cost alone, and what is only counted has one as well.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from corpus import cache_folder
from corpus_files import EVALUATION, CorpusError, download, parts, requirements, unpack
from corpus_run import Found, PackageRun, excerpt, lint, table
from tabulate import tabulate
from verdicts import verdicts_read

DRAWN = 100
OF_A_RULE = 8
VERDICTS = ("right", "unsure", "wrong")
WORTH_IT = "worth it"
"""Right, and a maintainer would merge a change for it; older readings do not tell it apart."""
_FIRST = 10
"""So many findings of a package are what most users look at."""
READ = EVALUATION / "wild"
PACKAGES = EVALUATION / "wild.txt"
LISTED = "listed"
"""The set of which what the report lists first was read; no strangers, and pinned in a file of its own."""
_NORMAL = 1.96  # standard deviations around 95 % of a normal distribution


def sets() -> list[str]:
    """Names of all sets, in the order that they were read in: ``a`` to ``z``, then ``aa`` and so on."""
    return parts(PACKAGES)


def lintable() -> list[str]:
    """Names of all sets, and of that of which what the report lists first was read."""
    return [*sets(), LISTED]


def draw(findings: Sequence[Found], seed: int) -> list[Found]:
    """Up to 100 findings, at most eight of a rule, in an order that does not depend on how they came."""
    shuffled = _told_alone(findings)
    random.Random(seed).shuffle(shuffled)
    counts: Counter[str] = Counter()
    kept = []
    for found in shuffled:
        counts[found.code] += 1
        if counts[found.code] <= OF_A_RULE:
            kept.append(found)
    return sorted(kept[:DRAWN], key=lambda found: (found.code, found))


def draw_first(findings: Sequence[Found], seed: int) -> list[Found]:
    """The first ten findings of each package, as its report ranks them, then others drawn, 100 in all."""
    first = [found for found in findings if 0 < found.rank <= _FIRST]
    others = [found for found in _told_alone(findings) if not 0 < found.rank <= _FIRST]
    random.Random(seed).shuffle(others)
    return sorted([*first, *others[: max(0, DRAWN - len(first))]], key=lambda found: (found.code, found))


def _told_alone(findings: Sequence[Found]) -> list[Found]:
    """Findings in order, without those that another tells in the full report."""
    return sorted(found for found in findings if not found.is_told)


def interval(right: int, judged: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score: it holds near 0 and 1, too."""
    share, square = right / judged, _NORMAL**2
    middle = (share + square / (2 * judged)) / (1 + square / judged)
    spread = _NORMAL * math.sqrt(share * (1 - share) / judged + square / (4 * judged**2))
    half = spread / (1 + square / judged)
    return middle - half, middle + half


def count(readings: Sequence[dict[str, Any]], form: str = "simple") -> str:
    """One row a rule and one for all: how many were right, unsure and wrong; then the share of right ones."""
    rows: list[list[str | int]] = []
    for code in (*sorted({one["rule"] for one in readings}), "all"):
        counts = Counter(_plain(one["verdict"]) for one in readings if code in (one["rule"], "all"))
        rows.append([code, counts.total(), *(counts[verdict] for verdict in VERDICTS)])
    shown = tabulate(rows, headers=["rule", "read", *VERDICTS], tablefmt=form)
    right, unsure = (sum(_plain(one["verdict"]) == verdict for one in readings) for verdict in VERDICTS[:2])
    lines = [shown, ""]
    for said, of in (("right of all", len(readings)), ("right of those judged", len(readings) - unsure)):
        low, high = interval(right, of)
        lines.append(f"{said}: {right} of {of}, {right / of:.2f} (95 % interval {low:.2f} to {high:.2f})")
    return "\n".join([*lines, *_worth(readings)])


def _plain(verdict: str) -> str:
    """A verdict as older readings have it."""
    return "right" if verdict == WORTH_IT else verdict


def _worth(readings: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Lines on what is worth a change, where readings tell it apart."""
    if not any(one["verdict"] == WORTH_IT for one in readings):
        return
    costly = [one for one in readings if one.get("tier") in ("stall", "host")]
    stalls = [one for one in costly if one["tier"] == "stall"]
    first = [one for one in readings if 0 < one.get("rank", 0) <= _FIRST]
    parts = (
        ("all", readings),
        ("the tiers stall and host", costly),
        ("the tier stall", stalls),
        ("the first ten of a package", first),
    )
    for said, part in parts:
        worth = sum(one["verdict"] == WORTH_IT for one in part)
        if part:
            low, high = interval(worth, len(part))
            share = worth / len(part)
            yield f"worth a change, of {said}: {worth} of {len(part)}, {share:.2f} ({low:.2f} to {high:.2f})"


def load(path: Path) -> list[dict[str, Any]]:
    """The readings of a TOML file; see `verdicts_read`."""
    return verdicts_read(path, (WORTH_IT, *VERDICTS))


class Place(NamedTuple):
    """A place that was read.

    Attributes:
        code: the rule that spoke of it.
        verdict: what it was found to be.
        now: what is found there now; None for nothing.
        is_worth: whether a change was said to be worth it.
        shown: the place, in words.
    """

    code: str
    verdict: str
    now: Found | None
    is_worth: bool
    shown: str

    @property
    def is_left(self) -> bool:
        """Whether it is found now."""
        return self.now is not None


def places(readings: Sequence[dict[str, Any]], runs: Sequence[PackageRun]) -> list[Place]:
    """What was read, and whether it is found now, if only as a line that a finding tells of as well."""
    found = {
        (one.package, one.path, line, one.code): one
        for run in runs
        for one in run.findings
        for line in (one.line, *one.also)
    }
    read = []
    for one in readings:
        package, path, line, code = (one[key] for key in ("package", "path", "line", "rule"))
        shown = f"{package} {path}:{line} {code}"
        now = found.get((package, path, line, code))
        read.append(Place(code, _plain(one["verdict"]), now, one["verdict"] == WORTH_IT, shown))
    return read


def left(read: Sequence[Place], form: str = "simple") -> str:
    """One row a rule and one for all: what was right when it was read, and what is left of that."""
    rows: list[list[str | int | float | None]] = []
    for code in (*sorted({one.code for one in read}), "all"):
        of_rule = [one for one in read if code in (one.code, "all")]
        counts = Counter((one.verdict, one.is_left) for one in of_rule)
        then = [counts[verdict, True] + counts[verdict, False] for verdict in VERDICTS]
        now = [counts[verdict, True] for verdict in VERDICTS]
        rows.append([code, len(of_rule), *then, _share(then), *now, _share(now)])
    headers = ["rule", "read", *VERDICTS, "share", *(f"{verdict} now" for verdict in VERDICTS), "share now"]
    return tabulate(rows, headers=headers, tablefmt=form, floatfmt=".2f", missingval="")


def worth_left(read: Sequence[Place]) -> str:
    """What is worth a change among what was read and is listed now, and what became of the rest of it."""
    tellers = [one for one in read if one.now is not None and one.now.rank]
    first = [one for one in tellers if one.now is not None and one.now.rank <= _FIRST]
    worth = [one for one in read if one.is_worth]
    told = sum(one.now is not None and one.now.is_told for one in worth)
    small = sum(one.now is not None and not one.now.is_told and not one.now.rank for one in worth)
    shares = [
        f"{sum(one.is_worth for one in some)} of {len(some)} {said}"
        for said, some in (("listed", tellers), ("of the first ten", first))
    ]
    gone = sum(not one.is_left for one in worth)
    return f"worth a change: {', '.join(shares)}; {told} told with another, {small} not listed, {gone} gone"


def _share(counts: Sequence[int]) -> float | None:
    """What is right of all that was judged; None where nothing was."""
    right, _, wrong = counts
    return right / (right + wrong) if right + wrong else None


def show_left(sets: Sequence[str], folder: Path, form: str) -> None:
    """Print what is left of the readings of some sets.

    Raises:
        CorpusError: a package cannot be had or linted, or readings are not as they should be.
    """
    read: list[Place] = []
    for name in sets:
        runs = lint_set(name, folder)
        of_set = places(load(READ / f"{name}.toml"), runs)
        counts = Counter(one.verdict for one in of_set if one.is_left)
        findings = [found for run in runs for found in run.findings]
        size = sum(run.lines for run in runs)
        told = ", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS)
        amounts = [
            f"{len(some)} {said}, {1000 * len(some) / size:.1f} per 1,000 lines"
            for said, some in (
                ("findings", findings),
                ("not told with another", _told_alone(findings)),
                ("listed", [found for found in findings if found.rank]),
            )
        ]
        print(f"{name}: {told}; {'; '.join(amounts)}", flush=True)
        if any(one.is_worth for one in of_set):
            print(f"   {worth_left(of_set)}", flush=True)
        for one in of_set:
            if one.verdict == "right" and not one.is_left:
                print(f"   gone: {one.shown}")
        read += of_set
    print(left(read, form))
    print(worth_left(read))


def as_toml(found: Found) -> str:
    """A finding as a reading without verdict and reason."""
    values = {"rule": found.code, "package": found.package, "path": found.path, "line": found.line}
    standing = {
        "tier": found.tier,
        "heat": found.heat,
        "kind": found.reason,
        "chain": found.why,
        "links": found.links,
        "branches": found.branches,
        "options": found.options,
        "fix": found.fix,
        "rank": found.rank,
    } | ({"tells": list(found.tells)} if found.tells else {})
    to_fill = {"verdict": "", "reason": ""}
    lines = [f"{key} = {json.dumps(value)}" for key, value in (values | standing | to_fill).items()]
    return "\n".join(["[[reading]]", *lines, ""])


def lint_set(name: str, folder: Path, *options: str) -> list[PackageRun]:
    """Download and lint the packages of a set, with options of the command line.

    Raises:
        CorpusError: a package cannot be had or linted.
    """
    wheels, pinned = folder / "wheels", EVALUATION / "listed.txt" if name == LISTED else PACKAGES
    download(wheels, pinned, name)
    return [lint(one, unpack(one, wheels, folder / "src"), *options) for one in requirements(pinned, name)]


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        CorpusError: a package cannot be had or linted, or readings are not as they should be.
    """
    if arguments.count:
        print(count(load(arguments.count), arguments.format))
        return
    if arguments.left is not None:
        show_left(arguments.left or sets(), arguments.dir, arguments.format)
        return
    runs = lint_set(arguments.set, arguments.dir)
    for one in runs:
        for line in one.unchecked:
            print(f"{one.package.name}: {line}", file=sys.stderr)
    if arguments.draw is None:
        print(table(runs, arguments.format))
    else:
        folders = {one.package.name: one.folder for one in runs}
        drawn_by = draw_first if arguments.first else draw
        for found in drawn_by([found for one in runs for found in one.findings], arguments.draw):
            print(as_toml(found) if arguments.toml else excerpt(folders[found.package], found), end="\n\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when the packages cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument(
        "--format", default="simple", help="form of tables, as tabulate names it (default simple)"
    )
    parser.add_argument("--toml", action="store_true", help="with --draw: readings to fill in")
    parser.add_argument("--first", action="store_true", help="with --draw: what each report begins with")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--count", type=Path, metavar="FILE", help="count the verdicts of a file of readings")
    what.add_argument("--set", choices=lintable(), help="which packages to lint")
    what.add_argument(
        "--left",
        choices=lintable(),
        nargs="*",
        metavar="SET",
        help="count which of the places that were read in these sets (all where none is named) are found now",
    )
    parser.add_argument("--draw", type=int, metavar="SEED", help="print findings drawn with this seed")
    try:
        run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"wild: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
