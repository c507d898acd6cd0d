"""Which files are checked, and which of them are cold for where they lie."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from overhead_lint.config.setting_keys import leaves_out
from overhead_lint.discovery.files import PathError, Target, collect, dotted_names, module_name


def tree(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def found(folder: Path, *paths: Path) -> list[str]:
    return [
        target.path.relative_to(folder).as_posix() if isinstance(target, Target) else f"error {target}"
        for target in collect(paths or [folder])
    ]


def test_a_folder_is_walked_in_order_without_caches_and_other_files(tmp_path: Path) -> None:
    tree(tmp_path, "b.py", "a/z.py", "a/y.pyi", "a/x.txt", ".venv/c.py", "a/__pycache__/d.py")
    tree(tmp_path, ".git/e.py", "node_modules/f.py", "pkg.egg-info/g.py", "a.py")
    assert found(tmp_path) == ["a/z.py", "a.py", "b.py"]


def test_a_named_file_is_checked_whatever_it_is_called(tmp_path: Path) -> None:
    tree(tmp_path, "script", ".venv/c.py")
    assert found(tmp_path, tmp_path / "script", tmp_path / ".venv/c.py") == ["script", ".venv/c.py"]


def test_copies_that_setuptools_builds_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, "build/lib/a.py", "build/lib.linux-x86_64-cpython-311/a.py", "build/tools/b.py", "a.py")
    tree(tmp_path, "pkg/build/__init__.py", "pkg/build/lib/c.py", "pkg/lib/d.py", "lib/e.py")
    kept = ["build/tools/b.py", "a.py"]
    own = ["lib/e.py", "pkg/build/__init__.py", "pkg/build/lib/c.py", "pkg/lib/d.py"]
    assert sorted(found(tmp_path)) == sorted(kept + own)
    assert found(tmp_path, tmp_path / "build/lib") == ["build/lib/a.py"]
    assert "build/lib/a.py" in found(tmp_path, tmp_path / "build")


def test_gitignore_files_count_from_the_root_down(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "build/a.py", "src/gen_a.py", "src/gen_keep.py", "src/b.py", "src/sub/c.py")
    (tmp_path / ".gitignore").write_text("build/\ngen_*.py\n")
    (tmp_path / "src/.gitignore").write_text("!gen_keep.py\nsub/\n")
    assert found(tmp_path) == ["src/b.py", "src/gen_keep.py"]
    assert found(tmp_path, tmp_path / "src") == ["src/b.py", "src/gen_keep.py"]
    assert found(tmp_path, tmp_path / "build") == ["build/a.py"]
    assert found(tmp_path, tmp_path / "src/gen_a.py") == ["src/gen_a.py"]


def test_what_a_repository_excludes_for_itself_counts_last(tmp_path: Path) -> None:
    tree(tmp_path, ".git/info/exclude", "mine/a.py", "src/mine.py", "src/kept.py", "src/b.py")
    (tmp_path / ".git/info/exclude").write_text("# git's own text\nmine*\nkept.py\n")
    (tmp_path / "src/.gitignore").write_text("!kept.py\n")
    assert found(tmp_path) == ["src/b.py", "src/kept.py"]
    assert found(tmp_path, tmp_path / "src") == ["src/b.py", "src/kept.py"]


@pytest.mark.parametrize("pattern", ["*", "*.py", "build/", "lib/", "build/lib/*.py"])
def test_a_named_folder_is_walked_even_if_git_ignores_it(tmp_path: Path, pattern: str) -> None:
    tree(tmp_path, ".git/HEAD", "build/lib/a.py", "build/lib/sub/.venv/b.py")
    (tmp_path / ".gitignore").write_text(f"{pattern}\n")
    assert found(tmp_path, tmp_path / "build/lib") == ["build/lib/a.py"]


def test_a_named_folder_is_walked_even_if_it_ignores_itself(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "env/a.py", "env/gen/b.py", "env/gen/.gitignore")
    (tmp_path / "env/.gitignore").write_text("*\n")
    (tmp_path / "env/gen/.gitignore").write_text("*\n")
    assert found(tmp_path, tmp_path / "env") == ["env/a.py"]


def test_a_broken_gitignore_is_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "a.py")
    (tmp_path / ".gitignore").write_bytes(b"\xff[\n!\n")
    assert found(tmp_path) == ["a.py"]


@pytest.mark.parametrize("broken", ["!", "[z-a].py", "[a-\\d]*", "\\"])
def test_a_line_of_a_gitignore_that_is_no_pattern_leaves_the_others_in_force(
    tmp_path: Path, broken: str
) -> None:
    tree(tmp_path, "a.py", "b.py")
    (tmp_path / ".gitignore").write_text(f"{broken}\nb.py\n")
    assert found(tmp_path) == ["a.py"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        ("src/ !src/a/d.py !c.py", []),
        ("src !src/a", []),
        ("src/* !src/a", ["src/a/d.py"]),
        ("src/** !src/a/", []),
        ("src/** !src/a/ !src/a/d.py", ["src/a/d.py"]),
        ("/* !/src/", ["src/a/d.py", "src/c.py"]),
        ("*/ !/src/", ["src/c.py"]),
        ("src/**/ !d.py", ["src/c.py"]),
        ("/src/**/", ["src/c.py"]),
        ("* !src !a !*.py", ["src/a/d.py", "src/c.py"]),
        ("a !/src/a", ["src/a/d.py", "src/c.py"]),
    ],
)
def test_what_git_takes_back_in_and_what_it_does_not(tmp_path: Path, patterns: str, left: list[str]) -> None:
    tree(tmp_path, "src/a/d.py", "src/c.py", "zero.py")
    (tmp_path / ".gitignore").write_text("\n".join([*patterns.split(), "!/zero.py"]))
    assert found(tmp_path) == [*left, "zero.py"]
    files = ["src/a/d.py", "src/c.py"]
    assert [path for path in files if not leaves_out(tuple(patterns.split()), path)] == left


@pytest.mark.filterwarnings("error")
def test_a_gitignore_may_name_classes_of_characters(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "v1.py", "va.py", "v~.py")
    (tmp_path / ".gitignore").write_text("v[[:digit:]].py\nv[~~a].py\n")
    assert found(tmp_path) == ["a.py"]


def test_folders_nested_too_deeply_are_an_error(tmp_path: Path) -> None:
    tree(tmp_path, "a.py")
    try:
        inner = os.open(tmp_path, os.O_RDONLY)
        for _ in range(sys.getrecursionlimit() + 100):
            os.mkdir("n", dir_fd=inner)
            outer, inner = inner, os.open("n", os.O_RDONLY, dir_fd=inner)
            os.close(outer)
        os.close(inner)
        *right, wrong = found(tmp_path)
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "n")], check=True)  # too deep for pytest, which tidies up
    assert right in ([], ["a.py"])
    assert wrong.endswith("holds folders nested too deeply to be walked")


def test_links_are_not_followed_out_of_the_tree(tmp_path: Path) -> None:
    tree(tmp_path, "in/a.py", "out/b.py")
    (tmp_path / "in/folder").symlink_to(tmp_path / "out")
    (tmp_path / "in/file.py").symlink_to(tmp_path / "out/b.py")
    (tmp_path / "in/gone.py").symlink_to(tmp_path / "nothing")
    assert found(tmp_path, tmp_path / "in") == ["in/a.py"]


def test_a_link_that_leads_to_itself_is_an_error_in_its_place(tmp_path: Path) -> None:
    tree(tmp_path, "b.py")
    (tmp_path / "a.py").symlink_to("a.py")
    wrong, right = found(tmp_path)
    assert "a.py: cannot be read: Too many levels" in wrong
    assert right == "b.py"


def test_each_file_once(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "b.py")
    (tmp_path / "c.py").symlink_to("a.py")
    assert found(tmp_path, tmp_path / "b.py", tmp_path, tmp_path / "a.py") == ["b.py", "a.py"]


def test_what_is_not_there_is_an_error_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    tree(tmp_path, "a.py")
    shown = [str(target) for target in collect([tmp_path / "gone", tmp_path / "empty"])]
    assert shown == [
        f"{tmp_path}/gone: no such file or folder",
        f"{tmp_path}/empty: no Python files to check in this folder",
    ]
    assert isinstance(next(iter(collect([Path("x" * 5000)]))), PathError)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "sub/b.py")
    (tmp_path / "sub").chmod(0)
    try:
        assert found(tmp_path) == ["a.py", f"error {tmp_path}/sub: cannot be read: Permission denied"]
    finally:
        (tmp_path / "sub").chmod(0o755)


@pytest.mark.parametrize(
    ("name", "cold"),
    [
        ("src/train.py", False),
        ("tests/train.py", True),
        ("examples/x/train.py", False),
        ("benchmarks/train.py", True),
        ("src/test_train.py", True),
        ("src/convert_weights.py", True),
        ("tools/benchmark.py", True),
        ("tools/benchmark_step.py", True),
        ("src/hotbenchmark.py", False),
        ("setup.py", True),
        ("src/setup.py", True),
        ("pkg/setup.py", False),
        ("src/contest/train.py", False),
        ("src/testing/tools.py", True),
        ("pkg/testing.py", True),
        ("src/testing.py", False),
        ("pkg/model (my conflicted copy).py", True),
        ("src/train a model.py", False),
        ("backup/train.py", True),
        ("src/_Archive/train.py", True),
        ("src/backup_power/train.py", False),
        ("log/2026-11-28/model.py", True),
        ("pkg/logs/model.py", False),
        ("wandb/run-1/files/code/train.py", True),
    ],
)
def test_tests_and_scripts_are_cold_below_the_project(tmp_path: Path, name: str, cold: bool) -> None:
    project = tmp_path / "tests" / "project"
    tree(project, name, "pyproject.toml", "pkg/__init__.py", "pkg/logs/__init__.py")
    for path in (project, project / name):
        targets = [target for target in collect([path]) if isinstance(target, Target)]
        assert [bool(target.cold) for target in targets if target.path == project / name] == [cold]


def test_a_folder_that_is_named_is_not_cold_for_its_own_name(tmp_path: Path) -> None:
    tree(tmp_path, "docs/legacy/train.py", "docs/legacy/tests/test_a.py")
    targets = [target for target in collect([tmp_path / "docs/legacy"]) if isinstance(target, Target)]
    assert [bool(target.cold) for target in targets] == [True, False]


def test_module_names_follow_the_packages_above(tmp_path: Path) -> None:
    tree(tmp_path, "src/pkg/__init__.py", "src/pkg/sub/__init__.py", "src/pkg/sub/mod.py", "src/alone.py")
    assert module_name(tmp_path / "src/pkg/sub/mod.py") == ("pkg.sub.mod", False)
    assert module_name(tmp_path / "src/pkg/__init__.py") == ("pkg", True)
    assert module_name(tmp_path / "src/alone.py") == ("alone", False)


def test_folder_of_a_package_needs_no_init_of_its_own(tmp_path: Path) -> None:
    tree(tmp_path, "src/pkg/__init__.py", "src/pkg/run/sub/__init__.py", "src/pkg/run/sub/mod.py")
    tree(tmp_path, "src/pkg/run/one.py", "src/pkg/other/pyproject.toml", "src/pkg/other/sub/__init__.py")
    tree(tmp_path, "src/alone.py")
    assert module_name(tmp_path / "src/pkg/run/sub/mod.py") == ("pkg.run.sub.mod", False)
    assert module_name(tmp_path / "src/pkg/other/sub/__init__.py") == ("sub", True)
    assert dotted_names(tmp_path / "src/pkg/run/one.py", tmp_path) == ("pkg.run.one", "src.pkg.run")
    assert dotted_names(tmp_path / "src/alone.py", tmp_path) == ("src.alone", "src")
