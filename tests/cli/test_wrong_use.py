"""What is said of options, commands and paths that nothing can be done with: one line, and status 2."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint.cli import main as cli
from overhead_lint.discovery import files
from overhead_lint.support.dependencies import REQUIRED

WASTEFUL = """\
import torch

for batch in loader:
    with torch.autocast("cuda"):
        model(batch).sum().backward()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with one file."""
    (tmp_path / "ok.py").write_text("import torch\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    try:
        status = cli.main(arguments)
    except SystemExit as exit_:
        status = int(str(exit_.code))
    assert status == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--selectt", "OVH101", "."], "unknown option --selectt: did you mean --select?"),
        (["--selectt=OVH101", "."], "unknown option --selectt: did you mean --select?"),
        (["--hot=pkg.*", "."], "unknown option --hot: it is a setting, for overhead-lint.toml"),
        (["--zzz", "."], "unknown option --zzz: --help shows all"),
        (["chek", "."], "'chek' is no command, and no such file: did you mean check?"),
        (["completion", "bash"], "'completion' is no command, and no such file: did you mean completions?"),
        (
            ["check", "check", "."],
            "'check' is a command, and no such file: give it once, ahead of all options",
        ),
        (
            ["-q", "rule", "OVH101"],
            "'rule' is a command, and no such file: give it once, ahead of all options",
        ),
        (
            ["--no-cache", "--cache-dir", "a"],
            "argument --cache-dir: not allowed with argument --no-cache",
        ),
        (["help"], "'help' is no command, and no such file: did you mean --help?"),
        (["a", "--fix", "b", "--selct", "c"], "unknown option --selct: did you mean --select?"),
        (
            ["--explain-heat", "ok.py:1", "--output-format", "json"],
            "--explain-heat is text: no --output-format with it",
        ),
        (
            ["--explain-heat", "ok.py:1", "--fix"],
            "--explain-heat stands in place of a check: no --fix with it",
        ),
        (
            ["--show-files", "--statistics"],
            "--show-files stands in place of a check: no --statistics with it",
        ),
        (["--show-settings", "--output-format=json"], "--show-settings is text: no --output-format with it"),
        (["rnu", "train.py"], "'rnu' is no command, and no such file: did you mean run?"),
        (["rule", "--lst"], "unknown option --lst: did you mean --list?"),
        (["rule", "OVH101", "OVH102"], "unexpected argument 'OVH102'"),
        (["rule", "--all", "--output-format", "jsn"], "'jsn' is none of its choices: did you mean json?"),
        (["guards", "snapshto"], "'snapshto' is none of its choices: did you mean snapshot?"),
        (["guards", "diff", "a", "b", "--exit-zer"], "unknown option --exit-zer"),
        (["native", "xyz"], "'xyz' is none of its choices: there are build, info"),
        (["--select", "OVH10x", "."], "unknown rule 'OVH10x': did you mean OVH10"),
        (
            ["--select", "OVH101", "OVH404"],
            "'OVH404' is no file: several codes stand in one word, with commas",
        ),
        (["OVH404"], "OVH404: no such file or folder"),
        (["source"], "source: no such file or folder"),
        (["--select", "", "."], "--select takes codes"),
        (["--ignore", ",", "."], "--ignore takes codes"),
        (["--select", "OVH9", "."], "unknown rule 'OVH9': no code begins so; there are OVH0, OVH1, OVH2"),
        (["--select", "ovh10", "."], "unknown rule 'ovh10': did you mean OVH10?"),
        (["--cache-dir", "", "."], "argument --cache-dir: an empty path: write . for the current folder"),
        (["--cache-dir", "ok.py", "."], "--cache-dir takes a folder: ok.py is none"),
        (["--write-baseline=", "."], "argument --write-baseline: an empty path"),
        (["clean", ""], "argument PATH: an empty path"),
        (["clean", "--cache-dir", ""], "argument --cache-dir: an empty path"),
        (["vendor", ""], "argument PATH: an empty path"),
        (["x" * 5000], "x: cannot be read: File name too long"),
    ],
)
def test_what_is_wrong_and_what_was_meant_is_said(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    said = _said(capsys, *arguments)
    assert complaint in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "arguments", [[], ["-"], ["clean"], ["run", "train.py"], ["--explain-heat", "/a.py:1"]]
)
def test_a_current_folder_that_was_removed_is_told(tmp_path: Path, arguments: list[str]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    start = "import os, sys; os.rmdir(os.getcwd()); from overhead_lint.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", start, *arguments]
    done = subprocess.run(command, cwd=gone, capture_output=True, text=True, input="", check=False)
    said = "overhead-lint: the current folder is not there any more: cd to one that is\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_place_in_a_file_that_does_not_exist_is_told_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _said(capsys, "--explain-heat", "nowhere.py:3") == "nowhere.py: no such file or folder\n"


def test_a_folder_with_the_name_of_a_command_that_was_mistyped_is_checked(folder: Path) -> None:
    (folder / "chek").mkdir()
    (folder / "chek" / "a.py").write_text("x = 1\n")
    assert cli.main(["chek"]) == 0


def test_a_pipe_is_not_waited_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe.py")
    assert _said(capsys, "pipe.py").startswith("pipe.py: is a pipe: write - to check standard input")
    assert cli.main(["."]) == 0


@pytest.mark.parametrize("option", ["--config", "--baseline", "--evidence"])
def test_a_pipe_is_not_waited_for_as_a_file_of_an_option(
    folder: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    os.mkfifo(folder / "pipe")
    said = _said(capsys, option, "pipe", ".").removeprefix("overhead-lint: ")
    assert said == "pipe: cannot be read: is a pipe\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device")
@pytest.mark.parametrize("option", ["--config", "--baseline", "--evidence"])
def test_a_device_that_never_ends_is_not_read(capsys: pytest.CaptureFixture[str], option: str) -> None:
    said = _said(capsys, f"{option}=/dev/zero", ".")
    assert said.removeprefix("overhead-lint: ") == "/dev/zero: cannot be read: is a device\n"


def test_a_baseline_goes_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe")
    for path in ("pipe", "/dev/zero"):
        said = _said(capsys, f"--write-baseline={path}", ".")
        assert said == f"overhead-lint: {path}: cannot be written: is no file\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may enter any folder")
def test_a_folder_that_may_not_be_entered_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "closed").mkdir(mode=0)
    assert "closed: cannot be read: Permission denied" in _said(capsys, "closed")
    assert "closed/a.py: cannot be read: Permission denied" in _said(capsys, "closed/a.py")


def test_what_the_system_refuses_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "closed")

    monkeypatch.setattr(files, "collected", refuse)
    assert _said(capsys, ".") == "overhead-lint: closed: Permission denied\n"


def test_a_table_of_the_other_settings_file_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "overhead-lint.toml").write_text('[tool.overhead-lint]\nselect = ["OVH1"]\n')
    said = _said(capsys, ".")
    assert "overhead-lint.toml:1: unknown setting 'tool': [tool.overhead-lint] is for pyproject.toml" in said


@pytest.mark.parametrize("output_format", ["concise", "full", "grouped", "table"])
def test_the_name_of_a_file_stays_on_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str], output_format: str
) -> None:
    (folder / "a\n\x1b[31mb.py").write_text("import torch\nfor x in loader:\n    torch.exp(x).item()\n")
    (folder / "c\nd.py").write_text("import torch\ntorch.exp(x).item(\n")
    assert cli.main([".", "--output-format", output_format]) == 2
    done = capsys.readouterr()
    assert done.err == "c\\nd.py:2:18: syntax error: '(' was never closed\n"
    assert "a\\n\\x1b[31mb.py:" in done.out
    assert "\x1b" not in done.out
    for option in ("--show-files", "--explain-heat=a\n\x1b[31mb.py:3"):
        cli.main([option])
        assert "a\\n\\x1b[31mb.py" in capsys.readouterr().out
    cli.main(["--write-baseline=known.jsonl"])
    (folder / "a\n\x1b[31mb.py").unlink()
    capsys.readouterr()
    cli.main([".", "--baseline", "known.jsonl", "--baseline-strict"])
    assert "known.jsonl: no longer found: a\\n\\x1b[31mb.py: OVH404" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("package", "arguments"),
    [("pathspec", ["."]), ("tabulate", ["--statistics", "."]), ("libcst", ["--fix", "wasteful.py"])],
)
def test_a_package_that_a_checkout_lacks_is_named(folder: Path, package: str, arguments: list[str]) -> None:
    (folder / "wasteful.py").write_text(WASTEFUL)
    (folder / ".gitignore").write_text("*.log\n")
    code = "import sys; sys.modules[sys.argv[1]] = None; from overhead_lint.cli.main import main; "
    command = [sys.executable, "-c", f"{code}sys.exit(main(sys.argv[2:]))", package, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = f"overhead-lint: {package} is not installed: {sys.executable} -m pip install {package}\n"
    assert (done.returncode, done.stderr) == (2, told)


def test_a_module_that_a_checkout_cannot_lack_is_no_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, cli.COMMANDS["check"], None)
    with pytest.raises(ModuleNotFoundError):
        cli.main(["."])


def test_what_may_be_missing_is_what_an_installation_brings() -> None:
    tree = ast.parse((Path(__file__).parents[2] / "setup.py").read_text("utf-8"))
    (listed,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "REQUIREMENTS"
    )
    assert {re.split("[^a-z]", text)[0] for text in ast.literal_eval(listed)} == REQUIRED


def test_a_fault_of_the_linter_is_not_taken_for_findings(tmp_path: Path) -> None:
    program = "import overhead_lint.cli.main as command; command._run = lambda *_: 1 / 0; command.console()"
    done = subprocess.run([sys.executable, "-c", program, "."], cwd=tmp_path, capture_output=True, text=True)
    lines = done.stderr.splitlines()
    assert (done.returncode, done.stdout, lines[0]) == (2, "", "Traceback (most recent call last):")
    said = "the error above is a fault of overhead-lint itself: please report it with these lines"
    assert lines[-2:] == ["ZeroDivisionError: division by zero", f"overhead-lint: {said}"]
