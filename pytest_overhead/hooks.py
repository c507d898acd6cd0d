"""Hooks that other plugins and ``conftest.py`` files may implement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from overhead_lint.probes.api import Metric, Probe

__all__ = [
    "ReportSection",
    "pytest_overhead_compare",
    "pytest_overhead_fingerprint",
    "pytest_overhead_probes",
    "pytest_overhead_report",
]


class ReportSection(NamedTuple):
    """A part of the summary and of the HTML report."""

    title: str
    """Heading, plain text."""
    lines: Sequence[str]
    """What the terminal shows, and the HTML report where there is no `html`."""
    html: str = ""
    """HTML for the report, for instance made with `table` and `bars` of `overhead_lint.report.html`;
    text in it has to be escaped."""


def pytest_overhead_probes() -> Sequence[tuple[Callable[..., Probe], Sequence[Metric]]]:  # type: ignore[empty-body]
    """Probes of your own, and the metrics that each measures.

    Called once, before the first budget is read. Their metrics may then stand wherever those of this
    plugin do: in markers, files, ini defaults, tables and reports.

    Returns:
        Pairs of what makes a probe (see `overhead_lint.probes.api.Probe`; called once for each block,
        with the keyword ``attribute``: whether source lines are wanted) and its metrics.
    """


def pytest_overhead_fingerprint(config: pytest.Config) -> Mapping[str, str]:  # type: ignore[empty-body]
    """What counts depend on beside torch, Python and the device: a library's version, a driver.

    It is written into the budget file, and the summary says where it differs.

    Returns:
        Values by name; names of letters, digits, ``_`` and ``-``.
    """


@pytest.hookspec(firstresult=True)
def pytest_overhead_compare(metric: str, value: float, limit: float, exact: bool) -> bool | None:
    """Hold a metric of `pytest_overhead_probes` against its limit in your own way.

    Not called for the metrics of this plugin. ``--overhead-tighten`` leaves the limits alone that this
    hook decides on.

    Args:
        metric: its name.
        value: what was measured.
        limit: what was declared.
        exact: the limit was written as ``"== 3"``.

    Returns:
        Whether the limit is kept; None leaves it to others, and in the end to "not more than".
    """


def pytest_overhead_report(  # type: ignore[empty-body]
    config: pytest.Config, results: Mapping[str, Mapping[str, float]]
) -> Sequence[ReportSection]:
    """Sections of your own for the end of the session and for ``--overhead-report PATH.html``.

    Called once, where the session's options have a summary. Under xdist only the controller calls it.

    Args:
        config: pytest's configuration.
        results: numbers by metric, by node id.
    """
