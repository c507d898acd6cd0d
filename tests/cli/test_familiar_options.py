"""Options that people know from other linters do here what they do there."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

TRAIN = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        import math

        with torch.autocast("cuda"):
            x = x.sum() * math.pi + torch.zeros(3).to(x.device)
        return x.sum().item()
"""


def write(*paths: str, text: str = TRAIN) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")


def codes(run: Run, *arguments: str) -> set[str]:
    done = run("--output-format=concise", "--isolated", "--no-cache", *arguments)
    assert done.returncode in (0, 1), done.stderr
    return {line.split(": ")[1].split()[0] for line in done.stdout.splitlines() if ".py:" in line}


@pytest.fixture
def checked(run_here: Run) -> set[str]:
    write("net.py")
    found = codes(run_here, ".")
    assert len(found) >= 2
    return found


def test_names_stand_for_codes(run_here: Run, checked: set[str]) -> None:
    assert codes(run_here, "--select", "sync-in-step", ".") == {"OVH404"}
    assert codes(run_here, "--ignore", "sync-in-step,OVH6", ".") == {
        code for code in checked if code != "OVH404" and not code.startswith("OVH6")
    }
    assert codes(run_here, "--per-file-ignores", "net.py:sync-in-step", ".") == checked - {"OVH404"}


def test_names_stand_for_codes_in_settings(run_here: Run, checked: set[str]) -> None:
    settings = 'ignore = ["autocast-per-step"]\nper-file-ignores = {"net.py" = ["sync-in-step"]}\n'
    Path("overhead-lint.toml").write_text(settings)
    found = run_here("--output-format=concise", "--no-cache", ".").stdout
    assert "OVH101" not in found
    assert "OVH404" not in found
    assert "OVH701" in found


def test_extend_select_adds_to_what_the_file_selects(run_here: Run, checked: set[str]) -> None:
    Path("overhead-lint.toml").write_text('select = ["OVH101"]\nextend-select = ["OVH605"]\n')
    done = run_here("--output-format=concise", "--extend-select=OVH404", ".")
    assert all(code in done.stdout for code in ("OVH101", "OVH404", "OVH605"))


def test_exclude_adds_to_what_the_file_leaves_out(run_here: Run) -> None:
    write("a/net.py", "b/net.py", "c/net.py")
    Path("overhead-lint.toml").write_text('exclude = ["a/"]\n')
    shown = run_here("--show-files", "--exclude", "b/", ".").stdout
    assert shown.split() == ["c/net.py"]
    assert run_here("--show-files", "--exclude", "b/", "b/net.py").stdout.split() == ["b/net.py"]
    assert run_here("--show-files", "--exclude=b/", "--force-exclude", "b/net.py").stdout == ""
    assert "--exclude leaves nothing to check of 1 file" in run_here("--exclude", "net.py", "b").stderr


def test_fixable_and_unfixable_take_names(run_here: Run, checked: set[str]) -> None:
    assert "device=x.device" in run_here("--diff", "--isolated", "--fixable=factory-then-to", ".").stdout
    assert run_here("--diff", "--isolated", "--unfixable=factory-then-to", ".").stdout == ""


def test_fix_only_reports_nothing_of_what_is_left(run_here: Run, checked: set[str]) -> None:
    done = run_here("--isolated", "--no-cache", "--fix-only", "--fixable=OVH701", ".")
    assert (done.stdout, done.stderr.splitlines()[0], done.returncode) == ("", "Fixed 1 finding.", 0)
    assert done.stderr.splitlines()[1] == "Removed 1 stall a step."
    assert "torch.zeros(3, device=x.device)" in Path("net.py").read_text()
    assert run_here("--isolated", "--fix-only", "--exit-non-zero-on-fix", ".").returncode in (0, 1)


def test_unsafe_fixes_alone_shows_them(run_here: Run, checked: set[str]) -> None:
    """Also those that cost microseconds, which are counted otherwise; and what is found stays the same."""
    assert codes(run_here, "--unsafe-fixes", ".") == checked
    run = "--isolated", "--extend-select=OVH605", "."
    shown, usual = (run_here(*options, *run).stdout for options in (["--unsafe-fixes"], []))
    assert "= fix: unsafe (--fix --unsafe-fixes): " in shown
    assert "= fix: unsafe" not in usual
    assert "(2 fixable with --fix --unsafe-fixes)" in shown
    assert "Next: overhead-lint --diff --unsafe-fixes shows" in shown
    assert "OVH605 import-in-step: 1 place in 1 file" in usual
    assert "OVH605 import-in-step: 1 place in 1 file" not in shown


@pytest.mark.parametrize(("color", "colored"), [("always", True), ("never", False), ("auto", False)])
def test_color_decides_for_reports_and_diffs(
    run_here: Run, checked: set[str], color: str, colored: bool
) -> None:
    for mode in ([], ["--diff"]):
        shown = run_here("--isolated", f"--color={color}", *mode, ".").stdout
        assert ("\x1b[" in shown) == colored


def test_target_torch_wins_over_the_file(run_here: Run) -> None:
    Path("overhead-lint.toml").write_text('target-torch = "2.4"\n')
    shown = run_here("--show-settings", "--target-torch", "2.9").stdout
    assert 'target-torch = "2.9"  # command line' in shown


def test_add_ignore_needs_no_reason(run_here: Run, checked: set[str]) -> None:
    assert run_here("--isolated", "--add-ignore", "net.py").returncode == 0
    text = Path("net.py").read_text()
    assert "# overhead: ignore[OVH404]\n" in text
    assert codes(run_here, ".") == set()


@pytest.mark.parametrize("path", ["nett.py", "note.ipynb", "nets/"])
def test_add_ignore_takes_no_path_that_is_not_there_for_a_reason(
    run_here: Run, checked: set[str], path: str
) -> None:
    done = run_here("--isolated", "--add-ignore", path)
    assert (done.returncode, "no such file or folder" in done.stderr) == (2, True)
    assert codes(run_here, ".") == checked


@pytest.mark.parametrize("comment", ["# flake8: noqa", "# ruff: noqa", "#ruff:noqa"])
def test_a_file_that_other_linters_leave_out_is_left_out(run_here: Run, comment: str) -> None:
    write("net.py", text=f"{comment}\n{TRAIN}")
    assert codes(run_here, ".") == set()
    assert codes(run_here, "--extend-select=OVH001", ".") == set()


@pytest.mark.parametrize("comment", ["# flake8: noqa: OVH404", "# ruff: noqa: E501, OVH404"])
def test_of_a_file_the_codes_that_such_a_comment_names(
    run_here: Run, checked: set[str], comment: str
) -> None:
    write("net.py", text=f"{comment}\n{TRAIN}")
    assert codes(run_here, ".") == checked - {"OVH404"}


@pytest.mark.parametrize("comment", ["# ruff: noqa: E501", "# we run ruff: noqa is not used"])
def test_what_is_about_others_silences_nothing(run_here: Run, checked: set[str], comment: str) -> None:
    write("net.py", text=f"{comment}\n{TRAIN}")
    assert codes(run_here, ".") == checked


def test_beside_a_statement_such_a_comment_is_about_nothing(run_here: Run, checked: set[str]) -> None:
    write("net.py", text=TRAIN.replace("import torch\n", "import torch  # ruff: noqa\n", 1))
    assert codes(run_here, ".") == checked


def test_a_rule_is_shown_by_its_code_in_any_case(run_here: Run) -> None:
    assert run_here("rule", "ovh404").stdout == run_here("rule", "sync-in-step").stdout != ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--per-file-ignores=a.py"], "--per-file-ignores takes PATTERN:CODES"),
        (["--per-file-ignores=[a:OVH4"], "a [ in it is not closed"),
        (["--per-file-ignores=a.py:OVH222"], "unknown rule 'OVH222'"),
        (["--exclude=../a"], "fits no file"),
        (["--target-torch=new"], "target-torch takes major and minor version"),
        (["--fixable=sync-in-steps"], "did you mean sync-in-step?"),
        (["--color=blue"], "none of its choices"),
        (["--fix-only", "--add-ignore=x"], "not allowed with"),
    ],
)
def test_wrong_values_are_one_line(run_here: Run, arguments: list[str], said: str) -> None:
    write("a.py", text="x = 1\n")
    done = run_here(*arguments, "a.py")
    assert said in done.stderr
    assert (done.stdout, done.returncode) == ("", 2)
