"""Runs the tests on other versions of torch and Python; prints a row of its log for each.

``make matrix TORCH="2.12.1 2.13.0" PYTHON="3.10 3.12"``. An environment for each pair is made once, below
``build/matrix``, with the pinned requirements. Tests skip by feature what a version lacks: the reasons are
printed with their numbers, the commonest first. Ends with 1 where a test failed, or nothing could be run.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree

ROOT: Final = Path(__file__).resolve().parents[1]
CPU_INDEX: Final = "https://download.pytorch.org/whl/cpu"
_MOST_REASONS: Final = 8
_WHOLE: Final = (0, 1)
"""What pytest ends with where all tests ran: they passed, or some failed."""


class NotThere(Exception):
    """A Python that cannot be found, or an environment that cannot be made; the message is one line."""


class Outcome(NamedTuple):
    """What the tests did.

    Attributes:
        passed: how many.
        failed: those that failed or broke, by name.
        skipped: how many, by the reason that they give.
    """

    passed: int
    failed: tuple[str, ...]
    skipped: Counter[str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for, and return the exit status."""
    found = _parser().parse_args(arguments)
    broken = False
    for python in found.python.split():
        for torch in found.torch.split():
            try:
                outcome = _run(python, version_of(torch), found.tests.split(), found.folder)
            except NotThere as error:
                print(f"Python {python}, torch {torch}: {error}", file=sys.stderr)
                broken = True
                continue
            print("\n".join(told(python, version_of(torch), outcome)), flush=True)
            broken |= bool(outcome.failed)
    return 1 if broken else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--torch", default="2.13.0", help="versions, such as '2.12.1 2.13.0'")
    parser.add_argument("--python", default=f"{sys.version_info.major}.{sys.version_info.minor}")
    parser.add_argument("--tests", default="tests", help="files and folders to run")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "matrix", help="for environments")
    return parser


def version_of(torch: str) -> str:
    """Return ``2.12.1`` for ``torch==2.12.1``, too, as other targets of make are given it."""
    return torch.removeprefix("torch==")


def python_named(name: str) -> str:
    """Return the interpreter of a version, or the one of that name.

    Raises:
        NotThere: there is none.
    """
    is_version = re.fullmatch(r"3[.]\d+([.]\d+)?", name) is not None
    short = ".".join(name.split(".")[:2])
    found = shutil.which(f"python{short}" if is_version else name)
    if found and (not is_version or _answers(found, short)):
        return found
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = sorted(versions.glob(f"{name}*/bin/python"), reverse=True) if is_version else []
    for candidate in candidates:
        if _answers(str(candidate), short):
            return str(candidate)
    raise NotThere(f"there is no {name} on the path, nor below {versions}")


def _answers(python: str, version: str) -> bool:
    """Whether an interpreter runs and is of a version: a shim of pyenv may lead nowhere."""
    ask = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


def _run(python: str, torch: str, tests: Sequence[str], folder: Path) -> Outcome:
    place = folder / f"{python}-torch{torch}"
    _make(place, python_named(python), torch)
    report = place / "junit.xml"
    report.unlink(missing_ok=True)
    options = ["-q", "-p", "no:cacheprovider", f"--junitxml={report}", *tests]
    status = subprocess.run(
        [str(place / "bin/python"), "-m", "pytest", *options], cwd=ROOT, check=False
    ).returncode
    if (
        status not in _WHOLE or not report.exists()
    ):  # the report of a run that was broken off names no failure
        raise NotThere(f"the tests did not run to their end: pytest ended with status {status}")
    return outcome_of(report)


def _make(place: Path, python: str, torch: str) -> None:
    """Make an environment; one that was made whole before stays.

    Raises:
        NotThere: something could not be installed.
    """
    ready = place / ".ready"
    if ready.exists():
        return
    pip = [str(place / "bin/python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    steps = [[python, "-m", "venv", "--clear", str(place)]]
    if "+" not in torch and not shutil.which("nvidia-smi"):  # torch's build for CPUs, where there is one
        subprocess.run(steps.pop(), check=True)
        cpu = [
            "--retries",
            "1",
            "--timeout",
            "20",
            "--no-deps",
            "--index-url",
            CPU_INDEX,
            f"torch=={torch}+cpu",
        ]
        subprocess.run([*pip, *cpu], check=False, stderr=subprocess.DEVNULL)
    steps.append([*pip, "-r", str(ROOT / "requirements/dev.txt"), f"torch=={torch}"])
    steps.append([*pip, "-e", f"{ROOT}[pytest,dev]"])
    for step in steps:
        if subprocess.run(step, check=False).returncode:
            raise NotThere(f"cannot be set up: {' '.join(step[1:])}")
    ready.touch()


def outcome_of(report: Path) -> Outcome:
    """Return what a JUnit report says."""
    passed, failed, skipped = 0, [], Counter[str]()
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        elif skip is None:
            passed += 1
        else:
            skipped[skip.get("message") or "no reason"] += 1
    return Outcome(passed, tuple(failed), skipped)


def told(python: str, torch: str, outcome: Outcome) -> Iterator[str]:
    """Return a row of the log, and below it what failed and why tests were skipped."""
    counts = f"{outcome.passed:,} | {len(outcome.failed):,} | {outcome.skipped.total():,}"
    yield f"| {python} | {torch} | {counts} |"
    for name in outcome.failed:
        yield f"  failed: {name}"
    for reason, number in outcome.skipped.most_common(_MOST_REASONS):
        yield f"  skipped {number}: {' '.join(reason.split())}"
    if len(outcome.skipped) > _MOST_REASONS:
        yield f"  and {len(outcome.skipped) - _MOST_REASONS} more reasons"


if __name__ == "__main__":
    sys.exit(main())
