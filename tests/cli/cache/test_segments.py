"""The files that the cache consists of, segments and an index, and what edits add to them."""

from __future__ import annotations

import io
import os
import time
from typing import TYPE_CHECKING

import pytest

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cache.store import Cache
from overhead_lint.cli import main as cli

from .cache_runs import MODEL, TRAIN, Runner

if TYPE_CHECKING:
    from pathlib import Path

    from overhead_lint.cache.entry import Entry


def _segments(project: Path) -> set[str]:
    return {path.name for path in (project / FOLDER).glob("*.data")}


def test_an_edit_adds_a_segment_and_many_edits_make_one_of_all(project: Path, run: Runner) -> None:
    for number in range(20):
        (project / f"other{number}.py").write_text("def g():\n    return 1\n" * 50)
    run(".")
    first = _segments(project)
    assert len(first) == 1
    (project / "model.py").write_text(MODEL + "\n")
    run(".")
    assert len(_segments(project)) == 2
    assert first < _segments(project)
    most = 0
    for number in range(20):
        (project / "model.py").write_text(MODEL + "\n" * number)
        found = run(".")
        assert found.seen == ["model.py"]
        most = max(most, len(_segments(project)))
    assert 2 < most <= 16
    assert not first & _segments(project)
    assert run(".").seen == []
    assert run(".").out == found.out


def test_many_edits_read_and_write_few_records(
    many: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: set[str] = set()
    real = Cache._part

    def spy(self: Cache, entry: Entry) -> bytes:
        read.update(name for name, one in self.entries.items() if one is entry)
        return real(self, entry)

    run(".")
    first = _segments(many)
    monkeypatch.setattr(Cache, "_part", spy)
    made_one = False
    for number in range(20):
        before = _segments(many)
        edited = f"other{number % 3}.py"
        (many / edited).write_text("def g():\n    return 2\n" + "\n" * number)
        read.clear()
        assert run(".").seen == [edited]
        assert read <= {"other0.py", "other1.py", "other2.py"}
        assert first < _segments(many) and len(_segments(many)) <= 16
        made_one = made_one or len(_segments(many)) < len(before)
    assert made_one
    out = run(".").out
    assert run(".").seen == []
    assert run(".", "--no-cache").out == out


def test_fixes_of_files_that_did_not_change_are_known_when_all_segments_are_made_one(
    project: Path, run: Runner
) -> None:
    for number in range(20):
        (project / f"other{number}.py").write_text("def g():\n    return 1\n" * 50)
    (project / "model.py").write_text("import torch\ndef f(x):\n    return torch.zeros(3).to('cuda')\n")
    (project / "first.py").write_text("")
    first = run(".")
    assert '"edits"' in first.out
    made_one = False
    for number in range(20):
        functions = "".join(f"def g{one}():\n    return {one}\n" for one in range(51 + number))
        (project / "first.py").write_text(functions)  # its record lies before the others'
        before = _segments(project)
        assert run(".").out == first.out
        made_one = made_one or not before & _segments(project)
    assert made_one


@pytest.mark.parametrize(
    "arguments", [("--explain-heat", "model.py:3"), ("-", "--stdin-filename", "model.py")]
)
def test_what_saves_nothing_leaves_the_cache_as_it_is(
    project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    def kept() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (project / FOLDER).glob("*")}

    def ask() -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MODEL.encode())))
        cli.main(list(arguments))

    ask()
    assert not (project / FOLDER).exists()
    run(".")
    (project / "model.py").write_text(MODEL.replace("exp", "abs") + "f(1)\n")
    before = kept()
    ask()
    assert kept() == before


@pytest.fixture
def many(project: Path) -> Path:
    """A project of so many files that one of them is few."""
    for number in range(60):
        path = project / f"other{number}.py"
        path.write_text("def g():\n    return 1\n")
    time.sleep(0.1)  # one that has only just changed would be read again by the next run, too
    return project


def _only(project: Path, suffix: str) -> bytes | None:
    found = list((project / FOLDER).glob(f"*{suffix}"))
    assert len(found) <= 1
    return found[0].read_bytes() if found else None


def test_an_edit_of_a_few_files_leaves_the_index_as_it_is(many: Path, run: Runner) -> None:
    first = run(".")
    index = _only(many, ".index")
    for edit in (MODEL + "\n", MODEL.replace("return ", "return  ")):
        (many / "model.py").write_text(edit)
        changed = run(".")
        assert changed.seen == ["model.py"]
        assert (_only(many, ".index"), bool(_only(many, ".since"))) == (index, True)
        again = run(".")
        assert (again.seen, again.out) == ([], changed.out)
    assert changed.out != first.out
    (many / "other1.py").unlink()
    run(".")
    (many / "other1.py").write_text("import torch\n")
    assert run(".").seen == ["other1.py"]


def test_many_edits_are_worth_a_new_index(many: Path, run: Runner) -> None:
    run(".")
    index = _only(many, ".index")
    for numbers in ((0,), (1, 2)):
        for number in numbers:
            (many / f"other{number}.py").write_text("def g():\n    return 2\n")
        run(".")
    assert _only(many, ".index") != index
    assert not _only(many, ".since")
    assert run(".").seen == []


@pytest.mark.parametrize("content", [b"", b"rubbish", None])
def test_what_changed_since_the_index_is_found_out_again_if_it_is_broken(
    many: Path, run: Runner, content: bytes | None
) -> None:
    run(".")
    (many / "model.py").write_text(MODEL.replace("return ", "return  "))
    out = run(".").out
    since = next((many / FOLDER).glob("*.since"))
    since.write_bytes(since.read_bytes()[:-1] if content is None else content)
    found = run(".")
    assert (found.seen, found.out) == (["model.py"], out)
    assert run(".").seen == []


def test_what_changed_since_another_index_counts_for_nothing(many: Path, run: Runner) -> None:
    run(".")
    index = next((many / FOLDER).glob("*.index"))
    before = index.read_bytes()
    (many / "model.py").write_text(MODEL.replace("return ", "return  "))
    run(".")
    since = next((many / FOLDER).glob("*.since"))
    late = since.read_bytes()
    for number in range(10):
        (many / f"other{number}.py").write_text("def g():\n    return 3\n")
        os.utime(many / f"other{number}.py", (2, 2))
    out = run(".").out
    assert index.read_bytes() != before
    since.write_bytes(late)
    found = run(".")
    assert (found.seen, found.out) == ([], out)


def test_a_run_goes_on_without_a_segment_that_another_has_removed(project: Path, run: Runner) -> None:
    first = run(".")
    for path in (project / FOLDER).glob("*.data"):
        path.unlink()
    assert run(".").out == first.out  # of what the index holds nothing is missed
    (project / "train.py").write_text("\n" + TRAIN)
    found = run(".")
    assert found.seen == ["model.py", "train.py"]
    assert "train.py:3 loop over loader -> f" in found.out


def test_what_a_run_left_behind_that_was_ended_is_removed_after_a_while(project: Path, run: Runner) -> None:
    run(".")
    index = next((project / FOLDER).glob("*.index"))
    left = [index.with_suffix(".index.tmp"), index.with_name(f"{index.stem}-0.data")]
    for path in left:
        path.write_bytes(b"")
    (project / "model.py").write_text(MODEL + "\n")
    run(".")
    assert all(path.exists() for path in left), "another run may be about to refer to them"
    for path in left:
        os.utime(path, (1, 1))
    (project / "model.py").write_text(MODEL + "\n\n")
    run(".")
    assert not any(path.exists() for path in left)
