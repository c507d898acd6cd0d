"""What the pytest plugin adds to a session of 1,000 trivial tests that does not use it.

Run with ``python benchmarks/unused_plugin.py [--rounds N]``. Sessions with and without the plugin alternate,
each in a process of its own, and their order changes from round to round, so that load on the machine
falls on both alike. A session's time runs from the import of pytest to the session's end. It also says
whether a session with the plugin imported torch.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate

TESTS = 1000
# Installed plugins other than this one would add noise to both sides.
_SESSION = """
import json, sys, time
start, cpu = time.perf_counter(), time.process_time()
import pytest
with open("out.txt", "w") as stream:
    sys.stdout = stream
    bare = ["-q", "-p", "no:cacheprovider", "--disable-plugin-autoload"]
    status = pytest.main([*bare, *sys.argv[1:], "test_it.py"])
sys.stdout = sys.__stdout__
print(json.dumps({
    "wall": time.perf_counter() - start, "cpu": time.process_time() - cpu, "status": int(status),
    "torch": "torch" in sys.modules,
}))
"""
_WITH = ("-p", "pytest_overhead.plugin")


def session(folder: Path, *options: str) -> dict[str, float]:
    """Run the tests in a process of their own; seconds, exit status, and whether torch was imported."""
    command = [sys.executable, "-c", _SESSION, *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    if found["status"] != 0:
        raise SystemExit((folder / "out.txt").read_text())
    return found


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="pairs of sessions")
    rounds = parser.parse_args().rounds
    without: list[dict[str, float]] = []
    used: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_it.py").write_text("".join(f"def test_{n}(): pass\n" for n in range(TESTS)))
        session(folder), session(folder, *_WITH)  # writes bytecode
        for number in range(rounds):
            for with_plugin in (number % 2 == 0, number % 2 != 0):
                (used if with_plugin else without).append(session(folder, *_WITH * with_plugin))
    rows = []
    for kind in ("cpu", "wall"):
        bare, loaded = [r[kind] for r in without], [r[kind] for r in used]
        pairs = [b - a for a, b in zip(bare, loaded, strict=True)]
        ratios = [b / a for a, b in zip(bare, loaded, strict=True)]
        rows.append(
            [
                kind,
                f"{min(bare) * 1e3:.0f} ms",
                f"{(min(loaded) - min(bare)) * 1e3:+.1f} ms",
                f"{statistics.median(pairs) * 1e3:+.1f} ms",
                f"{statistics.median(ratios):.3f}",
            ]
        )
    header = ["time", "least without", "least with, minus that", "median of the pairs", "median ratio"]
    print(tabulate(rows, header, disable_numparse=True))
    print(f"{TESTS} tests, {rounds} pairs; torch imported: {any(r['torch'] for r in used)}")


if __name__ == "__main__":
    main()
