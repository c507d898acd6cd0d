"""Calls the hooks that others implement, and checks what they return."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from pytest_overhead.budgets import Exactly, keeps

if TYPE_CHECKING:
    from pytest_overhead.hooks import ReportSection

__all__ = ["compared", "fingerprint", "kept", "register_probes", "sections"]

_NAME = r"[A-Za-z0-9_-]+"
_own_key: pytest.StashKey[frozenset[str]] = pytest.StashKey()


def register_probes(config: pytest.Config) -> None:
    """Add the metrics of other plugins until the session ends.

    Raises:
        pytest.UsageError: a name that is taken.
    """
    from overhead_lint.probes.metrics import register

    own: set[str] = set()
    for probes in config.hook.pytest_overhead_probes():
        for make, metrics in probes:
            try:
                config.add_cleanup(register(make, metrics))
            except ValueError as error:
                raise pytest.UsageError(f"pytest_overhead_probes: {error}") from None
            own.update(metric.name for metric in metrics)
    config.stash[_own_key] = frozenset(own)


def fingerprint(config: pytest.Config) -> dict[str, str]:
    """What others say counts depend on.

    Raises:
        pytest.UsageError: a name or value that the file cannot hold, or that two plugins give.
    """
    found: dict[str, str] = {}
    for entries in config.hook.pytest_overhead_fingerprint(config=config):
        for name, value in entries.items():
            wrong = ""
            if not isinstance(name, str) or not re.fullmatch(_NAME, name):
                wrong = "a name is made of letters, digits, _ and -"
            elif not isinstance(value, str):
                wrong = f"{value!r} is no text"
            elif name in found or name in ("torch", "python", "device"):
                wrong = "the name is taken"
            if wrong:
                raise pytest.UsageError(f"pytest_overhead_fingerprint: {name!r}: {wrong}")
            found[name] = value
    return found


def compared(config: pytest.Config, metric: str, value: float, limit: float) -> bool | None:
    """Whether a limit is kept, where another plugin decides that."""
    if metric not in config.stash.get(_own_key, ()):
        return None
    decision: bool | None = config.hook.pytest_overhead_compare(
        metric=metric, value=value, limit=limit, exact=isinstance(limit, Exactly)
    )
    return decision


def kept(config: pytest.Config, metric: str, value: float, limit: float) -> bool:
    """Whether a limit is kept."""
    decision = compared(config, metric, value, limit)
    return keeps(value, limit) if decision is None else bool(decision)


def sections(config: pytest.Config, results: Mapping[str, Mapping[str, float]]) -> list[ReportSection]:
    """The sections that others add to summary and report."""
    found = config.hook.pytest_overhead_report(config=config, results=results)
    return [section for some in found for section in some]
