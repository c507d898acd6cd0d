"""Several measurements of one test body as one: what ``repeat`` asks for."""

from __future__ import annotations

from collections.abc import Sequence

from overhead_lint.probes import Measurement, MetricKind, find_metric
from overhead_lint.probes.bystanders import told

__all__ = ["combined"]


def combined(runs: Sequence[Measurement]) -> tuple[Measurement, frozenset[str]]:
    """One measurement out of those of all repeats.

    A count is what all repeats agree on, a time the least of them. A metric that one repeat could not
    measure has no value.

    Returns:
        The measurement, and the counts that differ between the repeats: they have no value, and the
        reason says what was counted.
    """
    if len(runs) == 1:
        return runs[0], frozenset()
    result, differing = Measurement(moments=runs[-1].moments), set()
    for run in runs:
        result.notes.update(run.notes)
        result.others.update(run.others)
        for what, amount in run.garbage.items():
            result.garbage[what] = result.garbage.get(what, 0) + amount
    for metric in dict.fromkeys(name for run in runs for name in (*run.values, *run.unavailable)):
        missing = next((run for run in runs if metric not in run.values), None)
        values = [run.values.get(metric, 0) for run in runs]
        if missing is not None:
            result.unavailable[metric] = missing.unavailable.get(metric, "a repeat gave no value")
        elif find_metric(metric).kind is MetricKind.COUNT and len(set(values)) > 1:
            differing.add(metric)
            counts = ", ".join(str(int(value)) for value in values)
            result.unavailable[metric] = (
                f"differs between {len(runs)} repeats: {counts}{_by_others(runs, metric)}"
            )
        else:
            least = runs[values.index(min(values))]
            result.values[metric] = least.values[metric]
            result.causes[metric] = least.causes.get(metric, ())
    return result, frozenset(differing)


def _by_others(runs: Sequence[Measurement], metric: str) -> str:
    """What of a count was not the body's own, by repeat; "" where all of it was."""
    shown = [
        f"{told(run.others[metric])} in repeat {number}"
        for number, run in enumerate(runs, 1)
        if metric in run.others
    ]
    return f" ({'; '.join(shown)})" if shown else ""
