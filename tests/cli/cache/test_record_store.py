"""Lowered files that are kept between runs, and what becomes of those that are broken."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

from overhead_lint.analysis.ir import lowering
from overhead_lint.cache.folder import FOLDER, clean
from overhead_lint.cache.record_store import RecordStore
from overhead_lint.cli.main import main
from overhead_lint.workspace import project_values

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from overhead_lint.analysis.ir.records import FileIR

TEXT = "def f(x):\n    return x + 1\n"
MAIN = "import torch\n\n@torch.compile\ndef double(x):\n    return 2 * x\n"


def lowered(text: str) -> FileIR:
    return lowering.lower(ast.parse(text))


def stored(folder: Path, *texts: str) -> RecordStore:
    """A store in which some texts lie."""
    store = RecordStore(folder)
    for text in texts:
        store.put(text, lowered(text))
    store.save()
    assert store.unwritable == ""
    return RecordStore(folder)


def test_a_record_comes_back(tmp_path: Path) -> None:
    store = stored(tmp_path / "cache", TEXT, "x = '☃'")
    found = store.get(TEXT)
    assert found is not None
    assert [one.qualname for one in found.functions] == ["", "f"]
    assert store.get("x = '☃'") is not None
    assert store.get("x = '\ud800'") is None


def test_what_is_broken_or_cut_off_is_not_there(tmp_path: Path) -> None:
    stored(tmp_path, TEXT)
    (path,) = tmp_path.glob("*.records")
    whole = path.read_bytes()
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        assert RecordStore(tmp_path).get(TEXT) is None
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        assert RecordStore(tmp_path).get(TEXT) is None
    assert stored(tmp_path, TEXT).get(TEXT) is not None


def test_what_another_version_wrote_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path, TEXT)
    monkeypatch.setattr("overhead_lint.cache.record_store.PACKING", -1)
    assert RecordStore(tmp_path).get(TEXT) is None
    (old,) = tmp_path.glob("*.records")
    stored(tmp_path, TEXT)
    assert old.exists(), "it may be in use"
    os.utime(old, (0, 0))
    stored(tmp_path, TEXT + "\n")
    assert not old.exists()


def test_what_nobody_asks_for_goes_once_it_is_most(tmp_path: Path) -> None:
    store = stored(tmp_path, *(f"x = {number}" for number in range(5)))
    assert store.get("x = 1") is not None
    store.put(TEXT, lowered(TEXT))
    store.save()
    store = RecordStore(tmp_path)
    assert [store.get(text) is not None for text in ("x = 0", "x = 1", TEXT)] == [False, True, True]


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    store = RecordStore(tmp_path / "cache")
    store.put(TEXT, lowered(TEXT))
    store.save()
    assert "cannot be written" in store.unwritable


def test_compile_sites_lowers_what_is_new_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\nversion = '1'\n")
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "other.py").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    counted: list[ast.Module] = []

    def lower(tree: ast.Module) -> FileIR:
        counted.append(tree)
        return lowering.lower(tree)

    monkeypatch.setattr(project_values, "lower", lower)
    assert main(["compile-sites", "--no-cache"]) == 0
    assert not (tmp_path / FOLDER).exists()
    first = capsys.readouterr().out
    for changed, expected in ((None, 2), (None, 0), ("other.py", 1)):
        counted.clear()
        if changed is not None:
            (tmp_path / changed).write_text("y = 1\n")
        assert main(["compile-sites"]) == 0
        assert len(counted) == expected
        assert capsys.readouterr().out == first
    main(["check", "-q", "."])
    assert list((tmp_path / FOLDER).glob("*.records")), "a check leaves it where it is"
    assert clean([tmp_path / FOLDER]) == [tmp_path / FOLDER]
