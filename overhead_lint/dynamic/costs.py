"""What one execution of a finding takes, before and after its fix: the rules' timing cases, timed here."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from overhead_lint.dynamic.importing import imported
from overhead_lint.engine.pages import Page, PageError, TimingCase
from overhead_lint.measure.calibration import CalibrationError, measure

if TYPE_CHECKING:
    from overhead_lint.engine.packs import LoadedRule

__all__ = ["costs"]

_BLOCKS: Final = 60
"""Of half a millisecond for each form: a rule takes 0.06 s."""
_MOST_SECONDS: Final = 0.5
"""For the blocks of a rule, where one execution takes long."""


def costs(codes: Iterable[str], rules: Iterable[LoadedRule]) -> dict[str, tuple[float, float]]:
    """Seconds before and after by rule, for the rules that have a case to time.

    The first case of a page that compiles nothing speaks for the rule. Without torch nothing is timed.

    Args:
        codes: of the rules.
        rules: all rules.
    """
    wanted = set(codes)
    torch = imported("torch")
    if torch is None or not wanted:
        return {}
    found = {}
    for loaded in rules:
        if loaded.rule.code not in wanted or loaded.page is None:
            continue
        try:
            cases = [case for case in Page.read(loaded.page).timing_cases() if _is_cheap(case)]
            if cases:
                # What is left of the program, its atexit functions for one, draws the numbers that come next.
                with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
                    warnings.simplefilter("ignore")  # of what the case shows, not of the program
                    timing = measure(cases[0], _BLOCKS, seconds=_MOST_SECONDS)
                after = timing.before_seconds - timing.saving_seconds
                found[loaded.rule.code] = (timing.before_seconds, max(0.0, after))
        except (PageError, CalibrationError):
            continue  # no figure for this rule: the report has a gap there
    return found


def _is_cheap(case: TimingCase) -> bool:
    """Whether a case can be timed in a moment: what compiles takes seconds, and a build of native code."""
    compiles = any("compile(" in text for text in (case.setup, case.before, case.after))
    return not case.metrics and not compiles
