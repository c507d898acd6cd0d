"""Runs commands on copies of projects, and takes what processor time and memory they need."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from corpus_files import CorpusError

__all__ = ["PEERS", "Row", "Run", "change", "chosen", "least", "parser", "peers", "ruff", "size", "timed"]

PEERS = ("ruff==0.17.5", "flake8==7.5.0", "fixit==2.1.0", "pylint==3.3.9", "perflint==0.8.1")
_CHANGED = 10
_PARSE = """\
import ast, gc, pathlib, warnings
gc.disable()
warnings.simplefilter("ignore")
for path in pathlib.Path().rglob("*.py"):
    try:
        ast.parse(path.read_bytes())
    except SyntaxError:
        pass
"""


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
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024 / 1e6)


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
    return random.Random(0).sample(files, min(_CHANGED, len(files)))


def change(files: Sequence[Path], *, functions: int = 0) -> None:
    """Append a comment to files, as an edit that moves nothing does, or functions, each calling the next."""
    for path in files:
        now = time.time_ns()
        with path.open("a", encoding="utf-8") as file:
            file.write(f"# {now}\n")
            for number in range(functions):
                called = f"added_{now}_{number + 1}" if number + 1 < functions else "print"
                file.write(f"\n\ndef added_{now}_{number}(x):\n    return {called}(x)\n")
    time.sleep(0.1)  # a file that has only just changed is read again by the next run, too


def ruff(tools: Path) -> list[str]:
    """The command line of Ruff, on one thread as the environment asks for."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    return [str(tools / "ruff"), "check", "--isolated", "--no-cache", "--select", "PERF,B", "-q", "."]


def parser() -> list[str]:
    """What has Python parse all files of the working directory, and do nothing else."""
    return [sys.executable, "-c", _PARSE]
