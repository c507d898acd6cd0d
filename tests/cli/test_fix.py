"""``--fix`` and ``--diff`` as a user runs them, with a pack whose rules can be fixed."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

PACK = """\
import ast
from overhead_lint import edits
from overhead_lint.hookspecs import hookimpl
from overhead_lint.rule import Applicability, Fix, Heat, Rule

def renaming(code, old, new, applicability):
    rule = Rule(code, f"no-{old}", "a call to replace", (old.encode(),), Heat.COLD)

    @rule.on(ast.Call)
    def check(node, ctx):
        if isinstance(node.func, ast.Name) and node.func.id == old:
            fix = Fix(applicability, f"call {new}", (edits.replace(node.func, new),))
            yield ctx.finding(rule, node, f"{old} is slow", fix=fix)

    return rule

@hookimpl
def overhead_lint_rules():
    return [
        renaming("FIX001", "slow", "fast", Applicability.SAFE),
        renaming("FIX002", "risky", "quick", Applicability.UNSAFE),
    ]
"""
TEXT = "slow(1)\nrisky(2)\n"


@pytest.fixture
def fixing(tmp_path: Path) -> Path:
    """A folder with an installed pack, beside a file that it can fix."""
    folder = tmp_path / "site"
    info = folder / "fixing-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fixing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[overhead_lint]\nfixing = fixing_pack\n")
    (folder / "fixing_pack.py").write_text(PACK)
    (tmp_path / "a.py").write_text(TEXT)
    return folder


def test_fix_writes_the_safe_ones_and_reports_the_rest(run: Run, fixing: Path, tmp_path: Path) -> None:
    done = run("--fix", "--select=FIX", "--output-format=concise", "a.py", path=fixing)
    assert (tmp_path / "a.py").read_text() == "fast(1)\nrisky(2)\n"
    assert done.stdout == (
        "a.py:2:1: FIX002 no-risky risky is slow [host, cold]\n"
        "Fixed 1 finding. Found 1 finding in 1 file (1 fixable with --unsafe-fixes).\n"
        "Removed 1 cost of host time; 1 more needs --unsafe-fixes.\n"
    )
    assert (done.stderr, done.returncode) == ("", 1)


def test_unsafe_fixes_are_taken_when_asked_for(run: Run, fixing: Path, tmp_path: Path) -> None:
    done = run("--fix", "--unsafe-fixes", "--select=FIX", "a.py", path=fixing)
    assert (tmp_path / "a.py").read_text() == "fast(1)\nquick(2)\n"
    assert (done.stdout, done.returncode) == (
        "Fixed 2 findings. No findings left.\nRemoved 2 costs of host time.\n",
        0,
    )


STALLS = """\
import torch
from torch.utils.data import DataLoader


def train(model, data, optimizer):
    for batch in DataLoader(data, pin_memory=True):
        loss = model(batch.cuda()).sum()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()
        weights = torch.tensor([1.0, 2.0]).cuda()
        ones = torch.ones(3).to(torch.float16)
"""


def test_the_last_lines_tell_by_tier_what_is_left_for_whom(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(STALLS)
    dry = run_here("--isolated", "--no-cache", "--diff", "net.py").stderr.splitlines()
    assert dry[1:3] == [
        "1 stall a step needs overhead_runtime.",
        "1 minor cost needs --unsafe-fixes; 1 needs you.",
    ]
    assert dry[3].startswith("Would remove 1 cost of microseconds (an estimated ")
    done = run_here(
        "--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--output-format=concise", "net.py"
    )
    stall, minor, micro = done.stdout.splitlines()[-4:-1]
    assert stall == "1 stall a step needs overhead_runtime."
    assert minor == "Removed 1 minor cost; 1 more needs you."
    assert re.fullmatch(r"Removed 1 cost of microseconds \(an estimated [\d.]+ us a step\)\.", micro)
    checked = run_here("--isolated", "--no-cache", "--output-format=concise", "net.py").stdout
    assert "needs you" not in checked, "said of runs that fix"


def test_a_fix_that_was_refused_is_left_to_people(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(STALLS.replace(".sum()", ".sum()\f"))
    done = run_here("--isolated", "--no-cache", "--fix", "--unsafe-fixes", "--select=OVH407", "net.py")
    assert "form feed" in done.stderr
    assert done.stdout.splitlines()[-1] == "1 stall a step needs you."


def test_a_name_that_is_not_utf_8_is_no_hindrance(run: Run, declared: Path) -> None:
    path = declared / os.fsdecode(b"\xff.py")
    step = (
        "def step(loader):\n    for x in loader:\n        with torch.autocast(x):\n            x.backward()\n"
    )
    path.write_text(f"import torch\n\n\n{step}")
    assert run("--fix").returncode == 0
    assert "runtime.autocast(x)" in path.read_text()


def test_the_last_line_tells_of_what_could_not_be_checked(run: Run, fixing: Path, tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("x = (\n")
    shown = run("--select=FIX", "--output-format=concise", "a.py", "b.py", path=fixing)
    said = "(1 fixable with --fix, 1 with --unsafe-fixes), but 1 path could not be checked.\n"
    assert (shown.stdout.endswith(said), shown.returncode) == (True, 2)
    dry = run("--select=FIX", "--diff", "b.py", path=fixing)
    assert dry.stderr.endswith("Would fix 0, leaving 0 findings, but 1 path could not be checked.\n")


def test_diff_shows_and_writes_nothing(run: Run, fixing: Path, tmp_path: Path) -> None:
    done = run("--diff", "--select=FIX", "a.py", path=fixing)
    assert (tmp_path / "a.py").read_text() == TEXT
    assert "-slow(1)\n+fast(1)\n risky(2)\n" in done.stdout
    assert done.stderr == (
        "Would fix 1, leaving 1 finding (1 fixable with --unsafe-fixes).\n"
        "Would remove 1 cost of host time; 1 more needs --unsafe-fixes.\n"
    )
    assert done.returncode == 1
    both = run("--fix", "--diff", "--select=FIX", "a.py", path=fixing)
    assert (both.stdout, both.stderr, both.returncode) == (done.stdout, done.stderr, 1)
    assert (tmp_path / "a.py").read_text() == TEXT


def test_a_diff_alone_is_status_1(run: Run, fixing: Path, tmp_path: Path) -> None:
    assert run("--diff", "--select=FIX001", "a.py", path=fixing).returncode == 1
    assert run("--fix", "--select=FIX001", "a.py", path=fixing).returncode == 0
    done = run("--diff", "--select=FIX001", "a.py", path=fixing)
    assert (done.stdout, done.returncode) == ("", 0)


def test_json_holds_the_edits_of_fixes(run: Run, fixing: Path) -> None:
    done = run("--output-format=json", "--select=FIX", "a.py", path=fixing)
    safe, unsafe = (finding["fix"] for finding in json.loads(done.stdout))
    assert safe == {
        "applicability": "safe",
        "message": "call fast",
        "edits": [{"line": 1, "column": 1, "end_line": 1, "end_column": 5, "text": "fast"}],
    }
    assert unsafe["applicability"] == "unsafe"


def test_full_output_says_how_to_apply_a_fix(run: Run, fixing: Path) -> None:
    shown = run("--select=FIX", "a.py", path=fixing).stdout
    assert "  = fix: safe (--fix): call fast\n" in shown
    assert "  = fix: unsafe (--fix --unsafe-fixes): call quick\n" in shown
    assert shown.endswith("(1 fixable with --fix, 1 with --unsafe-fixes).\n")


def test_a_file_that_cannot_be_written_is_named_and_keeps_its_findings(
    run: Run, fixing: Path, tmp_path: Path
) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes(b"# coding: latin-1\nslow('\xe9')\n")
    pack = fixing / "fixing_pack.py"
    pack.write_text(
        PACK.replace('"fast"', '"fast\u20ac"').replace("fast\u20ac", "fast_\u03b1"), encoding="utf-8"
    )
    done = run("--fix", "--select=FIX001", "latin.py", path=fixing)
    assert path.read_bytes() == b"# coding: latin-1\nslow('\xe9')\n"
    assert done.stderr.startswith("latin.py:")
    assert done.stderr.count("\n") == 1
    assert done.returncode == 1
