"""The benchmark of large projects: copies of packages are packages of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import large

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_copy_imports_itself(tmp_path: Path) -> None:
    package = tmp_path / "net"
    package.mkdir()
    (package / "__init__.py").touch()
    text = "import network\nimport net.layers as l\nif l:\n    from net import layers\n"
    (package / "model.py").write_text(text)
    large.copy_as(package, tmp_path / "work" / "net")
    large.copy_as(package, tmp_path / "work" / "net_2")
    assert (tmp_path / "work" / "net" / "model.py").read_text() == text
    copied = (tmp_path / "work" / "net_2" / "model.py").read_text()
    assert copied == "import network\nimport net_2.layers as l\nif l:\n    from net_2 import layers\n"


def test_a_folder_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert large.main(["no-such-folder"]) == 2
    assert capsys.readouterr().err == "large.py: no folder no-such-folder\n"
