"""Sessions of several ranks, as ``torchrun -m pytest`` starts them: each knows what the others measured.

Every rank is a pytest of its own that runs the same tests. At the end of a test's body the ranks exchange
what they measured through the store that torchrun keeps for them, so that a budget that one rank did not
keep fails the test on all of them. Rank 0 shows all counts, and alone writes files.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Protocol

import pytest

from overhead_lint.probes import MetricKind, find_metric
from pytest_overhead.message import quantity
from pytest_overhead.stash import PLAN_KEY
from pytest_overhead.verdict import MEASURED_KEY, OVER, PREFIX, UNMEASURED

__all__ = ["Place", "RankStore", "Ranks", "Share", "place_of", "table", "told"]

MOST_ROWS = 20
LONGEST_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Place:
    """Which of several processes this one is.

    Attributes:
        number: from 0.
        size: how many there are.
        host: where the store of the run listens.
        port: and on which port.
        run: tells apart runs, and restarts of one, that share a store.
        gathered: whether there is such a store.
    """

    number: int
    size: int
    host: str
    port: int
    run: str
    gathered: bool


def place_of(environ: Mapping[str, str]) -> Place | None:
    """The place that the environment gives this process; None for a process by itself."""
    try:
        number, size = int(environ["RANK"]), int(environ["WORLD_SIZE"])
        port = int(environ.get("MASTER_PORT", "0"))
    except (KeyError, ValueError):
        return None
    if size < 2:
        return None
    names = ("TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT")
    run = "/".join(environ.get(name, "") for name in names)
    gathered = environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True" and port > 0
    return Place(number, size, environ.get("MASTER_ADDR", "localhost"), port, run, gathered)


@dataclass(frozen=True, slots=True)
class Share:
    """What one rank tells of one test.

    Attributes:
        values: numbers by metric, for the body and each block that was measured.
        message: how its budget was not kept; "" where it was.
        verdict: that in two words, as in the summary.
        ended: why there is no more to tell: how the test failed for another reason, or was skipped.
    """

    values: Sequence[Mapping[str, float]] = ()
    message: str = ""
    verdict: str = ""
    ended: str = ""


class _Store(Protocol):
    """What is used of torch's stores."""

    def set(self, key: str, value: str) -> None: ...
    def get(self, key: str) -> bytes: ...
    def check(self, keys: list[str]) -> bool: ...


class RankStore:
    """The store that torchrun keeps for its workers.

    Args:
        place: this process.
        patience: seconds to wait for another rank.
    """

    def __init__(self, place: Place, patience: float) -> None:
        self._place = place
        self._patience = patience
        self._store: _Store | None = None

    def exchange(self, key: str, share: Share) -> list[Share]:
        """Tell the other ranks, and wait for what they tell; of a rank that does not, why."""
        deadline = time.monotonic() + self._patience
        try:
            self.tell(key, share)
        except RuntimeError as error:
            absent = Share(ended=_lost(error))
            return [share if rank == self._place.number else absent for rank in range(self._place.size)]
        store = self._connected()
        return [self._read(store, key, rank, deadline) for rank in range(self._place.size)]

    def tell(self, key: str, share: Share) -> None:
        """Tell the other ranks without waiting for them.

        Raises:
            RuntimeError: the store cannot be reached.
        """
        self._connected().set(self._name(key, self._place.number), json.dumps(_plain(share)))

    def _name(self, key: str, rank: int) -> str:
        return f"overhead-lint/{self._place.run}/{key}/{rank}"

    def _read(self, store: _Store, key: str, rank: int, deadline: float) -> Share:
        name, pause = self._name(key, rank), 0.001
        try:
            while not store.check([name]):
                if time.monotonic() > deadline:
                    return Share(ended=f"did not come to this test within {self._patience:g} s")
                time.sleep(pause)
                pause = min(LONGEST_PAUSE, 2 * pause)
            return Share(**json.loads(store.get(name)))
        except RuntimeError as error:
            return Share(ended=_lost(error))

    def _connected(self) -> _Store:
        if self._store is None:
            from torch.distributed import TCPStore  # type: ignore[attr-defined] # without __all__

            self._store = TCPStore(
                self._place.host,
                self._place.port,
                is_master=False,
                wait_for_workers=False,
                timeout=timedelta(seconds=self._patience),
            )
        return self._store


def _lost(error: RuntimeError) -> str:
    """What to say of torch's error for a store that cannot be reached (any longer)."""
    return f"cannot be asked: {str(error).partition(chr(10))[0]}"


def _plain(share: Share) -> dict[str, object]:
    return {
        "values": [dict(values) for values in share.values],
        "message": share.message,
        "verdict": share.verdict,
        "ended": share.ended,
    }


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
        __tracebackhide__ = True
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
                item.user_properties.append(OVER if over else UNMEASURED)
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
    verdict = dict(item.user_properties).get(OVER[0], "")
    if error is None:
        return Share(values)
    if verdict:
        return Share(values, message=str(error), verdict=str(verdict))
    skipped = isinstance(error, pytest.skip.Exception)
    return Share(values, ended="skipped" if skipped else f"failed with {type(error).__name__}")


def _note(item: pytest.Item, shares: Sequence[Share]) -> None:
    """Put the largest count of all ranks, and each rank's, into what the session takes for this test's."""
    ranks = _by_metric(shares)
    noted = []
    for name, value in item.user_properties:
        metric = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and metric in ranks and find_metric(metric).kind is MetricKind.COUNT:
            value = max(v for v in ranks[metric] if v is not None)
        elif name == f"{PREFIX}detail" and isinstance(value, dict):
            value = {**value, "ranks": ranks}
        noted.append((name, value))
    item.user_properties[:] = noted


def _by_metric(shares: Sequence[Share]) -> dict[str, list[float | None]]:
    """Each rank's number by metric, None where it has none; metrics of blocks behind their number."""
    found: dict[str, list[float | None]] = {}
    for rank, share in enumerate(shares):
        for part, values in enumerate(share.values):
            for metric, value in sorted(values.items()):
                name = metric if part == 0 else f"{metric} ({part + 1})"
                found.setdefault(name, [None] * len(shares))[rank] = value
    return found


def told(test: str, shares: Sequence[Share]) -> str:
    """Why a test fails on all ranks; "" where all of them kept the budget.

    Args:
        test: node id.
        shares: of all ranks, in their order.
    """
    absent = {rank: s.ended for rank, s in enumerate(shares) if s.ended.startswith(("did not", "cannot"))}
    broken = {rank: s.message.split("\n") for rank, s in enumerate(shares) if s.message}
    if not broken and not absent:
        return ""
    heads = [f"rank {rank}: {lines[0]}" for rank, lines in broken.items()]
    heads += [f"rank {rank} {why}" for rank, why in absent.items()]
    text = ["; ".join(heads), test, *(f"  {line}" for line in _compared(shares))]
    for rank, lines in broken.items():
        text += [f"  on rank {rank}:", *(f"  {line}" for line in lines[2:])]
    return "\n".join(text)


def _compared(shares: Sequence[Share]) -> list[str]:
    return [
        f"{name}: {', '.join(f'rank {r} {_shown(name, v)}' for r, v in enumerate(values))}, "
        f"spread {_shown(name, _spread(values))}"
        for name, values in _by_metric(shares).items()
    ]


def table(results: Mapping[str, Sequence[Share]], size: int, most: int | None) -> list[str]:
    """Each rank's numbers and their spread, one line for a test and metric; the largest spread first.

    Args:
        results: what the ranks told, by node id.
        size: number of ranks.
        most: lines to show at most; None for all.
    """
    rows: list[tuple[float, list[str]]] = []
    for test, shares in results.items():
        for name, values in _by_metric(shares).items():
            spread = _spread(values)
            numbers = [_shown(name, value) for value in values]
            rows.append((spread or 0, [test, name, *numbers, _shown(name, spread)]))
    rows.sort(key=lambda row: -row[0])
    head = ["test", "metric", *(f"rank {rank}" for rank in range(size)), "spread"]
    shown = [head, *(cells for _, cells in rows[:most])]
    widths = [max(len(row[column]) for row in shown) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    ]
    if most is not None and len(rows) > most:
        lines.append(f"and {len(rows) - most} more (-v shows all)")
    return lines


def _spread(values: Sequence[float | None]) -> float | None:
    """Largest less smallest; None where a rank has no number."""
    known = [value for value in values if value is not None]
    return max(known) - min(known) if len(known) == len(values) else None


def _shown(name: str, value: Any) -> str:
    return "-" if value is None else quantity(name.partition(" ")[0], value)
