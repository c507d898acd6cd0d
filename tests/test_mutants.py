"""Which conditions of a source are changed to see whether tests notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mutants import main, mutants

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

SOURCE = b"""\
# \xc3\xa9
if TOP: pass

def check(x, y):
    "\xc3\xa9"; z = x if y else 1
    if x < 3 and not y:
        return x >= y
    while (x
           > 2): x -= 1
    if z:
        pass
    return 1 < x < 3
"""


def test_conditions_of_functions_are_changed_one_at_a_time() -> None:
    lines = SOURCE.splitlines()
    changed = []
    for mutant in mutants(SOURCE):
        (after,) = set(mutant.applied(SOURCE).splitlines()) - set(lines)
        changed.append((mutant.line, mutant.what, after.decode().strip()))
    assert sorted(changed) == [
        (5, "not y", '"é"; z = x if (not (y)) else 1'),
        (6, "<= in x < 3", "if x <= 3 and not y:"),
        (6, "never x < 3 and (not y)", "if False:"),
        (6, "without not y", "if x < 3 and True:"),
        (6, "without x < 3", "if True and not y:"),
        (7, "> in x >= y", "return x > y"),
        (8, ">= in x > 2", "while (x >= 2): x -= 1"),
        (10, "never z", "if False:"),
        (10, "not z", "if (not (z)):"),
    ]


def test_a_file_of_another_checkout_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.py"
    assert main([str(path)]) == 2
    path.touch()
    assert main([str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
