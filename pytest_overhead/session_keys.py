"""Where the plugin keeps its session with pytest's, and what it plans with tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_overhead.session import Plan, Session

__all__ = ["PLAN_KEY", "SESSION_KEY"]

SESSION_KEY: pytest.StashKey[Session] = pytest.StashKey()
PLAN_KEY: pytest.StashKey[Plan] = pytest.StashKey()
