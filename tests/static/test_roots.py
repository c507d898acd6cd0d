"""Where the project around given files lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.discovery import files
from overhead_lint.workspace.roots import is_one_project, is_project, root_of

if TYPE_CHECKING:
    import pytest


def test_the_root_is_where_the_settings_lie_else_the_repository_else_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "src"
    inner.mkdir(parents=True)
    file = inner / "m.py"
    file.write_text("")
    assert root_of([tmp_path], None) == tmp_path
    assert root_of([file.parent.parent / "m.py"], None) is None
    files.project_root.cache_clear()
    (tmp_path / "repo" / ".git").mkdir()
    assert root_of([file], None) == tmp_path / "repo"
    assert root_of([file], inner / "overhead-lint.toml") == inner
    assert root_of([file], tmp_path / "elsewhere" / "overhead-lint.toml") == tmp_path / "repo"


def test_a_checkout_of_several_packages_is_one_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    package = home / "repo" / "packages" / "one"
    package.mkdir(parents=True)
    (package / "pyproject.toml").write_text("")
    (package / "m.py").write_text("")
    (home / ".git").mkdir()  # of settings that somebody keeps under version control
    monkeypatch.setattr(Path, "home", lambda: home)
    assert root_of([package / "m.py"], None) == package, "the home folder is no project"
    files.project_root.cache_clear()
    (home / "repo" / ".git").write_text("gitdir: elsewhere")  # as in a worktree
    assert root_of([package / "m.py"], None) == root_of([package], None) == home / "repo"


def test_the_root_of_a_file_without_a_repository_is_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pkg" / "sub" / "m.py"
    file.parent.mkdir(parents=True)
    for path in (file, tmp_path / "train.py"):
        path.write_text("")
    monkeypatch.chdir(tmp_path)
    assert root_of([file], None) is None, "a folder without modules on the way"
    (tmp_path / "pkg" / "n.py").write_text("")
    assert root_of([file], None) == tmp_path
    assert root_of([tmp_path / "train.py"], None) == tmp_path
    (tmp_path / "other" / ".git").mkdir(parents=True)
    assert root_of([tmp_path / "train.py"], None) is None, "a folder of several checkouts is no project"
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    (tmp_path / "other" / ".git").rmdir()
    assert root_of([tmp_path / "train.py"], None) is None, "nor is the folder of temporary files"
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert root_of([file], None) is None


def test_a_folder_that_is_named_and_holds_modules_is_a_project(tmp_path: Path) -> None:
    """As an archive of a repository is, which has no checkout and may have no metadata."""
    program = tmp_path / "downloads" / "net-main" / "train.py"
    program.parent.mkdir(parents=True)
    program.write_text("")
    assert root_of([program.parent], None) == program.parent
    assert is_project(program.parent, None)
    assert is_one_project(program.parent, None)
    assert not is_project(tmp_path / "downloads", None)
    assert not is_one_project(tmp_path / "downloads", None)
