"""Options about reports: the file, statistics, colours, the exit status, what goes with what."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .format_runs import TRAIN, Done, Lint, broken


def test_the_output_file_may_be_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    command = [sys.executable, "-m", "overhead_lint", "--output-file=/dev/stdout", "-q", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ("OVH101" in done.stdout, done.stderr, done.returncode) == (True, "", 1)


def test_statistics_count_by_rule_with_the_share_that_can_be_fixed(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text(
        TRAIN.replace("return loss.item()", "first = loss.item()\n\n\n    return first + (loss * 2).item()")
    )
    header, _, first, second, _, last = lint("--statistics", ".").out.splitlines()
    assert header.split() == ["code", "name", "count", "safe", "unsafe", "needs-runtime", "fixable"]
    assert first.split() == ["OVH404", "sync-in-step", "3", "0", "0", "0", "0%"]
    assert second.split() == ["OVH101", "autocast-per-step", "2", "2", "0", "0", "100%"]
    assert last == "Found 5 findings in 2 files (2 fixable with --fix)."
    counts = json.loads(lint("--statistics", "--output-format", "json", ".").out)
    fixes = {"safe": 2, "unsafe": 0, "needs-runtime": 0}
    assert counts[1] == {"code": "OVH101", "name": "autocast-per-step", "count": 2, **fixes}


def test_quiet_leaves_the_summary_out(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("x = 1\n")
    assert lint("-q", "clean.py") == Done("", "", 0)
    done = lint("--quiet", "--output-format", "concise", ".")
    assert len(done.out.splitlines()) == 2 and done.status == 1
    assert lint("--quiet", "--diff", ".").err == ""


def test_exit_zero_is_about_findings_not_about_errors(lint: Lint, tmp_path: Path) -> None:
    assert lint("--exit-zero", ".").status == 0
    assert lint("--exit-zero", "--diff", ".").status == 0
    broken(tmp_path)
    assert lint("--exit-zero", ".").status == 2


def test_exit_non_zero_on_fix(lint: Lint) -> None:
    assert lint("--fix", "--select", "OVH101", "--exit-non-zero-on-fix", ".").status == 1
    assert lint("--fix", "--select", "OVH101", "--exit-non-zero-on-fix", ".").status == 0


def test_the_output_file_holds_what_stdout_would(lint: Lint, tmp_path: Path) -> None:
    printed = lint("--output-format", "sarif", ".")
    done = lint("--output-format", "sarif", "-o", "out.sarif", ".")
    assert (done.out, done.status) == ("", 1)
    assert (tmp_path / "out.sarif").read_text() == printed.out
    long = "ö" * 125 + ".json"  # 255 bytes, as long as names may be
    assert lint("--output-format", "sarif", "--output-file", long, ".").status == 1
    assert (tmp_path / long).read_text() == printed.out
    assert not list(tmp_path.glob("*.tmp"))
    assert lint("--output-file", "/dev/null", ".") == Done("", "", 1)
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("fix", [(), ("--fix",)])
def test_an_output_file_that_has_no_place_is_refused_before_anything_is_done(
    lint: Lint, tmp_path: Path, fix: tuple[str, ...]
) -> None:
    for name, why in (("gone/out.txt", "no such folder: gone"), ("a b", "is a folder")):
        done = lint("--output-file", name, *fix, ".")
        assert done == Done("", f"overhead-lint: {name}: cannot be written: {why}\n", 2)
    assert (tmp_path / "a b" / "train.py").read_text() == TRAIN


def test_a_failed_write_keeps_the_old_report(
    lint: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out.txt").write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    done = lint("--output-file", "out.txt", ".")
    assert done == Done("", "overhead-lint: out.txt: cannot be written: No space left on device\n", 2)
    assert (tmp_path / "out.txt").read_text() == "old"


@pytest.mark.parametrize(
    ("environment", "terminal", "colored"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
    ],
)
def test_colors_are_for_terminals_and_as_the_environment_says(
    lint: Lint, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], terminal: bool, colored: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    for name in ("full", "concise", "grouped"):
        assert ("\x1b[" in lint("--output-format", name, ".").out) is colored
    for name in ("json", "github", "junit", "table"):
        assert "\x1b[" not in lint("--output-format", name, ".").out


def test_colors_change_nothing_but_colors(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, diff = lint(".").out, lint("--diff", ".").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert re.sub(r"\x1b\[[0-9;]*m", "", lint(".").out) == plain
    painted = lint("--diff", ".").out
    assert "\x1b[32m+" in painted and "\x1b[1;31m-" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == diff
    assert lint("--output-file", "out.txt", ".").status == 1
    assert Path("out.txt").read_text() == plain


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--diff", "--output-format", "json"), "--diff prints a diff"),
        (("--diff", "--statistics"), "--diff prints a diff"),
        (("--diff", "--output-file", "x"), "--diff prints a diff"),
        (("--statistics", "--output-format", "sarif"), "--statistics is text or json, not sarif"),
    ],
)
def test_options_that_exclude_each_other_are_one_line(
    lint: Lint, arguments: tuple[str, ...], error: str
) -> None:
    done = lint(*arguments, ".")
    assert done.err.startswith(f"overhead-lint: {error}")
    assert (done.out, done.err.count("\n"), done.status) == ("", 1, 2)


def test_a_report_takes_the_place_of_nothing_that_is_read(lint: Lint) -> None:
    assert lint("--write-baseline=known.jsonl", ".").status == 0
    Path("settings.toml").write_text("")
    Path("link.json").symlink_to("a b/train.py")
    for name in ("a b/train.py", "link.json", "known.jsonl", "settings.toml"):
        before = Path(name).read_bytes()
        given = ("--baseline", "known.jsonl", "--config", "settings.toml", "--fix", "a b")
        done = lint(*given, "--output-file", name)
        assert (
            done.err == f"overhead-lint: {name}: is read by this run, and the report would take its place\n"
        )
        assert (done.out, done.status) == ("", 2)
        assert Path(name).read_bytes() == before
