"""The benchmark of large projects: copies of packages are packages of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import large
from lint_runs import Run
from page_sections import kept_sections

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


def test_a_run_replaces_its_section_and_leaves_that_of_copies(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text("# How long\n")
    line = large.Line("cold, -j 1", Run(12.4, 11.6, 113.2))
    large.write(page, [line], 95.0, 1)
    large.write(page, [line], 950.0, 10)
    large.write(page, [line, line._replace(what="cold, -j 2")], 95.0, 1)
    text = page.read_text()
    assert text.startswith("# How long\n")
    assert [text.count(f"machines, {size} MB of source\n") for size in (95, 950)] == [1, 1]
    assert text.count("large.py --copies 10 --write") == 1
    row = re.compile(r"^\| cold, -j 1 +\| +12 \| +12 \| +113 \|$", re.MULTILINE)
    assert len(row.findall(text)) == 2 and text.count("cold, -j 2") == 1
    assert kept_sections(text).count("<!-- end of ") == 2


def test_a_folder_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert large.main(["no-such-folder"]) == 2
    assert capsys.readouterr().err == "large.py: no folder no-such-folder\n"
