"""What is kept between runs: what is looked at again, what is not, and what happens to a broken cache."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from overhead_lint.cache.folder import FOLDER
from overhead_lint.cli import main as cli
from overhead_lint.report import formats
from overhead_lint.syntax.source import Source
from overhead_lint.workspace.heat_update import HeatUpdate

from .cache_runs import MODEL, TRAIN, Runner


def test_what_was_kept_with_another_encoding_of_names_is_of_no_use(
    project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that the one encoding gives may have no bytes in the other."""
    run(".")
    monkeypatch.setattr("sys.getfilesystemencoding", lambda: "ascii")
    assert run(".").seen == ["model.py", "train.py"]


def test_a_second_run_looks_into_nothing_and_says_the_same(project: Path, run: Runner) -> None:
    first = run(".")
    assert first.seen == ["model.py", "train.py"]
    assert "train.py:2 loop over loader -> f" in first.out
    second = run(".")
    assert second.seen == []
    assert (second.status, second.out) == (first.status, first.out) == (1, first.out)
    assert (project / FOLDER / ".gitignore").read_text() == "*\n"


def test_a_cache_that_cannot_be_written_is_told_of_once_and_files_are_checked(
    project: Path, run: Runner, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = run(".", "--no-cache")
    (project / FOLDER).write_text("no folder")
    for folder in (FOLDER, "train.py/below"):
        arguments = ["."] if folder == FOLDER else [".", "--cache-dir", folder]
        assert cli.main([*arguments, "--output-format", "json"]) == 1
        said = capsys.readouterr()
        assert said.out == expected.out
        (line,) = said.err.splitlines()
        assert f"{folder}: the cache cannot be written: " in line
        assert cli.main([*arguments, "--output-format", "json", "--quiet"]) == 1
        assert capsys.readouterr().err == ""


def test_a_touched_file_is_read_but_not_looked_into(project: Path, run: Runner) -> None:
    first = run(".")
    os.utime(project / "model.py", (1, 1))
    second = run(".")
    assert (second.seen, second.out) == ([], first.out)


def test_a_file_in_the_place_of_one_of_its_size_and_time_is_looked_into(project: Path, run: Runner) -> None:
    run(".")  # too soon after the files were made for their times to be trusted
    time.sleep(0.1)
    assert "OVH404" in run(".").out
    model = project / "model.py"
    before = model.stat()
    model.write_text(MODEL.replace(".item()", ".sum() "))
    os.utime(model, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert model.stat().st_size == before.st_size
    changed = run(".")
    assert (changed.seen, changed.status) == (["model.py"], 0)


def test_a_changed_file_changes_what_others_are_told(project: Path, run: Runner) -> None:
    run(".")
    (project / "train.py").write_text("from model import f\n\n\n" + TRAIN.partition("\n")[2])
    moved = run(".")
    assert moved.seen == ["train.py"]
    assert "train.py:4 loop over loader -> f" in moved.out
    (project / "train.py").write_text("from model import f\nf(1)\n")
    cold = run(".")
    assert (cold.seen, cold.status) == (["train.py"], 0)
    (project / "train.py").unlink()
    assert run(".").status == 0
    assert run(".", "--min-heat", "presumed").status == 1


def test_which_of_two_reasons_is_told_does_not_depend_on_what_changed(project: Path, run: Runner) -> None:
    (project / "train.py").write_text("from base import Base\nfor b in loader:\n    Base().run(b)\n")
    (project / "base.py").write_text(
        "class Base:\n    def run(self, x): self.go(x)\n    def go(self, x): pass\n"
    )
    for name in ("First", "Second"):
        (project / f"{name}.py").write_text(
            f"from base import Base\nfrom model import f\nclass {name}(Base):\n    def go(self, x): f(x)\n"
        )
    first = run(".")
    assert "First.go" in first.out
    with (project / "First.py").open("a") as file:
        file.write("def more(x): print(x)\n")
    second = run(".")
    assert second.seen == ["First.py"]
    assert second.out == first.out == run(".", "--no-cache").out


def test_a_file_alone_takes_the_heat_of_the_project_from_the_cache(project: Path, run: Runner) -> None:
    whole = run(".")
    alone = run("model.py")
    assert (alone.seen, alone.out) == ([], whole.out)
    assert run("model.py", "--no-project").status == 0


def test_files_that_were_not_checked_before_are_looked_into(project: Path, run: Runner) -> None:
    run("train.py")
    assert run(".").seen == ["model.py"]


@pytest.mark.parametrize("suffix", [".index", ".data", ".folders", ".words"])
@pytest.mark.parametrize("content", [b"", b"rubbish", None])
def test_a_broken_cache_is_built_anew(project: Path, run: Runner, suffix: str, content: bytes | None) -> None:
    first = run(".")
    for path in (project / FOLDER).glob(f"*{suffix}"):
        data = path.read_bytes()
        path.write_bytes(
            data[: len(data) // 2] + b"\0" + data[len(data) // 2 + 1 :] if content is None else content
        )
    (project / "model.py").write_text(MODEL + "\n")
    assert run(".").out == first.out
    assert run(".").seen == []


def test_no_cache_leaves_nothing(project: Path, run: Runner) -> None:
    run(".", "--no-cache")
    assert not (project / FOLDER).exists()
    run(".", "--cache-dir", "elsewhere")
    assert not (project / FOLDER).exists()
    assert run(".", "--cache-dir", "elsewhere").seen == []


@pytest.mark.parametrize("name", ["odd.py", "tests/test_odd.py"])
def test_what_a_folder_has_left_unparsed_is_an_error_where_it_is_named(
    project: Path, run: Runner, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    odd, good = project / name, project / "tests" / "test_good.py"
    good.parent.mkdir()
    odd.write_text("x = (\n")
    good.write_text("x = 1\n")
    assert run(".").status == 1
    assert run(".").seen == []
    for _ in range(2):
        assert cli.main([name, str(good)]) == 2
        assert capsys.readouterr().err == f"{name}:1:5: syntax error: '(' was never closed\n"
    odd.write_text("x = ()\n")
    assert run(name, str(good)).status == 0
    assert run(name, str(good)).seen == []


def test_fixes_and_their_edits_are_there_on_a_second_run(project: Path, run: Runner) -> None:
    (project / "model.py").write_text("import torch\ndef f(x):\n    return torch.zeros(3).to('cuda')\n")
    first = run(".")
    second = run(".")
    assert '"edits"' in first.out
    assert second.out == first.out
    run(".", "--fix", "--unsafe-fixes")
    assert "device" in (project / "model.py").read_text()


def test_processes_share_the_work(project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    serial = run(".", "-j", "1", "--no-cache")
    monkeypatch.setattr("overhead_lint.workspace.examiner._WORTH_PROCESSES", 1)
    monkeypatch.setattr("overhead_lint.workspace.examiner._BATCH", 1)
    shared = run(".", "-j", "2", "--no-cache")
    assert (shared.seen, shared.out) == ([], serial.out)


def test_an_idle_comment_hides_nothing_that_another_file_makes_hot(project: Path, run: Runner) -> None:
    text = 'import os\ndef f(x):\n    return os.environ.get("DEBUG")\ndef g():\n    return 1'
    (project / "model.py").write_text(f"{text}\n")
    without = run(".")
    assert "OVH603" in without.out
    (project / "model.py").write_text(f"{text}  # overhead: ignore[OVH101]\n")
    for found in (run(".", "--preview"), run(".", "--preview")):
        assert "OVH603" in found.out
        assert "OVH001" in found.out


def test_a_comment_is_of_use_only_where_what_it_silences_is_hot(project: Path, run: Runner) -> None:
    text = 'import os\ndef f(x):\n    return os.environ.get("DEBUG")  # overhead: ignore[OVH603]\n'
    (project / "model.py").write_text(text)
    assert run(".", "--preview").out == run(".", "--preview").out == "[]\n"
    (project / "train.py").write_text("from model import f\nf(1)\n")
    assert "OVH001" in run(".", "--preview").out


def test_calls_are_followed_anew_only_for_functions_that_matter_to_others(
    project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = []
    real = HeatUpdate._refresh

    def spy(self: HeatUpdate, *arguments: Any, **options: Any) -> object:
        followed.append(self)
        return real(self, *arguments, **options)

    run(".")
    monkeypatch.setattr(HeatUpdate, "_refresh", spy)
    alone = "def added(x):\n    print(x)\n    return x.cuda().item()\n"
    for text, wanted in ((alone, False), ("", False), ("def added(x):\n    return f(x)\n", True)):
        (project / "model.py").write_text(MODEL + text)
        followed.clear()
        for heat in ("step", "presumed"):
            run(".", "--min-heat", heat)
        followed.clear()
        (project / "model.py").write_text(f"{MODEL}{text}# again\n{text.replace('added', 'more')}")
        found = [run(".", "--min-heat", heat) for heat in ("step", "presumed")]
        assert [one.seen for one in found] == [["model.py"], []]
        assert bool(followed) is wanted
        assert [one.out for one in found] == [
            run(".", "--min-heat", heat, "--no-cache").out for heat in ("step", "presumed")
        ]


ALIKE = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        a = x.sum().item()
        x = torch.exp(x)
        # set apart
        c = x.sum().item()
        d = x.mean().item()
        e = x.var().item()
        return torch.zeros(3).to("cuda") + a + x + c + d + e
"""


def test_all_formats_say_the_same_from_the_cache(
    project: Path, run: Runner, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "net.py").write_text(ALIKE)
    cell = {"cell_type": "code", "source": ALIKE, "metadata": {}, "outputs": [], "execution_count": 1}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "net.ipynb").write_text(json.dumps(notebook))
    assert run(".").status == 1
    (project / "net.py").write_text(f"# moved\n{ALIKE}")
    assert run(".").seen == ["net.py"]
    for name in formats():
        told = []
        for options in ((), ("--no-cache",)):
            assert cli.main([".", "--output-format", name, *options]) == 1
            told.append(capsys.readouterr().out)
        assert told[0] == told[1], name


def test_no_source_is_read_for_what_is_told_as_one(
    project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "net.py").write_text(ALIKE)
    first = run(".")
    assert [9, 10, 11] in [one["also"] for one in json.loads(first.out)]
    capsys.readouterr()

    def no_reading(path: Path) -> Source:
        raise AssertionError(f"{path} is read")

    monkeypatch.setattr(Source, "read", no_reading)
    assert cli.main([".", "--output-format", "concise"]) == 1
    assert "3 more like it, to line 11" in capsys.readouterr().out


def test_the_cache_of_an_older_version_is_built_anew(project: Path, run: Runner) -> None:
    first = run(".")
    index = next((project / FOLDER).glob("*.index"))
    data = index.read_bytes()
    at = data.index(b" cache ") + len(b" cache ")
    index.write_bytes(data[:at] + b"12" + data[at + 2 :])
    found = run(".")
    assert (found.seen, found.out) == (["model.py", "train.py"], first.out)
    assert run(".").seen == []
