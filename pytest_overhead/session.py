"""What one pytest session knows: its mode, the budget file, and the results of its tests."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.probes import METRICS, MetricKind
from overhead_lint.probes.metrics import needs_dynamo
from pytest_overhead.budgets import Budget
from pytest_overhead.file import BudgetFile
from pytest_overhead.verdict import PREFIX

if TYPE_CHECKING:
    import pytest

__all__ = ["FILE_NAME", "RECORDED", "Plan", "Result", "Session"]

FILE_NAME = "overhead-budget.toml"

# Creation depends on how warm torch's pools of events and streams are, so it is not the test's own.
RECORDED = frozenset(
    name
    for name, metric in METRICS.items()
    if metric.kind is MetricKind.COUNT and not name.endswith("_create")
)
"""Metrics that are measured where no budget names any, and that --overhead-update writes."""


@dataclass(frozen=True)
class Plan:
    """What is to be done for one test."""

    budget: Budget = field(default_factory=Budget)
    """Limits of the marker and, with --overhead-budget, of the file; the marker wins."""
    survey: bool = False
    """Measure everything that can be."""
    fixture: bool = False
    """The test measures blocks of its own."""

    @property
    def metrics(self) -> frozenset[str]:
        """What to measure around the body; nothing of a survey when the test has no torch."""
        survey = RECORDED if self.survey and "torch" in sys.modules else frozenset()
        return survey | self.budget.limits.keys()

    @property
    def watches_dynamo(self) -> bool:
        """Whether compilations in fixtures matter."""
        return self.fixture or needs_dynamo(self.metrics)


@dataclass
class Result:
    """How one test ended."""

    values: dict[str, float] = field(default_factory=dict)
    passed: bool = False
    verdict: str = ""


@dataclass
class Session:
    """Options and results of a session."""

    path: Path
    enforce: bool = False
    update: bool = False
    file: BudgetFile | None = None
    results: dict[str, Result] = field(default_factory=dict)
    devices: set[str] = field(default_factory=set)

    def intent(self) -> str:
        """What this session does with the budget file, in a few words."""
        if self.update:
            return f"writing {self.path.name}"
        if self.file is None:
            return f"no {self.path.name}: measuring, enforcing markers and fixtures only"
        return f"enforcing {self.path.name} ({len(self.file.tests)} tests)"

    @property
    def survey(self) -> bool:
        """Whether all tests are measured."""
        return self.update or (self.enforce and self.file is None)

    def plan(self, nodeid: str, marked: Budget | None, *, fixture: bool) -> Plan | None:
        """What to do for a test, None for nothing."""
        filed: Mapping[str, float] = {}
        if self.enforce and not self.update and self.file is not None:
            filed = self.file.tests.get(nodeid, {})
        if not (marked or filed or self.survey or fixture):
            return None
        own = marked or Budget()
        return Plan(Budget({**filed, **own.limits}, own.warmup), self.survey, fixture)

    def note(self, report: pytest.TestReport) -> None:
        """Take a test's numbers out of its report, which may come from another process."""
        if report.when != "call":
            return
        mine = {
            str(name)[len(PREFIX) :]: value
            for name, value in report.user_properties
            if str(name).startswith(PREFIX)
        }
        if not mine:
            return
        if isinstance(device := mine.pop("device", None), str):
            self.devices.add(device)
        verdict = str(mine.pop("verdict", ""))
        values = {name: value for name, value in mine.items() if isinstance(value, (int, float))}
        self.results[report.nodeid] = Result(values, report.passed, verdict)

    def updated(self) -> BudgetFile:
        """The file's content with the counts of the tests that passed in this session."""
        old = self.file or BudgetFile()
        tests = {test: dict(limits) for test, limits in old.tests.items()}
        for test, result in self.results.items():
            counts = {name: value for name, value in result.values.items() if name in RECORDED}
            if result.passed and counts:
                tests[test] = {**tests.get(test, {}), **counts}
        return BudgetFile(tests, self.fingerprint())

    def fingerprint(self) -> dict[str, str]:
        """What counts depend on: versions and the kind of device."""
        try:
            torch = metadata.version("torch")
        except metadata.PackageNotFoundError:
            torch = "none"
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        return {"torch": torch, "python": python, "device": "+".join(sorted(self.devices)) or "cpu"}
