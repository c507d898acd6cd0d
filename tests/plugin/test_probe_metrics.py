"""Budgets on metrics of single probes, as a test declares them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")

Run = Callable[..., pytest.RunResult]


def test_saved_tensors_have_budgets_in_bytes(run: Run) -> None:
    text = """
        import pytest, torch

        W = torch.ones(8, requires_grad=True)

        @pytest.mark.overhead_budget(saved_tensors=1, saved_bytes=16)
        def test_step():
            W.exp().sum().backward()
    """
    result = run(text, model=False)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "saved_bytes 32 bytes > 16 bytes",
            "*saved_bytes: limit 16 bytes, value 32 bytes, excess 16 bytes",
            "*test_it.py:*  32 bytes  saved by ExpBackward0",
        ]
    )
