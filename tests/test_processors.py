"""How many processors a process may use."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from overhead_lint.support import processors

if TYPE_CHECKING:
    import pytest


def test_a_process_that_is_kept_on_some_processors_uses_these(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert processors.usable() == 2


def test_where_the_system_does_not_tell_it_uses_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert processors.usable() == 64
