"""Reports of ``pytest --overhead-report PATH.json``, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from overhead_lint.probes.api import MetricKind
from overhead_lint.probes.metrics import METRICS
from overhead_lint.support.versioned_json import Format, exactly, number

__all__ = ["FORMAT", "SCHEMA", "Fault", "Line", "Measured", "Saved", "parse"]

SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Line:
    """A source line and how much of a metric it accounts for; `path` is "" where no line is known."""

    amount: float
    path: str
    line: int
    label: str
    operators: Mapping[str, int] = field(default_factory=dict)
    """What did it, by name of the operator."""
    text: str = ""
    """Of the source line, spaces collapsed; "" in reports that have none."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened on a stream, seconds after the test began; the rest as in `Line`."""

    metric: str
    at: float
    path: str
    line: int
    label: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A metric that did not keep its limit, and how, with both where they are known."""

    metric: str
    verdict: str
    limit: float | None = None
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one test.

    Attributes:
        passed: how it ended.
        verdict: how its budget was not kept, "" where it was.
        faults: the metrics that did not keep it.
        values: numbers by metric.
        limits: limits by metric.
        causes: source lines by metric, most first.
        moments: device events, waits and copies in the order of time.
        others: by metric, what was counted while the test ran and not by its own thread, by who did.
    """

    passed: bool
    verdict: str
    values: Mapping[str, float]
    limits: Mapping[str, float] = field(default_factory=dict)
    causes: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)
    moments: tuple[Moment, ...] = ()
    others: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def verdict_on(self, metric: str) -> str:
        """How a metric did not keep its limit, "" where it did or has none."""
        return next((fault.verdict for fault in self.faults if fault.metric == metric), "")


@dataclass(frozen=True, slots=True)
class Saved:
    """A report.

    Attributes:
        name: what to call it: its file's name.
        fingerprint: what it was measured with.
        tests: by node id.
        times: metrics that are seconds.
        ratios: metrics that are ratios; all others are counts.
        root: the folder of the project that was measured, "" where the report does not say.
    """

    name: str
    fingerprint: Mapping[str, str]
    tests: Mapping[str, Measured]
    times: frozenset[str] = frozenset()
    ratios: frozenset[str] = frozenset()
    root: str = ""

    @property
    def noisy(self) -> frozenset[str]:
        """Metrics that differ in any run."""
        return self.times | self.ratios

    @property
    def metrics(self) -> list[str]:
        """All that were measured, sorted."""
        return sorted({metric for test in self.tests.values() for metric in test.values})


def parse(name: str, content: Mapping[str, Any]) -> Saved:
    """The report in JSON's types.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: the content is damaged.
    """
    tests = {str(test): _measured(entry) for test, entry in content["tests"].items()}
    kinds = {
        **{known: metric.kind.value for known, metric in METRICS.items()},
        **content.get("metrics", {}),
    }
    times, ratios = (
        frozenset(metric for metric, known in kinds.items() if known == kind.value)
        for kind in (MetricKind.TIME, MetricKind.RATIO)
    )
    fingerprint = {str(key): str(value) for key, value in content["fingerprint"].items()}
    return Saved(name, fingerprint, tests, times, ratios, exactly(str, content.get("root", "")))


def _measured(entry: Mapping[str, Any]) -> Measured:
    causes = {
        str(metric): tuple(
            Line(
                number(c["amount"]),
                exactly(str, c["path"]),
                exactly(int, c["line"]),
                exactly(str, c["label"]),
                # Reports of before have none.
                {str(name): exactly(int, times) for name, times in c.get("operators", ())},
                exactly(str, c.get("text", "")),
            )
            for c in found
        )
        for metric, found in entry["causes"].items()
    }
    return Measured(
        exactly(bool, entry["passed"]),
        exactly(str, entry["verdict"]),
        {str(metric): number(value) for metric, value in entry["values"].items()},
        {str(metric): number(value) for metric, value in entry["limits"].items()},
        causes,
        tuple(
            Moment(
                exactly(str, m["metric"]),
                number(m["at"]),
                exactly(str, m["path"]),
                exactly(int, m["line"]),
                exactly(str, m["label"]),
            )
            for m in entry.get("moments", ())  # reports of before have none
        ),
        {
            str(metric): {str(who): exactly(int, amount) for who, amount in amounts.items()}
            for metric, amounts in entry.get("others", {}).items()  # nor these
        },
        _faults(entry),
    )


def _faults(entry: Mapping[str, Any]) -> tuple[Fault, ...]:
    if "faults" in entry:
        return tuple(
            Fault(
                exactly(str, fault["metric"]),
                exactly(str, fault["verdict"]),
                *(None if fault[key] is None else number(fault[key]) for key in ("limit", "value")),
            )
            for fault in entry["faults"]
        )
    # Reports of before tell of the test as a whole.
    limits, values, verdict = entry["limits"], entry["values"], entry["verdict"]
    over = [metric for metric in sorted(limits) if values.get(metric, 0) > limits[metric]]
    return tuple(Fault(m, verdict, limits[m], values[m]) for m in over if verdict)


FORMAT: Final = Format("report of `pytest --overhead-report`", SCHEMA, "fingerprint", parse)
