"""``--watch``: a change of a file, of the settings, or of the list of files starts another check."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from overhead_lint.cli import watch
from overhead_lint.cli.main import main

CODE = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        with torch.autocast("cuda"):
            return x
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file, to run in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(CODE)
    return tmp_path


def test_state_tells_changed_added_and_removed_files_and_settings(here: Path) -> None:
    states = [watch.state([Path()])]

    def changed() -> set[str]:
        states.append(watch.state([Path()]))
        before, now = states[-2:]
        return {path.name for path in before.keys() | now.keys() if before.get(path) != now.get(path)}

    assert changed() == set()
    (here / "b.py").write_text("x = 1\n")
    assert changed() == {"b.py"}
    (here / "b.py").write_text("x = 10\n")
    assert changed() == {"b.py"}
    (here / "b.py").unlink()
    assert changed() == {"b.py"}
    (here / "overhead-lint.toml").write_text('ignore = ["OVH101"]\n')
    assert changed() == {"overhead-lint.toml"}


def test_a_pipe_in_the_place_of_settings_is_not_waited_for(here: Path) -> None:
    os.mkfifo(here / "overhead-lint.toml")
    assert here / "overhead-lint.toml" in watch.state([Path()])


def test_state_tells_changes_of_files_that_settings_extend(here: Path) -> None:
    (here / "pyproject.toml").write_text('[tool.overhead-lint]\nextend = "sub/base.toml"\n')
    states = [watch.state([Path()])]

    def changed() -> set[str]:
        states.append(watch.state([Path()]))
        before, now = states[-2:]
        return {path.name for path in before.keys() | now.keys() if before.get(path) != now.get(path)}

    (here / "sub").mkdir()
    (here / "sub" / "base.toml").write_text('extend = "../far.toml"\n')
    assert changed() == {"base.toml"}
    (here / "far.toml").write_text("select = 1\n")
    assert changed() == {"far.toml"}
    (here / "far.toml").write_text("select = []\n")
    assert changed() == {"far.toml"}
    assert changed() == set()


@pytest.mark.parametrize("option", ["--config=named.toml", "--baseline=known.jsonl"])
def test_a_change_of_a_file_that_is_named_is_checked(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    main(["--write-baseline=known.jsonl"])
    (here / "named.toml").write_text('extend = "base.toml"\n')
    (here / "base.toml").write_text('ignore = ["OVH101"]\n')
    pauses = iter(range(1))

    def pause(_: float) -> None:
        if next(pauses, None) is None:
            raise KeyboardInterrupt
        (here / "base.toml").write_text("")
        (here / "known.jsonl").write_text('{"overhead_baseline": 1}\n')

    monkeypatch.setattr(time, "sleep", pause)
    assert main(["--watch", "--output-format", "concise", option, "."]) == 1
    assert capsys.readouterr().out.count("OVH101") == 1


def test_each_change_is_checked_until_ctrl_c(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pauses = iter(range(2))

    def pause(_: float) -> None:
        if next(pauses, None) is None:
            raise KeyboardInterrupt
        (here / "a.py").write_text("x = 1\n")

    monkeypatch.setattr(time, "sleep", pause)
    assert main(["--isolated", "--watch", "--output-format", "concise", "."]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("OVH101") == 1
    assert "No findings." in captured.out
    assert captured.err.startswith("Watching; Ctrl-C ends it.\n")
    assert captured.err.endswith("a.py changed\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_ctrl_c_ends_it_with_the_status_of_the_last_check(here: Path) -> None:
    command = [sys.executable, "-m", "overhead_lint", "--isolated", "--no-cache", "--watch", "."]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "Watching; Ctrl-C ends it.\n"
    time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=30) == 1
    assert process.stderr.read() == ""
    process.stderr.close()


def test_the_report_of_the_first_check_is_not_held_back(here: Path) -> None:
    command = [sys.executable, "-m", "overhead_lint", "--isolated", "--no-cache", "--watch", "-q", "."]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"a.py:7:14: OVH101")
    finally:
        process.kill()
        process.communicate()


def test_settings_that_cannot_be_used_are_all_that_changed(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "src").mkdir()
    (here / "a.py").rename(here / "src" / "b.py")
    settings = here / "overhead-lint.toml"
    settings.write_text("")
    (here / "a.py").write_text("x = 1\n")
    texts = iter(["select = [", "select = ['OVH5']"])

    def pause(_: float) -> None:
        if (text := next(texts, None)) is None:
            raise KeyboardInterrupt
        settings.write_text(text)

    monkeypatch.setattr(time, "sleep", pause)
    assert main(["--watch", "src"]) == 0
    told = [line.split()[1:] for line in capsys.readouterr().err.splitlines() if line.endswith("changed")]
    assert told == [[str(settings), "changed"]] * 2


@pytest.mark.parametrize(
    "option", ["--write-baseline", "--show-files", "--add-ignore=why", "--show-settings"]
)
def test_what_is_done_once_cannot_be_watched(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--watch", option, "."])
    assert caught.value.code == 2
    name = option.partition("=")[0]
    assert f"--watch checks again and again: no {name} with it\n" in capsys.readouterr().err
