"""Hooks that other plugins and ``conftest.py`` files may implement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overhead_lint.probes.api import Metric, Probe

__all__ = ["pytest_overhead_probes"]


def pytest_overhead_probes() -> Sequence[tuple[Callable[..., Probe], Sequence[Metric]]]:  # type: ignore[empty-body]
    """Probes of your own, and the metrics that each measures.

    Called once, before the first budget is read. Their metrics may then stand wherever those of this
    plugin do: in markers, files, ini defaults, tables and reports.

    Returns:
        Pairs of what makes a probe (see `overhead_lint.probes.api.Probe`; called once for each block,
        with the keyword ``attribute``: whether source lines are wanted) and its metrics.
    """
