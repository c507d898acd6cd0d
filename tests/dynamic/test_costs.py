"""Timing the rules' cases at the end of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from overhead_lint.dynamic.candidates import rules_of  # noqa: E402
from overhead_lint.dynamic.costs import costs  # noqa: E402


def test_what_is_left_of_the_program_draws_the_numbers_that_come_next(tmp_path: Path) -> None:
    before = torch.get_rng_state()
    assert list(costs(["OVH607"], rules_of(tmp_path))) == ["OVH607"]  # its case makes layers
    assert torch.equal(torch.get_rng_state(), before)
