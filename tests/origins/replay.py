"""Replays the origin of a family of rules: a program in the shape of the original before its change."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from warm_python import DYNAMO, TORCH, python

from overhead_lint.cli.main import main

if TYPE_CHECKING:
    import subprocess

    import pytest

_ROOT = Path(__file__).parents[2]
_PROGRAMS = Path(__file__).parent.parent / "data" / "origins"
_EVIDENCE = "overhead.json"
_COMPILING = frozenset({"cold", "flag", "state", "tutorial"})
"""Programs that compile something."""
# Fixes may import the runtime where it is declared.
_PROJECT = """\
[project]
name = "origin"
version = "1"
dependencies = ["overhead-lint"]

[tool.overhead-lint]
target-torch = "{target}"
"""
_CONFTEST = """
from overhead_lint.probes.api import Metric, MetricKind, Reading

{counter}

class Probe:
    def __init__(self, *, attribute):
        self.counter = Counter()
    def start(self, metrics):
        self.counter.start()
    def stop(self):
        return Reading({{"counted": self.counter.stop()}}, {{}})

def pytest_overhead_probes():
    return [(Probe, [Metric("counted", MetricKind.COUNT, "counted by hand")])]
"""


class Origin:
    """A copy of a program: linted with default settings, fixed, run, and held to budgets.

    Args:
        name: its folder in ``tests/data/origins``, with a ``main.py``.
        folder: an empty folder for the copy.
        printed: pytest's fixture ``capsys``.
        target: the oldest torch that the project says it runs with.
    """

    def __init__(
        self, name: str, folder: Path, printed: pytest.CaptureFixture[str], target: str = "2.13"
    ) -> None:
        self.folder = folder
        self._name = name
        self._printed = printed
        shutil.copytree(_PROGRAMS / name, folder, dirs_exist_ok=True)
        (folder / "pyproject.toml").write_text(_PROJECT.format(target=target))

    def write(self, name: str, old: str, new: str) -> None:
        """Change a file by hand, as a rule's page says where there is no fix."""
        path = self.folder / name
        text = path.read_text()
        assert text.count(old) == 1, f"{name} has {text.count(old)} times: {old}"
        path.write_text(text.replace(old, new))

    def text(self, name: str) -> str:
        """Return the text of a file."""
        return (self.folder / name).read_text()

    def line(self, name: str, part: str) -> int:
        """Return the one line of a file that has a text."""
        (number,) = (i for i, line in enumerate(self.text(name).splitlines(), 1) if part in line)
        return number

    def places(self, name: str, *parts: str) -> set[tuple[str, int]]:
        """Return a file and the lines in it that have each text, as `findings` and `executed` name them."""
        return {(name, self.line(name, part)) for part in parts}

    def findings(self, code: str) -> dict[tuple[str, int], dict[str, Any]]:
        """Return what a rule says with default settings, by file and line."""
        self._printed.readouterr()
        status = main(["--output-format", "json", "--no-cache", str(self.folder)])
        content = json.loads(self._printed.readouterr().out)
        assert status in (0, 1)
        found = [finding for finding in content if finding["code"] == code]
        return {(self._relative(finding["path"]), finding["line"]): finding for finding in found}

    def fix(self, *options: str) -> None:
        """Apply fixes; the folder is a project of its own, which may import the runtime."""
        assert main([*options, "--fix", "--no-cache", str(self.folder)]) in (0, 1)

    def script(self, text: str, *, fresh: bool = False) -> str:
        """Run a text as a program in the folder, and return what it prints.

        Args:
            text: the program.
            fresh: in a process that shares no addresses and hashes with that of another.
        """
        done = self.python("-c", text, fresh=fresh)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, *options: str) -> str:
        """Run ``main.py`` under ``overhead-lint run`` and return what it prints."""
        done = self.python("-m", "overhead_lint", "run", "-o", _EVIDENCE, *options, "main.py")
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, *arguments: str, fresh: bool = False) -> subprocess.CompletedProcess[str]:
        """Run Python in the folder."""
        # Optimizers import Dynamo when they step.
        compiles = self._name in _COMPILING or arguments[0] == "-m"
        modules = () if fresh else DYNAMO if compiles else TORCH
        environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
        return python(*arguments, cwd=self.folder, env=environment, modules=modules)

    @property
    def evidence(self) -> dict[str, Any]:
        """What the last run measured."""
        content: dict[str, Any] = json.loads(self.text(_EVIDENCE))
        return content

    def executed(self, code: str) -> dict[tuple[str, int], float]:
        """Return how often a step the last run executed each finding of a rule, by file and line."""
        evidence = self.evidence
        return {
            (self._relative(entry["path"]), entry["line"]): entry["executions"] / evidence["steps"]["count"]
            for entry in evidence["findings"]
            if entry["code"] == code and entry["executions"]
        }

    def costs(self, code: str) -> dict[tuple[str, int], float]:
        """Return what the last run measured that one execution of each finding of a rule takes, in seconds.

        That is at its place, or by the timing case of its rule, on this machine.
        """
        return {
            (self._relative(entry["path"]), entry["line"]): entry["place_seconds"] or entry["before_seconds"]
            for entry in self.evidence["findings"]
            if entry["code"] == code and entry["executions"]
        }

    def _relative(self, path: str) -> str:
        return str((self.folder / path).resolve().relative_to(self.folder.resolve()))


class Program(Protocol):
    """The fixture ``program``."""

    def __call__(self, name: str, target: str = "2.13") -> Origin:
        """Copy a program into a folder of its own."""


def over_budget(origin: Origin, text: str, *options: str, metric: str = "") -> list[str]:
    """Hold a program to budgets in a test file of its own.

    Args:
        origin: the program.
        text: the test file.
        options: for pytest.
        metric: a class ``Counter`` with ``start`` and ``stop``, which gives the metric ``counted``.

    Returns:
        What is said of budgets that are not kept, as ``contexts 3 > 0``, test by test; nothing where all are.
    """
    if metric:
        (origin.folder / "conftest.py").write_text(_CONFTEST.format(counter=metric))
    (origin.folder / "check_budgets.py").write_text(text)
    (origin.folder / "pytest.ini").write_text("[pytest]\npython_files = check_*.py\n")
    quiet = ["-p", "no:cacheprovider", "-p", "no:asyncio", "-p", "no:hypothesispytest", "-q"]
    done = origin.python("-m", "pytest", *quiet, *options, "check_budgets.py")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r"^OVER BUDGET \S+ - Failed: (.*)$", done.stdout, re.MULTILINE)
    assert bool(found) == bool(done.returncode), done.stdout
    return found
