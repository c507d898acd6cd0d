"""What the playground runs in a browser, run here: the archive alone, its parser beside the native one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import site_playground

from overhead_lint.engine.pages import Page

ROOT = Path(__file__).parent.parent
CHECK = """
import json, sys
sys.path[:0] = {search}
if {pure}:
    import playground_libcst
    sys.modules["libcst.native"] = playground_libcst
    import libcst
    libcst.native = playground_libcst
import playground_check
texts = json.load(sys.stdin)
checked = {{}}
for name, text in texts.items():
    checked[name] = json.loads(playground_check.check(text, {folder!r}, unsafe=True, runtime=True))
json.dump([checked, sorted(sys.modules)], sys.stdout)
"""


def checked(
    texts: dict[str, str], folder: Path, search: list[str], *options: str, pure: bool = False
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """What is found in each text, in a process of its own, and the modules that it took."""
    script = CHECK.format(search=search, pure=pure, folder=str(folder))
    done = subprocess.run(
        [sys.executable, *options, "-c", script],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, modules = json.loads(done.stdout)
    return found, modules


@pytest.fixture(scope="module")
def examples() -> dict[str, str]:
    pages = sorted(ROOT.glob("rules/*/*.md"))[::4]  # all take two minutes
    parsed = [Page.parse(page.read_text(encoding="utf-8"), page.stem) for page in pages]
    found = {page.title: page.code("Example") for page in parsed}
    found["the page's own"] = (ROOT / "docs" / "site" / "playground" / "example.py").read_text()
    return found


def test_the_parser_in_python_gives_the_fixes_that_the_native_one_gives(
    tmp_path: Path, examples: dict[str, str]
) -> None:
    search = [str(ROOT), str(ROOT / "tools")]
    native, _ = checked(examples, tmp_path, search)
    pure, _ = checked(examples, tmp_path, search, pure=True)
    assert sum(one["diff"] != "" for one in native.values()) > 8
    assert {name for name in native if native[name] != pure[name]} == set()


def test_the_archive_needs_nothing_but_python(tmp_path: Path) -> None:
    """Neither this checkout nor packages that are installed; the browser's Python has tomllib."""
    pytest.importorskip("tomllib", reason="this Python reads no TOML without what is installed")
    site_playground.write_archive(ROOT, tmp_path / "linter.zip")
    example = (ROOT / "docs" / "site" / "playground" / "example.py").read_text()
    unpacked = tmp_path / "linter"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", tmp_path / "linter.zip", unpacked], check=True)
    page = tmp_path / "page"  # by itself, as in the browser
    page.mkdir()
    found, modules = checked({"example": example}, page, [str(unpacked)], "-I", "-S")
    assert [one["code"] for one in found["example"]["findings"]] == ["OVH101", "OVH701", "OVH404"]  # type: ignore[index]
    assert "device=x.device" in found["example"]["diff"]
    assert {"torch", "pluggy", "libcst.codemod"} & set(modules) == set()


def test_without_pyodide_the_page_is_laid_out_and_it_is_told(tmp_path: Path) -> None:
    sources = tmp_path / "docs" / "site" / "playground"
    sources.mkdir(parents=True)
    for name in ("playground.js", "worker.js", "example.py"):
        (sources / name).write_text("")
    assert not site_playground.add_playground(tmp_path, tmp_path / "pages")
    assert sorted(path.name for path in (tmp_path / "pages" / "playground").iterdir()) == [
        "example.py",
        "playground.js",
        "worker.js",
    ]
