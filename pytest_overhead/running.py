"""Hooks around each test, registered once a session has a budget: other sessions do not pay for them."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from pytest_overhead.body import BODY_KEY
from pytest_overhead.entries import FAULTS, PREFIX
from pytest_overhead.session_keys import PLAN_KEY
from pytest_overhead.stash import BLOCKS_KEY, GUARDS_KEY, WRONG_KEY

NAME = "overhead-running"
"""What it is registered as."""

__all__ = [
    "NAME",
    "pytest_report_teststatus",
    "pytest_runtest_call",
    "pytest_runtest_makereport",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forget what an earlier run of the test told, and watch Dynamo before fixtures compile something."""
    # A test that is run again starts anew.
    item.user_properties[:] = [pair for pair in item.user_properties if not str(pair[0]).startswith(PREFIX)]
    if wrong := item.stash.get(WRONG_KEY, ""):
        pytest.fail(wrong, pytrace=False)
    plan = item.stash.get(PLAN_KEY, None)
    if plan is not None and plan.watches_dynamo:
        from pytest_overhead.verdict import watch_compilations

        watch_compilations(plan.asked)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the test body, and nothing of pytest around it."""
    plan = item.stash.get(PLAN_KEY, None)
    if plan is None or not plan.metrics:
        result = yield
    else:
        from pytest_overhead.verdict import run_measured

        result = yield from run_measured(item, plan)
    for block in item.stash.get(BLOCKS_KEY, ()):
        block.settle()
    if GUARDS_KEY in item.stash:
        item.stash[GUARDS_KEY].settle()
    return result


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Forget the compilations of this test."""
    plan = item.stash.get(PLAN_KEY, None)
    if plan is not None and plan.watches_dynamo:
        from overhead_lint.probes import guards_lookout

        guards_lookout.release()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave torch's own tracing out of a budget's message; note subtests that fail within a body."""
    report = yield
    if report.failed and call.excinfo is not None and not _may_be_ours(call.excinfo.value):
        for properties in (item.user_properties, report.user_properties):  # of a failure that was caught
            properties[:] = [pair for pair in properties if pair[0] not in (f"{PREFIX}verdict", FAULTS)]
    if report.failed and (body := item.stash.get(BODY_KEY, None)) is not None:
        body.failed = True
    if report.failed and (PLAN_KEY in item.stash or "overhead_guards" in getattr(item, "fixturenames", ())):
        from pytest_overhead.verdict import without_trace_logs

        without_trace_logs(report)
    return report


def _may_be_ours(error: BaseException) -> bool:
    """Whether an exception may be a budget's failure, or a group of several with one among them."""
    return isinstance(error, pytest.fail.Exception) or hasattr(error, "exceptions")


def pytest_report_teststatus(
    report: pytest.TestReport,
) -> tuple[str, str, str] | None:
    """An own letter and word for a budget's verdict."""
    if report.when == "call" and report.failed:
        verdict = dict(report.user_properties).get(f"{PREFIX}verdict")
        if verdict is not None:
            return "failed", "B", str(verdict).upper()
    return None
