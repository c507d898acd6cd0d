"""What the plugin keeps with its tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_overhead.block import Block
    from pytest_overhead.snapshots import Guards

__all__ = [
    "BLOCKS_KEY",
    "GUARDS_KEY",
    "MARKS_KEY",
    "WRONG_KEY",
]

WRONG_KEY: pytest.StashKey[str] = pytest.StashKey()
"""What is wrong with a test's markers."""
MARKS_KEY: pytest.StashKey[int] = pytest.StashKey()
"""How many markers a test had when it was collected."""
BLOCKS_KEY: pytest.StashKey[list[Block]] = pytest.StashKey()
"""What a test measured with the fixture."""
GUARDS_KEY: pytest.StashKey[Guards] = pytest.StashKey()
"""What compares the guards of a test with snapshots."""
