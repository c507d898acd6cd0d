"""``overhead-lint vendor``: the copy, its check, and that it works where overhead_lint is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint import __version__
from overhead_lint.cli.main import main

RUNTIME_TESTS = Path(__file__).parent / "runtime"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    package = tmp_path / "scratch"
    package.mkdir()
    (package / "__init__.py").write_text("")
    path = package / "_overhead"
    assert main(["vendor", str(path)]) == 0
    return path


def test_a_copy_says_where_it_is_from(copy: Path) -> None:
    files = sorted(copy.rglob("*.py"))
    assert {"__init__.py", "amp.py", "compile.py", "dispatcher.py"} <= {file.name for file in files}
    for file in files:
        first, second, *_ = file.read_text().splitlines()
        assert f"overhead-lint {__version__}" in first
        assert "Apache-2.0" in second


def test_a_copy_holds_the_modules_of_the_runtime_and_nothing_else(copy: Path) -> None:
    runtime = Path(__file__).parents[1] / "overhead_runtime"
    modules = [path.relative_to(runtime) for path in (*runtime.glob("*.py"), *runtime.glob("_dispatch/*.py"))]
    found = [path.relative_to(copy) for path in copy.rglob("*") if path.is_file()]
    assert sorted(found) == sorted(modules)


def test_without_the_runtime_nothing_is_copied_and_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("overhead_lint.cli.vendor.find_spec", lambda name: None)
    assert main(["vendor", str(tmp_path / "_overhead")]) == 2
    assert capsys.readouterr().err.endswith("is not installed; run: pip install overhead-runtime\n")
    assert not (tmp_path / "_overhead").exists()


def test_a_fresh_copy_is_current_and_is_left_alone(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.stat().st_mtime_ns for file in copy.rglob("*.py")}
    assert main(["vendor", "--check", str(copy)]) == 0
    assert "current" in capsys.readouterr().out
    assert main(["vendor", str(copy)]) == 0
    assert {file: file.stat().st_mtime_ns for file in copy.rglob("*.py")} == before


def test_fixes_leave_a_copy_alone(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # A runtime that was rewritten to itself called itself without end.
    before = {file: file.read_bytes() for file in copy.rglob("*.py")}
    (copy.parents[1] / "overhead-lint.toml").write_text('runtime-module = "scratch._overhead"\n')
    every = ("--select=ALL,OVH001", "--preview", "--min-heat=presumed", "--no-cache")
    assert main(["--fix", "--unsafe-fixes", *every, str(copy.parent)]) == 0
    assert {file: file.read_bytes() for file in copy.rglob("*.py")} == before


def test_check_names_what_differs_and_writes_nothing(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "amp.py").write_text("edited")
    (copy / "keys.py").unlink()
    old = copy / "old.py"
    old.write_bytes((copy / "grad.py").read_bytes())
    (copy / "own.py").write_text("# the user's")
    capsys.readouterr()
    assert main(["vendor", "--check", str(copy)]) == 1
    said = capsys.readouterr().out
    for name in ("amp.py", "keys.py", "old.py"):
        assert name in said
    assert "own.py" not in said
    assert (copy / "amp.py").read_text() == "edited"
    assert main(["vendor", str(copy)]) == 0
    assert main(["vendor", "--check", str(copy)]) == 0
    assert not old.exists()
    assert (copy / "own.py").exists()
    assert not list(copy.rglob("*.tmp"))


def test_check_of_a_copy_that_is_not_there_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "missing"
    assert main(["vendor", "--check", str(path)]) == 1
    assert capsys.readouterr().out == f"{path}: holds no copy; run: overhead-lint vendor {path}\n"
    assert not path.exists()


@pytest.mark.parametrize("case", ["parent", "file", "name", "keyword", "foreign"])
def test_wrong_places_are_refused_in_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "__init__.py").write_text("x = 1\n")
    path = {
        "parent": tmp_path / "no" / "where",
        "file": tmp_path / "file",
        "name": tmp_path / "not-a-name",
        "keyword": tmp_path / "class",
        "foreign": tmp_path / "foreign",
    }[case]
    assert main(["vendor", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(path) in said
    assert (tmp_path / "foreign" / "__init__.py").read_text() == "x = 1\n"


def test_the_copy_passes_the_runtime_tests_without_overhead_lint(copy: Path) -> None:
    root = copy.parent.parent
    for name in ("runtime_forms.py", "test_queries.py", "test_ranges.py", "test_streams.py"):
        text = (RUNTIME_TESTS / name).read_text()
        (root / name).write_text(text.replace("overhead_runtime", "scratch._overhead"))
    # A name that is None in sys.modules cannot be imported.
    (root / "conftest.py").write_text(
        "import sys\nsys.modules['overhead_lint'] = sys.modules['overhead_runtime'] = None\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:overhead", "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_runtime_imports_torch_and_the_standard_library_only(copy: Path) -> None:
    code = (
        "import sys; sys.modules['overhead_lint'] = sys.modules['overhead_runtime'] = None\n"
        "import torch; torch_has = set(sys.modules)\n"
        "import scratch._overhead\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - torch_has}\n"
        "foreign = sorted(new - set(sys.stdlib_module_names) - {'scratch', 'torch'})\n"
        "print(foreign, 'torch._dynamo' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=copy.parent.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[] False"
