"""``--fix --verify COMMAND``: fixes are written only where a command ends with them as without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from overhead_lint.edits.model import CannotFix
from overhead_lint.fixing.project_copy import copy_project
from overhead_lint.fixing.trial import Outcome, Trial
from overhead_lint.fixing.writer import WriteError, write_all
from overhead_lint.report import trial_text
from overhead_lint.syntax.source import Source

PACK = """\
import ast
from overhead_lint import edits
from overhead_lint.hookspecs import hookimpl
from overhead_lint.rule import Applicability, Fix, Heat, Rule

rule = Rule("FIX001", "no-slow", "a call to replace", (b"slow",), Heat.COLD)

@rule.on(ast.Call)
def check(node, ctx):
    if isinstance(node.func, ast.Name) and node.func.id == "slow":
        fix = Fix(Applicability.SAFE, "call fast", (edits.replace(node.func, "fast"),))
        yield ctx.finding(rule, node, "slow", fix=fix)

@hookimpl
def overhead_lint_rules():
    return [rule]
"""
MODULE = """\
def slow(x):
    return x + 1


def fast(x):
    return x + {added}


def answer():
    return slow(1)
"""
FIXED = "return fast(1)"
TESTS = "import net\n\n\ndef test_answer():\n    assert net.answer() == 2\n\n\ndef test_other():\n    pass\n"
PYTEST = f"{sys.executable} -m pytest -q -p no:overhead"
Lint = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose `net.py` can be fixed, with a test of it."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.overhead-lint]\nselect = ['FIX001']\n")
    (folder / "net.py").write_text(MODULE.format(added=1))
    (folder / "test_net.py").write_text(TESTS)
    return folder


@pytest.fixture
def lint(tmp_path: Path, project: Path) -> Lint:
    """Fix the project in a process of its own; temporary files go to a folder of the test's."""
    site = tmp_path / "site"
    info = site / "fixing-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fixing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[overhead_lint]\nfixing = fixing_pack\n")
    (site / "fixing_pack.py").write_text(PACK)
    (tmp_path / "temporary").mkdir()

    def command(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
        folders = [str(site), *([str(path)] if path else [])]
        more = {
            "PYTHONPATH": os.pathsep.join(folders),
            "TMPDIR": str(tmp_path / "temporary"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # they take longer than what is tested
        }
        return subprocess.run(
            [sys.executable, "-m", "overhead_lint", "--fix", *arguments],
            cwd=project,
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    return command


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_what_ends_alike_is_written(lint: Lint, project: Path) -> None:
    done = lint("--verify", PYTEST, "--verify-runs=1")
    assert done.stderr.startswith(
        f"verified: {PYTEST}: status 0, 2 passed, with the fixes as without\n  before "
    )
    assert "saving: within noise; fewer than 4 runs tell nothing" in done.stderr
    assert (done.stdout.splitlines()[0], done.returncode) == ("Fixed 1 finding. No findings left.", 0)
    assert FIXED in (project / "net.py").read_text()
    assert names(project.parent / "temporary") == []


def test_what_both_copies_import_from_elsewhere_is_compiled_once(lint: Lint, project: Path) -> None:
    kept = project.parent / "kept.txt"
    (project / "tell.py").write_text(
        f"import net, pathlib, sys\nwith open({str(kept)!r}, 'a') as file:\n"
        "    print(sys.pycache_prefix, pathlib.__cached__, file=file)\n"
    )
    done = lint("--verify", f"{sys.executable} tell.py", "--verify-runs=0")
    assert done.returncode == 0, done.stderr
    before, after = kept.read_text().splitlines()
    assert before == after and "compiled" in before


def test_what_ends_otherwise_is_not(lint: Lint, project: Path) -> None:
    (project / "net.py").write_text(MODULE.format(added=2))
    done = lint("--verify", PYTEST)
    assert done.stderr.splitlines()[:4] == [
        f"nothing was changed: {PYTEST} ends otherwise with the fixes",
        "  before  status 0, 2 passed",
        "  after   status 1, 1 passed, 1 failed",
        "  tests that end otherwise: test_net::test_answer",
    ]
    assert "assert 3 == 2" in done.stderr, "the last lines of the command"
    assert (done.stdout, done.returncode) == ("", 1)
    assert (project / "net.py").read_text() == MODULE.format(added=2)
    assert names(project.parent / "temporary") == []


def test_tests_that_fail_otherwise_count_where_the_status_does_not(lint: Lint, project: Path) -> None:
    (project / "net.py").write_text(MODULE.format(added=2))
    more = "\n\ndef test_wrong():\n    assert net.answer() == 3\n"
    (project / "test_net.py").write_text(TESTS + more)
    done = lint("--verify", PYTEST)
    assert "  before  status 1, 2 passed, 1 failed\n  after   status 1, 2 passed, 1 failed\n" in done.stderr
    assert "otherwise: test_net::test_answer, test_net::test_wrong\n" in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-program x", "--verify no-such-program x: there is no program no-such-program"),
        ("", "--verify takes a command, as in --verify 'pytest -q'"),
        ("pytest 'a", "--verify pytest 'a: no closing quotation"),
        ("./run.sh", "--verify ./run.sh: there is no program ./run.sh"),
        (f"{sys.executable} -c 1/0", f"{sys.executable} -c 1/0 ends with status 1 before any fix, so it can"),
        (f"{sys.executable} -c 1", f"{sys.executable} -c 1 runs none of the changed files from a copy, so"),
    ],
)
def test_a_command_that_can_verify_nothing_is_told(
    lint: Lint, project: Path, command: str, said: str
) -> None:
    done = lint("--verify", command)
    assert done.stderr.startswith(f"overhead-lint: {said}"), done.stderr
    assert (done.stdout, done.stderr.count("\n"), done.returncode) == ("", 1, 2)
    assert (project / "net.py").read_text() == MODULE.format(added=1)
    assert names(project.parent / "temporary") == []


def test_a_command_that_ends_now_so_and_now_so_verifies_nothing(lint: Lint, project: Path) -> None:
    count = "import net, os, sys; os.mkdir('again') if not os.path.exists('again') else sys.exit(3)"
    done = lint("--verify", f'{sys.executable} -c "{count}"')
    assert "ends now so and now so without any fix" in done.stderr
    assert (project / "net.py").read_text() == MODULE.format(added=1)
    assert not (project / "again").exists()


@pytest.mark.parametrize("others", [("--diff",), ("--watch",), ("-",)])
def test_it_goes_with_fixes_of_files(lint: Lint, others: tuple[str, ...]) -> None:
    done = lint("--verify", PYTEST, *others)
    assert "--verify goes with --fix, of files" in done.stderr
    assert done.returncode == 2


def test_where_nothing_is_to_be_fixed_nothing_runs(lint: Lint, project: Path) -> None:
    (project / "net.py").write_text("x = 1\n")
    done = lint("--verify", f"{sys.executable} -c 1/0")
    assert (done.stderr, done.returncode) == ("nothing to fix, so nothing was verified\n", 0)


def test_what_is_installed_in_place_comes_from_the_copies(lint: Lint, project: Path) -> None:
    """Tests run against the original would pass, whatever a fix breaks."""
    source = project / "src"
    (source / "pkg").mkdir(parents=True)
    (source / "pkg" / "__init__.py").write_text("")
    shutil.move(project / "net.py", source / "pkg" / "net.py")
    (source / "pkg" / "net.py").write_text(MODULE.format(added=2))
    (project / "test_net.py").write_text(TESTS.replace("import net", "from pkg import net"))
    done = lint("--verify", PYTEST, path=source)
    assert "1 failed" in done.stderr and done.returncode == 1
    done = lint("--verify", f"{PYTEST} {project / 'test_net.py'}", path=source)
    assert "1 failed" in done.stderr and done.returncode == 1


def test_a_script_is_known_by_the_command(lint: Lint, project: Path) -> None:
    with (project / "net.py").open("a") as file:
        file.write("\n\nanswer()\n")
    (project / "other.py").write_text(MODULE.format(added=1))
    done = lint("--verify", f"{sys.executable} net.py", "--verify-runs=0")
    assert done.stderr.splitlines() == [
        f"verified: {sys.executable} net.py: status 0, with the fixes as without",
        "  it ran 1 of 2 changed files, and not other.py",
    ]
    assert FIXED in (project / "other.py").read_text()


def test_the_command_runs_below_the_copy_as_it_would_here(lint: Lint, project: Path) -> None:
    folder = project / "below"
    folder.mkdir()
    (folder / "run.py").write_text(
        "import os, sys\nsys.path.insert(0, '..')\nimport net\nopen('../left', 'w')\n"
        f"assert os.getcwd() != {str(folder)!r} and os.path.basename(os.getcwd()) == 'below'\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "overhead_lint",
            "--fix",
            "--verify",
            f"{sys.executable} run.py",
            "--verify-runs=0",
            "..",
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(project.parent / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.startswith("verified: "), done.stderr
    assert not (project / "left").exists(), "what it writes goes to a copy"


def test_a_copy_has_what_programs_need(tmp_path: Path) -> None:
    root = tmp_path / "project"
    for name in ("pkg", ".git", "pkg/__pycache__", "env/bin"):
        (root / name).mkdir(parents=True)
    (root / "env" / "pyvenv.cfg").write_text("")
    (root / "env" / "bin" / "python").write_text("")
    (root / "pkg" / "data.bin").write_bytes(b"1")
    (root / "pkg" / "run.sh").write_text("")
    (root / "pkg" / "run.sh").chmod(0o755)
    (root / "inside").symlink_to("pkg/data.bin")
    (root / "absolute").symlink_to(root / "pkg")
    (root / "outside").symlink_to("../elsewhere")
    os.mkfifo(root / "pipe")
    copy = tmp_path / "copy"
    copy_project(root, copy)
    assert names(copy) == ["absolute", "env", "inside", "outside", "pkg"]
    assert names(copy / "pkg") == ["data.bin", "run.sh"]
    assert os.access(copy / "pkg" / "run.sh", os.X_OK)
    for name, leads in (
        ("inside", copy / "pkg" / "data.bin"),
        ("absolute", copy / "pkg"),
        ("outside", tmp_path / "elsewhere"),
        ("env", root / "env"),
    ):
        assert (copy / name).resolve() == leads.resolve(), name


def test_of_several_files_all_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = []
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("old = 1\n")
        sources.append(Source.read(tmp_path / name))
    changes = [(source, "new = 1\n") for source in sources]
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, *more: Path(path).name != "b.py" and access(path, *more))
    with pytest.raises(WriteError, match=r"b\.py: not written: it is read-only"):
        write_all(changes)
    monkeypatch.undo()
    assert [path.read_text() for path in sorted(tmp_path.glob("*.py"))] == ["old = 1\n"] * 3
    (tmp_path / "c.py").write_text("mine = 1\n")
    with pytest.raises(CannotFix, match="changed since it was read"):
        write_all(changes)
    assert [path.read_text() for path in sorted(tmp_path.glob("*.py"))] == ["old = 1\n"] * 2 + ["mine = 1\n"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((2.0, 2.1, 2.2, 2.3), (1.0, 1.1, 1.2, 1.3), "saving 1 s (46.5%)"),
        ((1.0, 1.1, 1.2, 1.3), (2.0, 2.1, 2.2, 2.3), "LOSS 1 s (87.0%)"),
        ((1.0, 1.1, 1.2, 1.9), (1.3, 1.1, 1.2, 1.0), "saving: within noise, the runs of both overlap"),
    ],
)
def test_a_saving_is_told_from_noise(before: tuple[float, ...], after: tuple[float, ...], said: str) -> None:
    outcome = Outcome(0, {})
    trial = Trial("make", outcome, outcome, (Path("a.py"),), (), before, after)
    assert trial_text.render(trial).splitlines()[-1] == f"  {said}"
