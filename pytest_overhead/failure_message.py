"""What a failing budget says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from overhead_lint.probes import Cause, MetricKind, find_metric
from overhead_lint.report.line_changes import change, change_in_short
from overhead_lint.support.plurals import count
from overhead_lint.support.shown_path import shown_path
from pytest_overhead.budgets import Exactly
from pytest_overhead.quantities import quantity

if TYPE_CHECKING:
    from pytest_overhead.budgets import Excess

__all__ = ["failure", "headline", "in_short", "not_measured", "unsteady"]

MOST_CAUSES = 5


def failure(
    test: str,
    over: Sequence[Excess],
    unmeasured: Mapping[str, str],
    root: Path,
    *,
    differing: Mapping[str, str] = MappingProxyType({}),
    causes: int = MOST_CAUSES,
) -> str:
    """The text of a failed test: one line that says it all, then the details.

    Args:
        test: node id.
        over: metrics over their limits.
        unmeasured: why a budgeted metric has no value, by its name.
        root: folder that paths are shown relative to.
        differing: how a budgeted count differs between repeats, by its name.
        causes: the most source lines to show for a metric.
    """
    short = [in_short(excess) for excess in over]
    short += [not_measured(metric) for metric in unmeasured]
    short += [unsteady(metric, why) for metric, why in differing.items()]
    lines = [("; " if any(excess.changes for excess in over) else ", ").join(short), test]
    for excess in over:
        name = excess.metric
        exact = "exactly " if isinstance(excess.limit, Exactly) else ""
        more = excess.value - excess.limit
        lines.append(
            f"  {name}: limit {exact}{quantity(name, excess.limit)}, value {quantity(name, excess.value)}, "
            f"{'excess' if more > 0 else 'short by'} {quantity(name, abs(more))}"
        )
        lines += _changed(excess, causes)
        lines += [f"    {_line(name, cause, root)}" for cause in excess.causes[:causes]]
        if len(excess.causes) > causes:
            lines.append(f"    and {count(len(excess.causes) - causes, 'more line')} (-vv shows all)")
        lines += [f"    ({note})" for note in excess.notes]
    lines += [f"  {metric}: cannot be measured: {why}" for metric, why in unmeasured.items()]
    return "\n".join(lines)


def not_measured(metric: str) -> str:
    """Say in a few words that a metric has no value."""
    return f"{metric} could not be measured"


def unsteady(metric: str, how: str) -> str:
    """Say in a few words how a count differs between repeats."""
    return f"{metric} {how}"


def in_short(excess: Excess) -> str:
    """Say an excess in a few words, with the line that came with it."""
    if not excess.changes:
        return headline(excess)
    more = f", and {count(len(excess.changes) - 1, 'more change')}" if len(excess.changes) > 1 else ""
    return f"{headline(excess)}: {change_in_short(excess.changes[0], find_metric(excess.metric).unit)}{more}"


def _changed(excess: Excess, most: int) -> list[str]:
    """What came and what went since the budget was recorded."""
    if not excess.changes:
        return []
    unit = find_metric(excess.metric).unit
    lines = ["    since it was recorded:", *(f"      {change(one, unit)}" for one in excess.changes[:most])]
    if len(excess.changes) > most:
        lines.append(f"      and {count(len(excess.changes) - most, 'more change')} (-vv shows all)")
    return [*lines, "    all lines:"]


def headline(excess: Excess) -> str:
    """An excess in a few words."""
    sign = "!=" if isinstance(excess.limit, Exactly) else ">" if excess.value > excess.limit else "<"
    value, limit = quantity(excess.metric, excess.value), quantity(excess.metric, excess.limit)
    return f"{excess.metric} {value} {sign} {limit}"


def _line(metric: str, cause: Cause, root: Path) -> str:
    place = f"{shown_path(cause.path, root)}:{cause.line}  " if cause.path else ""
    amount = quantity(metric, cause.amount)
    found = find_metric(metric)
    times = " x " if found.kind is MetricKind.COUNT and not found.unit else "  "
    return f"{place}{amount}{times}{cause.told()}"
