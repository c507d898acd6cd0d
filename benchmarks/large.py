"""Times processes and shards on a large project, in seconds and MB.

    python benchmarks/large.py FOLDER...                both parts, on folders of packages
    python benchmarks/large.py --part jobs FOLDER...    cold runs with one process, and with all processors
    python benchmarks/large.py --part shards FOLDER...  the slowest of 1, 2, 4 machines that share the graph
    python benchmarks/large.py --copies 10 FOLDER...    the same on ten times that, under other names
    python benchmarks/large.py --compiled FOLDER...     the same with the compiled form
    python benchmarks/large.py --write FOLDER...        and writes its section of docs/performance.md

Each machine of a shard is one process with a copy of the cache that a run over one file has filled. All
shards run, one after the other, and the slowest counts. `--first` takes the first for it, and
`--machines 2 4` leaves one machine out, and `--processes 2` one process. Nothing else should run meanwhile.
Each figure is of one run. A line is printed, and written, as soon as it is known, so that a run may be
stopped. Copies have a section of their own.
"""

from __future__ import annotations

import argparse
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from compiled_form import copied, installed, started
from corpus_files import CorpusError
from lint_runs import Run, size, timed
from page_sections import with_section
from tabulate import tabulate

from overhead_lint.support.processors import usable

__all__ = ["Line", "copy_as", "jobs", "main", "section", "shards", "write"]

PAGE: Final = Path(__file__).parent.parent / "docs" / "performance.md"
_SHARDS: Final = (1, 2, 4)
_ONE: Final = "overhead_lint_benchmark.py"
_TEXT: Final = """\
## Processes and machines, {megabytes:.0f} MB of source

Written by `python benchmarks/large.py{options} --write FOLDER...` on {date}, Python {python},
{processors} processors, {form}: one run each. The graph is what a run over one file puts into the cache. Each
machine has a copy of that, and checks its share of the files with one process.

{table}
"""
_LEFT_OUT: Final = shutil.ignore_patterns(".overhead-lint-cache", "__pycache__", ".git")


class Line(NamedTuple):
    """What was run, and what it took."""

    what: str
    run: Run

    def __str__(self) -> str:
        wall, cpu, memory = self.run.wall, self.run.cpu, self.run.memory
        return f"{self.what:<44} {wall:9.1f} s {cpu:9.1f} s of processor time {memory:8.0f} MB"


def section(lines: Sequence[Line], megabytes: float, copies: int, compiled: bool = False) -> str:
    """Return the section of the page, for a project of a size that has each package so many times."""
    rows = [
        (line.what, f"{line.run.wall:.0f}", f"{line.run.cpu:.0f}", f"{line.run.memory:.0f}") for line in lines
    ]
    return _TEXT.format(
        megabytes=megabytes,
        options=(f" --copies {copies}" if copies > 1 else "") + (" --compiled" if compiled else ""),
        form="the compiled form" if compiled else "the Python form",
        date=time.strftime("%Y-%m-%d"),
        python=platform.python_version(),
        processors=usable(),
        table=tabulate(
            rows,
            ("run", "seconds", "CPU s", "peak MB"),
            tablefmt="github",
            colalign=("left", *["right"] * 3),
            disable_numparse=True,
        ),
    )


def write(page: Path, lines: Sequence[Line], megabytes: float, copies: int, compiled: bool = False) -> None:
    """Put the section into a page, in the place of the one that is there; that of copies is another."""
    text = section(lines, megabytes, copies, compiled)
    name = "copies" if copies > 1 else "large"
    page.write_text(with_section(page.read_text(encoding="utf-8"), name, text), encoding="utf-8")


def copy_as(folder: Path, target: Path) -> None:
    """Copy a package under the name of ``target``: its modules import each other by that name."""
    shutil.copytree(folder, target, ignore=_LEFT_OUT)
    if folder.name == target.name:
        return
    imported = re.compile(
        rb"^(\s*(?:from|import)\s+)" + re.escape(folder.name.encode()) + rb"\b", re.MULTILINE
    )
    for path in target.rglob("*.py"):
        if path.is_file():
            path.write_bytes(imported.sub(rb"\g<1>" + target.name.encode(), path.read_bytes()))


def jobs(
    command: Sequence[str], project: Path, work: Path, several: Sequence[int] | None = None
) -> Iterator[Line]:
    """Cold runs that fill an empty cache, with so many processes; else with one, and with one a processor."""
    for number in several or sorted({1, usable()}):
        cache = work / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        yield Line(f"cold, -j {number}", _checked(command, project, cache, f"-j{number}", "."))


def shards(
    command: Sequence[str], project: Path, work: Path, several: Sequence[int] = _SHARDS, first: bool = False
) -> Iterator[Line]:
    """What fills the shared cache, and the slowest of some machines that have it.

    Args:
        command: the linter's, without arguments.
        project: what is checked.
        work: a folder for caches and reports.
        several: the numbers of machines.
        first: whether the first shard stands for the slowest.
    """
    graph = work / "graph"
    shutil.rmtree(graph, ignore_errors=True)
    yield Line(f"the graph, -j {usable()}", _checked(command, project, graph, f"-j{usable()}", _ONE))
    for machines in several:
        runs = []
        for number in range(1, 1 + (1 if first else machines)):
            cache = work / "cache"
            shutil.rmtree(cache, ignore_errors=True)
            shutil.copytree(graph, cache)
            runs.append(_checked(command, project, cache, "-j1", "--shard", f"{number}/{machines}", "."))
        which = "first" if first else "slowest"
        yield Line(f"{which} of {machines} with the graph, -j 1", max(runs, key=lambda run: run.wall))


def _checked(command: Sequence[str], project: Path, cache: Path, *more: str) -> Run:
    options = [
        "-q",
        "--cache-dir",
        str(cache),
        "--output-format",
        "json",
        "-o",
        str(cache.with_suffix(".json")),
    ]
    return timed([*command, *options, *more], project)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when something cannot be had or measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--part", choices=("jobs", "shards"), help="only this one")
    parser.add_argument(
        "--machines", nargs="+", type=int, default=_SHARDS, metavar="N", help="how many shards"
    )
    parser.add_argument("--processes", nargs="+", type=int, metavar="N", help="how many processes")
    parser.add_argument("--compiled", action="store_true", help="time the compiled form")
    parser.add_argument("--first", action="store_true", help="run the first shard alone")
    parser.add_argument("--copies", type=int, default=1, metavar="N", help="how often each package is there")
    parser.add_argument("--write", action="store_true", help="write the section of docs/performance.md")
    arguments = parser.parse_args(argv)
    if missing := [str(one) for one in arguments.folders if not one.is_dir()]:
        print(f"large.py: no folder {missing[0]}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as temporary:
        work, project = Path(temporary), Path(temporary) / "project"
        for folder in (one.resolve() for one in arguments.folders):
            for number in range(arguments.copies):
                copy_as(folder, project / (f"{folder.name}_{number + 1}" if number else folder.name))
        (project / "overhead-lint.toml").touch()
        (project / _ONE).touch()
        megabytes = size(project)
        print(f"{megabytes:.1f} MB of source", flush=True)
        form = "1" if arguments.compiled else ""
        try:
            # A checkout may change meanwhile.
            command = started(installed(copied(work / "forms"), work / "form", form))
            parts = {
                "jobs": jobs(command, project, work, arguments.processes),
                "shards": shards(command, project, work, arguments.machines, arguments.first),
            }
            known: list[Line] = []
            for part, lines in parts.items():
                for line in lines if arguments.part in (None, part) else ():
                    print(line, flush=True)
                    known.append(line)
                    if arguments.write:
                        write(PAGE, known, megabytes, arguments.copies, arguments.compiled)
        except CorpusError as error:
            print(f"large.py: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
