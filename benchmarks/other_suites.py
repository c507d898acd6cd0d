"""What the plugin changes and costs in test suites of others.

    python benchmarks/other_suites.py FOLDER TESTS... [--rounds N] [-- PYTEST OPTIONS]

Runs tests of a project in its folder, in turn: without the plugin, with it and no option, and with budgets of
all that can be counted here, which no test can exceed. Each test must end alike in all three. What is printed
are outcomes, and the ratio of the processor time (user and system, of the whole session) to that without the
plugin: of the least times, since other work on the machine only ever adds, and of the medians of pairs.
Ends with 1 where a test ended otherwise.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree

from overhead_lint.probes import METRICS, MetricKind

_WHOLE: Final = (0, 1)
"""What pytest ends with where all tests ran."""
_OF_DEVICES: Final = ("copies_", "event_", "stream_", "device_", "alloc", "peak_bytes")
"""Metrics that need a device, by how they begin."""
_HUGE: Final = 10**15


class Session(NamedTuple):
    """One run of the suite.

    Attributes:
        outcomes: by test.
        seconds: of the processor.
    """

    outcomes: Mapping[str, str]
    seconds: float


def forms() -> dict[str, list[str]]:
    """Options of pytest by what they stand for; the first is what the others are compared with."""
    counts = [
        name
        for name, metric in METRICS.items()
        if metric.kind is MetricKind.COUNT and not name.startswith(_OF_DEVICES)
    ]
    limits = "\n".join(f"{name} <= {_HUGE}" for name in counts)
    return {
        "without the plugin": ["-p", "no:overhead"],
        "plugin, no option": [],
        "budgets of all counts": ["--overhead-budget", "-o", f"overhead_budget_defaults={limits}"],
    }


def run(folder: Path, options: Sequence[str]) -> Session:
    """Run the tests once.

    Raises:
        SystemExit: they did not run to their end.
    """
    with tempfile.TemporaryDirectory() as work:
        report = Path(work) / "junit.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            [*command, *options], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in _WHOLE:
            sys.exit(
                f"pytest ended with status {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
            )
        taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Session(outcomes_in(report), taken)


def outcomes_in(report: Path) -> dict[str, str]:
    """Return how each test of a JUnit report ended."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        ended = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        found[f"{case.get('classname')}::{case.get('name')}"] = ended[0] if ended else "passed"
    return found


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Return the tests that ended otherwise, with how."""
    names = sorted(one.keys() | other.keys())
    return [
        f"{name}: {one.get(name, 'not run')} -> {other.get(name, 'not run')}"
        for name in names
        if one.get(name) != other.get(name)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    given = list(sys.argv[1:] if arguments is None else arguments)
    cut = given.index("--") if "--" in given else len(given)
    found = parser.parse_args(given[:cut])
    asked = [*found.tests, *given[cut + 1 :]]
    sessions: dict[str, list[Session]] = {name: [] for name in forms()}
    for _ in range(found.rounds):
        for name, options in forms().items():
            sessions[name].append(run(found.folder, [*options, *asked]))
            print(f"{name}: {sessions[name][-1].seconds:.2f} s", file=sys.stderr, flush=True)
    reference, *others = sessions
    print(f"{reference}: {dict(Counter(sessions[reference][0].outcomes.values()))}")
    wrong = [
        line
        for one in sessions[reference]
        for line in differing(sessions[reference][0].outcomes, one.outcomes)
    ]
    for name in others:
        pairs = list(zip(sessions[reference], sessions[name], strict=True))
        changed = [line for before, after in pairs for line in differing(before.outcomes, after.outcomes)]
        least = min(after.seconds for _, after in pairs) / min(before.seconds for before, _ in pairs)
        median = statistics.median(after.seconds / before.seconds for before, after in pairs)
        print(f"{name}: {len(changed)} ended otherwise; least {least:.3f}, median of pairs {median:.3f}")
        wrong += changed
    print(*sorted(set(wrong)), sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
