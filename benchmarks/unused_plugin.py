"""What the pytest plugin adds to sessions that have no use for it.

Run with ``python benchmarks/unused_plugin.py [--pairs N] [--starts N] [--suites N]``. All is processor time
(user and system), as waiting for a busy processor is no part of it. The first two parts are about a session
of 1,000 trivial tests without an option of the plugin:

- what is done once: importing the plugin, and its options and hooks, in fresh interpreters that have
  imported pytest;
- the session itself. Sessions with the plugin and with ``-p no:overhead`` alternate in one process, and their
  order changes from pair to pair, so that neither the interpreter's start nor a change of the machine's speed
  falls on one side. The plugin adds far less than such sessions differ by themselves, so its hooks are
  registered twenty times, as if it were twenty plugins, and the difference is divided by twenty.

Of each part it prints the median (of differences of pairs for the second), with an interval that holds the
true median in 95 of 100 cases, by ranks alone; the sum of both, with the sum of the intervals, is the figure.
It also says whether a session with the plugin imported torch.

The third part is ``--overhead-budget`` on 100 tests that run torch and compile nothing: whole processes
with it and with ``-p no:overhead`` alternate. Other work on the machine only ever adds to one, so the figure
is the ratio of the least of each side.

The status is 1 where the interval of the first figure is not below 5 ms, or the second is above 1.02.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

TESTS: Final = 1000
LIMIT_MS: Final = 5.0
TORCH_TESTS: Final = 100
LIMIT_RATIO: Final = 1.02
COPIES: Final = 20
_NAME: Final = "overhead"
_IMPORT: Final = """
import time
import pytest, _pytest.terminal, _pytest.python  # what any session has imported by then
from _pytest.config import PytestPluginManager
from _pytest.config.argparsing import Parser
manager, parser = PytestPluginManager(), Parser(_ispytest=True)
start = time.process_time_ns()
import pytest_overhead.plugin
pytest_overhead.plugin.pytest_addoption(parser)
pytest_overhead.plugin.pytest_addhooks(manager)
print(time.process_time_ns() - start)
"""
_SESSIONS: Final = """
import contextlib, gc, io, json, sys, time, types
import pytest
import pytest_overhead.plugin as plugin
copies, pairs, *options = json.loads(sys.argv[1])
def copy(number):
    found = types.ModuleType(f"copy_{number}")
    hooks = {name: value for name, value in vars(plugin).items() if not name.startswith("__")}
    vars(found).update(hooks)
    del found.pytest_addoption, found.pytest_addhooks  # names can be added once
    return found
def session(*more):
    plugins = [] if more else [copy(number) for number in range(copies - 1)]
    gc.collect()
    with contextlib.redirect_stdout(io.StringIO()) as told:
        start = time.process_time_ns()
        status = pytest.main([*options, *more], plugins)
        taken = time.process_time_ns() - start
    if status:
        raise SystemExit(told.getvalue())
    return taken
without = ("-p", "no:overhead")
session(), session(*without)  # imports, and writes bytecode
taken = []
for pair in range(pairs):
    first, second = (without, ()) if pair % 2 else ((), without)
    one, other = session(*first), session(*second)
    taken.append((one, other) if pair % 2 else (other, one))
print(json.dumps({"taken": taken, "torch": "torch" in sys.modules}))
"""


def imported(folder: Path) -> float:
    """Milliseconds of what is done once, in an interpreter of its own."""
    return int(_python(folder, _IMPORT)) / 1e6


def sessions(folder: Path, pairs: int) -> tuple[list[tuple[float, float]], bool]:
    """Run pairs of sessions.

    Returns:
        Milliseconds without the plugin, and what one adds to them, by pair; whether torch was imported.
    """
    options = ["-q", "-p", "no:cacheprovider", *_without_others(), "test_it.py"]
    found: dict[str, Any] = json.loads(_python(folder, _SESSIONS, json.dumps([COPIES, pairs, *options])))
    taken = [(without / 1e6, (used - without) / COPIES / 1e6) for without, used in found["taken"]]
    return taken, bool(found["torch"])


def suites(folder: Path, pairs: int) -> list[tuple[float, float]]:
    """Seconds of processes without the plugin and with ``--overhead-budget``, by pair; tests use torch."""
    text = f"import pytest, torch\n@pytest.mark.parametrize('n', range({TORCH_TESTS}))\n"
    (folder / "test_torch.py").write_text(text + "def test_adds(n): assert torch.ones(2).sum() == 2\n")
    both = (["-p", "no:overhead"], ["--overhead-budget"])
    for options in both:  # writes bytecode
        _suite(folder, options)
    found = []
    for pair in range(pairs):
        seconds = [_suite(folder, both[which]) for which in ((0, 1) if pair % 2 else (1, 0))]
        found.append((seconds[0], seconds[1]) if pair % 2 else (seconds[1], seconds[0]))
    return found


def _suite(folder: Path, options: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    arguments = ["-q", "-p", "no:cacheprovider", *_without_others(), *options, "test_torch.py"]
    _python(folder, "import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))", *arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _python(folder: Path, text: str, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder)}  # what is imported is compiled once
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", text, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout


@functools.cache
def _without_others() -> list[str]:
    """Options that leave out other installed plugins: they would add noise to both sides."""
    names = {entry.name for entry in metadata.entry_points(group="pytest11")} - {_NAME}
    return [word for name in sorted(names) for word in ("-p", f"no:{name}")]


def median(numbers: Sequence[float]) -> tuple[float, float, float]:
    """The median, and an interval around it that rests on ranks alone, so on no shape of the noise."""
    ordered, size = sorted(numbers), len(numbers)
    out = max(0, math.floor(size / 2 - 0.98 * math.sqrt(size)) - 1)
    return statistics.median(ordered), ordered[out], ordered[size - 1 - out]


def main() -> int:
    """Measure, and print; 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=40, help="pairs of sessions")
    parser.add_argument("--starts", type=int, default=40, help="interpreters that import the plugin")
    parser.add_argument("--suites", type=int, default=15, help="pairs of processes that run tests of torch")
    found = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_it.py").write_text("".join(f"def test_{n}(): pass\n" for n in range(TESTS)))
        imported(folder)  # writes bytecode
        starts = median([imported(folder) for _ in range(found.starts)])
        pairs, torch = sessions(folder, found.pairs)
        processes = suites(folder, found.suites)
    added = median([more for _, more in pairs])
    bare = statistics.median(without for without, _ in pairs)
    whole = [start + more for start, more in zip(starts, added, strict=True)]
    print(f"{TESTS} tests without the plugin: {bare:.0f} ms in the session")
    print("once:                 {:+.2f} ms ({:+.2f} to {:+.2f})".format(*starts))
    print("in the session:       {:+.2f} ms ({:+.2f} to {:+.2f})".format(*added))
    print("the plugin adds:      {:+.2f} ms ({:+.2f} to {:+.2f})".format(*whole), end="")
    print(f", {len(pairs)} pairs; ratio {1 + whole[0] / bare:.4f}; torch imported: {torch}")
    seconds, used = map(min, zip(*processes, strict=True))
    print(f"{TORCH_TESTS} tests of torch without the plugin: {seconds:.3f} s", end="; ")
    print(f"with --overhead-budget: {used:.3f} s, {len(processes)} pairs; ratio {used / seconds:.4f}")
    return 0 if whole[2] < LIMIT_MS and used / seconds <= LIMIT_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
