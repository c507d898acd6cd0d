"""What a session says at its end, as lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from overhead_lint.probes import MetricKind, find_metric
from overhead_lint.probes.bystanders import told
from overhead_lint.support.plurals import count
from pytest_overhead.budgets import Exactly, Multiple
from pytest_overhead.entries import NO_BUDGET
from pytest_overhead.limit_keys import keys_on
from pytest_overhead.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from pytest_overhead.session import Session

__all__ = ["MOST_ROWS", "checked", "costs", "counted_by_others", "without_tests"]

MOST_ROWS = 10


def costs(session: Session) -> list[str]:
    """The most expensive tests, one row each, and what to do next."""
    measured = {test: result.values for test, result in session.results.items() if result.values}
    if not measured:
        return _without_numbers(session)
    if session.options.update:  # what that changed is what matters
        return []
    metrics = sorted({metric for values in measured.values() for metric in values})
    ranked = sorted(measured, key=lambda test: (-sum(measured[test].values()), test))[:MOST_ROWS]
    rows = [["test", *metrics]]
    for test in ranked:
        values = measured[test]
        rows.append([test, *(quantity(m, values[m]) if m in values else "-" for m in metrics)])
    lines = _table(rows)
    if len(measured) > MOST_ROWS:
        lines.append(f"and {count(len(measured) - MOST_ROWS, 'cheaper test')}")
    if session.file is None and not session.options.update:
        enforced = session.otherwise if session.options.holds else "markers and fixtures"
        lines += [
            f"nothing was enforced but {enforced}. Next:",
            f"  pytest --overhead-update    writes these counts to {session.path.name}; commit it",
            "  pytest --overhead-budget    then fails a test that exceeds them",
        ]
    elif session.options.holds:
        lines += checked(session)
    return lines


def _without_numbers(session: Session) -> list[str]:
    """What to say where no test has a number, and how to have some."""
    if not session.results:  # no body was measured: that asks for torch and for a test that passes
        return ["no test that passed had torch imported"]
    torch = sys.modules.get("torch")  # not in the controller of xdist
    can_simulate = torch is None or (torch.version.cuda is None and torch.version.hip is None)
    simulated = "  pytest --overhead-device=simulated    counts events and waits of code that uses cuda"
    return [
        "torch was there, but no test ran compiled code, and without a device there are no events and waits.",
        "To count more:",
        *([simulated] if can_simulate else []),
        '  pytestmark = pytest.mark.overhead_budget(metrics=["dispatches"])    counts operators in a file',
    ]


def counted_by_others(session: Session) -> list[str]:
    """Which counts are not those of their tests alone, a line for each test and metric."""
    found = [
        f"  {test}: {metric} {told(amounts)}"
        for test, result in sorted(session.results.items())
        for metric, amounts in sorted(result.others.items())
    ]
    if not found:
        return []
    more = [f"  and {count(len(found) - MOST_ROWS, 'more count')}"] if len(found) > MOST_ROWS else []
    return ["counted while tests ran, and not by their own thread:", *found[:MOST_ROWS], *more]


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]


def checked(session: Session) -> list[str]:
    """How many budgets of the file were checked and kept, and which are higher than needed."""
    if session.file is None:
        return []
    limits_of = session.file.tests
    entries = {
        entry
        for test, result in session.results.items()
        for entry in session.file.entries_of(test)
        if keys_on(limits_of[entry], result.device, session.machine)  # else none of its limits holds here
    }
    over = [test for test, result in session.results.items() if result.verdict not in ("", NO_BUDGET[1])]
    filed = [test for test in over if session.file.entries_of(test)]
    share = f"{len(entries)} of {len(session.file.tests)}"
    lines = [f"{share} budgets of {session.path.name} checked, {len(filed)} not kept"]
    if len(over) > len(filed):
        lines.append(f"{count(len(over) - len(filed), 'test')} failed by budgets that are not in it")
    gated = "and fail tests" if session.gate_foreign else "so they warn; --overhead-update records them anew"
    for key, (before, here) in session.differences.items():
        lines.append(f"counts were recorded with {key} {before}, this is {here}: they may differ, {gated}")
    for kind, number in session.elsewhere.items():
        where = "+".join(sorted(session.recorded_on))
        ran = f"{count(number, 'test')} ran on {kind}"
        lines.append(f"counts were recorded on {where}, {ran}: they may differ, {gated}")
    slack = []
    for test in sorted(session.results.keys() & session.file.tests.keys()):
        values, limits = session.results[test].values, session.file.tests[test]
        for metric, key in keys_on(limits, session.results[test].device, session.machine).items():
            limit = limits[key]
            value = values.get(metric, limit)
            if isinstance(limit, Exactly | Multiple) or session.decided(metric, value, limit) is not None:
                continue
            margin = 1.0 if find_metric(metric).kind is MetricKind.COUNT else 1.5  # times are noisy
            if value * margin < limit:
                change = f"{quantity(metric, limit)} -> {quantity(metric, values[metric])}"
                slack.append(f"{test}: {key} {change}")
    if slack and not session.options.tighten:
        limits_are = f"{count(len(slack), 'limit')} {'is' if len(slack) == 1 else 'are'}"
        lines.append(f"{limits_are} higher than needed (pytest --overhead-tighten lowers counts):")
        lines += [f"  {line}" for line in slack[:MOST_ROWS]]
        if len(slack) > MOST_ROWS:
            lines.append(f"  and {count(len(slack) - MOST_ROWS, 'more limit')}")
    return lines


def without_tests(session: Session, collected: AbstractSet[str], root: Path) -> list[str]:
    """Which entries of the file are those of tests that were renamed or removed."""
    gone = session.file.without_tests(collected, root) if session.file is not None else []
    if not gone:
        return []
    more = (
        [f"  and {count(len(gone) - MOST_ROWS, 'more entry', 'more entries')}"]
        if len(gone) > MOST_ROWS
        else []
    )
    told = f"{session.path.name} has budgets without a test: rename or remove these entries:"
    return [told, *(f"  {entry}" for entry in gone[:MOST_ROWS]), *more]
