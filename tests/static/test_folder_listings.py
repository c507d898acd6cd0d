"""What was found below folders is kept: only where something may have come or gone they are listed again."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cli import main as cli
from overhead_lint.discovery import folder_listings
from overhead_lint.discovery.files import collect
from overhead_lint.discovery.folder_listings import Listings


class Lister:
    """Lists with what was kept, and without; notes what was read."""

    def __init__(self, root: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.file = root, file
        self.listed: list[str] = []
        real = os.scandir

        def spy(path: str) -> object:
            self.listed.append(os.path.relpath(path, root))
            return real(path)

        monkeypatch.setattr(os, "scandir", spy)

    def __call__(self) -> list[str]:
        """What is found, as a run finds it that keeps what it saw; it is what any run finds."""
        anew = collect([self.root])
        self.listed.clear()
        kept = Listings(self.file)
        found = collect([self.root], kept)
        assert found == anew
        kept.save()
        return [os.path.relpath(one.text, self.root) for one in found]  # type: ignore[union-attr]


@pytest.fixture
def lister(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lister:
    """A repository of three folders that was listed before; what was kept is believed at once."""
    root = tmp_path / "project"
    for name in ("a.py", "pkg/__init__.py", "pkg/b.py", "pkg/sub/c.py", "tests/test_d.py", ".git/info/x"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.setattr(folder_listings, "_TICK_NS", 0)
    found = Lister(root, tmp_path / "kept", monkeypatch)
    found()
    assert sorted(found.listed) == [".", "pkg", str(Path("pkg", "sub")), "tests"]
    _wait()
    return found


def _wait() -> None:
    """Let the clock of the file system go on, so that what comes next has another time."""
    time.sleep(0.02)


def test_nothing_is_listed_where_nothing_came_or_went(lister: Lister) -> None:
    before = lister()
    assert lister.listed == []
    (lister.root / "pkg" / "b.py").write_text("changed = 1")
    assert lister() == before and lister.listed == []


def test_a_settings_file_that_comes_or_goes_is_seen(lister: Lister) -> None:
    found = lister.root / "pkg" / "train.yaml"
    found.write_text("deep: true")
    lister()
    assert "pkg" in lister.listed
    _wait()
    assert lister() and lister.listed == []
    found.unlink()
    lister()
    assert "pkg" in lister.listed


def test_a_folder_is_listed_again_if_it_may_have_changed(lister: Lister) -> None:
    before = lister()
    (lister.root / "pkg" / "data.csv").write_text(
        ""
    )  # of no matter, and so is a file that takes a file's place
    assert lister() == before and lister.listed == ["pkg"]
    assert lister() == before and lister.listed == []
    (lister.root / "new").write_text("")
    (lister.root / "new").replace(lister.root / "pkg" / "b.py")
    assert lister() == before and sorted(lister.listed) == [".", "pkg"]


def test_what_has_only_just_changed_is_listed_again(lister: Lister, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_listings, "_TICK_NS", 3600 * 10**9)
    (lister.root / "pkg" / "data.csv").write_text("")
    for _ in range(2):
        lister()
        assert lister.listed == ["pkg"]


def test_what_comes_and_goes_is_seen(lister: Lister) -> None:
    (lister.root / "pkg" / "sub" / "new.py").write_text("")
    assert str(Path("pkg", "sub", "new.py")) in lister()
    _wait()
    (lister.root / "pkg" / "sub" / "new.py").rename(lister.root / "pkg" / "other.py")
    assert str(Path("pkg", "other.py")) in lister()
    _wait()
    (lister.root / "pkg" / "__init__.py").unlink()
    (lister.root / "pkg" / "setup.py").write_text("")
    lister()
    _wait()
    (lister.root / "more").mkdir()
    (lister.root / "more" / "e.py").write_text("")
    assert str(Path("more", "e.py")) in lister()


def test_times_that_were_set_back_hide_nothing(lister: Lister) -> None:
    folder = lister.root / "pkg"
    before = folder.stat()
    (folder / "new.py").write_text("")
    os.utime(folder, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert str(Path("pkg", "new.py")) in lister()


@pytest.mark.parametrize("where", [".gitignore", "pkg/.gitignore", ".git/info/exclude", "../.gitignore"])
def test_patterns_of_git_count_when_they_change(lister: Lister, where: str) -> None:
    file = lister.root / where
    if where.startswith(".."):
        (lister.root / ".git").rename(lister.root.parent / ".git")
    for pattern, left_out in (("c.py", "c.py"), ("b.py", "b.py"), ("# b.py", "")):
        file.write_text(f"{pattern}\n")
        found = lister()
        assert not left_out or all(Path(one).name != left_out for one in found)
        assert lister() == found and lister.listed == []
        _wait()
    file.unlink()
    assert len(lister()) == 5


def test_worktrees_and_submodules_are_listed_whose_git_is_a_file(lister: Lister) -> None:
    (lister.root / ".git").rename(lister.root.parent / "elsewhere")
    (lister.root / ".git").write_text("gitdir: ../elsewhere\n")
    found = lister()
    assert len(found) == 5
    assert lister() == found


def test_links_are_looked_at_in_each_run(lister: Lister) -> None:
    target = lister.root / "pkg" / "elsewhere.txt"
    (lister.root / "link.py").symlink_to(target)
    assert "link.py" not in lister()
    target.write_text("")
    assert "link.py" in lister()
    assert lister() and lister.listed
    (lister.root / "link.py").unlink()
    lister()
    _wait()
    (lister.root / "a.py").rename(target)
    (lister.root / "a.py").symlink_to(target)
    assert "a.py" in lister()


@pytest.mark.parametrize("content", [b"", b"rubbish", None])
def test_what_was_kept_and_is_broken_counts_for_nothing(lister: Lister, content: bytes | None) -> None:
    before = lister()
    data = lister.file.read_bytes()
    lister.file.write_bytes(data[:-20] + b"\0" + data[-19:] if content is None else content)
    assert lister() == before and lister.listed
    assert lister() == before and not lister.listed


def test_folders_that_were_named_otherwise_are_found_by_where_they_lie(
    lister: Lister, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(lister.root)
    anew = collect([Path()])
    lister.listed.clear()
    assert collect([Path()], Listings(lister.file)) == anew
    assert not lister.listed


def test_random_changes_are_seen(lister: Lister) -> None:
    chance = random.Random(7)
    names = ("a.py", "b.py", "setup.py", "test_c.py", "__init__.py", "d.ipynb", "e.txt", ".gitignore")
    folders = ("", "pkg", "pkg/sub", "tests", "new", "new/node_modules", "new/sub")
    for _ in range(80):
        path = lister.root / chance.choice(folders) / chance.choice(names)
        if path.parent.is_dir() and chance.random() < 0.5:
            for inside in (path.parent / name for name in names):
                if chance.random() < 0.2:
                    inside.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("b.py\nsub/\n" if path.suffix == "" and chance.random() < 0.5 else "")
        _wait()
        lister()


def test_a_second_run_of_the_command_lists_nothing(
    lister: Lister, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(lister.root)
    assert cli.main(["--isolated", "."]) == 0
    first = capsys.readouterr()
    cli.main(["--isolated", "."])  # the cache's folder is new in the project's
    lister.listed.clear()
    assert cli.main(["--isolated", "."]) == 0
    assert capsys.readouterr().out == first.out * 2
    # A run that comes to trust the times of files saves that, and then looks what is left over in its cache.
    own = ("..", FOLDER)
    assert not [folder for folder in lister.listed if not folder.startswith(own)]
