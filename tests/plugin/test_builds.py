"""That a native core is being built is said at once, past pytest's capture."""

from __future__ import annotations

import re

import pytest
from warm_python import DYNAMO, python

pytest.importorskip("torch")

from overhead_lint.native.build import USUAL_SECONDS, all_packaged

BUILDS = """
import pathlib, sys

from overhead_lint.native.build import Extension, build

def compile_something():
    folder = pathlib.Path("tiny")
    folder.mkdir(exist_ok=True)
    (folder / "unit.cpp").write_text("int answer() { return 42; }")
    build(Extension("counters", folder))
    print("the test goes on", file=sys.stderr)

"""
TOLD = f"overhead-lint: building the native core: counters (about {USUAL_SECONDS['counters']} s, once) ..."


def test_the_time_of_each_extension_is_known() -> None:
    assert USUAL_SECONDS.keys() == {extension.name for extension in all_packaged()}


@pytest.mark.parametrize(
    ("test", "options"),
    [
        ("def test_it(): compile_something()", ["--overhead-budget"]),
        ("def test_it(capfd): compile_something(); assert 'building' not in capfd.readouterr().err", ["-v"]),
        ("def test_it(): compile_something()", ["--overhead-budget", "-n1"]),
        ("def test_it(): compile_something()", ["--overhead-budget", "-s"]),
    ],
)
def test_a_build_is_told_while_the_test_that_needs_it_passes(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, test: str, options: list[str]
) -> None:
    monkeypatch.setenv("OVERHEAD_LINT_CACHE", str(pytester.path / "cache"))
    # A marker is enough where no option is given.
    mark = "import pytest\npytestmark = pytest.mark.overhead_budget(metrics=['guards'])\n"
    pytester.makepyfile(test_it=mark + BUILDS + test)
    left_out = ["-p", "no:asyncio", "-p", "no:hypothesispytest", "-p", "no:cacheprovider"]
    done = python("-m", "pytest", *left_out, *options, modules=DYNAMO)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^=+ 1 passed in ", done.stdout, re.MULTILINE)
    told = (done.stderr if "-n1" in options else done.stdout).splitlines()
    assert told.count(TOLD) == 1
    if "-n1" not in options:
        dots = (number for number, line in enumerate(told) if "100%" in line or line == ".")
        assert told.index(TOLD) < next(dots)
    assert ("the test goes on" in done.stdout + done.stderr) is ("-s" in options), "the rest stays captured"
