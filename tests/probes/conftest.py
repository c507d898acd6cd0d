"""Fixtures of the probes' tests."""

from __future__ import annotations

import functools
import inspect

import pytest

from overhead_lint.probes import timing


@pytest.fixture
def whole_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flush all of the caches for what is timed cold, as processes of tests do not."""
    measured = inspect.unwrap(timing.last_level_cache_bytes)
    monkeypatch.setattr(timing, "last_level_cache_bytes", functools.cache(measured))
