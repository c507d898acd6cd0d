"""What ``--fix --verify`` says of a trial."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Final

from overhead_lint.support.interleaved import LEAST_RUNS
from overhead_lint.support.plurals import count
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.fixing.trial import Outcome, Trial

__all__ = ["ended", "few", "render", "saving"]

_SHOWN: Final = 10
_RESULTS: Final = ("passed", "failed", "error", "skipped")


def render(trial: Trial) -> str:
    """How the command ended with the fixes and without, and what they save, for people."""
    return "".join(f"{line}\n" for line in (_equal(trial) if trial.is_equal else _other(trial)))


def _equal(trial: Trial) -> list[str]:
    changed = count(len(trial.ran) + len(trial.not_ran), "changed file")
    lines = [f"verified: {trial.command}: {ended(trial.before)}, with the fixes as without"]
    if trial.not_ran:
        lines.append(f"  it ran {len(trial.ran)} of {changed}, and not {few(list(map(str, trial.not_ran)))}")
    if trial.seconds_before:
        for name, times in (("before", trial.seconds_before), ("after", trial.seconds_after)):
            spread = f"{seconds(min(times))} to {seconds(max(times))}"
            median = f"median of {count(len(times), 'run')}"
            lines.append(f"  {name:<7} {seconds(statistics.median(times))} ({spread}, {median})")
        lines.append(f"  {saving(trial)}")
    return lines


def saving(trial: Trial) -> str:
    """What the fixes save of the command's time, or that this is within noise."""
    share = abs(trial.saving) / statistics.median(trial.seconds_before)
    if trial.told_apart:
        return f"{'saving' if trial.saving > 0 else 'LOSS'} {seconds(abs(trial.saving))} ({share:.1%})"
    if len(trial.seconds_before) < LEAST_RUNS:
        return f"saving: within noise; fewer than {LEAST_RUNS} runs tell nothing: --verify-runs {LEAST_RUNS}"
    return "saving: within noise, the runs of both overlap"


def ended(outcome: Outcome) -> str:
    """How a command ended: "status 0", "5 passed, 1 skipped"."""
    numbers = [(outcome.number_of(result), result) for result in _RESULTS]
    tests = ", ".join(f"{number} {result}" for number, result in numbers if number)
    return f"status {outcome.status}{f', {tests}' if tests else ''}"


def _other(trial: Trial) -> list[str]:
    before, after = trial.before, trial.after
    lines = [
        f"nothing was changed: {trial.command} ends otherwise with the fixes",
        f"  before  {ended(before)}",
        f"  after   {ended(after)}",
    ]
    names = before.tests.keys() | after.tests.keys()
    other = sorted(name for name in names if before.tests.get(name) != after.tests.get(name))
    if other:
        lines.append(f"  tests that end otherwise: {few(other)}")
    if after.last_lines:
        lines += ["its last lines with the fixes:", *(f"  {line}" for line in after.last_lines)]
    return lines


def few(names: Sequence[str]) -> str:
    """The first names, and how many others there are."""
    more = f", and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
