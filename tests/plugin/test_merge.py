"""The merge driver: which limit stays, what git sees, and what damaged files do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint.cli.main import main
from overhead_lint.probes.counted_lines import CountedLine
from pytest_overhead import line_profile
from pytest_overhead.budget_file import BudgetFile, read, write
from pytest_overhead.budgets import Exactly
from pytest_overhead.line_profile import LineProfile
from pytest_overhead.merge import merged, merged_lines


def one(**limits: float) -> BudgetFile:
    return BudgetFile({"t": limits} if limits else {})


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        (40, 30, 50, 30),
        (40, 50, 30, 30),
        (40, 50, 60, 50),
        (40, 50, 40, 50),
        (40, 40, 50, 50),
        (None, 3, 2, 2),
        (None, None, 2, 2),
        (40, None, 40, None),
        (40, None, 30, 30),
        (40, Exactly(40), 40, Exactly(40)),
        (40, 30, Exactly(20), Exactly(20)),
        (40, Exactly(20), 30, Exactly(20)),
    ],
)
def test_the_stricter_limit_stays_where_both_sides_changed_it(
    base: float | None, ours: float | None, theirs: float | None, result: float | None
) -> None:
    sides = [one() if limit is None else one(guards=limit) for limit in (base, ours, theirs)]
    found, conflicts = merged(*sides)
    assert conflicts == []
    assert found == (one() if result is None else one(guards=result))
    assert [type(limit) for limits in found.tests.values() for limit in limits.values()] == (
        [] if result is None else [type(result)]
    )


def lines(amount: int) -> LineProfile:
    made = (CountedLine("a.py", "x.item()", "forward", amount),)
    return LineProfile({"t": {"stream_sync": made}} if amount else {})


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        (4, 3, 5, 3),
        (4, 5, 3, 3),
        (4, 5, 4, 5),
        (4, 4, 5, 5),
        (0, 3, 2, 2),
        (0, 0, 2, 2),
        (4, 0, 4, 0),
        (4, 0, 3, 3),
    ],
)
def test_lines_go_with_the_limit_that_stays(
    base: int, ours: int, theirs: int, result: int, tmp_path: Path
) -> None:
    assert merged_lines(lines(base), lines(ours), lines(theirs)) == lines(result)
    paths = [str(tmp_path / name) for name in ("base", "ours", "theirs")]
    for path, amount in zip(paths, (base, ours, theirs), strict=True):
        line_profile.write(Path(path), lines(amount))
    assert main(["merge-budget", *paths]) == 0
    assert line_profile.read(Path(paths[1])) == lines(result)


@pytest.mark.parametrize(
    ("ours", "theirs", "message"),
    [
        (Exactly(2), Exactly(3), "t: guards is to be == 2 and == 3"),
        (Exactly(5), 3, "t: guards is to be == 5 and <= 3"),
        (3, Exactly(5), "t: guards is to be <= 3 and == 5"),
    ],
)
def test_limits_that_contradict_each_other_are_a_conflict(ours: float, theirs: float, message: str) -> None:
    found, conflicts = merged(one(guards=9), one(guards=ours), one(guards=theirs))
    assert conflicts == [message]
    assert found == one(guards=ours)


def test_damaged_files_are_named_in_a_line_and_ours_is_untouched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, ours, theirs = (tmp_path / name for name in ("base", "ours", "theirs"))
    base.touch()
    write(ours, one(guards=3))
    before = ours.read_bytes()
    assert main(["merge-budget", str(base), str(ours), str(theirs)]) == 2
    assert capsys.readouterr().err == f"overhead-lint: {theirs}: no such file\n"
    theirs.write_text("<<<<<<< ours\n")
    assert main(["merge-budget", str(base), str(ours), str(theirs)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"overhead-lint: {theirs}:1: no TOML")
    assert error.count("\n") == 1
    assert main(["merge-budget", str(tmp_path / "none"), str(ours), str(ours)]) == 2
    assert ours.read_bytes() == before


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_merges_two_branches_with_it(tmp_path: Path) -> None:
    path = tmp_path / "overhead-budget.toml"

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def commit(file: BudgetFile) -> None:
        write(path, file)
        git("add", ".")
        git("commit", "-qm", "budgets")

    git("init", "-q", "-b", "one")
    git("config", "merge.overhead.driver", f"'{sys.executable}' -m overhead_lint merge-budget %O %A %B")
    (tmp_path / ".gitattributes").write_text("overhead-budget.toml merge=overhead\n")
    commit(one(guards=40, recompiles=0))
    git("checkout", "-qb", "two")
    commit(one(guards=30, recompiles=1))
    git("checkout", "-q", "one")
    commit(one(guards=20, recompiles=0, graph_breaks=0))
    git("merge", "-q", "--no-edit", "two")
    assert read(path) == one(guards=20, recompiles=1, graph_breaks=0)
