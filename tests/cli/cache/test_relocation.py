"""A cache goes along to another checkout, and to another machine; and several runs may write it at once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint.cache import stamps
from overhead_lint.cache.folder import FOLDER, drop_old
from overhead_lint.cache.record_store import RecordStore
from overhead_lint.cache.stamps import recorded_hash
from overhead_lint.cli.main import main

from .cache_runs import TRAIN, Runner


@pytest.mark.parametrize("given", ["inside", "named"])
def test_another_checkout_finds_the_same_and_looks_into_nothing(
    project: Path,
    run: Runner,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    given: str,
) -> None:
    first = run(".")
    assert first.seen == ["model.py", "train.py"]
    other = tmp_path_factory.mktemp("elsewhere") / "checkout"
    shutil.copytree(project, other, copy_function=shutil.copyfile)  # with other times
    assert all(
        path.stat().st_mtime_ns != (project / path.name).stat().st_mtime_ns for path in other.glob("*.py")
    )
    monkeypatch.chdir(other if given == "inside" else other.parent)
    again = run("." if given == "inside" else "checkout")
    assert again.seen == []
    assert again.status == first.status == 1
    assert again.out.replace("checkout/", "") == first.out


def test_a_cache_that_was_copied_alone_serves_a_checkout_made_for_it(
    project: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As CI does it: a fresh checkout, and the cache restored from what another machine stored."""
    first = run(".")
    stored = tmp_path / "stored"
    shutil.copytree(project / FOLDER, stored)
    other = tmp_path / "other"
    other.mkdir()
    for name in ("train.py", "model.py", "overhead-lint.toml"):
        (other / name).write_bytes((project / name).read_bytes())
    monkeypatch.chdir(other)
    again = run(".", "--cache-dir", str(stored))
    assert (again.seen, again.out) == ([], first.out)
    (other / "train.py").write_text("from model import f\nf(1)\n")
    assert run(".", "--cache-dir", str(stored)).seen == ["train.py"]


def test_lowered_files_are_found_in_another_checkout(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "compiled.py").write_text("import torch\n\n\n@torch.compile\ndef g(x):\n    return x\n")
    assert main(["compile-sites", "."]) == 0
    said = capsys.readouterr().out
    other = tmp_path / "other"
    shutil.copytree(project, other, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("other"))
    put: list[str] = []
    monkeypatch.setattr(RecordStore, "put", lambda self, text, record: put.append(text))
    monkeypatch.chdir(other)
    assert main(["compile-sites", "."]) == 0
    assert (put, capsys.readouterr().out) == ([], said)


RECORD = """\
../../../bin/overhead-lint,sha256=%s,212
overhead_lint-1.dist-info/RECORD,,
overhead_lint/__init__.py,sha256=abc,10
overhead_lint/__pycache__/__init__.cpython-311.pyc,,
overhead_lint/rule.py,sha256=%s,20
"""


def installed(site: Path, script: str = "s", rule: str = "r", *, backwards: bool = False) -> Path:
    """A folder with packages as an installer leaves it."""
    package, metadata = site / "overhead_lint", site / "overhead_lint-1.dist-info"
    package.mkdir(parents=True)
    metadata.mkdir()
    lines = (RECORD % (script, rule)).splitlines(keepends=True)
    (metadata / "RECORD").write_text("".join(reversed(lines) if backwards else lines))
    return package


def test_the_program_is_the_same_wherever_and_whenever_it_was_installed(tmp_path: Path) -> None:
    packages = [installed(tmp_path / "a"), installed(tmp_path / "b", script="other", backwards=True)]
    record = tmp_path / "b" / "overhead_lint-1.dist-info" / "RECORD"
    os.utime(record, (2_000_000_000, 2_000_000_000))
    first, second = (recorded_hash(package, "overhead_lint-1.dist-info", 1) for package in packages)
    assert first == second != b""
    changed = installed(tmp_path / "c", rule="changed")
    assert recorded_hash(changed, "overhead_lint-1.dist-info", 1) not in (first, b"")


def test_a_process_stays_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its files change meanwhile: an editor's server still runs what it has imported."""
    before = stamps.stamp()
    monkeypatch.setattr(stamps, "_newest_and_total", lambda: (1, 1))
    assert stamps.stamp() == before


def test_files_changed_after_they_were_installed_are_not_taken_for_those_recorded(tmp_path: Path) -> None:
    package = installed(tmp_path / "a")
    newer = (tmp_path / "a" / "overhead_lint-1.dist-info" / "RECORD").stat().st_mtime_ns + 1
    assert recorded_hash(package, "overhead_lint-1.dist-info", newer) == b""
    assert recorded_hash(package, "overhead_lint-2.dist-info", 1) == b""


def test_runs_that_write_a_cache_at_once_find_what_one_finds(project: Path, run: Runner) -> None:
    """Six processes: shards, and whole runs, from a cache that each of them may replace."""
    for number in range(12):
        (project / f"more{number}.py").write_text(
            f"import torch\ndef g{number}(x):\n    return torch.exp(x).item()\n"
        )
    imports = "".join(f"from more{number} import g{number}\n" for number in range(12))
    calls = "".join(f"    g{number}(batch)\n" for number in range(12))
    (project / "train.py").write_text(imports + TRAIN + calls)
    whole = json.loads(run(".", "--no-cache", "--sort", "path").out)
    command = [sys.executable, "-m", "overhead_lint", "--output-format", "json", "--sort", "path"]
    for _ in range(2):
        started = [
            subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for more in (
                ["--shard", "1/2"],
                ["--shard", "2/2"],
                [],
                ["--shard", "1/2"],
                ["--shard", "2/2"],
                [],
            )
        ]
        found = []
        for process in started:
            out, err = process.communicate(timeout=240)
            assert (process.returncode, err) == (1, "")
            found.append(json.loads(out))
        shards = sorted(found[0] + found[1], key=lambda one: [one["path"], one["line"]])
        assert shards == sorted(whole, key=lambda one: [one["path"], one["line"]])
        assert found[2] == found[5] == whole
        assert found[0] == found[3] and found[1] == found[4]
    last = run(".", "--sort", "path")
    assert (json.loads(last.out), run(".", "--sort", "path").seen) == (whole, [])
    assert not [path for path in (project / FOLDER).iterdir() if path.suffix == ".tmp"]


def test_files_that_other_runs_take_away_meanwhile_are_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that another run is still writing has its own name by the time that its age is asked for."""
    (tmp_path / "0a.index").write_bytes(b"")
    (tmp_path / "0a.since.1-2.tmp").write_bytes(b"")
    seen = Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path.suffix in (".tmp", ".index"):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return seen(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    drop_old(tmp_path, "0a", [], [])
    monkeypatch.undo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0a.index", "0a.since.1-2.tmp"]
