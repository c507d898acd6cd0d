"""What the plugin keeps with a session and with its tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_overhead.block import Block
    from pytest_overhead.body import Body
    from pytest_overhead.session import Plan, Session
    from pytest_overhead.snapshots import Guards

__all__ = [
    "BEGAN_KEY",
    "BLOCKS_KEY",
    "BODY_KEY",
    "FAULTS",
    "GUARDS_KEY",
    "MARKER",
    "MARKS_KEY",
    "NO_BUDGET",
    "PLAN_KEY",
    "PREFIX",
    "SESSION_KEY",
    "WRONG_KEY",
]

MARKER = "overhead_budget"
"""The marker's name, and that of the fixture."""
PREFIX = "overhead:"
"""What the names of this plugin's entries in ``user_properties`` begin with."""
FAULTS = f"{PREFIX}faults"
"""The entry with the metrics that kept a test from passing: dicts with ``metric``, ``verdict``, ``limit``
and ``value``, None where there is none."""
NO_BUDGET = (f"{PREFIX}verdict", "no budget")
"""The entry of a test that ``--overhead-strict`` fails."""
BEGAN_KEY: pytest.StashKey[int] = pytest.StashKey()
"""When pytest began, in nanoseconds since the epoch."""
SESSION_KEY: pytest.StashKey[Session] = pytest.StashKey()
WRONG_KEY: pytest.StashKey[str] = pytest.StashKey()
"""What is wrong with a test's markers."""
PLAN_KEY: pytest.StashKey[Plan] = pytest.StashKey()
MARKS_KEY: pytest.StashKey[int] = pytest.StashKey()
"""How many markers a test had when it was collected."""
BLOCKS_KEY: pytest.StashKey[list[Block]] = pytest.StashKey()
"""What a test measured with the fixture."""
GUARDS_KEY: pytest.StashKey[Guards] = pytest.StashKey()
"""What compares the guards of a test with snapshots."""
BODY_KEY: pytest.StashKey[Body] = pytest.StashKey()
"""The body of a test, while it is called."""
