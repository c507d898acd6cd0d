"""Entry point of the plugin: options, marker, fixtures and hooks; everything else is imported when used."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import pytest

from pytest_overhead.entries import BEGAN_KEY, MARKER
from pytest_overhead.options import SESSION_OPTIONS, add_options
from pytest_overhead.session_keys import SESSION_KEY
from pytest_overhead.stash import BLOCKS_KEY, GUARDS_KEY, MARKS_KEY

if TYPE_CHECKING:
    from overhead_lint.probes import Measurement
    from pytest_overhead import OverheadBudget, OverheadGuards


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Let other plugins add to this one."""
    from pytest_overhead import hooks

    pluginmanager.add_hookspecs(hooks)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and read the budget file where it is enforced."""
    config.stash[BEGAN_KEY] = time.time_ns()
    config.addinivalue_line(
        "markers",
        f"{MARKER}(warmup=0, repeat=1, metrics=(), **limits): the test fails when its body exceeds a limit "
        "on host overhead, for instance guards=40, recompiles=0, cuda={'event_record': 0}. `warmup` calls "
        "of the body are not measured, `repeat` ones are; `metrics` are measured without a limit.",
    )
    if any(config.getoption(f"overhead_{name}") not in (None, False, 0) for name in SESSION_OPTIONS):
        from pytest_overhead.planning import follows, start
        from pytest_overhead.reporting import Reporting, options_of

        session = start(config, options_of(config))
        # Under xdist the controller reports and writes, of several ranks the first.
        if not hasattr(config, "workerinput") and not follows(config):
            config.pluginmanager.register(Reporting(session, config), "overhead-reporting")

    elif getattr(config.option, "tx", None) and not hasattr(config, "workerinput"):
        # The controller of xdist has the reports of all tests, and none to plan.
        from pytest_overhead.planning import watch_tests

        watch_tests(config)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Give all tests, and their collection, the device that is asked for.

    Under xdist the controller takes it too: it says what is missing before any worker starts, and
    builds the native core once.
    """
    config = session.config
    if (choice := config.getoption("overhead_device")) != "auto":
        from pytest_overhead.device import NoDevice, cuda_device

        device = contextlib.ExitStack()
        try:
            device.enter_context(cuda_device(config, choice))
        except NoDevice as error:
            raise pytest.UsageError(f"--overhead-device={choice}: {error}") from None
        config.add_cleanup(device.close)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Check the marked budgets, and note what to do for each test."""
    all_of_them, planned = SESSION_KEY in config.stash, []
    parent, of_parent = None, 0
    for item in items:
        if item.parent is not parent:  # tests of a file lie side by side
            parent, of_parent = item.parent, _count_marks(item.parent)
        marked = of_parent
        for mark in item.own_markers:
            marked += mark.name == MARKER
        if marked:
            item.stash[MARKS_KEY] = marked
        if all_of_them or marked or MARKER in getattr(item, "fixturenames", ()):
            planned.append(item)
    if planned:
        from pytest_overhead.planning import plan_all

        plan_all(config, planned)


def _count_marks(node: pytest.Item | pytest.Collector | None) -> int:
    # As iter_markers() does, but several times as fast: this runs for all tests of all sessions.
    count = 0
    while node is not None:
        for mark in node.own_markers:
            count += mark.name == MARKER
        node = node.parent
    return count


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for markers that fixtures added; all else for a test is done by `pytest_overhead.running`."""
    __tracebackhide__ = True
    marks = _count_marks(item)
    if marks != item.stash.get(MARKS_KEY, 0):
        from pytest_overhead.planning import plan_late

        plan_late(item, marks)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Refuse markers that were added while the body ran: nothing was measured for them."""
    __tracebackhide__ = True
    if _count_marks(item) != item.stash.get(MARKS_KEY, 0):
        why = "a marker that is added while the body runs comes too late, and nothing is measured for it"
        instead = "let a fixture add it, or write `with overhead_budget(...):`"
        pytest.fail(f"{item.nodeid}: {MARKER}: {why}; {instead}", pytrace=False)


@pytest.fixture
def simulated_cuda(request: pytest.FixtureRequest) -> Iterator[None]:
    """A working ``cuda`` device for this test: a GPU where there is one, else a simulated device.

    The simulated device is taken back after the test.
    """
    from pytest_overhead.device import NoDevice, cuda_device

    with contextlib.ExitStack() as device:
        missing = ""
        try:
            device.enter_context(cuda_device(request.config, request.config.getoption("overhead_device")))
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
    thread = threading.get_ident()

    def block(
        *, metrics: Iterable[str] = (), **limits: float | str | Mapping[str, float | str]
    ) -> AbstractContextManager[Measurement]:
        __tracebackhide__ = True
        asked = {"metrics": metrics} if metrics else {}
        blocks.append(Block(request.node, {**limits, **asked}, thread))
        return blocks[-1]

    is_watched, failed = SESSION_KEY in request.config.stash, request.session.testsfailed
    yield block
    # Nobody settles what a body got by getfixturevalue().
    unsettled = not is_watched and request.session.testsfailed == failed
    for done in blocks:
        done.end(judged=unsettled)


@pytest.fixture
def overhead_guards(request: pytest.FixtureRequest) -> Iterator[OverheadGuards]:
    """Compare the guards of this test's compiled frames with a snapshot in the repository.

    ``overhead_guards.assert_matches("name")``; ``--overhead-update`` writes ``guard_snapshots/``.
    """
    from pytest_overhead.planning import watch_tests
    from pytest_overhead.reporting import refused_by_ci
    from pytest_overhead.snapshot_holders import holders_of
    from pytest_overhead.snapshots import Guards

    watch_tests(request.config)  # what torch logs while it compiles is left out of a failure
    update = request.config.getoption("overhead_update") > 0
    refused = refused_by_ci(request.config)
    guards = Guards(request.node, holders_of(request), update=update, refused=refused)
    request.node.stash[GUARDS_KEY] = guards
    guards.start()
    yield guards
    guards.stop()
