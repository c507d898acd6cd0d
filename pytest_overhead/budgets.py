"""Limits: how they are declared, checked for sense, and compared with what was measured."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from types import MappingProxyType
from typing import TYPE_CHECKING

from overhead_lint.probes import Cause, Measurement, MetricKind, UnknownMetric, find_metric
from overhead_lint.probes.bystanders import told
from overhead_lint.support.units import PER_SECOND
from overhead_lint.tuples import NamedTuple
from pytest_overhead.limit_keys import MACHINE, flattened, keys_on, metric_of, split

if TYPE_CHECKING:
    from overhead_lint.probes.counted_lines import LineChange

__all__ = [
    "BadBudget",
    "Budget",
    "Exactly",
    "Excess",
    "Multiple",
    "excesses",
    "keeps",
    "parse_defaults",
    "parse_keyed",
    "parse_limit",
    "parse_limits",
    "parse_marker",
]

MOST = 2**63 - 1
"""The largest limit, as TOML's integers go; larger ones are no floats either."""
_NOTHING = "no limit is given; write for instance guards=40"
# Texts, which are compiled once one is looked at: most sessions have no limit.
_TEXT = (
    r"(?P<sign><=|==)?\s*(?P<number>-?([0-9]+([.][0-9]*)?|[.][0-9]+)(e-?[0-9]+)?)\s*(?P<unit>s|ms|us|ns|x)?"
)
_EXAMPLES = {
    MetricKind.COUNT: "'40'",
    MetricKind.TIME: "'5 us', or '3x' (operators)",
    MetricKind.RATIO: "'3x'",
}
_DEFAULT = r"(?P<metric>(?:[\w-]+[.]){0,2}[A-Za-z_]\w*)\b\s*(=(?!=))?\s*(?P<limit>\S.*)"


class BadBudget(ValueError):
    """A budget that makes no sense; the message says which part, not where."""


class Exactly(int):
    """A limit written as ``"== 3"``: a count that has to be met; less than it fails, too."""


class Multiple(float):
    """A limit of a time, written ``"3x"``: in times of one small operator, measured in the same run."""


class Budget(NamedTuple):
    """Limits for one test or block."""

    limits: Mapping[str, float] = MappingProxyType({})
    """The most each metric may be, or what it has to be where that is an `Exactly`; by metric, or by
    metric on a kind of device (see `pytest_overhead.limit_keys`)."""
    warmup: int = 0
    """Calls of the test body before those that are measured."""
    repeat: int = 1
    """How often the body is measured."""
    defaults: frozenset[str] = frozenset()
    """Limits that hold only where their metric can be measured: nobody set them for this very test."""
    foreign: frozenset[str] = frozenset()
    """Counts that were recorded with something else than this session has, so that they only warn."""
    plain: frozenset[str] = frozenset()
    """Counts of the file that are for all kinds of device, as far as it was recorded on them."""
    recorded_on: frozenset[str] = frozenset()
    """The kinds of device that the file was recorded on; on others its plain counts only warn. Empty: all."""
    also: frozenset[str] = frozenset()
    """Metrics to measure without a limit."""

    @property
    def metrics(self) -> frozenset[str]:
        """What to measure: all that has a limit, on whatever device, and what else is asked for."""
        return self.also | frozenset(map(metric_of, self.limits))

    def on(self, kind: str, machine: str = "") -> Budget:
        """What holds on a kind of device and a class of machines, by metric."""
        keys = keys_on(self.limits, kind, machine)
        limits = {metric: self.limits[key] for metric, key in keys.items()}
        defaults = frozenset(metric for metric, key in keys.items() if key in self.defaults)
        elsewhere = self.plain if self.recorded_on and kind not in self.recorded_on else frozenset()
        foreign = frozenset(metric for metric, key in keys.items() if key in self.foreign | elsewhere)
        return self._replace(limits=limits, defaults=defaults, foreign=foreign)


class Excess(NamedTuple):
    """A metric over its limit, or off the count that it has to be."""

    metric: str
    limit: float
    value: float
    causes: tuple[Cause, ...]
    notes: tuple[str, ...] = ()
    """What has to be said of the number and its causes."""
    changes: tuple[LineChange, ...] = ()
    """Lines that account for more or less than when the budget was recorded; none where that is not known."""


def parse_limit(metric: str, value: object) -> float:
    """A limit as a number.

    Args:
        metric: its metric.
        value: a number, NumPy's as well, or text such as ``"5 us"``, ``"3x"``, ``"<= 40"`` or ``"== 3"``;
            times without a unit are seconds, ratios without one are the same as with ``x``.

    Raises:
        BadBudget: unknown metric, no number, a negative one, a fraction for a count, a wrong unit,
            a time that is to be met exactly.
    """
    try:
        kind = find_metric(metric).kind
    except UnknownMetric as error:
        raise BadBudget(str(error)) from None
    shown = f"{metric}={value!r}"
    exact, multiple = isinstance(value, Exactly), isinstance(value, Multiple)
    if isinstance(value, str):
        number, exact, multiple = _from_text(shown, value, kind)
    else:
        number = _as_number(shown, value)
    if number > MOST:
        raise BadBudget(f"{metric}: a limit is at most {MOST}")
    if number < 0 or math.isnan(number):
        raise BadBudget(f"{shown}: a limit is 0 or more")
    if kind is MetricKind.COUNT and number != int(number):
        raise BadBudget(f"{shown}: a count is a whole number")
    if exact and kind is not MetricKind.COUNT:
        raise BadBudget(f"{shown}: a {kind.value} cannot be met exactly; write '<= ...'")
    if exact:
        return Exactly(number)
    if multiple and kind is MetricKind.TIME:
        return Multiple(number)
    return int(number) if kind is MetricKind.COUNT else float(number)


def _as_number(shown: str, value: object) -> float:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, (float, Real)) or isinstance(value, bool):
        raise BadBudget(f"{shown}: a limit is a number")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _from_text(shown: str, text: str, kind: MetricKind) -> tuple[float, bool, bool]:
    """The number, whether it has to be met exactly, and whether it is a multiple of an operator's time."""
    found = re.fullmatch(_TEXT, text.strip())
    if found is None:
        raise BadBudget(f"{shown}: write a number or text such as {_EXAMPLES[kind]}")
    exact, multiple = found["sign"] == "==", found["unit"] == "x"
    if not found["unit"] or (multiple and kind is not MetricKind.COUNT):
        return float(found["number"]), exact, multiple
    if kind is not MetricKind.TIME:
        unit = "no unit" if kind is MetricKind.COUNT else "no unit but x"
        raise BadBudget(f"{shown}: a {kind.value} has {unit}")
    # Dividing keeps what people write exact: 5 us is 5e-06, and not 4.9999999999999996e-06.
    return float(found["number"]) / PER_SECOND[found["unit"]], exact, False


def parse_limits(table: Mapping[str, object]) -> dict[str, float]:
    """Limits by key, from numbers, texts, and tables of them that are named after a kind of device.

    Raises:
        BadBudget: as `parse_limit`, or a table of another name.
    """
    try:
        flat = flattened(table)
    except ValueError as error:
        raise BadBudget(str(error)) from None
    return {key: parse_keyed(key, value) for key, value in flat.items()}


def parse_keyed(key: str, value: object) -> float:
    """A limit of a key (see `pytest_overhead.limit_keys`).

    Raises:
        BadBudget: as `parse_limit`, or a count for a class of machines.
    """
    limit = parse_limit(metric_of(key), value)
    if split(key)[0].startswith(MACHINE) and find_metric(metric_of(key)).kind is MetricKind.COUNT:
        raise BadBudget(f"{key}: a count is the same on all machines; {MACHINE}.* is for times")
    return limit


def parse_defaults(lines: Iterable[str]) -> dict[str, float]:
    """The limits that an ini file sets for all tests, from lines such as ``guards <= 40``.

    Raises:
        BadBudget: a line without a metric and a limit, a bad limit, or a metric that has one already.
    """
    limits: dict[str, float] = {}
    for line in lines:
        found = re.fullmatch(_DEFAULT, line.strip())
        if found is None:
            raise BadBudget(f"{line!r}: write for instance guards <= 40")
        if found["metric"] in limits:
            raise BadBudget(f"{line!r}: another line limits {found['metric']} already")
        limits[found["metric"]] = parse_keyed(found["metric"], found["limit"])
    return limits


def parse_marker(args: tuple[object, ...], kwargs: Mapping[str, object]) -> Budget:
    """The budget that a marker or a call of the fixture declares.

    Raises:
        BadBudget: positional arguments, a bad limit, a bad ``warmup``, ``repeat`` or ``metrics``, or
            nothing declared.
    """
    if args:
        raise BadBudget(f"limits are keyword arguments (guards=40), not positional: {args[0]!r}")
    if not kwargs:
        raise BadBudget(_NOTHING)
    calls = {"warmup": 0, "repeat": 1}
    for name, least in calls.items():
        number = kwargs.get(name, least)
        if isinstance(number, bool) or not isinstance(number, Integral) or number < least:
            raise BadBudget(f"{name}={number!r}: a number of calls, {least} or more")
        calls[name] = int(number)
    limits = parse_limits({name: v for name, v in kwargs.items() if name not in {*calls, "metrics"}})
    also = _parse_metrics(kwargs.get("metrics", ()))
    if not (limits or also or calls.keys() & kwargs.keys()):  # as of cuda={}, which would hold to nothing
        raise BadBudget(_NOTHING)
    return Budget(limits, calls["warmup"], calls["repeat"], also=also)


def _parse_metrics(names: object) -> frozenset[str]:
    if isinstance(names, str | Mapping) or not isinstance(names, Iterable):  # nobody would see its limits
        raise BadBudget(f"metrics={names!r}: write a list of names, for instance metrics=['guards']")
    try:
        return frozenset(find_metric(name).name for name in map(_checked_name, names))
    except UnknownMetric as error:
        raise BadBudget(f"metrics: {error}") from None


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise BadBudget(f"metrics: {name!r} is no name of a metric")
    return name


def excesses(
    budget: Budget, measurement: Measurement, kept: Callable[[str, float, float], bool]
) -> list[Excess]:
    """The metrics that do not keep their limits, in the order they were declared.

    Args:
        budget: the limits, of the device that was measured (see `Budget.on`).
        measurement: what was measured; metrics that have no value are left out.
        kept: whether a metric's value keeps its limit.
    """
    return [
        Excess(
            metric,
            limit,
            measurement.values[metric],
            measurement.causes.get(metric, ()),
            _said_of(measurement, metric),
        )
        for metric, limit in budget.limits.items()
        if metric in measurement.values and not kept(metric, measurement.values[metric], limit)
    ]


def _said_of(measurement: Measurement, metric: str) -> tuple[str, ...]:
    notes = [measurement.notes[metric]] if metric in measurement.notes else []
    if metric in measurement.others:
        notes.append(f"not the test's own: {told(measurement.others[metric])}")
    return tuple(notes)


def keeps(value: float, limit: float) -> bool:
    """Whether a value keeps a limit: as a count to be met, or as the most it may be."""
    return value == limit if isinstance(limit, Exactly) else value <= limit
