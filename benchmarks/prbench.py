"""Scores the linter on places of real commits: file versions by themselves, in packages and repositories.

    python benchmarks/prbench.py --bench BENCH --mirrors MIRRORS --work WORK [--half a] [--only single]
    python benchmarks/prbench.py --mirrors MIRRORS --work WORK [--half seen]

BENCH is a folder with cases, one JSON object a line in files named ``*.jsonl``, and with ``families.json``;
where not given, ``evaluation/commits``. MIRRORS holds bare repositories, ``owner+name/repo``. Cases of
repositories that are not there are left out, and named. Of a benchmark with ``dev.jsonl``, half a, the
repositories before ``Lightning-AI/torchmetrics``, is the one that rules were mended with, and half b is
held out. Of ours, a digest of the repository's name tells the part: *seen* may be looked at, *unseen* is
only scored. Findings are kept in WORK; ``--score`` prints the tables from them without linting again.
``--only packages`` lays out the top folders of the files that are asked about, and nothing beside them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from prbench_score import Families, Score, half_of, part_of, score
from prbench_trees import Case, Found, cases_of, lint_files, lint_trees, write_files
from tabulate import tabulate

_OURS: Final = Path(__file__).parent.parent / "evaluation" / "commits"
_HELD_OUT: Final = ("b", "unseen")
"""Parts whose cases are not looked at."""
_HEATS: Final = {
    "step": ("cold", "step", "loop"),
    "presumed": ("cold", "presumed", "request", "step", "loop"),
}


class _Run(NamedTuple):
    """A way to lint a part of the benchmark."""

    half: str
    way: str
    heat: str

    @property
    def title(self) -> str:
        return f"{self.half}, {self.way}, {self.heat}"


def _families(bench: Path) -> Families:
    """What the codes of rules tell of, as a benchmark has it."""
    families: Families = json.loads((bench / "families.json").read_text())
    return families


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--bench", type=Path, default=_OURS)
    for name in ("mirrors", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--half", choices=["a", "b", "seen", "unseen"], action="append")
    parser.add_argument("--only", choices=["single", "packages", "trees"], action="append")
    parser.add_argument("--repo", action="append", help="only this owner/name")
    parser.add_argument("--jobs", type=int, default=2, help="whole repositories linted at the same time")
    parser.add_argument("--score", action="store_true", help="print what the last run found")
    args = parser.parse_args(argv)
    cases, missing = cases_of(args.bench, args.mirrors)
    if missing:
        print(f"Left out, no mirror: {', '.join(missing)}\n")
    shared = (args.bench / "dev.jsonl").exists()
    # Ours know the rules that a bench of before does not; where both know one, it is the bench's word.
    families = {**_families(_OURS), **_families(args.bench)}
    tell, parts = (half_of, ("a", "b")) if shared else (part_of, ("seen", "unseen"))
    runs: dict[_Run, Score] = {}
    for half in args.half or parts:
        mine = [
            case
            for case in cases
            if tell(case["repo"]) == half and case["repo"] in (args.repo or [case["repo"]])
        ]
        for way in args.only or ("single", "trees"):
            kept = args.work / f"found-{half}-{way}.json"
            if not args.score:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(_lint(way, mine, args)))
            found: list[Found] = json.loads(kept.read_text())
            for heat, shown in _HEATS.items():
                there = [one for one in found if one["heat"] in shown]
                runs[_Run(half, way, heat)] = score(mine, there, families, args.work / "files")
    _print(runs)
    return 0


def _lint(way: str, cases: list[Case], args: argparse.Namespace) -> list[Found]:
    write_files(cases, args.mirrors, args.work / "files")
    if way == "single":
        return lint_files(cases, args.work / "files")
    return lint_trees(cases, args.mirrors, args.work, args.jobs, packages=way == "packages")


def _print(runs: dict[_Run, Score]) -> None:
    titles = [run.title for run in runs]
    names = list(next(iter(runs.values())).rows)
    rows: list[list[object]] = [[row, *(scored.rows[row] for scored in runs.values())] for row in names]
    print(tabulate(rows, ["", *titles], tablefmt="github"))
    for key in ("family", "repository"):
        names = sorted({name for scored in runs.values() for name in scored.by[key]}, key=str.lower)
        rows = [[name, *(_share(scored.by[key].get(name)) for scored in runs.values())] for name in names]
        print("\n" + tabulate(rows, [key, *titles], tablefmt="github"))
    for run, scored in runs.items():
        if run.half not in _HELD_OUT:
            print(f"\nMissed, {run.title}: {', '.join(scored.misses)}")
            print(f"Flagged, {run.title}: {', '.join(scored.flagged)}")


def _share(counts: tuple[int, int] | None) -> str:
    """Hits by family of all, of a line of the score."""
    return f"{counts[0]}/{counts[1]}" if counts else ""


if __name__ == "__main__":
    sys.exit(main())
