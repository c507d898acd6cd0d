"""Times the linter on the corpus, beside other linters, and writes docs/performance.md.

    python benchmarks/lint.py                     the table (downloads the corpus and the other tools once)
    python benchmarks/lint.py --write             rewrites docs/performance.md
    python benchmarks/lint.py --package litgpt    on some packages only

Figures are CPU seconds of the process and its children, the least of some runs, and the peak memory of
the largest of them. Tools that take many minutes for the whole corpus run on a sample, litgpt.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from corpus import cache_folder
from corpus_files import CorpusError, download, requirements, unpack
from tabulate import tabulate

DOCS = Path(__file__).parent.parent / "docs"
PEERS = ("ruff==0.17.5", "flake8==7.5.0", "fixit==2.1.0", "pylint==3.3.9", "perflint==0.8.1")
SAMPLE = "litgpt"
SCALED = "litgpt"
CHANGED = 10
_CONCISE = ("--output-format", "concise")


class Run(NamedTuple):
    """What one command took.

    Attributes:
        cpu: seconds of processor time, children included.
        wall: seconds from start to end.
        memory: peak of the largest process, in MB.
    """

    cpu: float
    wall: float
    memory: float


class Row(NamedTuple):
    """A line of the table: what ran, over how much source, and what it took at least."""

    what: str
    megabytes: float
    run: Run


def timed(command: Sequence[str], folder: Path, status: Sequence[int] = (0, 1)) -> Run:
    """Run a command once.

    Raises:
        CorpusError: it ended with another status than these.
    """
    # An installed package is compiled: a checkout whose modules are compiled in each run says nothing.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors, env=environment
        )
        _, ended, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(ended)
        if process.returncode not in status:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise CorpusError(f"{' '.join(command)}: status {process.returncode}: {said[-1]}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def least(
    repeat: int,
    command: Sequence[str],
    folder: Path,
    before: Callable[[], None] = lambda: None,
    status: Sequence[int] = (0, 1),
) -> Run:
    """The least that a command takes in some runs, `before` done ahead of each."""
    runs = []
    for _ in range(repeat):
        before()
        runs.append(timed(command, folder, status))
    best = min(runs, key=lambda run: run.cpu)
    return best._replace(memory=max(run.memory for run in runs))


def peers(folder: Path) -> Path:
    """The ``bin`` folder of an environment with the other tools, made when it is not there.

    Raises:
        CorpusError: they cannot be installed.
    """
    done = folder / "done.txt"
    wanted = "\n".join(PEERS)
    if not done.is_file() or done.read_text(encoding="utf-8") != wanted:
        venv.create(folder, clear=True, with_pip=True)
        command = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *PEERS]
        installed = subprocess.run(command, capture_output=True, text=True, check=False)
        if installed.returncode:
            raise CorpusError(f"pip install failed: {installed.stderr.strip().splitlines()[-1]}")
        done.write_text(wanted, encoding="utf-8")
    return folder / "bin"


def size(folder: Path) -> float:
    """Megabytes of Python source below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*.py")) / 1e6


def chosen(folder: Path) -> list[Path]:
    """The files that are changed, the same in each run."""
    files = sorted(path for path in folder.rglob("*.py") if path.stat().st_size)
    return random.Random(0).sample(files, min(CHANGED, len(files)))


def change(files: Sequence[Path]) -> None:
    """Append a comment to files, as an edit that moves nothing does."""
    for path in files:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"# {time.time_ns()}\n")
    time.sleep(0.1)  # a file that has only just changed is read again by the next run, too


def ours(*options: str, paths: Sequence[Path | str] = (".",)) -> list[str]:
    """Our command line, that of this checkout."""
    command = [sys.executable, "-m", "overhead_lint", "check", "--isolated", "-q"]
    return [*command, *options, *map(str, paths)]


def rows(folders: dict[str, Path], work: Path, tools: Path, repeat: int) -> Iterator[Row]:
    """All measurements, the quick ones first."""
    whole = work / "corpus"
    for name, folder in folders.items():
        shutil.copytree(folder, whole / name)
    (whole / "pyproject.toml").touch()  # marks the root of the project for runs that are given files
    megabytes = size(whole)
    start = [sys.executable, "-m", "overhead_lint", "--help"]
    yield Row("overhead-lint --help", 0, least(repeat, start, work))
    ruff = [str(tools / "ruff"), "check", "--isolated", "--no-cache", "--select", "PERF,B", "-q", "."]
    os.environ["RAYON_NUM_THREADS"] = "1"
    yield Row("Ruff, PERF and B, one thread, no cache", megabytes, least(repeat, ruff, whole))
    cold = least(1, ours("-j", "1", *_CONCISE), whole)
    yield Row("overhead-lint, cold, empty cache, one process", megabytes, cold)
    yield Row("overhead-lint, warm", megabytes, least(repeat, ours(*_CONCISE), whole))
    files = chosen(whole)
    edited = least(repeat, ours(*_CONCISE), whole, lambda: change(files))
    yield Row(f"overhead-lint, {len(files)} files changed", megabytes, edited)
    given = [path.relative_to(whole) for path in files]
    fixed = least(repeat, ours("--diff", paths=given), whole, lambda: change(files))
    yield Row(f"overhead-lint --diff, the {len(files)} changed files given", megabytes, fixed)
    yield from _scaled(folders.get(SCALED), work)
    sample = folders.get(SAMPLE)
    if sample is not None:
        yield from _slow(sample, tools)


def _scaled(folder: Path | None, work: Path) -> Iterator[Row]:
    """One package once, twice and four times."""
    if folder is None:
        return
    for times in (1, 2, 4):
        target = work / f"scaled{times}"
        for number in range(times):
            shutil.copytree(folder, target / f"copy{number}")
        run = least(1, ours("--no-cache", "-j", "1", *_CONCISE), target)
        yield Row(f"overhead-lint, cold, {SCALED} {times} times", size(target), run)


def _slow(sample: Path, tools: Path) -> Iterator[Row]:
    """The tools that take too long for the whole corpus, and ours beside them."""
    megabytes = size(sample)
    ruff = [str(tools / "ruff"), "check", "--isolated", "--no-cache", "--select", "PERF,B", "-q", "."]
    yield Row(f"Ruff, PERF and B, {SAMPLE}", megabytes, least(5, ruff, sample))
    cold = ours("--no-cache", "-j", "1", *_CONCISE)
    yield Row(f"overhead-lint, cold, {SAMPLE}", megabytes, least(3, cold, sample))
    flake8 = [str(tools / "flake8"), "--isolated", "--select", "F", "-j", "1", "-q", "."]
    yield Row(f"flake8, F, {SAMPLE}", megabytes, least(1, flake8, sample))
    fixit = [str(tools / "fixit"), "--rules", "fixit.rules.use_fstring", "lint", "."]
    yield Row(f"Fixit, one rule, {SAMPLE}", megabytes, least(1, fixit, sample))
    perflint = [str(tools / "pylint"), "--load-plugins=perflint", "--disable=all", "-j", "1"]
    perflint += [
        "--enable=loop-invariant-statement,use-tuple-over-list,unnecessary-list-cast",
        "--recursive=y",
    ]
    yield Row(
        f"pylint with perflint, {SAMPLE}", megabytes, least(1, [*perflint, "."], sample, status=range(32))
    )


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

Written by `python benchmarks/lint.py --write` on {date}, Python {python}, {machine}; do not edit.
Measured on {packages}, of [the corpus](corpus.md): {files} files, {lines} lines. CPU seconds are those
of the process and its children, the least of up to {repeat} runs, start-up included, on a machine that
had other work to do: ratios say more than seconds. Other tools: {peers}.

{table}

*Cold* reads, parses, sums up and lints every file, lets heat flow through the whole project and, with a
cache, keeps what was learned. *Warm* is a second run over the same files: their sizes and times of change
are compared, and what was found is shown again. After an edit that leaves the calls of a file as they were,
only that file is looked into; an edit that changes them, or moves a hot loop to another line, has heat flow
anew through the whole project. Where files are given, as pre-commit gives them, the others' heat comes from
the cache.

A cold run is no match for Ruff: Python's own parser alone, which a project graph needs for every file, takes
five times as long as all of Ruff does. `-j` shares a cold run among processes; that changes the time you
wait, not the CPU seconds.

## All of the corpus

5,255 files, 95 MB, taken by hand on 2026-11-22 with a state of the program of an hour before, beside other
work that kept the two processors at a load of 14, so that the ratios suffer, too. Cold with JSON output, one
run: 167 s, 358 MB at most (Ruff, PERF and B, the least of 3: 2.2 s, 93 MB). Warm, the least of 9: 0.21 s,
29 MB. Ten files changed, the least of 3: 0.51 s, 154 MB; `--diff` of ten changed files given, the least of 2:
0.44 s, 152 MB.

Aimed at, and not reached: a cold run in five times Ruff's time, and 100 times faster than Fixit and perflint;
with 5,800 files in the project, warm in 0.12 s, ten changed files in 0.15 s and `--diff` of them in 0.4 s;
120 MB at most for a project of that size. Half of the memory is the project graph's. After an edit, the
cache's data file, 40 MB here, is read and written whole.
"""


def page(found: Sequence[Row], folders: dict[str, Path], repeat: int) -> str:
    """The text of docs/performance.md."""
    files = [path for folder in folders.values() for path in folder.rglob("*.py")]
    lines = sum(path.read_bytes().count(b"\n") for path in files)
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
    )


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        CorpusError: the corpus or a tool cannot be had, or a command failed.
    """
    wheels = arguments.dir / "wheels"
    download(wheels)
    folders = {
        package.name: unpack(package, wheels, arguments.dir / "src")
        for package in requirements()
        if not arguments.package or package.name in arguments.package
    }
    tools = peers(arguments.dir / "tools")
    found = []
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as work:
        for row in rows(folders, Path(work), tools, arguments.repeat):
            print(
                f"{row.what}: {row.run.cpu:.2f} s CPU, {row.run.memory:.0f} MB", file=sys.stderr, flush=True
            )
            found.append(row)
    print(table(found))
    if arguments.write:
        (DOCS / "performance.md").write_text(page(found, folders, arguments.repeat), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when something cannot be had or measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and tools are kept")
    parser.add_argument("--package", action="append", metavar="NAME", help="only this package (repeatable)")
    parser.add_argument("--repeat", type=int, default=5, help="runs of the quick commands (default 5)")
    parser.add_argument("--write", action="store_true", help="rewrite docs/performance.md")
    try:
        run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"lint: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
