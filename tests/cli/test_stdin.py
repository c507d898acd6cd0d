"""Standard input as the file to check."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("declared")

HOT = (Path(__file__).parents[1] / "data" / "samples" / "training_loop.py").read_text()
FIXED = HOT.replace("import torch\n", "import torch\nfrom overhead_lint import runtime\n").replace(
    "torch.autocast", "runtime.autocast"
)


def lint(folder: Path, text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "overhead_lint", "-", *arguments]
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, check=False)


def test_findings_are_reported_under_the_name_that_is_given(tmp_path: Path) -> None:
    done = lint(tmp_path, HOT.encode(), "--output-format", "concise")
    assert done.stdout.startswith(b"-:6:14: OVH101 ") and done.returncode == 1
    done = lint(tmp_path, HOT.encode(), "--output-format", "concise", "--stdin-filename", "pkg/a.py")
    assert done.stdout.startswith(b"pkg/a.py:6:14: OVH101 ")


def test_with_fix_the_text_goes_to_stdout_and_the_report_to_stderr(tmp_path: Path) -> None:
    done = lint(tmp_path, HOT.replace("\n", "\r\n").encode(), "--fix")
    assert (done.stdout, done.returncode) == (FIXED.replace("\n", "\r\n").encode(), 0)
    assert b"Fixed 1 finding." in done.stderr
    for text in (FIXED.encode(), b"def f(:\n", "\ufeffx = 1\n".encode(), b""):
        assert lint(tmp_path, text, "--fix").stdout == text
    assert [path.name for path in tmp_path.iterdir()] == ["requirements.txt"]


def test_a_text_that_settings_exclude_comes_back_as_it_was_where_that_is_forced(tmp_path: Path) -> None:
    (tmp_path / "overhead-lint.toml").write_text("exclude = ['old/']")
    named = ("--stdin-filename", "old/a.py", "--force-exclude")
    done = lint(tmp_path, HOT.encode(), *named, "--fix")
    assert (done.stdout, done.stderr, done.returncode) == (HOT.encode(), b"No findings.\n", 0)
    assert lint(tmp_path, HOT.encode(), *named).returncode == 0
    assert lint(tmp_path, HOT.encode(), *named[:-1]).returncode == 1


def test_diff_shows_what_would_change(tmp_path: Path) -> None:
    done = lint(tmp_path, HOT.encode(), "--diff", "--stdin-filename", "a.py")
    assert done.stdout.startswith(b"--- a/a.py\n+++ b/a.py\n") and done.returncode == 1


def test_settings_and_heat_come_from_where_the_file_belongs(tmp_path: Path) -> None:
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "overhead-lint.toml").write_text("ignore = ['OVH4']")
    (folder / "train.py").write_text(
        "from helper import scaled\n\n\ndef train(model, loader, optimizer):\n    for batch in loader:\n"
        "        loss = model(scaled(batch))\n        loss.backward()\n        optimizer.step()\n"
    )
    helper = (
        b"import torch\n\n\ndef scaled(x):\n    with torch.autocast('cuda'):\n        return x.sum().item()\n"
    )
    done = lint(tmp_path, helper, "--output-format", "concise", "--stdin-filename", "pkg/helper.py")
    assert [line.split()[1] for line in done.stdout.splitlines()[:-1]] == [b"OVH101"]
    assert lint(tmp_path, helper, "--stdin-filename", "pkg/helper.py", "--no-project").returncode == 0
    assert lint(tmp_path, helper, "--stdin-filename", "pkg/tests/test_helper.py").returncode == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"def f(:\n", b"-:1:7: syntax error"),
        (b"\xff", b"-:1:1: is not valid utf-8"),
        (b"#" * 5_000_001, b"-: is larger than 5 MB; split it"),
        (b"x = '\0'", b"-:1:6: contains null bytes"),
    ],
)
def test_a_text_that_cannot_be_checked_is_one_line(tmp_path: Path, text: bytes, message: bytes) -> None:
    done = lint(tmp_path, text)
    assert done.stderr.startswith(message) and done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.py"],
        ["--stdin-filename="],
        ["--add-ignore", "old"],
        ["--show-files"],
        ["--write-baseline"],
        ["--explain-heat", "a.py:1"],
    ],
)
def test_what_makes_no_sense_with_it_is_refused(tmp_path: Path, arguments: list[str]) -> None:
    done = lint(tmp_path, b"x = 1\n", *arguments)
    assert done.returncode == 2 and re.search(b"standard input|an empty path", done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["requirements.txt"]
