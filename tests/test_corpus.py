"""The corpus script, without its downloads: requirements, unpacking, sampling, the page."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from corpus import main, write
from corpus_files import CorpusError, Package, requirements, unpack
from corpus_page import Reading, load_readings, page
from corpus_run import Found, PackageRun, excerpt, lint, sample, table

from overhead_lint.cli.main import main as check

PACKAGE = Package("some-package", "1.0")
RULES = {"OVH101": "autocast-per-step", "OVH404": "sync-in-step"}


def found(line: int, code: str = "OVH404") -> Found:
    return Found(PACKAGE.name, "pkg/a.py", line, code, "sync-in-step", "a sync", "step", "a.py:1 loop")


@pytest.fixture
def run(tmp_path: Path) -> PackageRun:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "a.py").write_text("".join(f"line_{number}\n" for number in range(1, 51)))
    findings = tuple(found(line) for line in range(1, 31))
    return PackageRun(PACKAGE, tmp_path, 1, 50, 0.25, findings, ())


def test_every_pinned_package_has_a_hash() -> None:
    assert len({package.name for package in requirements()}) == 6


def test_a_requirement_without_hash_is_refused(tmp_path: Path) -> None:
    listed = tmp_path / "corpus.txt"
    listed.write_text("# comment\n\ntorch==1.0\n")
    with pytest.raises(CorpusError, match=r"corpus\.txt:3: expected"):
        requirements(listed)


def test_a_repository_is_pinned_by_its_commit_and_unpacked_without_the_folder_around_it(
    tmp_path: Path,
) -> None:
    commit = "0123456789" * 4
    listed = tmp_path / "corpus.txt"
    listed.write_text(f"some/thing@{commit}\n")
    (package,) = requirements(listed)
    assert package == Package("thing", commit, "some")
    with pytest.raises(CorpusError, match=rf"some\+thing-{commit}\.zip"):
        unpack(package, tmp_path, tmp_path / "src")
    (tmp_path / "repositories").mkdir()
    with zipfile.ZipFile(tmp_path / "repositories" / f"some+thing-{commit}.zip", "w") as archive:
        archive.writestr(f"thing-{commit}/train.py", "x = 1\n")
        archive.writestr(f"thing-{commit}/README.md", "text")
        archive.writestr(f"thing-{commit}/notes.txt", "text")
        archive.writestr(f"thing-{commit}/requirements.txt", "torch")
    folder = unpack(package, tmp_path, tmp_path / "src")
    assert [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*"))] == [
        "requirements.txt",
        "train.py",
    ]
    assert [path.name for path in (tmp_path / "src").iterdir()] == [f"thing-{commit}"]


def test_unpacking_takes_the_python_files_once(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "some_package-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("pkg/a.py", "x = 1\n")
        archive.writestr("pkg/b.so", "binary")
    folder = unpack(PACKAGE, tmp_path, tmp_path / "src")
    assert [path.name for path in folder.rglob("*.*")] == ["a.py"]
    assert unpack(PACKAGE, tmp_path / "gone", tmp_path / "src") == folder
    assert [path.name for path in (tmp_path / "src").iterdir()] == ["some-package-1.0"]


def test_a_broken_or_missing_wheel_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="0 wheels of some-package"):
        unpack(PACKAGE, tmp_path, tmp_path / "src")
    (tmp_path / "some_package-1.0-py3-none-any.whl").write_text("no zip")
    with pytest.raises(CorpusError, match="not a zip file"):
        unpack(PACKAGE, tmp_path, tmp_path / "src")
    assert list((tmp_path / "src").iterdir()) == []


def test_a_sample_is_the_same_for_the_same_seed_and_at_most_twenty(run: PackageRun) -> None:
    first = sample([run], "OVH404", 1)
    assert len(first) == 20
    assert first == sample([run], "OVH404", 1) != sample([run], "OVH404", 2)
    assert sample([run], "OVH101", 1) == []


def test_an_excerpt_marks_the_line_and_says_why_it_is_hot(run: PackageRun) -> None:
    text = excerpt(run.folder, found(3))
    assert ">     3  line_3" in text
    assert "step: a.py:1 loop" in text
    assert "line_9" in text
    assert "line_10" not in text


def test_the_table_counts_findings_by_rule_and_sums_up(run: PackageRun) -> None:
    other = run._replace(package=Package("other", "2"), findings=(found(1, "OVH101"),))
    last = table([run, other]).splitlines()[-1].split()
    assert last == ["all", "2", "100", "0.5", "1", "30"]


def test_the_page_gives_the_share_and_explains_two_of_each(run: PackageRun) -> None:
    readings = [
        Reading("OVH404", PACKAGE.name, "pkg/a.py", line, "right" if line < 4 else "wrong", f"reason {line}")
        for line in range(1, 5)
    ]
    text = page([run], readings, "TABLE", RULES)
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| OVH")]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["OVH101 autocast-per-step", "0", "0", "0", "nothing found"],
        ["OVH404 sync-in-step", "30", "4", "3", "75%"],
    ]
    assert [f"reason {line}" in text for line in range(1, 5)] == [True, True, False, True]
    assert "line_4" in text


def test_a_reading_that_matches_no_finding_is_named(run: PackageRun) -> None:
    stale = Reading("OVH404", PACKAGE.name, "pkg/a.py", 49, "right", "moved")
    with pytest.raises(CorpusError, match=r"1 readings match no finding any more:\n.*pkg/a\.py:49"):
        page([run], [stale], "TABLE", RULES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[reading", "corpus_readings.toml"),
        ('[[reading]]\nrule = "OVH404"\n', "reading 1: expected the keys rule, package"),
        (
            '[[reading]]\nrule="A"\npackage="b"\npath="c"\nline=1\nverdict="maybe"\nreason="d"\n',
            "verdict 'maybe' is not right or wrong",
        ),
    ],
)
def test_bad_readings_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "corpus_readings.toml"
    path.write_text(text)
    with pytest.raises(CorpusError, match=message):
        load_readings(path)


def test_an_unknown_package_is_one_line_and_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--package", "nope"]) == 2
    assert capsys.readouterr().err.startswith("corpus: nope: not in the corpus (accelerate, ")


def test_what_fix_corpus_wrote_stays_when_the_page_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "corpus.md"
    write(path, "# Page\n")
    path.write_text(path.read_text() + "\n## Fixed as a whole\n\ntable\n")
    write(path, "# New page\n")
    assert path.read_text() == "# New page\n\n## Fixed as a whole\n\ntable\n"


_STEPS = """
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        scale = torch.tensor(0.5, device=x.device)
        shift = torch.tensor([1.0, 2.0], device=x.device)
        return x * scale + shift

def train(loader, model, optimizer):
    for batch in loader:
        loss = model(batch.cuda())
        loss.backward()
        optimizer.step()
        print(loss.item())

def test(loader, model):
    for batch in loader:
        model(batch.cuda()).tolist()
"""


def test_ranks_are_places_in_the_full_report_without_what_that_only_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pkg").mkdir()
    for name in ("a.py", "b.py"):
        (tmp_path / "pkg" / name).write_text(_STEPS.replace("scale", name[0]))
    done = lint(PACKAGE, tmp_path / "pkg")
    ranked = sorted((one for one in done.findings if one.rank), key=lambda one: one.rank)
    assert [one.rank for one in ranked] == [1, 2]
    assert {one.tier for one in done.findings if not (one.rank or one.is_told)} == {"minor"}
    assert {one.path for one in done.findings if one.is_told} == {"a.py", "b.py"}
    monkeypatch.setenv("OVERHEAD_LINT_COSTS", os.devnull)
    monkeypatch.chdir(tmp_path)
    check(["check", "--no-cache", "pkg"])
    listed = [line.split(":")[:2] for line in capsys.readouterr().out.splitlines() if line.startswith("pkg")]
    assert listed == [[f"pkg/{one.path}", str(one.line)] for one in ranked]
