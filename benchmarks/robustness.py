"""Treats the linter badly, and says what it could not bear.

    python benchmarks/robustness.py                  all cases, with 10,000 mutated files
    python benchmarks/robustness.py --count 500      fewer of them
    python benchmarks/robustness.py --only disk      one case: mutants, noise, deep, huge, unreadable,
                                                     vanishing, read-only, disk, interrupt

A problem is an exception that is no report of a file, a traceback, another exit status than the documented
ones, a fixed file that does not parse, or a file that is neither as it was nor as it should be. Mutated files
and random bytes are linted and fixed in this process; the rest runs the command line. A full disk needs
root, for a file system of its own in memory; without, a limit on the size of files stands in for it.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from robustness_texts import deep, mutants, noise, originals
from tabulate import tabulate

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Heat
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

__all__ = ["CASES", "Outcome"]

SEED: Final = 20260101
STATUSES: Final = (0, 1, 2)
CODE: Final = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        with torch.autocast("cuda"):
            return self.layer(x)
"""
_LINT: Final = (sys.executable, "-m", "overhead_lint", "--isolated")


class Outcome(NamedTuple):
    """What a case gave: how much was tried, and what went wrong."""

    tried: int
    problems: list[str]


def in_process(files: Iterable[bytes]) -> Outcome:
    """Lint and fix texts; a file may be refused, with a line, and nothing else."""
    rules = packs.select(packs.load(()), ("ALL",), (), preview=True)
    lint = Linter(rules, Settings(min_heat=Heat.PRESUMED, preview=True)).lint
    problems, tried = [], 0
    for data in files:
        tried += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                _lint_and_fix(data, lint)
        except Exception as error:  # of any kind: that is what this program looks for
            problems.append(f"{type(error).__name__}: {error} with {data[:2000]!r}")
    return Outcome(tried, problems)


def _lint_and_fix(data: bytes, lint: Callable[[Source], list]) -> None:  # type: ignore[type-arg]
    try:
        source = Source.from_bytes(Path("model.py"), data)
        found = lint(source)
    except SourceError as error:
        assert "\n" not in str(error) and "failed" not in error.message, str(error)
        return
    result = fix_file(source, lint, unsafe=True, found=found)
    if result.changed:
        ast.parse(result.after_text)


def run(
    folder: Path, *arguments: str, before: Sequence[str] = (), limit: float = 300
) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of the command line in a folder."""
    command = [*before, *_LINT, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit, check=False)
    return done.returncode, done.stdout, done.stderr


def told(what: str, status: int, err: str, statuses: Sequence[int] = STATUSES) -> list[str]:
    """The problem of a run that ended in another status, or with a traceback."""
    if status in statuses and "Traceback" not in err:
        return []
    return [f"{what}: status {status}: {err[-2000:]}"]


def deep_nesting(folder: Path, count: int) -> Outcome:
    """Texts nested or long in every way, each on its own command line."""
    problems, cases = (
        [],
        [(size, name, text) for size in (50, 1500, 60_000) for name, text in deep(size).items()],
    )
    for size, name, text in cases[: max(count, 4)]:
        path = folder / "deep.py"
        path.write_text(text)
        try:
            status, _, err = run(folder, "--no-cache", "--diff", "--unsafe-fixes", path.name, limit=120)
            problems += told(f"{name} x {size}", status, err)
        except subprocess.TimeoutExpired:
            problems.append(f"{name} x {size}: took more than 120 s")
        if path.read_text() != text:
            problems.append(f"{name} x {size}: the file was changed")
    return Outcome(min(len(cases), max(count, 4)), problems)


def huge(folder: Path, count: int) -> Outcome:
    """A file of 50 MB, beside another, and named; and a binary one."""
    problems = []
    paths = _tree(folder, 1)
    (folder / "huge.py").write_text(CODE * (50_000_000 // len(CODE)))
    (folder / "binary.py").write_bytes(bytes(1000))
    status, out, err = run(folder, "--output-format", "concise", ".", limit=60)
    problems += told("huge", status, err, (1,))
    if out.count("OVH101") != len(paths) or err.count("(left out)") != 2:
        problems.append(f"huge: {out!r} {err!r}")
    for name in ("huge.py", "binary.py"):
        status, _, err = run(folder, name, limit=60)
        problems += told(f"{name}, named", status, err, (2,))
    return Outcome(4, problems)


def _bound() -> tuple[str, ...]:
    """What makes root heed permissions."""
    if os.geteuid() != 0:
        return ()
    tool = shutil.which("setpriv")
    return (tool, "--bounding-set", "-dac_override,-dac_read_search") if tool else ()


def _tree(folder: Path, count: int) -> dict[Path, str]:
    """A package with findings in each file."""
    paths = {folder / "pkg" / f"m{number}.py": CODE for number in range(count)}
    for path, text in paths.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (folder / "requirements.txt").write_text("overhead-lint\n")  # what fixes import
    return paths


def unreadable(folder: Path, count: int) -> Outcome:
    """A file and a folder that may not be read, beside some that may."""
    paths = list(_tree(folder, 6))
    (folder / "pkg" / "closed").mkdir()
    paths[0].chmod(0)
    (folder / "pkg" / "closed").chmod(0)
    status, out, err = run(folder, "--output-format", "concise", ".", before=_bound())
    problems = told("unreadable", status, err, (2,))
    if out.count("OVH101") != 5 or "m0.py" not in err or "closed" not in err:
        problems.append(f"unreadable: {out!r} {err!r}")
    (folder / "pkg" / "closed").chmod(0o700)
    return Outcome(2, problems)


def vanishing(folder: Path, count: int) -> Outcome:
    """Files that come and go while they are linted."""
    problems, rounds = [], 8 if count >= 1000 else 2
    chance = random.Random(SEED)
    for _ in range(rounds):
        paths = list(_tree(folder, 300))
        stop = threading.Event()

        def meddle(paths: list[Path] = paths, stop: threading.Event = stop) -> None:
            while not stop.is_set():
                path = chance.choice(paths)
                with contextlib.suppress(OSError):
                    path.unlink()
                    if chance.random() < 0.5:
                        path.mkdir()
                        path.rmdir()
                    path.write_text(CODE)
                    path.unlink()

        thread = threading.Thread(target=meddle)
        thread.start()
        try:
            status, _, err = run(folder, "--fix", "--quiet", ".")
        finally:
            stop.set()
            thread.join()
        problems += told("vanishing", status, err)
        problems += _leftovers(folder)
        shutil.rmtree(folder / "pkg")
    return Outcome(rounds, problems)


def read_only(folder: Path, count: int) -> Outcome:
    """A tree that may not be written: fixes are refused, findings are shown, no cache is needed."""
    paths = _tree(folder, 4)
    for path in (*paths, folder / "pkg", folder):
        path.chmod(path.stat().st_mode & ~0o222)
    problems = []
    try:
        status, out, err = run(folder, "--output-format", "concise", ".", before=_bound())
        problems += told("read-only", status, err, (1,))
        status, out, err = run(folder, "--fix", "--output-format", "concise", ".", before=_bound())
        problems += told("read-only --fix", status, err, (2,))
        if out.count("OVH101") != 4 or err.count("not written") != 4:
            problems.append(f"read-only: {out!r} {err!r}")
    finally:
        folder.chmod(0o700)
        (folder / "pkg").chmod(0o700)
    return Outcome(2, problems + _as_they_were(paths) + _leftovers(folder))


def full_disk(folder: Path, count: int) -> Outcome:
    """``--fix`` where nothing more fits on the disk."""
    with _small_disk(folder) as (disk, before):
        paths = _tree(disk, 4)
        with contextlib.suppress(OSError), (disk / "ballast").open("wb", buffering=0) as file:
            while not before:  # until the disk is full
                file.write(bytes(512))
        status, _, err = run(disk, "--fix", "--quiet", ".", before=before)
        problems = told("full disk", status, err, (2,))
        if err.count("not written") != 4:
            problems.append(f"full disk: {err!r}")
        return Outcome(1, problems + _as_they_were(paths) + _leftovers(disk))


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """A folder on a disk of 256 KiB; where there is none, what to put before a command: a limit on files."""
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0:
        try:
            yield disk, ()
        finally:
            subprocess.run(["umount", str(disk)], check=True)
        return
    program = "import os, resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    program += "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); os.execvp(sys.argv[1], sys.argv[1:])"
    yield disk, (sys.executable, "-c", program)


def interrupt(folder: Path, count: int) -> Outcome:
    """Ctrl-C, and a kill, at any moment of ``--fix``."""
    rounds = 40 if count >= 1000 else 3
    chance = random.Random(SEED)
    fixed, problems = "", []
    start = time.perf_counter()
    paths = _tree(folder, 60)
    run(folder, "--fix", "--quiet", "--no-cache", ".")
    whole = time.perf_counter() - start
    fixed = next(iter(paths)).read_text()
    for number in range(rounds):
        paths = _tree(folder, 60)
        command = [*_LINT, "--fix", "--quiet", "."]
        process = subprocess.Popen(
            command, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        time.sleep(chance.uniform(0.2, 1.1) * whole)
        kill = number % 4 == 3
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGINT)
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, err = process.communicate()
            err += "it hung"
        statuses = (0, -signal.SIGKILL) if kill else (0, 130, -signal.SIGINT)
        problems += told("interrupt", process.returncode, err, statuses)
        half = [path.name for path in paths if path.read_text() not in (CODE, fixed)]
        problems += [f"interrupt: {name} is neither as it was nor fixed" for name in half]
        if not kill:
            problems += _leftovers(folder)
        for path in folder.rglob(".*.tmp"):
            path.unlink()
    return Outcome(rounds, problems)


def _as_they_were(paths: dict[Path, str]) -> list[str]:
    return [f"{path.name} was changed" for path, text in paths.items() if path.read_text() != text]


def _leftovers(folder: Path) -> list[str]:
    return [f"{path} was left behind" for path in folder.rglob("*.tmp")]


CASES: Final[dict[str, Callable[[Path, int], Outcome]]] = {
    "mutants": lambda folder, count: in_process(mutants(count, SEED, originals())),
    "noise": lambda folder, count: in_process(noise(max(count // 10, 20), SEED)),
    "deep": deep_nesting,
    "huge": huge,
    "unreadable": unreadable,
    "vanishing": vanishing,
    "read-only": read_only,
    "disk": full_disk,
    "interrupt": interrupt,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the cases; 1 if there were problems."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--count", type=int, default=10_000, metavar="N", help="mutated files (default 10,000)"
    )
    parser.add_argument("--only", choices=CASES, action="append", help="one case; may be repeated")
    found = parser.parse_args(argv)
    rows, failed = [], False
    for name, case in CASES.items():
        if found.only and name not in found.only:
            continue
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="robustness-") as folder:
            outcome = case(Path(folder), found.count)
        for problem in outcome.problems:
            print(f"PROBLEM {name}: {problem}", flush=True)
        failed = failed or bool(outcome.problems)
        rows.append([name, outcome.tried, len(outcome.problems), round(time.perf_counter() - start, 1)])
        print(f"{name}: {outcome.tried} tried, {len(outcome.problems)} problems", file=sys.stderr, flush=True)
    print(tabulate(rows, headers=["case", "tried", "problems", "seconds"], tablefmt="github"))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
