"""Baselines as a user meets them: what passes, what fails, what moves do, and files that are damaged."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FILE = "overhead-baseline.jsonl"
HEAD = """\
import torch
from torch.nn import functional as F


"""
STEP = """\
def {name}(model, loader, optimizer):
    for batch, target in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.mse_loss(model(batch), target)
        loss.backward()
        optimizer.step()
"""
LAST = "        loss.backward()\n"
MORE = """\
        with torch.autocast("cuda", dtype=torch.bfloat16):
            model(batch)
"""
TRAIN = HEAD + STEP.format(name="train")

Lint = Callable[..., "tuple[str, str, int]"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def lint(run_here: Run, tmp_path: Path) -> Lint:
    """Run the command in a folder with one file that has one finding."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "train.py").write_text(TRAIN)

    def run(*arguments: str) -> tuple[str, str, int]:
        done = run_here("-q", "--output-format=concise", *arguments)
        return done.stdout, done.stderr, done.returncode

    return run


@pytest.fixture
def write(lint: Lint, run_here: Run) -> Lint:
    """Write a baseline, which takes no options of a report."""

    def run(*arguments: str) -> tuple[str, str, int]:
        done = run_here(*arguments)
        return done.stdout, done.stderr, done.returncode

    return run


def entries(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / FILE).read_text().splitlines()][1:]


def test_what_is_in_the_baseline_passes_and_what_is_new_fails(
    lint: Lint, write: Lint, tmp_path: Path
) -> None:
    assert write("--write-baseline", "src") == (f"{FILE}: 1 known (1 added, 0 removed).\n", "", 0)
    assert lint("--baseline", FILE, "--baseline-strict", "src") == ("", "", 0)
    (tmp_path / "src" / "train.py").write_text(TRAIN + "\n\n" + STEP.format(name="again"))
    out, err, status = lint("--baseline", FILE, "src")
    assert (out.count("OVH101"), "train.py:15:14" in out, err, status) == (1, True, "", 1)


def test_the_summary_names_what_was_let_through(write: Lint, tmp_path: Path) -> None:
    write("--write-baseline", "src")
    assert write("--baseline", FILE, "src") == ("No new findings. 1 finding in the baseline.\n", "", 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "# a comment\n\n" + text,
        lambda text: text.replace("    for batch", "    model.train()\n    for batch"),
        lambda text: text.replace(
            '("cuda", dtype=torch.bfloat16)',
            '(\n            "cuda",\n            dtype=torch.bfloat16,\n        )',
        ),
        lambda text: text.replace("torch.autocast(", "torch\\\n            .autocast("),
        lambda text: STEP.format(name="early").replace("torch.autocast", "open") + text,
    ],
    ids=["moved down", "statement above", "laid out anew", "continued line", "function above"],
)
def test_moved_and_reformatted_lines_are_the_same_finding(
    lint: Lint, write: Lint, tmp_path: Path, change: Callable[[str], str]
) -> None:
    write("--write-baseline", "src")
    changed = change(TRAIN)
    assert changed != TRAIN
    (tmp_path / "src" / "train.py").write_text(changed)
    assert lint("--baseline", FILE, "--baseline-strict", "src") == ("", "", 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("bfloat16", "float16"),
        lambda text: text.replace("def train", "def train_all"),
        lambda text: text.replace(LAST, MORE + LAST),
    ],
    ids=["other arguments", "other function", "one more of the same"],
)
def test_another_finding_is_not_covered(
    lint: Lint, write: Lint, tmp_path: Path, change: Callable[[str], str]
) -> None:
    write("--write-baseline", "src")
    (tmp_path / "src" / "train.py").write_text(change(TRAIN))
    out, _, status = lint("--baseline", FILE, "src")
    assert (out.count("OVH101"), status) == (1, 1)


def test_strict_fails_while_the_file_holds_what_is_fixed(lint: Lint, write: Lint, tmp_path: Path) -> None:
    write("--write-baseline", "src")
    (tmp_path / "src" / "train.py").write_text("x = 1\n")
    assert lint("--baseline", FILE, "src") == ("", "", 0)
    out, err, status = lint("--baseline", FILE, "--baseline-strict", "src")
    assert (out, status) == ("", 1)
    assert err == (
        f"{FILE}: no longer found: src/train.py: OVH101 in train: "
        'torch.autocast("cuda", dtype=torch.bfloat16)\n'
        f"{FILE}: take these out with --write-baseline={FILE}\n"
    )
    assert write(f"--write-baseline={FILE}", "src")[0] == f"{FILE}: 0 known (0 added, 1 removed).\n"
    assert lint("--baseline", FILE, "--baseline-strict", "src") == ("", "", 0)


def test_a_deleted_file_is_fixed_but_a_file_that_was_not_checked_is_not(
    lint: Lint, write: Lint, tmp_path: Path
) -> None:
    (tmp_path / "src" / "other.py").write_text(TRAIN)
    write("--write-baseline", "src")
    assert lint("--baseline", FILE, "--baseline-strict", "src/other.py") == ("", "", 0)
    (tmp_path / "src" / "train.py").unlink()
    _, err, status = lint("--baseline", FILE, "--baseline-strict", "src/other.py")
    assert (err.count("no longer found"), "src/train.py" in err, status) == (1, True, 1)


def test_writing_keeps_what_the_run_did_not_look_at(write: Lint, tmp_path: Path) -> None:
    (tmp_path / "src" / "other.py").write_text(TRAIN)
    write("--write-baseline", "src")
    write("--write-baseline", "src/other.py")
    write("--write-baseline", "--select", "OVH4", "src")
    assert [entry["path"] for entry in entries(tmp_path)] == ["src/other.py", "src/train.py"]


def test_writing_keeps_what_lies_where_nobody_can_look(write: Lint, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "train.py").write_text(TRAIN)
    write("--write-baseline", "src", "other")
    (folder / "train.py").unlink()
    folder.rmdir()
    folder.symlink_to(folder)  # asking what is in it is an error, for root too
    write("--write-baseline", "src")
    assert [entry["path"] for entry in entries(tmp_path)] == ["other/train.py", "src/train.py"]


def test_paths_are_relative_to_the_baseline_wherever_the_run_starts(
    lint: Lint, write: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("--write-baseline", "src")
    monkeypatch.chdir(tmp_path / "src")
    assert lint("--baseline", f"../{FILE}", "--baseline-strict", ".") == ("", "", 0)
    assert entries(tmp_path)[0]["path"] == "src/train.py"


def test_equal_findings_are_one_line_with_their_number(lint: Lint, write: Lint, tmp_path: Path) -> None:
    twice = TRAIN.replace(LAST, MORE + LAST)
    (tmp_path / "src" / "train.py").write_text(twice)
    write("--write-baseline", "src")
    assert [entry["count"] for entry in entries(tmp_path)] == [2]
    (tmp_path / "src" / "train.py").write_text(TRAIN)
    assert "no longer found: src/train.py" in lint("--baseline", FILE, "--baseline-strict", "src")[1]


def test_two_branches_merge_line_by_line(lint: Lint, write: Lint, tmp_path: Path) -> None:
    """What ``merge=union`` leaves: lines of both, in some order, the header twice."""
    write("--write-baseline", "src")
    ours = (tmp_path / FILE).read_text()
    (tmp_path / "src" / "other.py").write_text(TRAIN)
    write("--write-baseline", "src")
    (tmp_path / FILE).write_text((tmp_path / FILE).read_text() + ours)
    assert lint("--baseline", FILE, "--baseline-strict", "src") == ("", "", 0)


@pytest.mark.usefixtures("declared")
def test_a_fix_takes_a_finding_out_of_a_new_baseline(lint: Lint, write: Lint, tmp_path: Path) -> None:
    assert write("--fix", "--write-baseline", "src")[0] == f"{FILE}: 0 known (0 added, 0 removed).\n"


DAMAGED = [
    ("", "is no baseline: it does not begin with a baseline's header"),
    ("x = 1\n", ":1: is damaged: this line is no JSON"),
    ('{"path": "a"}\n', "is no baseline: it does not begin with a baseline's header"),
    ('{"overhead_baseline": 1}\n[1]\n', ":2: is damaged: this line is no JSON object"),
    (
        '{"overhead_baseline": 1}\n<<<<<<< HEAD\n',
        ":2: is damaged: this line is no JSON; resolve the merge first",
    ),
    ('{"overhead_baseline": 1}\n{"path": "a"}\n', ":2: is damaged: it has no 'code'"),
    (
        '{"overhead_baseline": 1}\n{"path": "a", "code": "b", "function": "", "text": "", "count": 0}\n',
        ":2: is damaged: 0 is no count",
    ),
    ('{"overhead_baseline": "x"}\n', ":1: is damaged: 'x' is no version"),
    ('{"overhead_baseline": 99}\n', "was written by a newer overhead-lint (version 99 of the file)"),
    ("\udcff", "is no baseline: not UTF-8"),
]


@pytest.mark.parametrize(("text", "error"), DAMAGED)
@pytest.mark.parametrize("option", ["--baseline", "--write-baseline"])
def test_a_damaged_or_newer_file_is_one_line_and_is_left_alone(
    write: Lint, tmp_path: Path, option: str, text: str, error: str
) -> None:
    data = text.encode(errors="surrogateescape")
    (tmp_path / FILE).write_bytes(data)
    out, err, status = write(f"{option}={FILE}", "--fix", "src")
    assert err.startswith(f"overhead-lint: {FILE}") and error in err
    assert (out, err.count("\n"), status) == ("", 1, 2)
    assert (tmp_path / FILE).read_bytes() == data
    assert (tmp_path / "src" / "train.py").read_text() == TRAIN


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--baseline", "gone.jsonl"), "gone.jsonl: cannot be read: No such file or directory"),
        (("--baseline", "src"), "src: cannot be read: Is a directory"),
        (("--write-baseline=src",), "src: cannot be read: Is a directory"),
        (("--write-baseline=gone/a.jsonl",), "gone/a.jsonl: cannot be written: no such folder: gone"),
    ],
)
def test_a_baseline_that_cannot_be_had_is_one_line(
    write: Lint, arguments: tuple[str, ...], error: str
) -> None:
    assert write(*arguments, "src") == ("", f"overhead-lint: {error}\n", 2)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--baseline-strict",), "--baseline-strict goes with --baseline"),
        (("--write-baseline", "--diff"), "--write-baseline reports no findings"),
        (("--write-baseline", "--output-format", "json"), "--write-baseline reports no findings"),
        (("--write-baseline", "--baseline", "a"), "not allowed with argument"),
    ],
)
def test_options_that_exclude_each_other_are_wrong_use(
    write: Lint, tmp_path: Path, arguments: tuple[str, ...], error: str
) -> None:
    _, err, status = write(*arguments, "src")
    assert (error in err, status) == (True, 2)
    assert not (tmp_path / FILE).exists()


def test_a_full_disk_keeps_the_old_baseline(
    write: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("--write-baseline", "src")
    before = (tmp_path / FILE).read_bytes()
    (tmp_path / "src" / "train.py").write_text("x = 1\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    error = f"overhead-lint: {FILE}: cannot be written: No space left on device\n"
    assert write("--write-baseline", "src") == ("", error, 2)
    assert (tmp_path / FILE).read_bytes() == before


def test_a_file_that_cannot_be_checked_keeps_its_entries(write: Lint, tmp_path: Path) -> None:
    write("--write-baseline", "src")
    (tmp_path / "src" / "train.py").write_text("def f(: # autocast\n")
    out, err, status = write("--write-baseline", "src")
    assert (out, status) == (f"{FILE}: 1 known (0 added, 0 removed).\n", 2)
    assert "syntax error" in err


def test_a_long_chain_of_elif_is_no_obstacle(lint: Lint, write: Lint, tmp_path: Path) -> None:
    chain = "    if batch:\n        pass\n" + "    elif batch:\n        pass\n" * 1500
    (tmp_path / "src" / "train.py").write_text(TRAIN + chain)
    assert write("--write-baseline", ".") == (f"{FILE}: 1 known (1 added, 0 removed).\n", "", 0)
    assert lint("--baseline", FILE, ".") == ("", "", 0)


@pytest.mark.parametrize("name", ["known.jsonl", "known.json"])
def test_a_file_that_follows_names_the_baseline_and_a_folder_does_not(
    write: Lint, tmp_path: Path, name: str
) -> None:
    assert write("--write-baseline", name, "src") == (f"{name}: 1 known (1 added, 0 removed).\n", "", 0)
    assert not (tmp_path / FILE).exists()
    assert write("src", "--write-baseline", name)[0] == f"{name}: 1 known (0 added, 0 removed).\n"
    assert write("--write-baseline", "src/")[0] == f"{FILE}: 1 known (1 added, 0 removed).\n"


def test_behind_two_dashes_stand_paths(write: Lint) -> None:
    assert write("--", "--write-baseline")[1:] == ("--write-baseline: no such file or folder\n", 2)


def test_a_setting_names_the_baseline_from_its_folder(
    lint: Lint, write: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ci").mkdir()
    (tmp_path / "overhead-lint.toml").write_text('baseline = "ci/known.jsonl"\n')
    assert write("--write-baseline", "src")[0] == "ci/known.jsonl: 1 known (1 added, 0 removed).\n"
    assert write("src") == ("No new findings. 1 finding in the baseline.\n", "", 0)
    assert lint("--baseline-strict", "src") == ("", "", 0)
    assert '\nbaseline = "ci/known.jsonl"' in write("--show-settings", "src")[0]
    monkeypatch.chdir(tmp_path / "src")
    assert lint(".") == ("", "", 0)


def test_the_command_line_wins_over_the_setting(lint: Lint, write: Lint, tmp_path: Path) -> None:
    write("--write-baseline", "src")
    (tmp_path / "overhead-lint.toml").write_text('baseline = "gone.jsonl"\n')
    assert lint("src") == ("", "overhead-lint: gone.jsonl: cannot be read: No such file or directory\n", 2)
    assert lint("--baseline", FILE, "src") == ("", "", 0)
    assert (
        f'\nbaseline = "{FILE}"  # command line' in write("--show-settings", f"--baseline={FILE}", "src")[0]
    )
    out, err, status = lint("--no-baseline", "src")
    assert (out.count("OVH101"), err, status) == (1, "", 1)
    assert "add --no-baseline" in write("--add-ignore", "later", "src")[1]
    assert write("--add-ignore", "later", "--no-baseline", "src")[2] == 0


def test_a_baseline_that_lies_there_unused_is_told_of(lint: Lint, write: Lint, tmp_path: Path) -> None:
    write("--write-baseline", "src")
    said = f"{FILE}: is not used: give --baseline {FILE}, or name it in the setting baseline\n"
    out, err, status = write("src")
    assert ("OVH101" in out, err, status) == (True, said, 1)
    out, err, status = write("--output-format=json", "src")
    assert (len(json.loads(out)), err) == (1, said)
    assert lint("src")[1] == ""  # --quiet
    assert write("--no-baseline", "src")[1] == write("--baseline", FILE, "src")[1] == ""
    (tmp_path / "src" / "train.py").write_text("x = 1\n")
    assert write("src") == ("No findings.\n", "", 0)  # there is nothing that it could let through


def test_a_baseline_in_the_root_of_the_project_is_told_of(
    write: Lint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("--write-baseline", "src")
    (tmp_path / "overhead-lint.toml").write_text("")
    monkeypatch.chdir(tmp_path / "src")
    assert write(".")[1].startswith(f"{tmp_path / FILE}: is not used: ")


READS = """\
import torch


def train(model, loader):
    for batch in loader:
        loss = model(batch)
        print(loss.max().item())
        print(loss.min().item())
        print(loss.sum().item())
"""


def test_what_is_told_with_others_counts_for_itself_everywhere(write: Lint, tmp_path: Path) -> None:
    (tmp_path / "src" / "train.py").write_text(READS)
    out = write("--select=OVH404", "src")[0]
    assert out.count("OVH404") == 1
    assert out.endswith("Found 3 findings in 1 file, 2 of them told with others.\n")
    (one,) = json.loads(write("--select=OVH404", "--output-format=json", "src")[0])
    assert (one["count"], one["also"]) == (3, [8, 9])
    (row,) = json.loads(write("--select=OVH404", "--output-format=json", "--statistics", "src")[0])
    assert row["count"] == 3
    assert write("--select=OVH404", "--write-baseline", "src")[0].startswith(f"{FILE}: 3 known (3 added")
    assert write("--select=OVH404", "--baseline", FILE, "src")[0] == (
        "No new findings. 3 findings in the baseline.\n"
    )
