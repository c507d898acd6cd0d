"""The rows of benchmarks/runtime.py run, and name what docs/runtime.md names. Times are not looked at."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest
from runtime_cases import CASES, Case
from torch.cuda import nvtx


@pytest.fixture
def nvtx_restored() -> Iterator[None]:
    """Take back the functions that the row on ranges puts into torch's stand-in for NVTX."""
    library = vars(nvtx)["_nvtx"]
    before = dict(getattr(library, "__dict__", {}))
    yield
    for name in set(getattr(library, "__dict__", {})) - set(before):
        delattr(library, name)


@pytest.mark.usefixtures("nvtx_restored")
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
