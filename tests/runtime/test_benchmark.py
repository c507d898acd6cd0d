"""The rows of benchmarks/runtime.py run, and name what docs/runtime.md names. Times are not looked at."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from runtime_cases import CASES, Case, forms
from warm_python import python


@pytest.mark.parametrize("form", ["python", "native"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_both_statements_of_a_row_run(case: Case, form: str) -> None:
    functions = forms()
    if form not in functions:
        pytest.skip("there is no compiled form here")
    if "rename_privateuse1_backend" in case.setup:  # which nobody can take back in a process
        code = f"from runtime_cases import forms\nr = forms()[{form!r}]\n"
        code += "\n".join((case.setup, case.reference, case.ours))
        folder = Path(__file__).parents[2] / "benchmarks"
        done = python("-W", "ignore", "-c", code, cwd=folder)
        assert done.returncode == 0, done.stderr
        return
    names: dict[str, object] = {"r": functions[form]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(case.setup, names)
        try:
            for _ in range(2):
                exec(case.reference, names)
                exec(case.ours, names)
        finally:
            exec(case.teardown, names)


def test_row_names_are_distinct() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
