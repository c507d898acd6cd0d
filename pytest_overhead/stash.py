"""What the plugin keeps with a session and with its tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_overhead.block import Block
    from pytest_overhead.session import Plan, Session
    from pytest_overhead.snapshots import Guards

__all__ = [
    "BLOCKS_KEY",
    "GUARDS_KEY",
    "MARKS_KEY",
    "PLAN_KEY",
    "SESSION_KEY",
    "WRONG_KEY",
]

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
