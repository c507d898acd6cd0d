"""`overhead-lint clean`: removes the cache, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from overhead_lint.cache.folder import FOLDER, clean, make
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


def test_a_cache_that_is_half_removed_can_still_be_removed(
    project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(".")
    unlink = os.unlink
    amount = len(list((project / FOLDER).iterdir()))
    for done in range(amount):
        run(".")
        left = [done]

        def removed(path: str, *_: object, left: list[int] = left, **__: object) -> None:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            unlink(path)

        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(Path, "unlink", removed)
            patched.setattr(os, "unlink", removed)
            clean([project / FOLDER])
        assert clean([project / FOLDER]) == [project / FOLDER]
        assert not (project / FOLDER).exists()


def test_clean_goes_on_where_another_run_writes_or_removes(
    project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(".")
    rmdir, folder = Path.rmdir, project / FOLDER
    written = ["0123abcd-1.data", "0123abcd.index"]

    def late(path: Path) -> None:
        if written:
            (path / written.pop()).write_text("")
        rmdir(path)

    monkeypatch.setattr(Path, "rmdir", late)
    assert clean([folder]) == [folder]
    assert not written and not folder.exists()
    run(".")
    monkeypatch.setattr(Path, "rmdir", lambda path: (rmdir(path), rmdir(path)))
    assert clean([folder]) == [folder]


def test_a_cache_that_lost_its_tag_gets_it_back(project: Path, run: Runner) -> None:
    run(".")
    for name in ("CACHEDIR.TAG", ".gitignore"):
        (project / FOLDER / name).unlink()
    (project / "model.py").write_text("x = 1\n")
    run(".")
    assert clean([project / FOLDER]) == [project / FOLDER]


@pytest.mark.parametrize("names", [(".gitignore",), ("20261125-data.csv",), ("20261125.index", "notes.txt")])
def test_a_folder_of_somebody_else_gets_no_tag(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_text("theirs", encoding="utf-8")
    make(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert {path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"theirs"}
