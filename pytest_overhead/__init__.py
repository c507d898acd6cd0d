"""Pytest plugin: budgets on host overhead, counted by the probes of ``overhead_lint``.

The plugin is loaded by pytest itself. What a test may import from here is for type annotations::

    from pytest_overhead import OverheadBudget, OverheadGuards

    def test_step(overhead_budget: OverheadBudget) -> None: ...
    def test_guards(overhead_guards: OverheadGuards) -> None: ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager

    from overhead_lint.probes.api import Measurement

__all__ = ["OverheadBudget", "OverheadGuards", "OverheadWarning"]


class OverheadWarning(UserWarning):
    """A time over its limit, where times do not fail tests."""


class OverheadBudget(Protocol):
    """What the fixture ``overhead_budget`` is."""

    def __call__(
        self, *, metrics: Iterable[str] = (), **limits: float | str | Mapping[str, float | str]
    ) -> AbstractContextManager[Measurement]:
        """Measure a block, and fail the test when the block is over a limit.

        Args:
            metrics: names of metrics to measure without a limit.
            limits: the most a metric may be, by its name; counts as whole numbers, times in seconds, or
                text (``"== 3"``, ``"5 us"``); ``cuda={...}`` for those of one kind of device.

        Returns:
            A context manager. It yields a measurement whose ``values`` and ``causes`` are there when
            the block has ended.
        """
        ...


class OverheadGuards(Protocol):
    """What the fixture ``overhead_guards`` is."""

    def assert_matches(self, name: str) -> None:
        """Fail the test when the guards of its compiled frames differ from a snapshot.

        Args:
            name: of the snapshot: letters, digits, ``_``, ``.`` and ``-``. The file is
                ``guard_snapshots/NAME.torch-X.Y.txt`` beside the test; ``--overhead-update`` writes it.
        """
        ...
