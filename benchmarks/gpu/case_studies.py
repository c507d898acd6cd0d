"""Case studies on a GPU: what public programs gain by what the linter says of them.

    python benchmarks/gpu/case_studies.py prepare [--mirrors FOLDER] [--only STUDY ...]
    python benchmarks/gpu/case_studies.py run OUT [--seconds 460] [--small] [--only STUDY ...]
    python benchmarks/gpu/case_studies.py page OUT/results.jsonl

`prepare` takes public programs in the state of a commit, and makes the forms that are compared, below
`.work/case_studies`, which git ignores; it needs a network and libcst. `run` needs neither: it measures on
the GPU that there is, or on the simulated device. It stays below its seconds by giving each part its share,
and what is measured is written at once. `page` writes a page and a chart beside the results.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import case_parts
from case_checkouts import CheckoutError
from case_findings import LinterError
from case_overview import overview, put_into
from case_page import write_page
from case_records import read_lines
from case_results import results
from case_stages import StageError, write_stages
from case_study import HERE, by_name

ROOT: Final = HERE.parents[1]
WORK: Final = ROOT / ".work" / "case_studies"
RESULTS: Final = "results.jsonl"


def prepare(asked: argparse.Namespace) -> int:
    """Make the stages of studies, and unpack what travels with them."""
    WORK.mkdir(parents=True, exist_ok=True)
    studies = by_name(asked.only)
    for study in studies:
        begun = time.monotonic()
        try:
            stages = write_stages(study, WORK, asked.mirrors)
        except (CheckoutError, StageError, LinterError) as error:
            print(f"{study.name}: {error}", file=sys.stderr)
            return 2
        forms = sum(stage.tree == stage.name for stage in stages)
        places = len(stages[0].places)
        print(f"{study.name}: {places} places, {forms} forms, {time.monotonic() - begun:.0f} s", flush=True)
    return _unpack([wheel for study in studies for wheel in study.wheels])


def _unpack(wheels: list[str]) -> int:
    """Install wheels into the folder that travels; gives pip's status."""
    if not wheels:
        return 0
    site = WORK / "site"
    shutil.rmtree(site, ignore_errors=True)
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--no-compile", "--target", str(site)]
    command = [sys.executable, "-m", "pip", "install", *options, *wheels]
    return subprocess.run(command, check=False).returncode


def run(asked: argparse.Namespace) -> int:
    """Measure all parts; 1 where one of them failed."""
    asked.out.mkdir(parents=True, exist_ok=True)
    results = asked.out / RESULTS
    results.unlink(missing_ok=True)
    parts = case_parts.parts(by_name(asked.only), WORK, results, small=asked.small)
    if asked.only:
        parts = [part for part in parts if part.study is not None]
    return case_parts.run_all(parts, results, asked.seconds)


def page(asked: argparse.Namespace) -> int:
    """Write the page of results."""
    lines = read_lines(asked.results)
    for path in write_page(lines, asked.results.parent):
        print(path)
    if asked.into is not None:
        put_into(asked.into, overview(results(lines)))
        print(asked.into)
    return 0


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    preparing = commands.add_parser("prepare", help="make what is compared")
    preparing.add_argument("--mirrors", type=Path, help="bare repositories to take in place of GitHub's")
    preparing.set_defaults(call=prepare)
    running = commands.add_parser("run", help="measure it")
    running.add_argument("out", type=Path, help="a folder for the results")
    running.add_argument("--seconds", type=float, default=460.0, help="in all (default: %(default)s)")
    running.add_argument("--small", action="store_true", help="small sizes, few steps: a dry run")
    running.set_defaults(call=run)
    for command in (preparing, running):
        command.add_argument(
            "--only", nargs="+", metavar="STUDY", help="no other study or part (default: all)"
        )
    paging = commands.add_parser("page", help="show it")
    paging.add_argument("results", type=Path)
    paging.add_argument("--into", type=Path, help="a page whose marked table is written anew")
    paging.set_defaults(call=page)
    asked = parser.parse_args()
    try:
        status: int = asked.call(asked)
    except KeyError as error:
        parser.error(f"there is no study {error}: {', '.join(study.name for study in by_name())}")
    return status


if __name__ == "__main__":
    sys.exit(main())
