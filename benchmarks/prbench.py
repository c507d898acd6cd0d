"""Scores the linter on places of real commits: file versions by themselves, and in their whole repositories.

    python benchmarks/prbench.py --bench BENCH --mirrors MIRRORS --work WORK [--half a] [--only single]

BENCH holds ``dev.jsonl``, ``families.json`` and ``score.py``; MIRRORS bare repositories, ``owner+name/repo``.
Cases of repositories that are not there are left out, and named. Half a, the repositories before
``Lightning-AI/torchmetrics``, is the one that rules were mended with; half b is held out. Findings are kept
in WORK; ``--score`` prints the tables from them without linting again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from prbench_trees import Case, Found, cases_of, lint_files, lint_trees, write_files
from tabulate import tabulate

_FIRST_OF_B: Final = "lightning-ai/torchmetrics"
_ROWS: Final = {
    "positives (static yes, partly)": "positives",
    "recall by family": "recall_family",
    "recall by any rule": "recall_any",
    "paired: flagged before, silent after": "paired_discrimination(flag before, silent after)",
    "look-alikes": "clean_negatives",
    "look-alikes flagged": "fp_clean_any",
    "fixed lines flagged for the same family": "fp_fixed_same_family",
    "findings per 1,000 lines": "findings_per_kloc",
}
_HEATS: Final = {"step": ("cold", "step", "loop"), "presumed": ("cold", "presumed", "step", "loop")}


class _Run(NamedTuple):
    """A way to lint a half of the benchmark."""

    half: str
    way: str
    heat: str

    @property
    def title(self) -> str:
        return f"{self.half}, {self.way}, {self.heat}"


def half_of(repository: str) -> str:
    """Which half of the benchmark a repository belongs to."""
    return "a" if repository.lower() < _FIRST_OF_B else "b"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    for name in ("bench", "mirrors", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--half", choices=["a", "b"], action="append")
    parser.add_argument("--only", choices=["single", "trees"], action="append")
    parser.add_argument("--jobs", type=int, default=2, help="whole repositories linted at the same time")
    parser.add_argument("--score", action="store_true", help="print what the last run found")
    args = parser.parse_args(argv)
    cases, missing = cases_of(args.bench, args.mirrors)
    if missing:
        print(f"Left out, no mirror: {', '.join(missing)}\n")
    runs: dict[_Run, dict[str, Any]] = {}
    for half in args.half or ("a", "b"):
        mine = [case for case in cases if half_of(case["repo"]) == half]
        for way in args.only or ("single", "trees"):
            kept = args.work / f"found-{half}-{way}.json"
            if not args.score:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(_lint(way, mine, args)))
            found: list[Found] = json.loads(kept.read_text())
            for heat, shown in _HEATS.items():
                run = _Run(half, way, heat)
                runs[run] = _score([one for one in found if one["heat"] in shown], mine, args, run)
    _print(runs)
    return 0


def _lint(way: str, cases: list[Case], args: argparse.Namespace) -> list[Found]:
    write_files(cases, args.mirrors, args.work / "files")
    if way == "single":
        return lint_files(cases, args.work / "files")
    return lint_trees(cases, args.mirrors, args.work, args.jobs)


def _score(found: list[Found], cases: list[Case], args: argparse.Namespace, run: _Run) -> dict[str, Any]:
    """What the benchmark's own script says about findings."""
    stem = args.work / f"{run.half}-{run.way}-{run.heat}"
    findings, bench = stem.with_suffix(".findings.json"), stem.with_suffix(".jsonl")
    findings.write_text(json.dumps(found))
    bench.write_text("".join(json.dumps(case) + "\n" for case in cases))
    command = [
        *(sys.executable, str(args.bench / "score.py"), "--bench", str(bench), "--findings", str(findings)),
        *("--map", str(args.bench / "families.json"), "--files", str(args.work / "files")),
        *("--static", "yes,partly", "--misses", "--json"),
    ]
    scored: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return scored


def _print(runs: dict[_Run, dict[str, Any]]) -> None:
    titles = [run.title for run in runs]
    rows = [[row, *(scored[key] for scored in runs.values())] for row, key in _ROWS.items()]
    print(tabulate(rows, ["", *titles], tablefmt="github"))
    for key in ("by_family{n,any,fam}", "by_repo{n,any,fam}"):
        names = sorted({name for scored in runs.values() for name in scored[key]}, key=str.lower)
        rows = [[name, *(_share(scored[key].get(name)) for scored in runs.values())] for name in names]
        print("\n" + tabulate(rows, [key.split("{")[0].replace("_", " "), *titles], tablefmt="github"))
    halves = {run.half for run in runs}
    for half in sorted(halves & {"a"}):  # the cases of half b are not looked at
        for run, scored in runs.items():
            if run.half == half:
                print(f"\nMissed, {run.title}: {', '.join(scored['misses'])}")


def _share(counts: list[int] | None) -> str:
    """Hits by family of all, of a line of the score."""
    return f"{counts[2]}/{counts[0]}" if counts else ""


if __name__ == "__main__":
    sys.exit(main())
