"""``hot`` and ``cold`` in the settings, and ``--explain-heat``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from overhead_lint.cli import main as cli

FILES = {
    "train.py": """\
        from pkg.model import Model
        def train(loader, model: Model):
            for batch in loader:
                model.run(batch)
        """,
    "pkg/__init__.py": "",
    "pkg/model.py": """\
        import torch
        class Model:
            def run(self, x):
                if self.step % 100 == 0:
                    self.report(x)
                return torch.exp(x).item()
            def report(self, x):
                return torch.exp(x).item()
        """,
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace("\n        ", "\n").removeprefix("        "))
    (tmp_path / "overhead-lint.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def findings(project: Path, settings: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """``path:line`` of the findings with these settings."""
    (project / "overhead-lint.toml").write_text(settings)
    assert cli.main(["--select", "OVH404", "--output-format", "concise", "-q", "."]) in (0, 1)
    return [":".join(line.split(":")[:2]) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("", ["pkg/model.py:6"]),
        ('cold = ["pkg.*"]', []),
        ('cold = ["pkg.model.Model"]', []),
        ('cold = ["pkg.model.Model.run"]', []),
        ('cold = ["Model.run"]', ["pkg/model.py:6"]),
        ('cold = ["*.run"]', []),
        ('cold = ["pkg/"]', []),
        ('cold = ["/model.py"]', ["pkg/model.py:6"]),
        ('cold = ["train.train"]', []),
        ('hot = ["pkg.model.Model.report"]', ["pkg/model.py:6", "pkg/model.py:8"]),
        ('hot = ["model.py"]', ["pkg/model.py:6", "pkg/model.py:8"]),
        ('hot = ["pkg.model.Model.report"]\ncold = ["pkg.*"]', ["pkg/model.py:8"]),
        ('hot = ["pkg.*"]\ncold = ["pkg.*"]', []),
    ],
)
def test_settings_override_heat(
    project: Path, capsys: pytest.CaptureFixture[str], settings: str, expected: list[str]
) -> None:
    assert findings(project, settings, capsys) == expected


@pytest.mark.parametrize("name", ["pkg.model.Model.report", "{checkout}.pkg.model.Model.report"])
def test_names_are_from_within_a_project_that_is_a_package_or_from_outside(
    project: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (project / "__init__.py").write_text("")
    settings = f'hot = ["{name.format(checkout=project.name)}"]'
    assert findings(project, settings, capsys) == ["pkg/model.py:6", "pkg/model.py:8"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ("cold = 1", "overhead-lint.toml:1: cold takes a list of dotted names and paths, as in"),
        ('hot = ["!pkg.model"]', "overhead-lint.toml:1: '!pkg.model' is neither a dotted name"),
        ('\nhot = ["a b"]', "overhead-lint.toml:2: 'a b' is neither a dotted name"),
    ],
)
def test_wrong_values_are_one_line(
    project: Path, capsys: pytest.CaptureFixture[str], settings: str, complaint: str
) -> None:
    (project / "overhead-lint.toml").write_text(settings)
    assert cli.main(["."]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            "cold = ['Model.run']",
            "1: cold: no function is called Model.run: did you mean pkg.model.Model.run?",
        ),
        (
            "hot = ['pkg.*']\ncold = ['pkg.model.Modle']",
            "2: cold: no function is called pkg.model.Modle: did you mean pkg.model.Model?",
        ),
        (
            "cold = ['pkg.modle.Model.run']",
            "1: cold: no function is called pkg.modle.Model.run: did you mean pkg.model.Model.run?",
        ),
        ("cold = ['other.thing']", "1: cold: no function is called other.thing; names start"),
        (
            "hot = ['pkg.model.Model', 'pkg.*']\ncold = ['pkg.*.report', 'pkg.*', '*.train', 'absent/']",
            "",
        ),
    ],
)
def test_names_that_fit_nothing_are_told(
    project: Path, capsys: pytest.CaptureFixture[str], settings: str, said: str
) -> None:
    (project / "overhead-lint.toml").write_text(settings)
    assert cli.main(["."]) in (0, 1)
    err = capsys.readouterr().err
    assert err.startswith(f"{project}/overhead-lint.toml:{said}") if said else err == ""
    for arguments in (["."], [".", "-q"], ["."]):  # what the cache knows is told as well
        assert cli.main(arguments) in (0, 1)
        assert capsys.readouterr().err == ("" if "-q" in arguments else err)
    (project / "new.py").write_text("def f(x):\n    return g(x)\n\n\ndef g(x):\n    return x\n")
    for _ in range(2):
        assert cli.main(["."]) in (0, 1)
        assert capsys.readouterr().err == err
    assert cli.main([".", "-q", "--no-cache"]) in (0, 1)
    assert capsys.readouterr().err == ""


EXPLAINED = {
    "pkg/model.py:6": [
        "pkg/model.py:6 step: train.py:3 loop over loader -> Model.run",
        "    train.py:3 loop over loader",
        "    pkg/model.py:3 Model.run",
    ],
    "pkg/model.py:5:13": [
        "pkg/model.py:5 cold: runs every 100 steps (line 4)",
        "    train.py:3 loop over loader",
        "    pkg/model.py:3 Model.run",
    ],
    "pkg/model.py:8": [
        "pkg/model.py:8 cold: nothing shows that it runs in a step",
        "    called by Model.run (pkg/model.py:3), only behind a gate",
    ],
    "train.py:1": ["train.py:1 cold: runs at import", "    no caller is known"],
    "train.py:2": [
        "train.py:2 cold: outside of the hot loop: train.py:3 loop over loader",
        "    no caller is known",
    ],
    "pkg/model.py:3": [
        "pkg/model.py:3 step: train.py:3 loop over loader -> Model.run",
        "    train.py:3 loop over loader",
        "    pkg/model.py:3 Model.run",
    ],
    "train.py:4": ["train.py:4 step: train.py:3 loop over loader"],
}


@pytest.mark.parametrize("place", EXPLAINED)
def test_the_chain_of_a_place(project: Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    assert cli.main(["--explain-heat", place]) == 0
    assert capsys.readouterr().out.splitlines() == EXPLAINED[place]


@pytest.mark.parametrize(
    ("place", "complaint"),
    [
        ("pkg/model.py:99", "pkg/model.py:99:1: no statement stands on this line"),
        ("missing.py:1", "missing.py: no such file or folder"),
        ("pkg/model.py", "a place such as train.py:88 or train.ipynb:cell 4:3, not 'pkg/model.py'"),
    ],
)
def test_what_cannot_be_explained(
    project: Path, capsys: pytest.CaptureFixture[str], place: str, complaint: str
) -> None:
    try:
        status = cli.main(["--explain-heat", place])
    except SystemExit as exit_:
        status = int(str(exit_.code))
    assert status == 2
    assert complaint in capsys.readouterr().err


def test_a_place_of_no_file_is_told_of_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for paths in ([], ["pkg"], ["missing.py"]):
        assert cli.main([*paths, "--explain-heat", "missing.py:1"]) == 2
        assert capsys.readouterr().err.count("missing.py: no such file or folder") == 1


def test_the_chain_of_a_place_in_a_notebook(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [
        "import torch",
        "def step(x, i):\n    if i % 100 == 0:\n        print(x)\n    return torch.exp(x).item()",
        "for i, x in enumerate(loader):\n    step(x, i).backward()",
    ]
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in cells]
    whole = {"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "n.ipynb").write_text(json.dumps(whole))
    assert cli.main(["--explain-heat", "n.ipynb:cell 2:4:12"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "n.ipynb:cell 2:4 step: n.ipynb:cell 3:1 loop over loader -> step",
        "    n.ipynb:cell 3:1 loop over loader",
        "    n.ipynb:cell 2:1 step",
    ]
    assert cli.main(["--explain-heat", "n.ipynb:cell 2:3"]) == 0
    assert "cold: runs every 100 steps (cell 2:2)" in capsys.readouterr().out
    for place, complaint in {
        "n.ipynb:4": "is a notebook: name the cell, too, as in n.ipynb:cell 1:4",
        "n.ipynb:cell 2:9": "n.ipynb:cell 2:9: there is no such line of Python code",
        "train.py:cell 2:3": "train.py: is no notebook, so it has no cell 2",
    }.items():
        assert cli.main(["--explain-heat", place]) == 2
        assert complaint in capsys.readouterr().err


def test_a_line_on_which_a_statement_goes_on_is_explained_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    function = "@wrapped\ndef f(\n    x,\n):\n\n    g(\n        x,\n    )\n\n    # done\n"
    text = f"{function}for x in loader:\n    f(x)\n"
    (tmp_path / "a.py").write_text(text)
    told = {}
    for line in range(1, 13):
        status = cli.main(["--explain-heat", f"a.py:{line}"])
        told[line] = capsys.readouterr().out.partition(" ")[2] if status == 0 else ""
    assert told[6] == told[7] == told[8]
    assert told[6].startswith("step: a.py:11 loop over loader -> f\n")
    assert told[1] == told[2] == told[3] == told[4] == told[6], "the head of a function is about its calls"
    assert (told[9], told[10]) == ("", "")


@pytest.mark.parametrize("arguments", [[], ["--no-project"]])
def test_a_file_that_belongs_to_no_project_is_told_to_be_judged_by_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/model.py").write_text("def run(x):\n    return x.sum()\n")
    assert cli.main(["--explain-heat", "pkg/model.py:2", *arguments]) == 0
    told = ["pkg/model.py:2 cold: nothing shows that it runs in a step", "    no caller is known"]
    if not arguments:
        told.append("    judged by itself: no settings file, .git or packaging metadata lies above")
    assert capsys.readouterr().out.splitlines() == told


def test_without_a_path_the_current_folder_is_checked(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [
        (cli.main([*command, "--show-files"]), capsys.readouterr().out) for command in ([], ["check"], ["."])
    ]
    assert found[0] == found[1] == found[2]
    assert "train.py" in found[0][1]


@pytest.fixture
def unnamed(project: Path) -> Path:
    """A project in which nothing names the function that trains."""
    for number in range(8):
        (project / f"pkg/part_{number}.py").write_text("")
    return project


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("", []),
        ('min-heat = "presumed"', ["pkg/model.py:6"]),
        ('hot = ["train.train"]', ["pkg/model.py:6"]),
        ('hot = ["/train.py"]', ["pkg/model.py:6"]),
        ('hot = ["pkg.*"]', ["pkg/model.py:6", "pkg/model.py:8"]),
    ],
)
def test_settings_say_that_what_nothing_names_runs(
    unnamed: Path, capsys: pytest.CaptureFixture[str], settings: str, expected: list[str]
) -> None:
    assert findings(unnamed, settings, capsys) == expected


def test_what_nothing_names_is_told_the_same_whichever_way_a_file_is_checked(
    unnamed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ["--select", "OVH404", "--output-format", "concise", "-q"]
    for mention, found in (("", 0), ("from train import train\n", 1), ("", 0)):
        (unnamed / "pkg/part_1.py").write_text(mention)
        for more in (["."], [".", "--no-cache"], [".", "-j", "2"], ["pkg/model.py"]):
            assert cli.main([*ask, *more]) == found, more
    assert cli.main([*ask, "--no-project", "train.py"]) == 0
    capsys.readouterr()
    assert cli.main(["--explain-heat", "pkg/model.py:6"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "pkg/model.py:6 presumed: train.py:3 loop over loader -> Model.run, "
        "but nothing in the project names train",
        "    train.py:3 loop over loader",
        "    pkg/model.py:3 Model.run, but nothing in the project names train",
    ]
