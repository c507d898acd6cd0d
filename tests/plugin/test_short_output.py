"""What a session says at its end stays short, whatever its size, and says how much it leaves out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch")

from pytest_overhead.budget_changes import MOST_CHANGES, changes
from pytest_overhead.budget_file import BudgetFile
from pytest_overhead.line_profile import LineProfile

Run = Callable[..., pytest.RunResult]
NO_LINES = LineProfile()


def file(**limits: float) -> BudgetFile:
    return BudgetFile({f"t.py::{test}": {"guards": limit} for test, limit in limits.items()})


def test_what_rose_stands_first_and_new_zeros_are_counted() -> None:
    old, new = file(a=1, b=5, c=2), file(a=3, b=4, c=2, d=7, e=0, f=0)
    assert changes(old, new, NO_LINES, NO_LINES) == [
        "RAISED   t.py::a guards 1 -> 3",
        "lowered  t.py::b guards 5 -> 4",
        "new      t.py::d guards 7",
        "new      2 limits of 0",
    ]


@pytest.mark.parametrize(("more", "told"), [(0, 0), (1, 0), (8, 1)])
def test_limits_that_there_is_no_room_for_are_counted(more: int, told: int) -> None:
    names = [f"t{number:03}" for number in range(MOST_CHANGES + more)]
    found = changes(file(**dict.fromkeys(names, 1)), file(**dict.fromkeys(names, 2)), NO_LINES, NO_LINES)
    assert found[MOST_CHANGES:][-1:] == (
        [f"RAISED   and {more} more limits"] if told else found[MOST_CHANGES:]
    )
    assert len(found) == MOST_CHANGES + (1 if told else more)


def test_an_update_shows_changes_and_no_table_of_all_tests(run: Run) -> None:
    text = "import torch\ndef test_it(simulated_cuda): torch.ones(1, device='cuda').item()\n"
    result = run(text, "--overhead-update", "--overhead-report=numbers.json", model=False)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "new      test_it.py::test_it stream_sync 1",
            "new      5 limits of 0",
            "overhead-budget.toml: written, 1 test",
            "numbers.json: report written",
        ]
    )
    result.stdout.no_fnmatch_line("test  *")


def test_limits_that_are_too_high_are_counted_where_there_are_many(run: Run) -> None:
    import pathlib

    from pytest_overhead.budget_file import write

    text = "import torch, pytest\n@pytest.mark.parametrize('n', range(12))\n"
    text += "@pytest.mark.overhead_budget(dispatches=5)\ndef test_it(n): torch.ones(1)\n"
    limits: dict[str, dict[str, float]] = {f"test_it.py::test_it[{n}]": {"dispatches": 5} for n in range(12)}
    write(pathlib.Path("overhead-budget.toml"), BudgetFile(limits, {}))
    result = run(text, "--overhead-budget", model=False)
    result.stdout.fnmatch_lines(["12 limits are higher than needed *", "  and 2 more limits"])
