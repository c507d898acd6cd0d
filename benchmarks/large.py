"""Times processes and shards on a large project, in seconds and MB.

    python benchmarks/large.py FOLDER...                both parts, on folders of packages
    python benchmarks/large.py --part jobs FOLDER...    cold runs with one process, and with all processors
    python benchmarks/large.py --part shards FOLDER...  the slowest of 1, 2, 4 machines that share the graph
    python benchmarks/large.py --copies 10 FOLDER...    the same on ten times that, under other names

Each machine of a shard is one process with a copy of the cache that a run over one file has filled. All
shards run, one after the other, and the slowest counts. `--first` takes the first for it, and
`--machines 2 4` leaves one machine out. Nothing else should run meanwhile. Each figure is of one run.
A line is printed as soon as it is known, so that a run may be stopped.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from compiled_form import copied, installed, started
from corpus_files import CorpusError
from lint_runs import Run, size, timed

from overhead_lint.support.processors import usable

__all__ = ["Line", "copy_as", "jobs", "main", "shards"]

_SHARDS: Final = (1, 2, 4)
_ONE: Final = "overhead_lint_benchmark.py"
_LEFT_OUT: Final = shutil.ignore_patterns(".overhead-lint-cache", "__pycache__", ".git")


class Line(NamedTuple):
    """What was run, and what it took."""

    what: str
    run: Run

    def __str__(self) -> str:
        wall, cpu, memory = self.run.wall, self.run.cpu, self.run.memory
        return f"{self.what:<44} {wall:9.1f} s {cpu:9.1f} s of processor time {memory:8.0f} MB"


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


def jobs(command: Sequence[str], project: Path, work: Path) -> Iterator[Line]:
    """Cold runs that fill an empty cache, with one process and with one a processor."""
    for number in sorted({1, usable()}):
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
    parser.add_argument("--first", action="store_true", help="run the first shard alone")
    parser.add_argument("--copies", type=int, default=1, metavar="N", help="how often each package is there")
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
        print(f"{size(project):.1f} MB of source", flush=True)
        try:
            # A checkout may change meanwhile.
            command = started(installed(copied(work / "forms"), work / "python", ""))
            parts = {
                "jobs": jobs(command, project, work),
                "shards": shards(command, project, work, arguments.machines, arguments.first),
            }
            for part, lines in parts.items():
                for line in lines if arguments.part in (None, part) else ():
                    print(line, flush=True)
        except CorpusError as error:
            print(f"large.py: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
