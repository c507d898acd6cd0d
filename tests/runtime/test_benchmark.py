"""The rows of benchmarks/runtime.py run, and name what docs/runtime.md names. Times are not looked at."""

from __future__ import annotations

import warnings

import pytest
from runtime_cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_both_statements_of_a_row_run(case: Case) -> None:
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(case.setup, names)
        try:
            for _ in range(2):
                exec(case.reference, names)
                exec(case.ours, names)
        finally:
            if "outer" in names:
                names["outer"].__exit__(None, None, None)  # type: ignore[attr-defined]


def test_row_names_are_distinct() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
