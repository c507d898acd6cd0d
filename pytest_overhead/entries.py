"""How the plugin calls its marker and what it leaves with tests: names that its reports and others read."""

from __future__ import annotations

import pytest

__all__ = ["BEGAN_KEY", "FAULTS", "MARKER", "NO_BUDGET", "OVER", "PREFIX", "UNMEASURED", "UNSTEADY"]

MARKER = "overhead_budget"
"""The marker's name, and that of the fixture."""
PREFIX = "overhead:"
"""What the names of this plugin's entries in ``user_properties`` begin with."""
FAULTS = f"{PREFIX}faults"
"""The entry with the metrics that kept a test from passing: dicts with ``metric``, ``verdict``, ``limit``
and ``value``, None where there is none."""
OVER = (f"{PREFIX}verdict", "over budget")
UNMEASURED = (f"{PREFIX}verdict", "not measured")
UNSTEADY = (f"{PREFIX}verdict", "not repeatable")
NO_BUDGET = (f"{PREFIX}verdict", "no budget")
"""The entry of a test that ``--overhead-strict`` fails."""
BEGAN_KEY: pytest.StashKey[int] = pytest.StashKey()
"""When pytest began, in nanoseconds since the epoch."""
