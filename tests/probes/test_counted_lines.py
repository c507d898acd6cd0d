"""Which line is which when counts of two days are compared."""

from __future__ import annotations

import pytest

from overhead_lint.probes.api import Cause
from overhead_lint.probes.counted_lines import CountedLine, changes, counted
from overhead_lint.report.line_changes import change, change_in_short


def line(text: str, amount: int, label: str = "forward", path: str = "a.py", **more: int) -> CountedLine:
    return CountedLine(path, text, label, amount, operators=tuple(more.items()))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([line("x.item()", 3)], [line("x.item()", 3)], []),
        ([line("x.item()", 3, item=3)], [line("x.item()", 5, item=5)], ["+2 at a.py (item), was 3"]),
        # Guards of a line are called by the first of them: another label is no other line.
        ([line("f(x)", 3, "guard on a")], [line("f(x)", 4, "guard on b")], ["+1 at a.py, was 3"]),
        # An edit is one change, and none where the amount stays.
        ([line("y = x.item() + 1", 3)], [line("y = x.item() + 2", 3)], []),
        ([line("y = x.item() + 1", 3)], [line("y = x.item() + 2", 4)], ["+1 at a.py, was 3"]),
        # Also where a name was replaced and more was added behind it.
        (
            [line("x = layer(x).relu()", 11, "guard on a")],
            [line("x = block(x).relu().mul(self.scale)", 12, "guard on a")],
            ["+1 at a.py, was 11"],
        ),
        # Few names that are the same make no edit of two statements.
        (
            [line("return x.item()", 3)],
            [line("loss = x.item() + y", 4)],
            ["+4 at a.py, was 0", "-3 at a.py, was 3, is gone"],
        ),
        # So is a move to another file.
        ([line("x.item()", 3)], [line("x.item()", 3, path="b.py")], []),
        # What came stands first, the most first.
        (
            [line("gone()", 9), line("kept", 2)],
            [line("kept", 3), line("zzzzzz", 5)],
            ["+5 at a.py, was 0", "+1 at a.py, was 2", "-9 at a.py, was 9, is gone"],
        ),
        # Two lines that do two things are two, by what they do.
        (
            [line("f(x)", 2), line("f(x)", 7, "backward of MulBackward0")],
            [line("f(x)", 2), line("f(x)", 8, "backward of MulBackward0")],
            ["+1 at a.py, was 7"],
        ),
        # Where no line is known, the label tells.
        ([line("", 2, "engine", "")], [line("", 4, "engine", "")], ["+2 at engine, was 2"]),
    ],
)
def test_changes(before: list[CountedLine], after: list[CountedLine], told: list[str]) -> None:
    assert [change_in_short(one) for one in changes(before, after)] == told


def test_the_sum_of_changes_is_the_difference() -> None:
    before = [line(f"x{number} = f(y, {number})", number % 7) for number in range(60)]
    after = [line(f"x{number} = g(y, {number})", number % 5) for number in range(0, 120, 2)]
    found = changes(before, after)
    difference = sum(one.amount for one in after) - sum(one.amount for one in before)
    assert sum(one.delta for one in found) == difference


def test_an_edit_is_told_with_both_texts() -> None:
    (found,) = changes([line("y = x.item() + 1", 3)], [line("y = x.item() + 2", 4, item=4)])
    assert (
        change(found, "bytes")
        == "+1 bytes at a.py `y = x.item() + 1` -> `y = x.item() + 2` forward (item), was 3"
    )


def test_lines_of_one_text_are_one_with_all_numbers() -> None:
    causes = [Cause(2, "/p/a.py", number, "forward", (("item", 2),)) for number in (9, 4)]
    (found,) = counted(causes, lambda path: path.removeprefix("/p/"), lambda path, line: "x.item()")
    assert found == CountedLine("a.py", "x.item()", "forward", 4, (4, 9), (("item", 4),))
