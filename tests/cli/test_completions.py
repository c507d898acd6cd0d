"""Completion scripts: bash runs its own, fish and zsh take theirs where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from overhead_lint.cli.completions import script
from overhead_lint.cli.main import COMMANDS, main

SHELLS = ("bash", "fish", "zsh")


def completed(tmp_path: Path, *words: str) -> list[str]:
    """What bash offers for the last of the words of a command line."""
    for name in ("train.py", "odd words [1].toml"):
        (tmp_path / name).touch()
    line = " ".join(f"'{word}'" for word in words)
    commands = f"{script('bash')}\nCOMP_WORDS=({line})\nCOMP_CWORD={len(words) - 1}\n_overhead_lint\n"
    commands += 'printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "--norc", "-u", "-c", commands], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["c"], ["check", "clean", "compile-sites", "completions"]),
        (["t"], ["train.py"]),
        (["--unsafe"], ["--unsafe-fixes"]),
        (["check", "--min"], ["--min-cost", "--min-heat"]),
        (["--min-heat", ""], ["loop", "presumed", "request", "step"]),
        (["--select", "OVH10"], [f"OVH10{i}" for i in range(1, 10)]),
        (["--select", "OVH404,OVH50"], [f"OVH404,OVH50{i}" for i in range(1, 4)]),
        (["--ignore", "OVH1,OVH2,AL"], ["OVH1,OVH2,ALL"]),
        (["--output-format", "json,"], [""]),
        (["--output-format", "j"], ["json", "jsonl", "junit"]),
        (["--config", "tr"], ["train.py"]),
        (["rule", "OVH50"], [f"OVH50{i}" for i in range(1, 4)]),
        (["rule", "--li"], ["--list"]),
        (["completions", "z"], ["zsh"]),
        (["native", "b"], ["build"]),
        (["--output-format", "=", "j"], ["json", "jsonl", "junit"]),
        (["--min-heat", "="], ["loop", "presumed", "request", "step"]),
        (["--config", "odd"], ["odd words [1].toml"]),
    ],
)
def test_bash_offers(tmp_path: Path, words: list[str], offered: list[str]) -> None:
    assert sorted(set(completed(tmp_path, "overhead-lint", *words))) == offered


def test_fish_asks_for_codes_behind_a_comma_too() -> None:
    text = script("fish")
    options = [line for line in text.splitlines() if " -l select " in line or " -l ignore " in line]
    assert options and all("-x -a '(__overhead_lint_codes)'" in line for line in options)
    (before,) = (line for line in text.splitlines() if "set -l before" in line)
    assert before.endswith("string match -r '.*,')")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("--select OVH50", [f"OVH50{i}" for i in range(1, 4)]),
        ("--select OVH404,OVH50", [f"OVH404,OVH50{i}" for i in range(1, 4)]),
        ("check --ignore=OVH1,OVH2,AL", ["--ignore=OVH1,OVH2,ALL"]),
        ("--output-format json,", []),
        ("rule OVH50", [f"OVH50{i}" for i in range(1, 4)]),
    ],
)
def test_fish_offers(tmp_path: Path, line: str, offered: list[str]) -> None:
    commands = f"{script('fish')}\ncomplete -C 'overhead-lint {line}'\n"
    done = subprocess.run(
        ["fish", "--no-config"], input=commands, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert [found.partition("\t")[0] for found in done.stdout.splitlines()] == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_the_script_and_the_shell_can_read_it(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completions", shell]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in COMMANDS)
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


def test_another_shell_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["completions", "tcsh"])
    assert caught.value.code == 2
    assert "tcsh" in capsys.readouterr().err
