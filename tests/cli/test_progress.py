"""How far a command is, said on a terminal, and taken away before anything else is said."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from overhead_lint.cli.main import main
from overhead_lint.workspace.workspace import Workspace

FILES = {
    "model.py": "import torch\ndef f(x):\n    return torch.exp(x)\n",
    "train.py": "import torch\nfrom model import f\nfor batch in loader:\n    if f(batch) > 1: pass\n",
}


class Terminal(io.StringIO):
    """Stands for one."""

    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        """What is left to be seen of the last line: a return lets others be written over it."""
        line = ""
        for part in self.getvalue().rpartition("\n")[2].split("\r"):
            line = part + line[len(part) :]
        return line.rstrip()


Watched = Callable[..., tuple[int, Terminal]]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Checks a project of two files; gives the status, and the terminal, whose line changes when it can."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "overhead-lint.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("overhead_lint.support.progress._LEAST", 0.0)

    def check(*options: str) -> tuple[int, Terminal]:
        terminal = Terminal()
        monkeypatch.setattr("sys.stderr", terminal)
        return main(["--no-cache", *options, "."]), terminal

    return check


def test_a_first_run_says_how_far_it_is_and_leaves_nothing_of_that(
    watched: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    status, terminal = watched()
    said = [line.partition(",")[0].rstrip() for line in terminal.getvalue().split("\r")]
    assert said[1:3] == [f"overhead-lint: looking into files: {number} of 2" for number in (1, 2)]
    assert {"overhead-lint: following calls", "overhead-lint: looking again into files: 1 of 1"} <= {*said}
    assert terminal.shown() == ""
    assert status == 1
    assert "OVH404" in capsys.readouterr().out


def test_whoever_wants_it_quiet_is_told_nothing(watched: Watched) -> None:
    status, terminal = watched("--quiet")
    assert (status, terminal.getvalue()) == (1, "")


def test_what_is_said_of_an_interrupt_stands_alone(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Workspace, *_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "_let_heat_flow", interrupted)
    status, terminal = watched()
    assert status == 130
    assert "looking into files" in terminal.getvalue()
    assert terminal.getvalue().rpartition("\r")[2] == "overhead-lint: interrupted\n"
