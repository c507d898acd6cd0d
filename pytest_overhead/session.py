"""What one pytest session knows: its mode, the budget file, and the results of its tests."""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.probes import METRICS, MetricKind
from overhead_lint.probes.metrics import needs_dynamo
from overhead_lint.support.plurals import count
from overhead_lint.tuples import NamedTuple
from pytest_overhead.budgets import Budget
from pytest_overhead.entries import PREFIX
from pytest_overhead.fingerprints import devices_of, differing, fingerprint_of
from pytest_overhead.limit_keys import metric_of, overlay

if TYPE_CHECKING:
    import pytest

    from overhead_lint.measure.evidence import Evidence
    from pytest_overhead.budget_file import BudgetFile

__all__ = ["FILE_NAME", "Options", "Plan", "Result", "Session", "counts_in", "recorded", "times"]

FILE_NAME = "overhead-budget.toml"


def recorded() -> frozenset[str]:
    """Metrics that are measured where no budget names any, and that --overhead-update adds to the file."""
    return frozenset(
        name for name, metric in METRICS.items() if metric.kind is MetricKind.COUNT and metric.recorded
    )


def counts_in(keys: Iterable[str]) -> frozenset[str]:
    """The metrics of these keys that are counts."""
    metrics = map(metric_of, keys)
    return frozenset(name for name in metrics if METRICS[name].kind is MetricKind.COUNT)


def times() -> frozenset[str]:
    """Metrics that --overhead-times measures and writes."""
    return frozenset(name for name, metric in METRICS.items() if metric.kind is MetricKind.TIME)


class Options(NamedTuple):
    """What the command line asks for."""

    enforce: bool = False
    """Hold tests to the file."""
    update: bool = False
    """Write the counts of tests that pass."""
    times: bool = False
    """With `update`: write times, too."""
    tighten: bool = False
    """Lower limits of the file to what was measured."""
    strict: bool = False
    """Fail tests that have costs and no budget."""
    report: Path | None = None
    """Where to write all numbers."""
    against: Path | None = None
    """A report of before to compare with."""
    numbers: Path | None = None
    """Where to write them for `overhead-lint run`, without lines."""
    source: Path | None = None
    """Where to take counts from, in place of running tests."""

    @property
    def writes(self) -> bool:
        """Whether the budget file may change."""
        return self.update or self.tighten

    @property
    def holds(self) -> bool:
        """Whether limits of the file are enforced."""
        return (self.enforce or self.tighten or self.strict) and not self.update

    @property
    def any(self) -> bool:
        """Whether anything is asked for."""
        return self.enforce or self.writes or self.strict or self.reports

    @property
    def lines(self) -> bool:
        """Whether the lines of all counts are asked for, and not only of those over their limits."""
        return self.writes or self.report is not None or self.against is not None

    @property
    def reports(self) -> bool:
        """Whether the numbers of all tests are written somewhere, or compared."""
        return any(path is not None for path in (self.report, self.numbers, self.against))


class Plan(NamedTuple):
    """What is to be done for one test."""

    budget: Budget
    """Limits of the marker and, with --overhead-budget, of the file and ini file; the marker wins."""
    survey: bool = False
    """Measure everything that can be."""
    fixture: bool = False
    """The test measures blocks of its own."""
    strict: bool = False
    """A cost without a limit is a failure."""
    detail: bool = False
    """Limits and source lines go into the report, also where the test passes."""

    asked: frozenset[str] = frozenset()
    """What somebody asks to measure who knows the test."""
    with_torch: frozenset[str] = frozenset()
    """What to measure where the test has torch."""

    @property
    def metrics(self) -> frozenset[str]:
        """What to measure around the body; neither survey nor defaults when the test has no torch."""
        return self.with_torch if "torch" in sys.modules else self.asked

    @property
    def watches_dynamo(self) -> bool:
        """Whether compilations in fixtures matter."""
        return self.fixture or needs_dynamo(self.metrics)


@dataclass(eq=False, repr=False)
class Result:
    """How one test ended."""

    values: dict[str, float] = field(default_factory=dict)
    passed: bool = False
    verdict: str = ""
    """How the budget was not kept; "" when it was."""
    faults: Sequence[Mapping[str, object]] = ()
    """Which metrics did not keep it, and how; see `pytest_overhead.stash.FAULTS`."""
    message: str = ""
    """The verdict's first line."""
    place: tuple[str, int] = ("", 0)
    """Path and line of the test."""
    device: str = ""
    """The kind of device that it ran with, where that is known."""
    others: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """How much of a count was not the test's own, by metric and by whose it was."""
    detail: Mapping[str, object] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Session:
    """Options and results of a session."""

    path: Path
    options: Options = field(default_factory=Options)
    file: BudgetFile | None = None
    defaults: Mapping[str, float] = field(default_factory=dict)
    """Limits of the ini file, for what neither marker nor budget file limits."""
    machine: str = ""
    """The class of this machine; times are kept by it."""
    gate_foreign: bool = False
    """Counts fail tests also where they were recorded with something else."""
    results: dict[str, Result] = field(default_factory=dict)
    devices: set[str] = field(default_factory=set)
    others: Mapping[str, str] = field(default_factory=dict)
    """What counts depend on, as other plugins say."""
    decided: Callable[[str, float, float], bool | None] = lambda metric, value, limit: None
    """Whether another plugin takes a value for keeping a limit; None where none has a say in it."""

    def intent(self) -> str:
        """What this session does with the budget file, in a few words."""
        if self.options.update:
            return f"writing {self.path.name}"
        if not self.options.holds:
            return "measuring, enforcing markers and fixtures only"
        if self.file is None:
            return f"no {self.path.name}: measuring, enforcing {self.otherwise} only"
        also = ", lowering limits" if self.options.tighten else ""
        return f"enforcing {self.path.name} ({count(len(self.file.tests), 'test')}){also}"

    @property
    def otherwise(self) -> str:
        """What is enforced without a budget file."""
        return "markers, fixtures and ini defaults" if self.defaults else "markers and fixtures"

    @property
    def survey(self) -> bool:
        """Whether all tests are measured."""
        options = self.options
        return options.update or options.strict or options.reports or (options.any and self.file is None)

    def plan(self, nodeid: str, marked: Budget | None, *, fixture: bool) -> Plan | None:
        """What to do for a test, None for nothing."""
        limited = self.file.limits_of(nodeid) if self.file is not None else {}
        held = self.options.holds and (limited or self.defaults)
        if not (marked or held or self.survey or fixture):
            return None
        if marked or limited:
            return self._planned(marked or Budget(), limited, fixture=fixture)
        return self._plans[fixture]

    @functools.cached_property
    def _plans(self) -> dict[bool, Plan]:
        """What to do for tests without limits of their own, by whether they use the fixture."""
        return {fixture: self._planned(Budget(), {}, fixture=fixture) for fixture in (False, True)}

    def _planned(self, own: Budget, limited: Mapping[str, float], *, fixture: bool) -> Plan:
        filed = limited if self.options.holds else {}
        defaults = self.defaults if self.options.holds else {}
        limits = overlay(filed, own.limits)
        whole = overlay(defaults, limits)
        counts = frozenset(filter(self._may_be_foreign, limits.keys() - own.limits.keys()))
        budget = own._replace(
            limits=whole,
            defaults=frozenset(whole.keys() - limits.keys()),
            foreign=counts if self.differences else frozenset(),
            plain=frozenset(key for key in counts if key == metric_of(key)),
            recorded_on=self.recorded_on,
            also=own.also | (counts_in(limited) if self.survey else frozenset()),
        )
        more = recorded() if self.survey else frozenset()
        return Plan(
            budget,
            survey=self.survey,
            asked=budget.also | frozenset(map(metric_of, budget.limits.keys() - budget.defaults)),
            with_torch=budget.metrics | more | (times() if self.options.times else frozenset()),
            fixture=fixture,
            strict=self.options.strict and not self.options.update,  # which is what ends the lack of a budget
            detail=self.options.lines,
        )

    def _may_be_foreign(self, key: str) -> bool:
        """Whether a limit of the file is a count that warns where it was recorded with something else."""
        return METRICS[metric_of(key)].kind is MetricKind.COUNT and not self.gate_foreign

    @property
    def recorded_on(self) -> frozenset[str]:
        """The kinds of device that the file was recorded on; empty where it does not say."""
        return devices_of(self.file.fingerprint) if self.file is not None else frozenset()

    @property
    def elsewhere(self) -> dict[str, int]:
        """How many tests with entries in the file ran on a kind of device that it was not recorded on."""
        if self.file is None or not self.recorded_on:
            return {}
        ran_on = [r.device for test, r in self.results.items() if r.device and self.file.entries_of(test)]
        return dict(sorted(Counter(kind for kind in ran_on if kind not in self.recorded_on).items()))

    @functools.cached_property
    def differences(self) -> dict[str, tuple[str, str]]:
        """What the file was recorded with and this session has, by what it is, where they differ."""
        if self.file is None:  # asking for the version of torch takes milliseconds
            return {}
        return differing(self.file.fingerprint, self.fingerprint(), ("torch", "python", *sorted(self.others)))

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
        device = str(mine.pop("device", ""))
        self.devices |= {device} - {""}
        verdict, detail = str(mine.pop("verdict", "")), mine.pop("detail", {})
        told = mine.pop("faults", ())
        faults = [fault for fault in told if isinstance(fault, Mapping)] if isinstance(told, list) else []
        if not report.failed:  # an expected failure
            verdict, faults = "", []
        others = mine.pop("others", {})
        values = {name: value for name, value in mine.items() if isinstance(value, (int, float))}
        path, line, _ = report.location
        self.results[report.nodeid] = Result(
            values,
            passed=report.passed,
            verdict=verdict,
            faults=faults,
            message=report.longreprtext.partition("\n")[0] if verdict else "",
            place=(path, (line or 0) + 1),
            device=device,
            others=others if isinstance(others, Mapping) else {},
            detail=detail if isinstance(detail, Mapping) else {},
        )

    def take(self, evidence: Evidence, collected: Container[str]) -> None:
        """Take the numbers of collected tests from a run, as if they had passed in this session."""
        device = evidence.machine.get("device", "cpu")
        kind = device if device in ("cpu", "simulated") else "cuda"
        self.results = {
            test: Result(dict(values), passed=True, device=evidence.test_devices.get(test, kind))
            for test, values in evidence.tests.items()
            if test in collected
        }
        self.devices |= {result.device for result in self.results.values()}

    def fingerprint(self) -> dict[str, str]:
        """What counts of this session depend on: versions and the kinds of device."""
        return fingerprint_of(self.devices, self.others)
