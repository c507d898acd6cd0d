"""Shards: several runs that share the files find what one run finds, and their reports merge."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from overhead_lint.cli.main import main
from overhead_lint.discovery.shards import Shard
from overhead_lint.discovery.walking import Target

FORMATS = ("json", "jsonl", "sarif")
MODEL = """\
import torch


def step{number}(x):
    return torch.exp(x).item()
"""
# What only one of the shards finds comes with its page there.
ALONE = """\
import torch


def step0(x):
    return (torch.zeros(8).to(x.device) + x).max().item()
"""
TRAIN = """\
{imports}
for batch in loader:
    {calls}
"""
COUNT = 9


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose findings are hot by a file that lies in one shard alone; one file does not parse."""
    folder = tmp_path / "project"
    (folder / "models").mkdir(parents=True)
    (folder / "overhead-lint.toml").write_text("")
    (folder / "models" / "__init__.py").write_text("")
    for number in range(COUNT):
        (folder / "models" / f"m{number}.py").write_text(MODEL.format(number=number))
    (folder / "models" / "m0.py").write_text(ALONE)
    imports = "\n".join(f"from models.m{number} import step{number}" for number in range(COUNT))
    calls = "\n    ".join(f"step{number}(batch)" for number in range(COUNT))
    (folder / "train.py").write_text(TRAIN.format(imports=imports, calls=calls))
    (folder / "broken.py").write_text("def f(:  # .item()\n")
    monkeypatch.chdir(folder)
    return folder


Report = Callable[..., str]


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """Give the report of a run."""

    def written(*arguments: str) -> str:
        out = tmp_path / "report"
        assert main([*arguments, "-o", str(out)]) in (0, 1, 2)
        return out.read_text()

    return written


def reports(report: Report, form: str, shards: int, *more: str) -> list[Path]:
    """The reports of all shards, as files beside the project, by place: a shard sees parts of steps alone."""
    files = []
    for number in range(1, shards + 1):
        file = Path(f"../{number}.{form}")
        shard = f"{number}/{shards}"
        file.write_text(report("--shard", shard, "--output-format", form, "--sort", "path", *more))
        files.append(file)
    return files


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("shards", [1, 2, 4])
@pytest.mark.parametrize("cache", [["--no-cache"], []])
def test_the_merged_reports_of_shards_are_that_of_one_run(
    project: Path, report: Report, form: str, shards: int, cache: list[str]
) -> None:
    whole = report("--output-format", form, "--sort", "path", "--no-cache")
    assert whole.count("OVH404") >= COUNT and "OVH701" in whole
    files = reports(report, form, shards, *cache)
    merged = report("merge-reports", "--shards", str(shards), *map(str, files))
    assert merged == whole
    assert report("merge-reports", *map(str, reversed(files)), str(files[0])) == whole


def test_a_reason_names_a_file_of_another_shard_as_it_was_given(project: Path, report: Report) -> None:
    whole = report("--output-format", "json", "--sort", "path", "--no-cache", str(project))
    assert str(project / "train.py") in json.loads(whole)[0]["why"]
    files = reports(report, "json", 3, "--no-cache", str(project))
    assert report("merge-reports", *map(str, files)) == whole


def test_files_without_a_project_around_them_are_judged_together(
    project: Path, report: Report, tmp_path: Path
) -> None:
    (project / "overhead-lint.toml").unlink()
    whole = report("--output-format", "json", "--sort", "path", "--isolated", "--no-cache", ".")
    assert "train.py" in whole
    files = reports(report, "json", 2, "--isolated", "--no-cache", ".")
    assert report("merge-reports", *map(str, files)) == whole


def targets(root: Path, names: Sequence[str]) -> list[Target]:
    return [Target(str(root / name), "") for name in names]


def test_a_file_stays_in_its_shard_wherever_the_checkout_lies_and_whatever_comes_and_goes() -> None:
    names = [f"package/module{number}.py" for number in range(100)]
    own: dict[str, int] = {}
    for root in (Path("/here/checkout"), Path("/there")):
        for known in (names, names[::2]):
            parts = [Shard(number, 3).split(targets(root, known), root)[0] for number in (1, 2, 3)]
            assert sorted(one for part in parts for one in part) == sorted(targets(root, known))
            for number, part in enumerate(parts):
                for target in part:
                    name = target.path.relative_to(root).as_posix()
                    assert own.setdefault(name, number) == number
            assert min(map(len, parts)) > len(known) // 6


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "1/0", "a/b", "-1/2", "1/2/3", "", "²/3"])
def test_a_wrong_shard_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([f"--shard={text}"])
    assert ended.value.code == 2
    assert f"a share of the files such as 2/4, not {text!r}" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--watch", "--write-baseline=known.jsonl", "--show-settings"])
def test_what_a_share_is_not_enough_for_is_refused(
    project: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--shard", "1/2", option])
    assert ended.value.code == 2
    assert f"no {option.partition('=')[0]} with it" in capsys.readouterr().err


def test_the_files_of_a_shard_are_shown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for number in (1, 2):
        assert main(["--shard", f"{number}/2", "--show-files"]) == 0
        shown.append(capsys.readouterr().out.splitlines())
    assert all(shown)
    assert main(["--show-files"]) == 0
    assert sorted(shown[0] + shown[1]) == sorted(capsys.readouterr().out.splitlines())


def test_a_missing_report_is_told_of(
    project: Path, report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    first, _ = reports(report, "json", 2)
    capsys.readouterr()
    assert main(["merge-reports", "--shards", "2", str(first)]) == 2
    assert capsys.readouterr().err == "overhead-lint: 1 report of 2 shards\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "is no report of overhead-lint in a format of json, jsonl, sarif"),
        ("3", "is no report of overhead-lint in a format of json, jsonl, sarif"),
        ('[{"code": 1}]', "is no report of overhead-lint in a format of json, jsonl, sarif"),
        ('{"runs": []}', "is no report of overhead-lint in a format of json, jsonl, sarif"),
        ('{"runs": [{"tool": {"driver": {"name": "ruff", "rules": []}}}]}', "is no report of overhead-lint"),
    ],
)
def test_what_is_no_report_is_told_in_one_line(
    tmp_path: Path, text: str | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    if text is not None:
        file.write_text(text)
    assert main(["merge-reports", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(file) in line and told in line


def test_reports_of_several_formats_or_versions_do_not_merge(
    project: Path, report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    (log,) = reports(report, "sarif", 1)
    (plain,) = reports(report, "json", 1)
    older = log.with_name("older.sarif")
    content = json.loads(log.read_text())
    content["runs"][0]["tool"]["driver"]["version"] = "0.0.1"
    older.write_text(json.dumps(content))
    capsys.readouterr()
    assert main(["merge-reports", str(log), str(plain)]) == 2
    assert f"{log} is sarif, {plain} is json" in capsys.readouterr().err
    assert main(["merge-reports", str(log), str(older)]) == 2
    assert "were written by different versions of overhead-lint" in capsys.readouterr().err


def test_the_status_is_that_of_one_run(project: Path, report: Report) -> None:
    logs = list(map(str, reports(report, "sarif", 2)))
    assert main(["merge-reports", *logs]) == 2  # broken.py
    (project / "broken.py").unlink()
    logs = list(map(str, reports(report, "sarif", 2)))
    assert main(["merge-reports", *logs]) == 1
    assert main(["merge-reports", "--exit-zero", *logs]) == 0
    shutil.rmtree(project / "models")
    assert main(["merge-reports", *map(str, reports(report, "sarif", 2))]) == 0
    assert main(["merge-reports", *map(str, reports(report, "jsonl", 2))]) == 0
