"""Entry point of the plugin: options, marker, fixtures and hooks; everything else is imported when used."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from overhead_lint.probes import Measurement
    from pytest_overhead import OverheadBudget, OverheadGuards
    from pytest_overhead.block import Block
    from pytest_overhead.budgets import Budget
    from pytest_overhead.session import Options, Plan, Session

MARKER = "overhead_budget"
_SESSION_OPTIONS = ("budget", "update", "tighten", "strict", "report", "from")

_session_key: pytest.StashKey[Session] = pytest.StashKey()
WRONG_KEY: pytest.StashKey[str] = pytest.StashKey()
PLAN_KEY: pytest.StashKey[Plan] = pytest.StashKey()
_marks_key: pytest.StashKey[int] = pytest.StashKey()
BLOCKS_KEY: pytest.StashKey[list[Block]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("overhead", "host overhead of PyTorch code")
    group.addoption(
        "--overhead-budget",
        action="store_true",
        help="enforce overhead-budget.toml; without that file, measure all tests and enforce nothing",
    )
    group.addoption(
        "--overhead-update",
        action="count",
        default=0,
        help="write the counts of tests that pass into overhead-budget.toml, and guard snapshots that "
        "differ; under CI only if given twice",
    )
    group.addoption(
        "--overhead-tighten",
        action="count",
        default=0,
        help="enforce overhead-budget.toml, and lower its counts to what was measured; likewise under CI",
    )
    group.addoption(
        "--overhead-from",
        metavar="PATH",
        help="with --overhead-update: run no test, and take the counts of those collected from PATH, which "
        "is written by `overhead-lint run --pytest`",
    )
    group.addoption(
        "--overhead-strict",
        action="store_true",
        help="fail tests that have guards, events or waits and no budget on any of them",
    )
    group.addoption(
        "--overhead-report", metavar="PATH", help="write all numbers and lines to PATH.json, or as PATH.html"
    )
    group.addoption(
        "--overhead-device",
        choices=("auto", "simulated", "real"),
        default="auto",
        help="the cuda device of tests: `simulated` gives all tests a simulated one, `real` insists on a "
        "GPU, `auto` (default) gives the fixture simulated_cuda a GPU, and without one a simulated device",
    )
    parser.addini(
        "overhead_budget_defaults",
        "limits for all tests, one a line (guards <= 40), where neither marker nor file sets that metric",
        type="linelist",
        default=[],
    )
    parser.addini(
        "overhead_rank_timeout",
        "seconds that a rank waits for the others at the end of a test (default 300)",
        default="300",
    )
    group.addoption(
        "--overhead-times",
        action="store_true",
        help="with --overhead-update: write times, too, with a margin and for this class of machines",
    )
    parser.addini(
        "overhead_gate_times",
        "let times over their limits fail tests; without, they warn",
        type="bool",
        default=False,
    )
    parser.addini(
        "overhead_gate_foreign",
        "let counts of the file fail tests with another torch or Python than it was recorded with, too; "
        "without, they warn",
        type="bool",
        default=False,
    )
    parser.addini(
        "overhead_machine",
        "name of the class of machines that times are kept for (default: the processor's name and cores); "
        "the environment variable OVERHEAD_MACHINE wins",
        type="string",
        default="",
    )


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Let other plugins add to this one."""
    from pytest_overhead import hooks

    pluginmanager.add_hookspecs(hooks)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and read the budget file where it is enforced."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(warmup=0, repeat=1, metrics=(), **limits): the test fails when its body exceeds a limit "
        "on host overhead, for instance guards=40, recompiles=0, cuda={'event_record': 0}. `warmup` calls "
        "of the body are not measured, `repeat` ones are; `metrics` are measured without a limit.",
    )
    if any(config.getoption(f"overhead_{name}") for name in _SESSION_OPTIONS):
        from pytest_overhead.reporting import Reporting, options_of

        session = _start(config, options_of(config))
        # Under xdist the controller reports and writes, of several ranks the first.
        if not hasattr(config, "workerinput") and not _follows(config):
            config.pluginmanager.register(Reporting(session, config), "overhead-reporting")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Give all tests, and their collection, the simulated device where that is asked for.

    Under xdist the controller takes it too: it says what is missing before any worker starts, and
    builds the native core once.
    """
    config = session.config
    if config.getoption("overhead_device") == "simulated":
        from pytest_overhead.device import NoDevice, cuda_device

        device = contextlib.ExitStack()
        try:
            device.enter_context(cuda_device("simulated"))
        except NoDevice as error:
            raise pytest.UsageError(f"--overhead-device=simulated: {error}") from None
        config.add_cleanup(device.close)


def _start(config: pytest.Config, options: Options | None = None) -> Session:
    from pytest_overhead import running
    from pytest_overhead.budgets import BadBudget, parse_defaults
    from pytest_overhead.extensions import compared, fingerprint, register_probes
    from pytest_overhead.file import BadFile, read
    from pytest_overhead.machine import BadClass, machine_class
    from pytest_overhead.session import FILE_NAME, Options, Session

    register_probes(config)
    path = (config.inipath.parent if config.inipath else config.rootpath) / FILE_NAME
    try:
        file = read(path) if options is not None else None
        defaults = parse_defaults(config.getini("overhead_budget_defaults"))
        machine = machine_class(config)
    except (BadFile, BadClass) as error:
        raise pytest.UsageError(str(error)) from None
    except BadBudget as error:
        raise pytest.UsageError(f"{config.inipath}: overhead_budget_defaults: {error}") from None
    session = Session(path, options or Options(), file, defaults, machine=machine)
    session.others = fingerprint(config)
    session.gate_foreign = config.getini("overhead_gate_foreign")
    session.decided = functools.partial(compared, config)
    config.stash[_session_key] = session
    config.pluginmanager.register(running, "overhead-running")
    _join_ranks(config)
    return session


def _follows(config: pytest.Config) -> bool:
    """Whether this is a rank other than the first of several that share their results."""
    ranks = config.pluginmanager.get_plugin("overhead-ranks")
    return ranks is not None and ranks.place.number > 0


def _join_ranks(config: pytest.Config) -> None:
    """Share results with the other ranks, where torchrun started several."""
    if "WORLD_SIZE" not in os.environ or hasattr(config, "workerinput"):
        return
    from pytest_overhead.ranks import Ranks, RankStore, place_of

    try:
        patience = float(config.getini("overhead_rank_timeout"))
    except ValueError:
        why = f"overhead_rank_timeout: {config.getini('overhead_rank_timeout')!r}: write a number of seconds"
        raise pytest.UsageError(f"{config.inipath}: {why}") from None
    place = place_of(os.environ)
    if place is not None and place.gathered:
        config.pluginmanager.register(Ranks(place, RankStore(place, patience)), "overhead-ranks")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Check the marked budgets, and note what to do for each test."""
    session = config.stash.get(_session_key, None)
    for item in items:
        marked = _count_marks(item)
        if marked:
            item.stash[_marks_key] = marked
        fixture = MARKER in getattr(item, "fixturenames", ())
        if marked or fixture or session is not None:
            session = session or _start(config)
            try:
                budget = _marked(item) if marked else None
            except pytest.UsageError as error:
                if not hasattr(config, "workerinput"):
                    raise
                # A worker of xdist has no way to end the session in order: let the test fail.
                item.stash[WRONG_KEY] = str(error)
                continue
            plan = session.plan(item.nodeid, budget, fixture=fixture)
            if plan is not None:
                item.stash[PLAN_KEY] = plan


def _count_marks(item: pytest.Item) -> int:
    # As iter_markers() does, but several times as fast: this runs for all tests of all sessions.
    count = 0
    node: pytest.Item | pytest.Collector | None = item
    while node is not None:
        for mark in node.own_markers:
            count += mark.name == MARKER
        node = node.parent
    return count


def _marked(item: pytest.Item) -> Budget:
    """The budget of all markers of a test; the nearer one wins, metric by metric."""
    from pytest_overhead.budgets import BadBudget, Budget, parse_marker
    from pytest_overhead.kinds import overlay

    limits: dict[str, float] = {}
    calls: dict[str, int] = {}
    also: frozenset[str] = frozenset()
    for mark in reversed(list(item.iter_markers(MARKER))):
        try:
            budget = parse_marker(mark.args, mark.kwargs)
        except BadBudget as error:
            path, line, _ = item.location
            raise pytest.UsageError(f"{path}:{(line or 0) + 1}: {MARKER}: {error}") from None
        limits, also = overlay(limits, budget.limits), also | budget.also
        calls |= {name: getattr(budget, name) for name in ("warmup", "repeat") if name in mark.kwargs}
    return Budget(limits, calls.get("warmup", 0), calls.get("repeat", 1), also=also)


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for markers that fixtures added; all else for a test is done by `pytest_overhead.running`."""
    if _count_marks(item) != item.stash.get(_marks_key, 0):
        _plan_late(item)


def _plan_late(item: pytest.Item) -> None:
    """Plan anew for markers that were added since the collection, by a fixture for one."""
    __tracebackhide__ = True
    budget, wrong = None, ""
    try:
        budget = _marked(item)
    except pytest.UsageError as error:
        wrong = str(error)
    if wrong:
        pytest.fail(wrong, pytrace=False)
    session = item.config.stash.get(_session_key, None) or _start(item.config)
    item.stash[_marks_key] = _count_marks(item)
    plan = session.plan(item.nodeid, budget, fixture=MARKER in getattr(item, "fixturenames", ()))
    if plan is not None:
        item.stash[PLAN_KEY] = plan


@pytest.fixture
def simulated_cuda(request: pytest.FixtureRequest) -> Iterator[None]:
    """A working ``cuda`` device for this test: a GPU where there is one, else a simulated device.

    The simulated device is taken back after the test.
    """
    from pytest_overhead.device import NoDevice, cuda_device

    with contextlib.ExitStack() as device:
        missing = ""
        try:
            device.enter_context(cuda_device(request.config.getoption("overhead_device")))
        except NoDevice as error:
            missing = str(error)
        if missing:
            pytest.fail(f"simulated_cuda: {missing}", pytrace=False)
        yield


@pytest.fixture
def overhead_budget(request: pytest.FixtureRequest) -> Iterator[OverheadBudget]:
    """Measure a block and fail the test when it is over a limit.

    ``with overhead_budget(event_record=0, guards=40) as m: ...``; afterwards ``m.values`` and ``m.causes``.
    """
    from pytest_overhead.block import Block

    request.node.stash[BLOCKS_KEY] = blocks = []

    def block(
        *, metrics: Iterable[str] = (), **limits: float | str | Mapping[str, float | str]
    ) -> AbstractContextManager[Measurement]:
        __tracebackhide__ = True
        asked = {"metrics": metrics} if metrics else {}
        blocks.append(Block(request.node, {**limits, **asked}))
        return blocks[-1]

    is_watched, failed = _session_key in request.config.stash, request.session.testsfailed
    yield block
    if not is_watched and request.session.testsfailed == failed:  # got by getfixturevalue() in a body
        for done in blocks:
            done.settle()


@pytest.fixture
def overhead_guards(request: pytest.FixtureRequest) -> Iterator[OverheadGuards]:
    """Compare the guards of this test's compiled frames with a snapshot in the repository.

    ``overhead_guards.assert_matches("name")``; ``--overhead-update`` writes ``guard_snapshots/``.
    """
    from pytest_overhead.reporting import refused_by_ci
    from pytest_overhead.snapshots import Guards

    update = request.config.getoption("overhead_update") > 0
    guards = Guards(request.node, update=update, refused=refused_by_ci(request.config))
    guards.start()
    yield guards
    guards.stop()


def pytest_report_teststatus(
    report: pytest.TestReport,
) -> tuple[str, str, str] | None:
    """An own letter and word for a budget's verdict."""
    if report.when == "call" and report.failed:
        verdict = dict(report.user_properties).get("overhead:verdict")
        if verdict is not None:
            return "failed", "B", str(verdict).upper()
    return None
