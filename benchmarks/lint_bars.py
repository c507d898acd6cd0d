"""Compares a cold run with Python's parser and with type checkers, in turns, each on the same files."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from compiled_form import Forms, cold
from corpus_files import CorpusError
from lint_runs import Run, parser, size, timed
from tabulate import tabulate

__all__ = ["COMPILED", "PARSER", "PYTHON", "bars", "measured", "section", "table"]

PARSER: Final = "ast.parse"
PYTHON: Final = "overhead-lint, cold"
COMPILED: Final = "overhead-lint compiled, cold"
MYPY: Final = "mypy"
TY: Final = "ty"
_AIMED: Final[Mapping[str, Mapping[str, float]]] = {
    PYTHON: {PARSER: 7.5, MYPY: 1.0, TY: 2.2},
    COMPILED: {PARSER: 4.7, MYPY: 0.6, TY: 1.3},
}
"""The most that a cold run is to take of the time of another tool, on a package of 10 MB and more."""
_MYPY: Final = (
    *("--no-incremental", f"--cache-dir={os.devnull}", "--check-untyped-defs", "--config-file="),
    # Both type checkers see the package alone, not what happens to be installed beside it.
    *("--no-site-packages", "--ignore-missing-imports", "--namespace-packages", "--explicit-package-bases"),
)


class Tool(NamedTuple):
    """A command that is run in a folder, over all that is in it.

    Attributes:
        name: in the table.
        command: its words.
        status: how it may end.
    """

    name: str
    command: Sequence[str]
    status: Sequence[int] = (0, 1)


def _found(name: str, tools: Path) -> str | None:
    """Where a tool lies: beside this Python, in a folder of tools, or on the path."""
    places = (Path(sys.executable).parent, tools)
    near = next((str(place / name) for place in places if (place / name).is_file()), None)
    return near or shutil.which(name)


def _tools(forms: Forms | Path, tools: Path) -> list[Tool]:
    """What there is to run; what there is not is told."""
    python, compiled = (forms.python, forms.compiled) if isinstance(forms, Forms) else (forms, None)
    options: tuple[str, ...] = ("--output-format", "concise")
    found = [Tool(PARSER, parser()), Tool(PYTHON, cold(python, *options))]
    if compiled is not None:
        found.append(Tool(COMPILED, cold(compiled, *options)))
    for name, options in (
        (MYPY, _MYPY),
        (TY, ("check", "--exit-zero", "--quiet", "--no-progress", f"--python={sys.base_prefix}")),
    ):
        path = _found(name, tools)
        if path is None:
            print(f"{name} is not installed here: left out (pip install {name})", file=sys.stderr)
            continue
        version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
        print(f"{name}: {version.strip()}", file=sys.stderr)
        found.append(Tool(name, (path, *options, ".")))
    return found


def measured(
    folders: Mapping[str, Path], forms: Forms | Path, tools: Path, repeat: int
) -> dict[str, dict[str, Run]]:
    """The least that each tool takes on each package, all in turn, then all again.

    A tool that stops at a package, as mypy does at a syntax error, has no run of it, and that is told.

    Args:
        folders: the packages, by name.
        forms: where the linter is installed.
        tools: a folder that may hold mypy and ty.
        repeat: how often.
    """
    os.environ["TY_MAX_PARALLELISM"] = "1"
    there = _tools(forms, tools)
    found: dict[str, dict[str, Run]] = {name: {} for name in folders}
    for name, folder in folders.items():
        stopped: set[str] = set()
        for _ in range(repeat):
            for tool in there:
                if tool.name in stopped:
                    continue
                try:
                    run = timed(tool.command, folder, tool.status)
                except CorpusError as error:
                    if tool.name not in (MYPY, TY):
                        raise
                    stopped.add(tool.name)
                    print(f"{name}: {tool.name} stopped: {error}", file=sys.stderr)
                    continue
                found[name][tool.name] = min(run, found[name].get(tool.name, run))
        print(f"{name}: measured", file=sys.stderr, flush=True)
    return found


_SECTION: Final = """\
## Beside Python's parser and type checkers

Written by `python benchmarks/lint.py --bars FOLDER... --write` on {date}, Python {python}: CPU seconds of
cold runs without a cache, each tool on the same files, in turns, the least of {repeat}. The linter was a
wheel in an environment of its own, in one process. mypy ran with `--check-untyped-defs` and no cache, ty in
one thread. The machine had other work to do: ratios say more than seconds.

{table}

{bars}
"""


def section(folders: Mapping[str, Path], found: Mapping[str, Mapping[str, Run]], repeat: int) -> str:
    """The section of docs/performance.md: what each tool took, and the ratios beside what is aimed at."""
    return _SECTION.format(
        date=time.strftime("%Y-%m-%d"),
        python=platform.python_version(),
        repeat=repeat,
        table=table(folders, found),
        bars=bars(found),
    )


def table(folders: Mapping[str, Path], found: Mapping[str, Mapping[str, Run]]) -> str:
    """A row a package: its size, and CPU seconds per MB of each tool."""
    tools = list(dict.fromkeys(tool for runs in found.values() for tool in runs))
    rows = []
    for name, folder in folders.items():
        megabytes = size(folder)
        shown = [f"{found[name][tool].cpu / megabytes:.3f}" if tool in found[name] else "" for tool in tools]
        rows.append([name, f"{megabytes:.1f}", *shown])
    return tabulate(rows, ["CPU s per MB", "MB", *tools], tablefmt="github", disable_numparse=True)


def bars(found: Mapping[str, Mapping[str, Run]]) -> str:
    """A row for each form and other tool: the ratio on all packages, on the largest, and what is aimed at."""
    rows = []
    for form, aims in _AIMED.items():
        for tool, aim in aims.items():
            both = {name: runs for name, runs in found.items() if form in runs and tool in runs}
            if not both:
                continue
            ours, theirs = (sum(runs[one].cpu for runs in both.values()) for one in (form, tool))
            ratios = {name: runs[form].cpu / runs[tool].cpu for name, runs in both.items()}
            largest = max(ratios, key=lambda name: both[name][PARSER].cpu)
            each = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
            rows.append(
                [f"{form} / {tool}", f"{ours / theirs:.2f}", f"{ratios[largest]:.2f}", f"{aim}", each]
            )
    headers = ["ratio", "all", "largest package", "aimed at", "each"]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)
