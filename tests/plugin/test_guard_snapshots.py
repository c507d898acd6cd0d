"""The fixture ``overhead_guards``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import MODEL

Run = Callable[..., pytest.RunResult]

TESTS = (
    MODEL
    + """
N = 3

def test_forward(overhead_guards):
    torch._dynamo.reset()
    model = torch.compile(Model(N), backend="eager")
    model(X)
    overhead_guards.assert_matches("forward")
    with torch.no_grad():
        model(X)
    overhead_guards.assert_matches("without-grad")
"""
)
UPDATE = "--overhead-update"


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a test, outside CI."""
    monkeypatch.delenv("CI", raising=False)
    return pytester.makepyfile(test_model=TESTS)


def snapshots(project: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (project.parent / "guard_snapshots").glob("*")}


def test_update_writes_snapshots_that_later_runs_keep(run: Run, project: Path) -> None:
    run("").assert_outcomes(failed=1)
    assert snapshots(project) == {}
    run("", UPDATE).assert_outcomes(passed=1)
    written = snapshots(project)
    assert [name.partition(".torch-")[0] for name in sorted(written)] == ["forward", "without-grad"]
    assert "state grad_mode: false" in written[max(written)]
    assert "state grad_mode: true" not in written[max(written)]
    run("").assert_outcomes(passed=1)
    assert snapshots(project) == written


def test_a_drift_fails_with_its_lines_and_the_command_that_accepts_it(run: Run, project: Path) -> None:
    run("", UPDATE).assert_outcomes(passed=1)
    written = snapshots(project)
    project.write_text(TESTS.replace("N = 3", "N = 5"))
    result = run("")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "overhead_guards: forward: guards differ from forward.torch-*.txt",
            "~ frame Model.forward (test_model.py): 29 -> 37 guards",
            "  line test_model.py: return x [*] self.scale",
            "    ~ EQUALS_MATCH  L[[]'self'[]]*.scale  3 x _ == 2 -> 5 x _ == 2",
            "accept it with: pytest --overhead-update test_model.py::test_forward",
        ]
    )
    assert snapshots(project) == written
    run("", UPDATE).assert_outcomes(passed=1)
    run("").assert_outcomes(passed=1)


def test_in_ci_nothing_is_written_unless_asked_twice(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    result = run("", UPDATE)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["CI is set, so nothing is written; *"])
    assert snapshots(project) == {}
    run("", UPDATE, UPDATE).assert_outcomes(passed=1)
    assert len(snapshots(project)) == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("overhead_guards.assert_matches('a')", "overhead_guards: a: not measured: no compiled frame ran*"),
        ("overhead_guards.assert_matches('../a')", "overhead_guards: a name has letters, * not '../a'"),
        ("overhead_guards.assert_matches(3)", "overhead_guards: a name has letters, * not 3"),
        (
            "model(X); overhead_guards.assert_matches('bad')",
            "overhead_guards: *bad.torch-*:1: no guard snap*",
        ),
        (
            "model(X); overhead_guards.assert_matches('old')",
            "overhead_guards: old: no snapshot old.torch-*.txt (there is old.torch-1.0.txt)",
        ),
    ],
)
def test_what_cannot_be_compared_fails_in_one_line(run: Run, project: Path, body: str, message: str) -> None:
    import torch

    folder = project.parent / "guard_snapshots"
    folder.mkdir()
    version = ".".join(torch.__version__.split(".")[:2])
    (folder / f"bad.torch-{version}.txt").write_text("nothing")
    (folder / "old.torch-1.0.txt").write_text("nothing")
    project.write_text(f"{MODEL}\ndef test_it(model, overhead_guards):\n    {body}\n")
    result = run("", UPDATE) if "bad" in body else run("")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([message])
    result.stdout.no_fnmatch_line("During handling of *")


def test_a_drift_that_something_catches_fails_the_test_after_its_body(run: Run, project: Path) -> None:
    project.write_text(f"""{MODEL}
def test_caught(model, overhead_guards):
    model(X)
    try: overhead_guards.assert_matches("nothing")
    except BaseException: pass

def test_asked_for(model, overhead_guards):
    model(X)
    with pytest.raises(pytest.fail.Exception, match="no snapshot"):
        overhead_guards.assert_matches("nothing")
""")
    result = run("")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "overhead_guards: nothing: no snapshot nothing.torch-*",
            "the test has gone on: something caught this",
            "FAILED test_model.py::test_caught - *",
        ]
    )


def test_code_without_a_file_keeps_its_snapshot(run: Run, project: Path) -> None:
    project.write_text(f"""{MODEL}
def test_it(overhead_guards):
    torch._dynamo.reset()
    names = {{}}
    exec("def double(x): return x * 2", names)
    torch.compile(names["double"], backend="eager")(X)
    overhead_guards.assert_matches("made")
""")
    run("", UPDATE).assert_outcomes(passed=1)
    run("").assert_outcomes(passed=1)


def test_tests_that_write_other_guards_under_one_name_fail(run: Run, project: Path) -> None:
    text = f"""{MODEL}
@pytest.mark.parametrize("n", [3, 4, 3])
def test_size(overhead_guards, n):
    torch._dynamo.reset()
    torch.compile(Model(n), backend="eager")(X)
    overhead_guards.assert_matches("size")

def test_twice(model, overhead_guards):
    model(X)
    overhead_guards.assert_matches("twice")
    torch.compile(Model(5), backend="eager")(X)
    overhead_guards.assert_matches("twice")
"""
    project.write_text(text)
    result = run("", UPDATE)
    result.assert_outcomes(passed=2, failed=2)
    told = "overhead_guards: {}: guards differ from those that test_model.py::{} has written under this name"
    result.stdout.fnmatch_lines([told.format("size", "test_size[[]3*]"), "* 29 -> 33 guards", "name each *"])
    result.stdout.fnmatch_lines([told.format("twice", "test_twice"), "name each snapshot by itself, *"])
    project.write_text(text.replace('("size")', '(f"size-{n}")'))
    run("", UPDATE, "-k", "size").assert_outcomes(passed=3)


def test_workers_do_not_write_over_each_others_snapshots(run: Run, project: Path) -> None:
    for name in ("test_model.py", "test_other.py"):
        (project.parent / name).write_text(f"""{MODEL}
def test_size(overhead_guards):
    torch._dynamo.reset()
    torch.compile(Model({len(name)}), backend="eager")(X)
    overhead_guards.assert_matches("size")
""")
    result = run(
        "", UPDATE, "-p", "xdist", "-n", "2", "--dist", "each", "--tx", "2*popen", "-k", "test_model"
    )
    result.assert_outcomes(passed=2)
    result = run("", UPDATE, "-p", "xdist", "-n", "2", "--dist", "loadfile")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["overhead_guards: size: guards differ from those that test_*.py::test_size has *"]
    )


def test_what_torch_logs_does_not_bury_a_drift(pytester: pytest.Pytester, project: Path) -> None:
    result = pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", "-p", "no:asyncio", "-p", "no:hypothesispytest"
    )
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*torch.__trace*")
