"""What is done for each test: decided once a test has a budget, or an option asks for one."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest

from overhead_lint.support.existence import is_gone
from pytest_overhead import running
from pytest_overhead.bad_file import BadFile
from pytest_overhead.budgets import BadBudget, Budget, parse_defaults, parse_marker
from pytest_overhead.builds import announce_builds
from pytest_overhead.entries import MARKER
from pytest_overhead.extensions import compared, fingerprint, register_probes
from pytest_overhead.limit_keys import overlay
from pytest_overhead.machine import BadClass, machine_class
from pytest_overhead.ranks_here import patience, store_of_ranks
from pytest_overhead.session import FILE_NAME, Options, Session
from pytest_overhead.session_keys import PLAN_KEY, SESSION_KEY
from pytest_overhead.stash import MARKS_KEY, WRONG_KEY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from pytest_overhead.budget_file import BudgetFile

__all__ = ["follows", "plan_all", "plan_late", "start", "watch_tests"]

OLDEST_PYTEST = 8


def start(config: pytest.Config, options: Options | None = None) -> Session:
    """Begin a session: what there is no need for before a test has a budget, or an option asks for it.

    Raises:
        pytest.UsageError: the budget file or its place, the ini file or another plugin's hook makes no sense,
            or pytest is too old.
    """
    if pytest.version_tuple < (OLDEST_PYTEST,):  # it is loaded with any, wherever it is installed
        raise pytest.UsageError(f"overhead: needs pytest {OLDEST_PYTEST} or newer, not {pytest.__version__}")
    register_probes(config)
    path = (config.inipath.parent if config.inipath else config.rootpath) / FILE_NAME
    try:
        if options is not None:
            _refuse_other_root(path, config.inipath)
        file = _budgets(path) if options is not None else None
        defaults = parse_defaults(config.getini("overhead_budget_defaults"))
        machine = machine_class(config)
    except (BadFile, BadClass) as error:
        raise pytest.UsageError(str(error)) from None
    except BadBudget as error:
        raise pytest.UsageError(f"{config.inipath}: overhead_budget_defaults: {error}") from None
    session = Session(path, options or Options(), file, defaults, machine=machine)
    session.others = fingerprint(config)
    session.gate_foreign = _flag(config, "overhead_gate_foreign")
    _flag(config, "overhead_gate_times")  # is asked for by each test; what it is not is told now, once
    patience(config)  # is asked for where there are ranks
    session.decided = functools.partial(compared, config)
    config.stash[SESSION_KEY] = session
    watch_tests(config)
    announce_builds(config)
    _join_ranks(config)
    return session


def _budgets(path: Path) -> BudgetFile | None:
    """What the budget file holds; None where there is none, for which nothing that reads it is imported.

    Raises:
        BadFile: it cannot be used.
    """
    if is_gone(path) and not path.is_symlink():
        return None
    from pytest_overhead.budget_file import read

    return read(path)


def _refuse_other_root(path: Path, ini: Path | None) -> None:
    """Refuse a root without budgets, where a folder above has some that were meant for its tests.

    What is enforced must not depend on the folder that pytest is called in, or is given. Pytest guessed the
    root for want of an ini file, or an ini file made it; then budgets above may be those of others.

    Raises:
        BadFile: a file above is damaged.
        pytest.UsageError: it has, within the same repository.
    """
    if path.exists():
        return
    folder = path.parent
    while not (folder / ".git").exists() and folder != folder.parent:
        folder = folder.parent
        above = folder / FILE_NAME
        if not above.exists():
            continue
        if ini is None:
            why = f"is not that of {path.parent}, which pytest takes for the root: there is no ini file"
            raise pytest.UsageError(f"{above}: {why}; add pytest.ini beside it, or give --rootdir={folder}")
        inside = path.parent.relative_to(folder).as_posix()
        file = _budgets(above)
        if file is not None and file.has_tests_in(inside):
            why = f"has budgets for tests in {inside}, and is not read, since {ini} makes a root of it"
            raise pytest.UsageError(f"{above}: {why}; give -c with the ini file of {folder}, or move them")


def watch_tests(config: pytest.Config) -> None:
    """Call the hooks around each test from now on."""
    if not config.pluginmanager.has_plugin(running.NAME):
        config.pluginmanager.register(running, running.NAME)


def _flag(config: pytest.Config, name: str) -> bool:
    """A setting of the ini file that is true or false.

    Raises:
        pytest.UsageError: it is neither.
    """
    try:
        return bool(config.getini(name))
    except (ValueError, pytest.UsageError) as error:  # which says neither where it stands nor what it may be
        raise pytest.UsageError(f"{config.inipath}: {name}: {error}; write true or false") from None


def _join_ranks(config: pytest.Config) -> None:
    """Share results with the other ranks, where torchrun started several."""
    store = store_of_ranks(config)
    if store is not None:
        from pytest_overhead.ranks import Ranks

        config.pluginmanager.register(Ranks(store.place, store), "overhead-ranks")


def follows(config: pytest.Config) -> bool:
    """Whether this is a rank other than the first of several that share their results."""
    ranks = config.pluginmanager.get_plugin("overhead-ranks")
    return ranks is not None and ranks.place.number > 0


def plan_all(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Check the marked budgets, and note what to do for each of these tests.

    Raises:
        pytest.UsageError: a marker makes no sense; in a worker of xdist its test fails instead.
    """
    asked = SESSION_KEY in config.stash  # by an option
    session = config.stash.get(SESSION_KEY, None) or start(config)
    markers = config.getini("markers") if asked else ()
    registered = {line.partition(":")[0].partition("(")[0].strip() for line in markers}
    for item in items:
        try:
            if asked:
                _refuse_almost(item, registered)
            budget = _marked(item) if MARKS_KEY in item.stash else None
        except pytest.UsageError as error:
            if not hasattr(config, "workerinput"):
                raise
            # A worker of xdist has no way to end the session in order: let the test fail.
            item.stash[WRONG_KEY] = str(error)
            continue
        _plan(session, item, budget)


def _refuse_almost(item: pytest.Item, registered: Collection[str]) -> None:
    """Refuse a marker that is called almost as ours: the test would pass, whatever its limits are.

    Raises:
        pytest.UsageError: there is one, and nobody has registered it.
    """
    for mark in item.iter_markers():
        if mark.name.startswith(MARKER.partition("_")[0]) and mark.name not in registered:
            said = f"there is no marker {mark.name}; did you mean {MARKER}?"
            raise pytest.UsageError(f"{_place(item)}: {said}")


def _place(item: pytest.Item) -> str:
    """The file and line of a test."""
    path, line, _ = item.location
    return f"{path}:{(line or 0) + 1}"


def plan_late(item: pytest.Item, marks: int) -> None:
    """Plan anew for markers that were added since the collection, by a fixture for one."""
    __tracebackhide__ = True
    budget, wrong = None, ""
    try:
        budget = _marked(item)
    except pytest.UsageError as error:
        wrong = str(error)
    if wrong:
        pytest.fail(wrong, pytrace=False)
    item.stash[MARKS_KEY] = marks
    _plan(item.config.stash.get(SESSION_KEY, None) or start(item.config), item, budget)


def _plan(session: Session, item: pytest.Item, budget: Budget | None) -> None:
    plan = session.plan(item.nodeid, budget, fixture=MARKER in getattr(item, "fixturenames", ()))
    if plan is not None:
        item.stash[PLAN_KEY] = plan


def _nearest_first(item: pytest.Item) -> list[pytest.Mark]:
    """The budget markers of a test: those of its parameters, of the function, of the class, of the file."""
    of_parameters = getattr(getattr(item, "callspec", None), "marks", ())
    # pytest has them after those of the function, which is about all parameters.
    return sorted(item.iter_markers(MARKER), key=lambda mark: not any(mark is one for one in of_parameters))


def _marked(item: pytest.Item) -> Budget:
    """The budget of all markers of a test; the nearer one wins, metric by metric."""
    limits: dict[str, float] = {}
    calls: dict[str, int] = {}
    also: frozenset[str] = frozenset()
    for mark in reversed(_nearest_first(item)):
        try:
            budget = parse_marker(mark.args, mark.kwargs)
        except BadBudget as error:
            raise pytest.UsageError(f"{_place(item)}: {MARKER}: {error}") from None
        limits, also = overlay(limits, budget.limits), also | budget.also
        calls |= {name: getattr(budget, name) for name in ("warmup", "repeat") if name in mark.kwargs}
    return Budget(limits, calls.get("warmup", 0), calls.get("repeat", 1), also=also)
