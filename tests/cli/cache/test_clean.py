"""`overhead-lint clean`: removes the cache, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cli import main as cli

if TYPE_CHECKING:
    from .cache_runs import Runner


def test_clean_removes_the_cache_and_nothing_else(project: Path, run: Runner) -> None:
    run(".")
    assert cli.main(["clean"]) == 0
    assert not (project / FOLDER).exists()
    assert (project / "model.py").exists()
    (project / FOLDER).mkdir()
    assert cli.main(["clean", "."]) == 0
    assert (project / FOLDER).exists()
    assert cli.main(["clean", "missing"]) == 2


def test_clean_leaves_the_cache_of_another_tool_and_says_so(
    project: Path, run: Runner, capsys: pytest.CaptureFixture[str]
) -> None:
    run(".", "--cache-dir", "other")
    (project / "other" / "wheels").mkdir()
    capsys.readouterr()
    assert cli.main(["clean", "--cache-dir", "other"]) == 0
    said = "other holds something else than a cache of overhead-lint; it was left alone\n"
    assert capsys.readouterr().err == said
    (project / "other" / "wheels").rmdir()
    (project / "other" / "CACHEDIR.TAG").write_text("broken")
    assert cli.main(["clean", "--cache-dir", "other"]) == 0
    assert not (project / "other").exists()


def test_clean_says_that_a_folder_that_is_named_is_not_there(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["clean", "--cache-dir", "nope"]) == 0
    assert capsys.readouterr().err == "nope is not there, so nothing was removed\n"


def test_clean_takes_a_path_or_the_folder_itself(
    project: Path, run: Runner, capsys: pytest.CaptureFixture[str]
) -> None:
    run(".")
    run(".", "--cache-dir", "elsewhere")
    with pytest.raises(SystemExit, match="2"):
        cli.main(["clean", ".", "--cache-dir", "elsewhere"])
    assert "error: --cache-dir names the folder itself: no PATH with it\n" in capsys.readouterr().err
    assert (project / FOLDER).exists() and (project / "elsewhere").exists()
    assert cli.main(["clean", "--cache-dir", "elsewhere"]) == 0
    assert (project / FOLDER).exists() and not (project / "elsewhere").exists()
    (project / "empty").mkdir()
    run(".", "--cache-dir", "empty")
    assert (project / "empty" / ".gitignore").read_text() == "*\n"
    assert cli.main(["clean", "--cache-dir", "empty"]) == 0
    assert not (project / "empty").exists()
