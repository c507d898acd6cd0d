"""What the pytest plugin adds to a session of 1,000 trivial tests that does not use it.

Run with ``python benchmarks/unused_plugin.py [--pairs N]``. Sessions with the plugin, as pytest loads it by
itself, and with ``-p no:overhead`` alternate, each in a process of its own, and their order changes from pair
to pair, so that load on the machine falls on both alike. What is compared is the processor time of the
whole process, user and system, as the system accounts for it: waiting for a busy processor is no part
of it. The figure is the median of the differences of pairs, with an interval that holds the true median in
95 of 100 cases. It also says whether a session with the plugin imported torch.
"""

from __future__ import annotations

import argparse
import functools
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

TESTS = 1000
LIMIT_MS = 5.0
_BARE = ("-q", "-p", "no:cacheprovider", "-p", "no:terminalreporter")
_NAME = "overhead"
_LEFT_OUT = ("-p", f"no:{_NAME}")
_SESSION = """
import sys
import pytest
status = pytest.main(sys.argv[1:])
print(int(status), "torch" in sys.modules)
"""


def session(folder: Path, *options: str) -> tuple[float, bool]:
    """Run the tests in a process of their own.

    Returns:
        Its processor time in milliseconds, and whether it imported torch.
    """
    command = [sys.executable, "-c", _SESSION, *_BARE, *_without_others(), *options, "test_it.py"]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder)}  # what is imported is compiled once
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = _children_seconds()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    seconds = _children_seconds() - before
    status, torch = done.stdout.split()[-2:]
    if status != "0":
        raise SystemExit(done.stdout + done.stderr)
    return seconds * 1e3, torch == "True"


@functools.cache
def _without_others() -> list[str]:
    """Options that leave out other installed plugins: they would add noise to both sides."""
    names = {entry.name for entry in metadata.entry_points(group="pytest11")} - {_NAME}
    return [word for name in sorted(names) for word in ("-p", f"no:{name}")]


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """An interval around the median that rests on ranks alone, so on no shape of the noise."""
    ordered, size = sorted(differences), len(differences)
    out = max(0, math.floor(size / 2 - 0.98 * math.sqrt(size)) - 1)
    return ordered[out], ordered[size - 1 - out]


def main() -> int:
    """Measure, and print a line; 1 where the interval is not below the limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=100, help="pairs of sessions")
    pairs = parser.parse_args().pairs
    taken: tuple[list[float], list[float]] = ([], [])
    torch = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_it.py").write_text("".join(f"def test_{n}(): pass\n" for n in range(TESTS)))
        session(folder), session(folder, *_LEFT_OUT)  # writes bytecode
        for number in range(pairs):
            for loaded in (0, 1) if number % 2 else (1, 0):
                milliseconds, imported = session(folder, *_LEFT_OUT * (1 - loaded))
                taken[loaded].append(milliseconds)
                torch = torch or imported
    bare, used = taken
    differences = [b - a for a, b in zip(bare, used, strict=True)]
    low, high = interval(differences)
    print(f"{TESTS} tests without the plugin: {statistics.median(bare):.0f} ms, least {min(bare):.0f} ms")
    print(
        f"the plugin adds {statistics.median(differences):+.1f} ms, median of {pairs} pairs ({low:+.1f} to "
        f"{high:+.1f}); least with it, minus least without: {min(used) - min(bare):+.1f} ms"
    )
    print(f"ratio {statistics.median(used) / statistics.median(bare):.3f}; torch imported: {torch}")
    return 0 if high < LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
