"""Each file is checked with the nearest settings file above it, and with the project that it is of."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cli import main as cli
from overhead_lint.cli import watch
from overhead_lint.discovery import files
from overhead_lint.syntax.source import Source
from overhead_lint.workspace.examiner import Examiner
from overhead_lint.workspace.single_file import FileLinter

if TYPE_CHECKING:
    from overhead_lint.discovery.project_file import File

CODE = """\
import torch


def train(model, loader, optimizer):
    for batch in loader:
        with torch.autocast("cuda"):
            loss = model(batch)
        loss.backward()
        optimizer.step()
        print(loss.item())
"""
REPORT = """\
import torch


def report(loss):
    print(torch.exp(loss).item())
"""
CALL = """\
from app.train import report


def run(loader, model):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        report(loss)
"""
AUTOCAST, WAIT = "OVH101", "OVH404"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that leaves OVH101 out, with a folder that has nothing else and one below that has all."""
    for folder in ("app", "old", "old/vendored"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "train.py").write_text(CODE)
    (tmp_path / "pyproject.toml").write_text(f'[tool.overhead-lint]\nignore = ["{AUTOCAST}"]\n')
    (tmp_path / "old" / "overhead-lint.toml").write_text(f'select = ["{AUTOCAST}"]\n')
    (tmp_path / "old" / "vendored" / "pyproject.toml").write_text("[tool.overhead-lint]\nhot = []\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Lint:
    """Runs the command; notes what it said."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def status(self, *arguments: str) -> int:
        try:
            status = cli.main(arguments)
        except SystemExit as exit_:
            status = int(str(exit_.code))
        self.out, self.err = self._capsys.readouterr()
        files.forget()
        return status

    def __call__(self, *arguments: str) -> list[tuple[str, str]]:
        """What is found: files, with codes."""
        assert self.status(*arguments, "--output-format", "json") in (0, 1), self.err
        return [(one["path"].replace(os.sep, "/"), one["code"]) for one in json.loads(self.out)]


@pytest.fixture
def lint(capsys: pytest.CaptureFixture[str]) -> Lint:
    return Lint(capsys)


EACH = [
    ("app/train.py", WAIT),
    ("old/train.py", AUTOCAST),
    ("old/vendored/train.py", AUTOCAST),
    ("old/vendored/train.py", WAIT),
]


@pytest.mark.parametrize(
    "paths",
    [
        [],
        ["app", "old"],
        ["app/train.py", "old/train.py", "old/vendored/train.py"],
        ["app", "old/train.py", "old/vendored"],
        [str(Path("app", "..", "app")), "./old"],
    ],
)
def test_each_file_has_the_settings_that_are_nearest_to_it(
    project: Path, lint: Lint, paths: list[str]
) -> None:
    for _ in ("cold", "with what the first run kept"):
        found = [(os.path.normpath(path).replace(os.sep, "/"), code) for path, code in lint(*paths)]
        assert found == EACH
    assert lint(*paths, "--no-cache") == lint(*paths)


def test_a_folder_is_judged_among_others_as_it_is_alone(project: Path, lint: Lint) -> None:
    alone = [*lint("app"), *lint("old/train.py"), *lint("old/vendored")]
    assert alone == lint() == EACH


def test_the_command_line_wins_over_all_files(project: Path, lint: Lint) -> None:
    everywhere = ["app/train.py", "old/train.py", "old/vendored/train.py"]
    assert lint("--select", WAIT) == [(path, WAIT) for path in everywhere]
    assert lint("--isolated") == [(path, code) for path in everywhere for code in (AUTOCAST, WAIT)]
    assert lint("--config", "pyproject.toml") == [(path, WAIT) for path in everywhere]


def test_files_that_settings_on_the_way_leave_out_are_not_checked(project: Path, lint: Lint) -> None:
    (project / "old" / "overhead-lint.toml").write_text('exclude = ["vendored/"]\n')
    assert lint.status("--show-files") == 0
    assert lint.out.replace(os.sep, "/").split() == ["app/train.py", "old/train.py"]
    assert {path for path, _ in lint()} == {"app/train.py", "old/train.py"}
    named = ["app/train.py", "old/vendored/train.py"]
    assert {path for path, _ in lint(*named)} == set(named)
    assert {path for path, _ in lint(*named, "--force-exclude")} == {"app/train.py"}
    assert {path for path, _ in lint(named[1])} == {named[1]}
    assert lint(named[1], "--force-exclude") == [], "what else is given makes no difference"
    (project / "pyproject.toml").write_text('[tool.overhead-lint]\nexclude = ["old/"]\n')
    assert {path for path, _ in lint()} == {"app/train.py"}
    assert lint("old/train.py", "--force-exclude") == []
    source = Source.from_bytes(project / "old" / "train.py", CODE.encode())
    assert FileLinter().lint(source) == [], "as in an editor"
    (project / "pyproject.toml").unlink()
    assert {found.code for found in FileLinter().lint(source)} == {AUTOCAST, WAIT}


def test_what_cannot_be_used_is_told_with_its_place(project: Path, lint: Lint) -> None:
    settings = project / "old" / "overhead-lint.toml"
    for text, said in (
        ("selekt = []\n", "unknown setting 'selekt'"),
        ('ignore = ["OVH9"]\n', "unknown rule"),
    ):
        settings.write_text(text)
        assert lint.status() == 2
        assert lint.err.startswith(f"{settings}:1: {said}")
        assert lint.err.count("\n") == 1
        assert lint("app") == EACH[:1], "nothing of what is checked lies below it"


def test_a_baseline_holds_for_all(project: Path, lint: Lint) -> None:
    assert lint.status("--write-baseline=known.jsonl") == 0
    strict = ["--baseline", "known.jsonl", "--baseline-strict"]
    assert lint(*strict) == []
    text = (project / "known.jsonl").read_text()
    # OVH404 does not run in old/, so that nothing says that it is gone from there.
    other = json.dumps({"path": "old/train.py", "code": WAIT, "function": "train", "text": "loss.item()"})
    (project / "known.jsonl").write_text(f"{text}{other}\n")
    assert lint.status(*strict) == 0
    (project / "old" / "train.py").write_text("")
    assert lint.status(*strict) == 1
    assert f"old/train.py: {AUTOCAST} in train" in lint.err
    assert WAIT not in lint.err


def test_fixes_import_from_what_the_nearest_settings_name(project: Path, lint: Lint) -> None:
    (project / "old" / "overhead-lint.toml").write_text('runtime-module = "old._overhead"\n')
    for folder in (project, project / "old" / "vendored"):  # each has metadata of its own
        (folder / "requirements.txt").write_text("overhead-lint\n")
    assert lint.status("--fix") == 1
    assert "Fixed 2 findings" in lint.out, "the project leaves OVH101 out, in app/"
    assert "from old import _overhead" in (project / "old" / "train.py").read_text()
    assert "from overhead_lint import runtime" in (project / "old/vendored/train.py").read_text()
    assert (project / "app" / "train.py").read_text() == CODE


def test_later_runs_see_settings_come_change_and_go(project: Path, lint: Lint) -> None:
    settings, nested = project / "app" / "overhead-lint.toml", project / "old" / "overhead-lint.toml"
    old = time.time() - 10
    for folder in (project, *(path for path in project.rglob("*") if path.is_dir())):
        os.utime(folder, (old, old))
    assert lint() == EACH
    settings.write_text(f'select = ["{AUTOCAST}"]\n')
    assert lint() == [("app/train.py", AUTOCAST), *EACH[1:]]
    settings.write_text("")
    assert lint() == [("app/train.py", AUTOCAST), *EACH]
    settings.unlink()
    nested.unlink()
    assert lint() == [*EACH[:1], ("old/train.py", WAIT), *EACH[2:]]


def test_heat_of_a_project_also_comes_from_folders_with_settings_of_their_own(
    project: Path, lint: Lint
) -> None:
    (project / "app" / "train.py").write_text(REPORT)
    (project / "app" / "__init__.py").write_text("")
    (project / "old" / "train.py").write_text(CALL)
    assert ("app/train.py", WAIT) in lint()
    assert lint.status("--explain-heat", "app/train.py:5") == 0
    assert "old/train.py:5 loop over loader" in lint.out.replace(os.sep, "/")


def test_caches_may_share_a_folder(
    project: Path, lint: Lint, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    (project / "old" / "vendored" / "pyproject.toml").write_text("[tool.overhead-lint]\n")
    (project / "app" / "overhead-lint.toml").write_text("")
    found = lint("--no-cache")
    for _ in range(3):
        assert lint("--cache-dir", str(cache)) == found
    assert len(list(cache.glob("*.index"))) == 3, "though settings say the same in two of the folders"
    assert not (project / FOLDER).exists()


def test_clean_removes_what_was_kept_below(project: Path, lint: Lint) -> None:
    assert lint() == EACH
    assert lint.status("clean") == 0
    assert len(lint.out.splitlines()) == 3
    assert not list(project.rglob(FOLDER))


def test_a_change_of_settings_below_starts_another_check(project: Path) -> None:
    before = watch.state([Path()])
    (project / "old" / "overhead-lint.toml").write_text(f'ignore = ["{AUTOCAST}"]\n')
    after = watch.state([Path()])
    changed = {path.absolute() for path in after if after[path] != before.get(path)}
    assert changed == {project / "old" / "overhead-lint.toml"}


def test_reports_name_the_rules_of_all_parts(project: Path, lint: Lint) -> None:
    (project / "old" / "vendored" / "pyproject.toml").unlink()
    assert lint.status("--output-format", "sarif") == 1
    run = json.loads(lint.out)["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted(set(rules))
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    assert {result["ruleId"] for result in run["results"]} == {AUTOCAST, WAIT}


@pytest.fixture
def checkouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of three checkouts."""
    for name in ("one", "two", "third"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / "train.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_projects_that_are_given_together_are_judged_each_by_itself(checkouts: Path, lint: Lint) -> None:
    (checkouts / "one" / "loops.py").write_text(CALL.replace("app.train", "shared"))
    for name in ("one", "two"):
        (checkouts / name / "shared.py").write_text(REPORT)
    (checkouts / "third" / "pyproject.toml").write_text("[tool.overhead-lint]\nunknown = 1\n")
    (checkouts / "third" / "train.py").write_bytes(b"\xff")
    found = lint("one", "two")
    assert found == [*lint("one"), *lint("two")]
    assert ("one/shared.py", WAIT) in found
    assert ("two/shared.py", WAIT) not in found, "nothing in its own project shows that it is hot"
    assert lint("one/shared.py", "two/shared.py") == [("one/shared.py", WAIT)]
    assert (checkouts / "one" / FOLDER).exists()
    assert not (checkouts / FOLDER).exists()


def test_packages_of_one_checkout_are_judged_together_whichever_is_given(
    tmp_path: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n')
    (tmp_path / "one" / "shared.py").write_text(REPORT)
    (tmp_path / "two" / "loops.py").write_text(CALL.replace("app.train", "one.shared"))
    monkeypatch.chdir(tmp_path)
    assert lint() == lint("one/shared.py") == lint("one") == [("one/shared.py", WAIT)]
    assert not (tmp_path / "one" / FOLDER).exists()


def test_folders_that_only_lie_in_one_are_no_reason_to_read_all_of_it(
    checkouts: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked: list[Path] = []

    def noted(paths: list[Path], listings: object = None) -> list[object]:
        walked.extend(paths)
        return []

    for name in ("one", "two"):
        (checkouts / name / ".git").rmdir()
        (checkouts / name / "requirements.txt").write_text("overhead-lint\n")  # no copy of it is sought
    monkeypatch.setattr(files, "collect", noted)
    assert {path for path, _ in lint("one", "two", "--no-cache")} == {"one/train.py", "two/train.py"}
    assert checkouts not in walked
    (checkouts / "third" / ".git").rmdir()
    assert {path for path, _ in lint("one", "two", "--no-cache")} == {"one/train.py", "two/train.py"}
    assert checkouts not in walked, "the working directory holds no modules"
    (checkouts / "main.py").write_text("")
    assert {path for path, _ in lint("one", "two", "--no-cache")} == {"one/train.py", "two/train.py"}
    assert walked.count(checkouts) == 1, "with some, and without a checkout in it, it is one project"
    monkeypatch.setattr(Path, "home", lambda: checkouts)
    assert lint("one", "two", "--no-cache") == [
        (f"{name}/train.py", code) for name in ("one", "two") for code in (AUTOCAST, WAIT)
    ]
    assert walked.count(checkouts) == 1, "but not the home folder"


def test_of_folders_that_nothing_marks_no_other_files_are_looked_into(
    tmp_path: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    all_files = Examiner.all

    def noted(self: Examiner, unknown: list[File], *more: Any) -> Iterator[Any]:
        looked.extend(file.target.text for file in unknown)
        return all_files(self, unknown, *more)

    monkeypatch.setattr(Examiner, "all", noted)
    for name in ("one", "two", "third", "fourth"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "loops.py").write_text(CALL.replace("app.train", "one.shared"))
    (tmp_path / "one" / "loops.py").write_text(CODE)
    (tmp_path / "one" / "shared.py").write_text(REPORT)
    monkeypatch.chdir(tmp_path)
    found = lint("one", "two", "--no-cache")
    assert sorted(looked) == ["one/loops.py", "one/shared.py", "two/loops.py"]
    assert ("one/shared.py", WAIT) in found, "what is given together is judged together"
    assert ("one/shared.py", WAIT) not in lint("one", "--no-cache")
    watched = watch.state([Path("one"), Path("two")])
    assert sorted(map(str, watched)) == ["one/loops.py", "one/shared.py", "two/loops.py"]
