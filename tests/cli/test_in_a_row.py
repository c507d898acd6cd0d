"""Findings that follow each other line by line are told by the first of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from overhead_lint.report.in_a_row import told_as_one
from overhead_lint.rule import Applicability, Finding, Fix, Heat, Span, Standing, TextEdit, Warmth


def found(
    line: int,
    *,
    end: int = 0,
    code: str = "OVH404",
    function: str = "f",
    heat: Heat = Heat.STEP,
    path: str = "a.py",
    fix: Fix | None = None,
) -> Finding:
    span = Span(line, 1, end or line, 9)
    warmth = Warmth(heat, "")
    return Finding(
        Path(path), span, code, "sync-in-step", "a sync", warmth, fix=fix, standing=Standing(function, 1, "")
    )


Run = Callable[..., "subprocess.CompletedProcess[str]"]


FIX = Fix(Applicability.UNSAFE, "read it once", ())


def told(*findings: Finding) -> list[tuple[int, tuple[int, ...]]]:
    return [(one.span.line, one.also) for one in told_as_one(findings)]


def test_a_line_between_leaves_a_row_and_two_end_it() -> None:
    assert told(found(3), found(3), found(4), found(6), found(9)) == [(3, (3, 4, 6)), (9, ())]


def test_a_row_goes_on_behind_the_end_of_what_it_holds() -> None:
    assert told(found(3, end=8), found(10), found(12, end=30), found(33)) == [(3, (10, 12)), (33, ())]


def test_rules_functions_heats_and_files_have_rows_of_their_own() -> None:
    apart = [found(4, code="OVH409"), found(5, function="g"), found(6, heat=Heat.LOOP), found(3, path="b.py")]
    assert told(found(3), *apart) == [(3, ()), (4, ()), (5, ()), (6, ()), (3, ())]
    assert told(found(3), apart[0], found(4)) == [(3, (4,)), (4, ())]


def test_comments_that_are_wrong_in_different_ways_are_told_one_by_one() -> None:
    open_, misspelled = (
        found(line, code="OVH001")._replace(message=str(line), standing=None) for line in (3, 4)
    )
    assert told(open_, misspelled) == [(3, ()), (4, ())]
    assert told(open_, misspelled._replace(message="3")) == [(3, (4,))]


def test_what_has_a_safe_fix_and_what_is_in_a_notebook_stands_for_itself() -> None:
    safe = FIX._replace(applicability=Applicability.SAFE)
    assert told(found(3, fix=safe), found(4, fix=safe), found(5)) == [(3, ()), (4, ()), (5, ())]
    assert told(found(3, path="a.ipynb"), found(4, path="a.ipynb")) == [(3, ()), (4, ())]


def test_what_is_fixed_in_the_same_words_is_told_with_what_fixes_all_of_it() -> None:
    other = FIX._replace(message="read it twice")
    assert told(found(3, fix=FIX), found(4, fix=FIX), found(5), found(7, fix=FIX)) == [
        (3, (4,)),
        (5, ()),
        (7, ()),
    ]
    assert told(found(3, fix=FIX), found(4, fix=other), found(9, fix=other)) == [(3, ()), (4, ()), (9, ())]
    edits = [TextEdit(line, line + 1, str(line)) for line in range(2)]
    row = [found(3 + at, fix=FIX._replace(edits=(edit,))) for at, edit in enumerate(edits)]
    (one,) = told_as_one(row)
    assert one.fix is not None
    assert one.fix.edits == tuple(edits)


def test_a_rule_that_speaks_all_over_a_file_is_told_once_in_it() -> None:
    far = [found(10 * at, function=f"f{at}") for at in range(1, 11)]
    assert told(*far[:9]) == [(one.span.line, ()) for one in far[:9]]
    assert told(*far) == [(10, tuple(range(20, 101, 10)))]
    other = [found(15, code="OVH409"), found(25, heat=Heat.LOOP), found(35, fix=FIX), found(5, path="b.py")]
    assert told(*far, *other) == [(10, tuple(range(20, 101, 10))), (15, ()), (25, ()), (35, ()), (5, ())]


def test_the_first_says_how_many_follow_and_where_they_end() -> None:
    several, one_line = told_as_one([found(3), found(4), found(5), found(9), found(9)])
    assert several.message == "a sync; 2 more like it, to line 5"
    assert one_line.message == "a sync; 1 more like it, in this line"


def alike(*findings: Finding) -> list[tuple[int, tuple[int, ...]]]:
    return told(*(finding._replace(alike=1) for finding in findings))


def test_the_same_of_the_same_text_is_told_once_in_a_function() -> None:
    assert alike(found(3), found(9), found(10), found(30)) == [(3, (9, 10, 30))]
    assert told(found(3), found(9), found(10), found(30)) == [(3, ()), (9, (10,)), (30, ())]


def test_what_is_told_once_has_one_rule_function_heat_message_and_no_fix() -> None:
    apart = [
        found(9, code="OVH409"),
        found(15, function="g"),
        found(21, heat=Heat.LOOP),
        found(3, path="b.py"),
    ]
    other = found(27)._replace(message="another sync")
    assert alike(found(3), *apart, other, found(33, fix=FIX)) == [
        (3, ()),
        *((one.span.line, ()) for one in apart),
        (27, ()),
        (33, ()),
    ]
    assert alike(found(3, path="a.ipynb"), found(9, path="a.ipynb")) == [(3, ()), (9, ())]


def test_texts_are_alike_whatever_the_space_in_them(tmp_path: Path, run: Run) -> None:
    calls = ["x.sum(0, 1).item()", "x.sum(0,\n            1).item()", "x.sum(1).item()", "x.sum(0, 1).item()"]
    body = "".join(f"        a = {call}\n        x = torch.exp(x)\n        # apart\n" for call in calls)
    text = f"import torch\nclass N(torch.nn.Module):\n    def forward(self, x):\n{body}        return a\n"
    (tmp_path / "m.py").write_text(text)
    first = run("m.py", "--output-format=json")
    assert [(one["line"], one["also"]) for one in json.loads(first.stdout)] == [(4, [7, 14]), (11, [])]
    assert run("m.py", "--output-format=json", "--no-cache").stdout == first.stdout


def test_reports_tell_a_row_once_and_baselines_each(tmp_path: Path, run: Run) -> None:
    body = "".join(f"        a{number} = x.sum({number}).item()\n" for number in range(4))
    text = f"from torch import nn\nclass N(nn.Module):\n    def forward(self, x):\n{body}        return a0\n"
    (tmp_path / "m.py").write_text(text)
    done = run("m.py", "--output-format=json")
    (one,) = json.loads(done.stdout)
    assert (one["line"], one["also"]) == (4, [5, 6, 7])
    run("m.py", "--write-baseline=known.jsonl")
    assert run("m.py", "--baseline=known.jsonl").returncode == 0
    (tmp_path / "m.py").write_text(text.replace("        return", "        x.var(4).item()\n        return"))
    (new,) = json.loads(run("m.py", "--baseline=known.jsonl", "--output-format=json").stdout)
    assert new["line"] == 8


def test_a_row_is_shown_with_the_edits_of_all_of_it(tmp_path: Path, run: Run) -> None:
    keys = "abc"
    body = "".join(f"        {key} = batch['{key}'].to('cuda')\n" for key in keys)
    loop = f"    for batch in loader:\n{body}        model(a, b, c).sum().backward()\n"
    text = (
        "from torch.utils.data import DataLoader\n\n\ndef train(data, model):\n"
        f"    loader = DataLoader(data, pin_memory=True)\n{loop}"
    )
    (tmp_path / "m.py").write_text(text)
    first = run("m.py", "--select=OVH407", "--output-format=json")
    (one,) = json.loads(first.stdout)
    assert (one["line"], one["also"]) == (7, [8, 9])
    assert [edit["line"] for edit in one["fix"]["edits"]] == [7, 8, 9]
    assert run("m.py", "--select=OVH407", "--output-format=json", "--no-cache").stdout == first.stdout
    (tmp_path / "n.py").write_text(text.replace(", pin_memory=True", ""))
    (unpinned,) = json.loads(run("n.py", "--select=OVH407", "--output-format=json").stdout)
    assert [edit["line"] for edit in unpinned["fix"]["edits"]] == [5, 7, 8, 9], "the loader once"
    run("m.py", "--select=OVH407", "--fix", "--unsafe-fixes")
    assert (tmp_path / "m.py").read_text().count("non_blocking=True") == len(keys)
