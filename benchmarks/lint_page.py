"""Writes what `benchmarks/lint.py` measured as docs/performance.md."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from lint_runs import PEERS, Row
from tabulate import tabulate

__all__ = ["COMPILED_FORM", "PYTHON_FORM", "page", "table"]


def table(found: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    by_size = {row.megabytes: row.run.cpu / row.megabytes for row in found if row.what.startswith("Ruff")}
    largest = by_size[max(by_size)]
    shown = [
        (
            row.what,
            f"{row.megabytes:.1f}" if row.megabytes else "",
            f"{row.run.cpu:.2f}",
            f"{row.run.cpu / row.megabytes * 1000:.1f}" if row.megabytes else "",
            f"{row.run.cpu / row.megabytes / by_size.get(row.megabytes, largest):.1f}"
            if row.megabytes
            else "",
            f"{row.run.memory:.0f}",
        )
        for row in found
    ]
    headers = ("run", "MB of source", "CPU s", "CPU ms per MB", "times Ruff, per MB", "peak MB")
    align = ("left", "right", "right", "right", "right", "right")
    return tabulate(shown, headers, tablefmt="github", disable_numparse=True, colalign=align)


PAGE = """\
# How long linting takes

Written by `python benchmarks/lint.py --large --write` on {date}, Python {python}, {machine}; do not edit.
Measured on {packages}, of [the corpus](../evaluation/corpus.md): {files} files, {lines} lines. CPU seconds
are those of the process and its children, start-up included, and the least of up to {repeat} runs. The
linter was a wheel, installed in an environment of its own. The machine had other work to do: ratios say more
than seconds. Other tools: {peers}.

{table}

*Cold* reads, parses, sums up and lints every file, and lets heat flow through the whole project. With a
cache it keeps what was learned. *Warm* is a second run over the same files. It compares their sizes and
times of change, and shows again what was found. Sources are read only to show lines of them, and folders are
listed only where their times changed.

What an edit costs depends on what it changes:

- It leaves the calls of a file as they were, or adds functions that run nothing of the project but each
  other, and that nobody else runs. Only that file is looked into. What is new of it goes into files beside
  those of the cache.
- It changes calls. They are followed by tables that the cache holds. They may lead elsewhere than before, or
  a hot loop may have moved to another line. Then heat flows anew through the graph, which is kept as
  numbers, and only files are read that it reaches otherwise.
- It defines other things, such as a class or an import. All calls are followed anew.

Where files are given, as pre-commit gives them, the others' heat comes from the cache. Runs over everything
print one line a finding (`--output-format concise`). The full report also reads the lines that it shows from
the sources. It took 2.3 times the CPU time of the concise one for 5,768 findings in 1,284 files (24 November
2026, warm runs in turn).

A cold run is no match for Ruff. Python's own parser alone, which a project graph needs for every file, takes
{parser:.1f} times as long as all of Ruff does. `-j` shares a cold run among processes. That changes the time
you wait, not the CPU seconds.

## A large project

{large}

## Compiled

The modules that take most of a cold run can be compiled ([how](ci.md#compiled-wheels)). The findings are the
same. {compiled} Everyday runs gain as well: see the last rows
of the table above.

Compiling saves the interpreter's own work, not that of what it calls. The parser, and look-ups in
dictionaries and of nodes' attributes, take most of the time, and stay what they are. Rules stay Python, as
packs need it. They are a twentieth of a run.

## Aimed at

The aims: a cold run in five times Ruff's time, and 100 times faster than Fixit and perflint. With 5,800
files in the project: warm in 0.12 s, ten changed files in 0.15 s, `--diff` of them in 0.4 s, and 120 MB at
most. Ten changed files are measured both ways: given alone, as pre-commit gives them, and with all others
looked at for changes, too. Where the tables miss an aim, these are the reasons:

- A cold run spends its time evenly. Beside the parser, no function takes more than a twentieth of it. Of
  every call, Python code asks what it is, where it stands and how hot that is.
- Rules that need heat are not shown what can never be hot, as at import and in set-up. Where heat does come
  to is known when all files are parsed. To let rules look only then, and only there, would parse most files
  twice: in the large project, four fifths of the bytes are in files in which something runs in steps.
- To some rules it matters what functions of other files give, or how their heat comes about. They look once
  more when that is known, and files are parsed anew for that.
- While calls are followed, the project's graph holds all that files can be asked for by name, and every
  function with what it may run. That is most of the memory of a cold run. Which options nobody passes is
  found out before that. All else that is known of files is compressed by then, and so is where calls lead,
  as soon as that is known. With `-j` of two or more, the default on a machine with as many processors, other
  processes read the files, and the one that holds the graph takes less.
- After an edit, all files are asked for their times of change. The index is read, and the rules are imported
  that could find something there. The changed files are looked into as in a cold run, which is half of the
  time. New functions may have names that other files mention: what these files say is read. Where calls lead
  elsewhere, or pass something else, the graph of all files is read, and heat flows through it once more.
"""


PYTHON_FORM = "overhead-lint as Python, cold, no cache"
COMPILED_FORM = "overhead-lint compiled, cold, no cache"


def _compiled(found: Sequence[Row]) -> str:
    """What the compiled form gains, if it was measured."""
    taken = {row.what: row.run.cpu for row in found}
    if COMPILED_FORM not in taken:
        return "It was not built for this page."
    return f"Here a cold run is {taken[PYTHON_FORM] / taken[COMPILED_FORM]:.2f} times as fast with them."


_LARGE = """\
All of the corpus together with transformers: {files} files.

{table}
"""


def page(
    found: Sequence[Row],
    large: Sequence[Row],
    folders: dict[str, Path],
    all_folders: Iterable[Path],
    repeat: int,
) -> str:
    """The text of docs/performance.md.

    Args:
        found: what was measured on some packages.
        large: what was measured on all.
        folders: of these packages, by name.
        all_folders: of all packages.
        repeat: how often quick commands were run.
    """
    files = [path for folder in folders.values() for path in folder.rglob("*.py")]
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    ruff, parser = (
        next(row for row in found if row.what.startswith(name)) for name in ("Ruff", "Python's parser")
    )
    count = sum(1 for folder in all_folders for _ in folder.rglob("*.py"))
    return PAGE.format(
        date=time.strftime("%Y-%m-%d"),
        python=platform.python_version(),
        machine=f"{os.cpu_count()} processors ({platform.machine()})",
        packages=", ".join(folders),
        files=len(files),
        lines=lines,
        repeat=repeat,
        peers=", ".join(peer.replace("==", " ") for peer in PEERS),
        table=table(found),
        compiled=_compiled(found),
        parser=parser.run.cpu / ruff.run.cpu,
        large=_LARGE.format(files=f"{count:,}", table=table(large)).rstrip(),
    )
