"""Sessions of several ranks, as ``torchrun -m pytest`` starts them: each knows what the others measured.

Every rank is a pytest of its own that runs the same tests. At the end of a test's body the ranks exchange
what they measured through the store that torchrun keeps for them, so that a budget that one rank did not
keep fails the test on all of them. Rank 0 shows all counts, and alone writes files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from overhead_lint.probes import MetricKind, find_metric
from pytest_overhead.entries import FAULTS, OVER, PREFIX, UNMEASURED
from pytest_overhead.rank_store import Place, RankStore, Share
from pytest_overhead.rank_tables import by_metric, table, told
from pytest_overhead.session_keys import PLAN_KEY
from pytest_overhead.verdict import MEASURED_KEY

__all__ = ["Ranks"]

MOST_ROWS = 20


@dataclass
class Ranks:
    """Lets the ranks share what each test measured, and judges a test by all of them.

    Attributes:
        place: this process.
        store: where to share.
    """

    place: Place
    store: RankStore
    results: dict[str, list[Share]] = field(default_factory=dict)
    _turns: Counter[str] = field(default_factory=Counter)

    def pytest_report_header(self) -> str:
        """Say that ranks are compared."""
        return f"overhead: rank {self.place.number} of {self.place.size}, budgets hold for all ranks"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Share what was measured, whether the test passed or not, and fail where another rank did."""
        if PLAN_KEY not in item.stash:
            return (yield)
        item.stash[MEASURED_KEY] = []
        result, error = None, None
        try:
            result = yield
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as raised:
            error = raised  # raised again below, when the others know
        share = _share(item, error)
        shares = self.store.exchange(self._key(item), share)
        self.results[item.nodeid] = shares
        _note(item, shares)
        if error is not None and share.ended:
            raise error
        text = told(item.nodeid, shares)
        if text:
            if not share.verdict:
                over = any(other.verdict == OVER[1] for other in shares)
                faults = [fault for other in shares for fault in other.faults]
                item.user_properties += [OVER if over else UNMEASURED, (FAULTS, faults)]
            pytest.fail(text, pytrace=False)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let nobody wait for a test whose setup failed or skipped it here."""
        report = yield
        if call.when == "setup" and not report.passed and PLAN_KEY in item.stash:
            self.store.tell(self._key(item), Share(ended=f"setup {report.outcome}"))
        return report

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """On rank 0: the counts of all ranks, those that differ most first."""
        if self.place.number == 0 and self.results:
            terminalreporter.section(f"overhead of {self.place.size} ranks")
            most = None if terminalreporter.config.get_verbosity() >= 1 else MOST_ROWS
            for line in table(self.results, self.place.size, most):
                terminalreporter.write_line(line)

    def _key(self, item: pytest.Item) -> str:
        """A name for this run of the test: plugins run tests again, on all ranks alike."""
        self._turns[item.nodeid] += 1
        return f"{item.nodeid}/{self._turns[item.nodeid]}"


def _share(item: pytest.Item, error: BaseException | None) -> Share:
    values = [measured.values for measured in item.stash[MEASURED_KEY]]
    noted: dict[str, Any] = dict(item.user_properties)
    verdict = noted.get(OVER[0], "")
    if error is None:
        return Share(values)
    if verdict:
        return Share(values, message=str(error), verdict=str(verdict), faults=noted.get(FAULTS, ()))
    skipped = isinstance(error, pytest.skip.Exception)
    return Share(values, ended="skipped" if skipped else f"failed with {type(error).__name__}")


def _note(item: pytest.Item, shares: Sequence[Share]) -> None:
    """Put the largest count of all ranks, and each rank's, into what the session takes for this test's."""
    ranks = by_metric(shares)
    noted = []
    for name, value in item.user_properties:
        metric = str(name).removeprefix(PREFIX)
        if str(name).startswith(PREFIX) and metric in ranks and find_metric(metric).kind is MetricKind.COUNT:
            value = max(v for v in ranks[metric] if v is not None)
        elif name == f"{PREFIX}detail" and isinstance(value, dict):
            value = {**value, "ranks": ranks}
        noted.append((name, value))
    item.user_properties[:] = noted
