"""Reports of ``pytest --overhead-report PATH.json``, read and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from overhead_lint.probes.api import MetricKind
from overhead_lint.probes.metrics import METRICS

__all__ = ["SCHEMA", "BadReport", "Line", "Measured", "Saved", "parse", "read"]

SCHEMA: Final = 1


class BadReport(Exception):
    """A report that cannot be used; the message names it, in one line."""


@dataclass(frozen=True, slots=True)
class Line:
    """A source line and how much of a metric it accounts for; `path` is "" where no line is known."""

    amount: float
    path: str
    line: int
    label: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one test.

    Attributes:
        passed: how it ended.
        verdict: how its budget was not kept, "" where it was.
        values: numbers by metric.
        limits: limits by metric.
        causes: source lines by metric, most first.
    """

    passed: bool
    verdict: str
    values: Mapping[str, float]
    limits: Mapping[str, float] = field(default_factory=dict)
    causes: Mapping[str, tuple[Line, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Saved:
    """A report.

    Attributes:
        name: what to call it: its file's name.
        fingerprint: what it was measured with.
        tests: by node id.
        times: metrics that are seconds; all others are counts.
    """

    name: str
    fingerprint: Mapping[str, str]
    tests: Mapping[str, Measured]
    times: frozenset[str] = frozenset()

    @property
    def metrics(self) -> list[str]:
        """All that were measured, sorted."""
        return sorted({metric for test in self.tests.values() for metric in test.values})


def read(path: Path) -> Saved:
    """The report in a file.

    Raises:
        BadReport: it cannot be read, is damaged, no such report, or of a newer schema.
    """
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise BadReport(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadReport(f"{path}: is damaged: no JSON") from error
    schema = content.get("schema") if isinstance(content, dict) else None
    if type(schema) is not int or schema < 1 or "fingerprint" not in content:
        raise BadReport(f"{path}: is no report of `pytest --overhead-report`")
    if schema > SCHEMA:
        raise BadReport(f"{path}: was written by a newer overhead-lint (schema {schema}); update yours")
    try:
        return parse(path.stem, content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadReport(f"{path}: is damaged: {type(error).__name__}: {error}") from error


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
    times = frozenset(metric for metric, kind in kinds.items() if kind == MetricKind.TIME.value)
    fingerprint = {str(key): str(value) for key, value in content["fingerprint"].items()}
    return Saved(name, fingerprint, tests, times)


def _measured(entry: Mapping[str, Any]) -> Measured:
    causes = {
        str(metric): tuple(
            Line(float(c["amount"]), str(c["path"]), int(c["line"]), str(c["label"])) for c in found
        )
        for metric, found in entry["causes"].items()
    }
    return Measured(
        bool(entry["passed"]),
        str(entry["verdict"]),
        {str(metric): float(value) for metric, value in entry["values"].items()},
        {str(metric): float(value) for metric, value in entry["limits"].items()},
        causes,
    )
