"""Which files of a program count as its own."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.dynamic.candidates import Scope

if TYPE_CHECKING:
    import pytest


def test_own_files_are_those_below_its_folders_without_what_is_installed(tmp_path: Path) -> None:
    scope = Scope((tmp_path,))
    assert str(tmp_path / "train.py") in scope
    assert str(tmp_path / "pkg" / "model.py") in scope
    assert str(tmp_path / ".venv" / "lib" / "site-packages" / "torch" / "nn.py") not in scope
    assert str(tmp_path.parent / "other.py") not in scope


def test_files_of_python_are_judged_while_sysconfig_is_being_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.13 imports a file of its own to learn what `sysconfig` answers with."""

    def not_yet(name: str) -> str:
        raise AttributeError("abi_thread")

    standard = Path(sysconfig.get_path("stdlib"))
    monkeypatch.setattr(sysconfig, "get_path", not_yet)
    assert str(standard / "_sysconfigdata__linux_x86_64-linux-gnu.py") not in Scope((Path("/"),))
