"""Precision on packages that nobody looked at: draws findings of default settings, counts verdicts on them.

    python benchmarks/wild.py --set a                 table: files, lines, seconds, findings by rule
    python benchmarks/wild.py --set a --draw 1        100 findings drawn with seed 1, with their source
    python benchmarks/wild.py --set a --draw 1 --toml the same as readings to fill in
    python benchmarks/wild.py --count FILE            what share was right, with its 95 % interval, by rule
    python benchmarks/wild.py --set a --left FILE     which of those verdicts are of places that are found now

Sets of wheels are pinned with their hashes in requirements/wild_a.txt and so on. A draw
takes at most eight findings of a rule, so that rules that find much do not fill it. What was drawn and
judged is in benchmarks/wild/.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corpus import cache_folder
from corpus_files import REQUIREMENTS, CorpusError, download, requirements, unpack
from corpus_run import Found, PackageRun, excerpt, lint, table
from tabulate import tabulate

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DRAWN = 100
OF_A_RULE = 8
SETS = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m")
VERDICTS = ("right", "unsure", "wrong")
_NORMAL = 1.96  # standard deviations around 95 % of a normal distribution


def draw(findings: Sequence[Found], seed: int) -> list[Found]:
    """Up to 100 findings, at most eight of a rule, in an order that does not depend on how they came."""
    shuffled = sorted(findings)
    random.Random(seed).shuffle(shuffled)
    counts: Counter[str] = Counter()
    kept = []
    for found in shuffled:
        counts[found.code] += 1
        if counts[found.code] <= OF_A_RULE:
            kept.append(found)
    return sorted(kept[:DRAWN], key=lambda found: (found.code, found))


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
        counts = Counter(one["verdict"] for one in readings if code in (one["rule"], "all"))
        rows.append([code, counts.total(), *(counts[verdict] for verdict in VERDICTS)])
    shown = tabulate(rows, headers=["rule", "read", *VERDICTS], tablefmt=form)
    right, unsure = (sum(one["verdict"] == verdict for one in readings) for verdict in VERDICTS[:2])
    lines = [shown, ""]
    for said, of in (("right of all", len(readings)), ("right of those judged", len(readings) - unsure)):
        low, high = interval(right, of)
        lines.append(f"{said}: {right} of {of}, {right / of:.2f} (95 % interval {low:.2f} to {high:.2f})")
    return "\n".join(lines)


def load(path: Path) -> list[dict[str, Any]]:
    """The readings of a TOML file, a ``[[reading]]`` table each.

    Raises:
        CorpusError: no TOML, no readings, or a verdict that is none.
    """
    try:
        readings: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8")).get("reading", [])
    except tomllib.TOMLDecodeError as error:
        raise CorpusError(f"{path}: {error}") from error
    if not readings:
        raise CorpusError(f"{path}: no readings")
    for one in readings:
        if one.get("verdict") not in VERDICTS:
            raise CorpusError(
                f"{path}: verdict of {one.get('path')}:{one.get('line')} is none of {', '.join(VERDICTS)}"
            )
    return readings


def left(readings: Sequence[dict[str, Any]], runs: Sequence[PackageRun]) -> str:
    """How many of the places that were read are found now, by verdict, and the right ones that are not."""
    places = {
        (found.package, found.path, line, found.code)
        for run in runs
        for found in run.findings
        for line in (found.line, *found.also)
    }
    known = [(one["verdict"], (one["package"], one["path"], one["line"], one["rule"])) for one in readings]
    counts = Counter(verdict for verdict, place in known if place in places)
    findings, size = sum(len(run.findings) for run in runs), sum(run.lines for run in runs)
    lines = [
        ", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS)
        + f"; {findings} findings, {1000 * findings / size:.1f} per 1,000 lines"
    ]
    for verdict, (package, path, line, code) in known:
        if verdict == "right" and (package, path, line, code) not in places:
            lines.append(f"gone: {package} {path}:{line} {code}")
    return "\n".join(lines)


def as_toml(found: Found) -> str:
    """A finding as a reading without verdict and reason."""
    values = {"rule": found.code, "package": found.package, "path": found.path, "line": found.line}
    lines = [
        f"{key} = {json.dumps(value)}" for key, value in (*values.items(), ("verdict", ""), ("reason", ""))
    ]
    return "\n".join(["[[reading]]", *lines, ""])


def lint_set(name: str, folder: Path) -> list[PackageRun]:
    """Download and lint the packages of a set.

    Raises:
        CorpusError: a package cannot be had or linted.
    """
    listed = REQUIREMENTS.with_name(f"wild_{name}.txt")
    download(folder / "wheels", listed)
    return [lint(one, unpack(one, folder / "wheels", folder / "src")) for one in requirements(listed)]


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        CorpusError: a package cannot be had or linted, or readings are not as they should be.
    """
    if arguments.count:
        print(count(load(arguments.count), arguments.format))
        return
    runs = lint_set(arguments.set, arguments.dir)
    for one in runs:
        for line in one.unchecked:
            print(f"{one.package.name}: {line}", file=sys.stderr)
    if arguments.left:
        print(left(load(arguments.left), runs))
    elif arguments.draw is None:
        print(table(runs, arguments.format))
    else:
        folders = {one.package.name: one.folder for one in runs}
        for found in draw([found for one in runs for found in one.findings], arguments.draw):
            print(as_toml(found) if arguments.toml else excerpt(folders[found.package], found), end="\n\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when the packages cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument(
        "--format", default="simple", help="form of tables, as tabulate names it (default simple)"
    )
    parser.add_argument("--toml", action="store_true", help="with --draw: readings to fill in")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--count", type=Path, metavar="FILE", help="count the verdicts of a file of readings")
    what.add_argument("--set", choices=SETS, help="which packages to lint")
    parser.add_argument("--draw", type=int, metavar="SEED", help="print findings drawn with this seed")
    parser.add_argument(
        "--left", type=Path, metavar="FILE", help="with --set: count the readings whose places are found now"
    )
    try:
        run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"wild: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
