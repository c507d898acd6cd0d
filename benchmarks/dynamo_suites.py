"""PyTorch's own tests of Dynamo, with `torch.compile` replaced: which outcomes differ from stock's.

    python benchmarks/dynamo_suites.py FOLDER test_hooks.py test_recompiles.py
    python benchmarks/dynamo_suites.py FOLDER test_misc.py --modes token -k fold

FOLDER is `test/dynamo` of a source release of PyTorch, which no wheel brings; nothing is fetched. Each file
runs once with stock and once in each mode, in a process of its own. A test that fails with stock too says
nothing, as those of another version of torch do, nor does one that is ended after `--each` seconds. Printed
are the tests whose outcomes differ; the exit status is 1 if some do.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

STOCK = "stock"
MODES = ("full", "token")
ENDED = "ended"
_MODE = "OVERHEAD_LINT_SUITES_MODE"
_OUTCOMES = "OVERHEAD_LINT_SUITES_OUTCOMES"
_EACH = "OVERHEAD_LINT_SUITES_EACH"
_TOO_LONG = "it takes too long"

Outcomes = dict[str, str]


def pytest_configure(config: Any) -> None:
    """Replace `torch.compile`, where this module is a plugin of pytest."""
    import torch

    import overhead_runtime

    mode, stock = os.environ[_MODE], torch.compile

    @functools.wraps(stock)
    def replaced(*args: Any, **options: Any) -> Any:
        caller = sys._getframe(1).f_globals["__name__"].partition(".")[0]
        if caller in ("torch", "overhead_runtime"):  # Both call it by this name.
            return stock(*args, **options)
        return overhead_runtime.compile(*args, guard_eval=mode, **options)

    if mode != STOCK:
        torch.compile = replaced


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """End a test that takes too long, so that the others run too."""

    def end(*_: Any) -> None:
        pytest.fail(_TOO_LONG)

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, float(os.environ[_EACH]))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def pytest_runtest_logreport(report: Any) -> None:
    """Write down how a test ended."""
    if report.when == "call" or report.outcome != "passed":
        outcome = ENDED if _TOO_LONG in report.longreprtext else report.outcome
        with Path(os.environ[_OUTCOMES]).open("a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid.partition("::")[2], outcome]) + "\n")


def outcomes(file: Path, mode: str, keyword: str, seconds: float, each: float) -> Outcomes:
    """How the tests of a file end in one mode, by name.

    Args:
        file: The tests.
        mode: How guards are evaluated, or ``STOCK``.
        keyword: What pytest's ``-k`` takes; empty for all tests.
        seconds: When to end it; what did not run until then is missing.
        each: When to end a test.
    """
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "outcomes.jsonl")
        found.touch()
        paths = [str(Path(__file__).parent), str(file.parent.parent), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            _MODE: mode,
            _OUTCOMES: str(found),
            _EACH: str(each),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", Path(__file__).stem, "-p", "no:cacheprovider"]
        command += [
            "-c",
            os.devnull,
            "--rootdir",
            str(file.parent),
            str(file),
            *(["-k", keyword] if keyword else []),
        ]
        try:
            ran = subprocess.run(
                command, env=environment, timeout=seconds, capture_output=True, text=True, check=False
            )
            if not found.stat().st_size:
                print(
                    f"{file.name}, {mode}: no test ran\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}",
                    file=sys.stderr,
                )
        except subprocess.TimeoutExpired:
            print(f"{file.name}, {mode}: ended after {seconds:.0f} s", file=sys.stderr)
        return dict(json.loads(line) for line in found.read_text(encoding="utf-8").splitlines())


def differences(stock: Outcomes, other: Outcomes) -> list[str]:
    """The tests that both ran to the end with different outcomes, each with these."""
    return [
        f"{name}: {stock[name]} with stock, {other[name]}"
        for name in sorted(stock.keys() & other.keys())
        if stock[name] != other[name] and ENDED not in (stock[name], other[name])
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line a file and mode, and one for each test that ends otherwise."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="test/dynamo of a source release of PyTorch")
    parser.add_argument("files", nargs="+", metavar="FILE", help="tests in it")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("-k", dest="keyword", default="", help="which tests, as pytest's -k")
    parser.add_argument("--seconds", type=float, default=3600.0, help="when to end a file in a mode")
    parser.add_argument("--each", type=float, default=60.0, help="seconds after which to end a test")
    found = parser.parse_args(arguments)
    missing = [name for name in found.files if not (found.folder / name).is_file()]
    if missing:
        parser.error(f"{found.folder} has no {', '.join(missing)}")
    differ = False
    for name in found.files:
        file = (found.folder / name).resolve()
        stock = outcomes(file, STOCK, found.keyword, found.seconds, found.each)
        passed = sum(one == "passed" for one in stock.values())
        print(f"{name}: {passed} of {len(stock)} pass with stock", flush=True)
        for mode in found.modes:
            other = outcomes(file, mode, found.keyword, found.seconds, found.each)
            lines = differences(stock, other)
            differ = differ or bool(lines) or not stock
            ran = {name for name in stock.keys() & other.keys() if ENDED not in (stock[name], other[name])}
            print(f"  {mode}: {len(ran)} compared, {len(lines)} differ", flush=True)
            for line in lines:
                print(f"    {line}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
