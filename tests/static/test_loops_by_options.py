"""Loops of functions that only options let run which are off by default are presumed, as what these call."""

from __future__ import annotations

from pathlib import Path

import pytest
from edited_project import said, write
from project_cases import heat_below

PROGRAM = """
    from work import again, show

    class Config:
        deep: bool = False

    def main(config, loader, model):
        if config.deep:
            show(loader, model)
        {more}
    """
WORK = """
    def show(loader, model):
        for batch in loader:
            model(batch)
            here()
            helper(batch)
        again(loader, model)

    def helper(x):
        here()

    def again(loader, model):
        for batch in loader:
            model(batch)
            here()
    """
_LOOP = "work.py:2 loop over loader"
_AGAIN = "work.py:12 loop over loader"
_OFF = ", but not by default: config.deep=False"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (
            "pass",
            [f"presumed: {_LOOP}{_OFF}", f"presumed: {_LOOP} -> helper{_OFF}", f"presumed: {_AGAIN}{_OFF}"],
        ),
        (
            "again(loader, model)",
            [f"presumed: {_LOOP}{_OFF}", f"presumed: {_LOOP} -> helper{_OFF}", f"step: {_AGAIN}"],
        ),
        ("show(loader, model)", [f"step: {_LOOP}", f"step: {_LOOP} -> helper", f"step: {_AGAIN}"]),
        ("run(show, model)", [f"step: {_LOOP}", f"step: {_LOOP} -> helper", f"step: {_AGAIN}"]),
    ],
)
def test_a_loop_runs_where_its_function_does(tmp_path: Path, more: str, expected: list[str]) -> None:
    found = heat_below(tmp_path, {"work.py": WORK, "run.py": PROGRAM.format(more=more)})
    assert found == [f"work.py: {one}" for one in expected]


def test_a_loop_within_a_step_runs_where_that_does(tmp_path: Path) -> None:
    program = PROGRAM.replace(
        "if config.deep:", "for batch in loader:\n            model(batch)\n            if config.deep:"
    )
    program = program.replace("    show(loader, model)\n", "        show(loader, model)\n").format(
        more="pass"
    )
    (found, *_) = heat_below(tmp_path, {"work.py": WORK, "run.py": program})
    assert found == f"work.py: presumed: {_LOOP}{_OFF}"


NEVER = "work.py: cold: never runs"


@pytest.mark.parametrize(
    "program",
    [
        "from work import show\n\ndef run(loader, model):\n    deep = False\n    if deep:\n"
        "        show(loader, model)\n",
        "from work import show\n\ndef run(loader, model, deep=False):\n    if deep:\n"
        "        show(loader, model)\n\nrun(2, 3)\n",
    ],
)
def test_what_is_called_nowhere_by_default_runs_no_loop(tmp_path: Path, program: str) -> None:
    found = heat_below(tmp_path, {"work.py": WORK, "run.py": program})
    assert [found[0], found[2]] == [NEVER, NEVER]
    assert found[1] == f"work.py: presumed: {_LOOP} -> helper"
    found = heat_below(tmp_path, {"work.py": WORK, "run.py": f"{program}\nshow(4, 5)\n"})
    assert found == [f"work.py: step: {one}" for one in (_LOOP, f"{_LOOP} -> helper", _AGAIN)]


def test_a_mode_of_a_program_runs_its_loops(tmp_path: Path) -> None:
    program = PROGRAM.replace("deep", "evaluate").format(more="pass")
    (found, *_) = heat_below(tmp_path, {"work.py": WORK, "run.py": program})
    assert found == f"work.py: step: {_LOOP}"


def test_what_is_due_now_and_then_runs_its_loop(tmp_path: Path) -> None:
    program = PROGRAM.replace("config.deep", "is_due(config)").format(more="pass")
    program += "\n    def is_due(config):\n        return config.step % config.every == 0\n"
    (found, *_) = heat_below(tmp_path, {"work.py": WORK, "run.py": program})
    assert found == f"work.py: step: {_LOOP}"


def test_a_function_that_nothing_calls_runs_its_loop_all_the_same(tmp_path: Path) -> None:
    found = heat_below(tmp_path, {"work.py": WORK, "run.py": "loader = 3"})
    assert found == [f"work.py: step: {one}" for one in (_LOOP, f"{_LOOP} -> helper", _AGAIN)]


def test_it_is_the_same_after_edits(tmp_path: Path) -> None:
    work = "import torch\n" + "\n".join(line[4:] for line in WORK.splitlines())
    work = work.replace("here()", "batch.item()").replace("    batch.item()\n\ndef", "    x.item()\n\ndef")
    program = "\n".join(line[4:] for line in PROGRAM.splitlines())
    for more in ("pass", "again(loader, model)", "show(loader, model)", "pass"):
        write(tmp_path, {"work.py": work, "run.py": program.format(more=more)})
        expected = said(tmp_path)
        assert said(tmp_path, tmp_path / ".cache") == expected, more
        assert said(tmp_path, tmp_path / ".cache", "work.py")["work.py"] == expected["work.py"], more
