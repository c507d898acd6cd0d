"""What rules saw is kept for every selection: another one needs no look into any file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .cache_runs import Runner

SEVERAL = """\
import os
import torch
def f(x, names):
    import json
    y = torch.exp(x)
    print(y.item(), os.environ["HOME"])
    return torch.tensor([1.0, 2.0], device=x.device) + y
"""


@pytest.fixture
def several(project: Path) -> Path:
    """The project, with places for several rules in the hot function."""
    path = project / "model.py"
    path.write_text(SEVERAL)
    old = path.stat().st_mtime - 60
    os.utime(path, (old, old))
    return project


@pytest.mark.parametrize(
    "selection",
    [
        ("--select", "OVH4"),
        ("--select", "OVH603"),
        ("--ignore", "OVH4"),
        ("--min-heat", "presumed"),
        ("--min-heat", "loop"),
        ("--preview",),
        ("--select", "ALL", "--ignore", "OVH404,OVH6"),
    ],
    ids=" ".join,
)
def test_another_selection_finds_the_same_without_a_look(
    several: Path, run: Runner, selection: tuple[str, ...]
) -> None:
    first = run(".")
    assert first.seen == ["model.py", "train.py"]
    other = run(".", *selection)
    assert other.seen == []
    assert (other.status, other.out) == (run(".", *selection, "--no-cache").status, run(".", *selection).out)
    assert run(".", *selection, "--no-cache").out == other.out
    again = run(".")
    assert (again.out, again.seen) == (first.out, [])


def test_a_first_run_with_one_rule_serves_the_others(several: Path, run: Runner) -> None:
    run(".", "--select", "OVH101")
    rest = run(".")
    assert rest.seen == []
    assert rest.out == run(".", "--no-cache").out
    assert rest.out.count('"OVH') > 2


def test_settings_that_select_need_no_look_either(several: Path, run: Runner) -> None:
    first = run(".")
    (several / "overhead-lint.toml").write_text(
        'ignore = ["OVH404"]\n\n[per-file-ignores]\n"model.py" = ["OVH6"]\n'
    )
    less = run(".")
    assert less.seen == []
    assert less.out == run(".", "--no-cache").out != first.out


def test_what_the_command_line_leaves_out_in_files_counts_for_that_run_alone(
    several: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the folder that its patterns count from."""
    first = run(".")
    less = run(".", "--per-file-ignores", "model.py:OVH6")
    assert less.seen == []
    assert less.out == run(".", "--no-cache", "--per-file-ignores", "model.py:OVH6").out != first.out
    (several / "below").mkdir()
    monkeypatch.chdir(several / "below")
    found = json.loads(run("..", "--per-file-ignores", "model.py:OVH6").out)
    assert {finding["code"][:4] for finding in found} >= {"OVH4", "OVH6"}
    monkeypatch.chdir(several)
    again = run(".")
    assert (again.out, again.seen) == (first.out, [])


def test_an_unknown_rule_is_told_of_though_an_earlier_run_was_kept(several: Path, run: Runner) -> None:
    run(".")
    assert run(".", "--per-file-ignores", "model.py:OVH999").status == 2
    settings = several / "overhead-lint.toml"
    settings.write_text('[per-file-ignores]\n"model.py" = ["OVH6"]\n')
    assert run(".").status == 1
    settings.write_text('[per-file-ignores]\n"model.py" = ["OVH999"]\n')
    assert [run(".").status for _ in range(2)] == [2, 2]


def test_settings_that_rules_go_by_need_one(several: Path, run: Runner) -> None:
    run(".")
    (several / "overhead-lint.toml").write_text('target-torch = "2.9"\n')
    assert run(".").seen == ["model.py", "train.py"]


def test_a_file_that_changes_between_selections_is_seen(several: Path, run: Runner) -> None:
    run(".")
    run(".", "--select", "OVH4")
    path = several / "model.py"
    path.write_text(SEVERAL.replace("y.item()", "y"))
    changed = run(".")
    assert changed.seen == ["model.py"]
    assert changed.out == run(".", "--no-cache").out
