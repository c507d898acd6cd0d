"""Fixes of a copy: which ones, and when a difference is believed."""

from __future__ import annotations

import types
from pathlib import Path

from overhead_lint.dynamic.overlay import Overlay, write_overlay
from overhead_lint.dynamic.verify import Comparison, render


def comparison(before: tuple[float, ...], after: tuple[float, ...]) -> Comparison:
    return Comparison((), 1e-6, 0, before, after)


def test_runs_that_overlap_are_not_told_from_noise() -> None:
    found = comparison((1.0, 1.2, 1.1, 1.1), (0.9, 1.05, 0.8, 0.8))
    assert not found.told_apart
    assert "could not be told from noise, the runs of both kinds overlap" in render(found)


def test_few_runs_say_nothing_though_they_do_not_overlap() -> None:
    found = comparison((1.0, 1.2, 1.1), (0.9, 0.8, 0.7))
    assert not found.told_apart
    assert "could not be told from noise by 3 runs: --verify-runs 4" in render(found)


def test_runs_that_do_not_overlap_are_a_saving_or_a_loss() -> None:
    slow, fast = (1.0, 1.2, 1.0, 1.2), (0.9, 0.8, 0.9, 0.8)
    saving, loss = comparison(slow, fast), comparison(fast, slow)
    assert "measured saving 250 ms a step (22.73%)" in render(saving)
    assert "measured LOSS 250 ms a step" in render(loss)


def test_an_overlay_gives_other_code_and_shows_it_in_tracebacks(tmp_path: Path) -> None:
    import inspect

    path = tmp_path / "program.py"
    path.write_text("def f():\n    return 1\n")
    folder = tmp_path / "copy"
    folder.mkdir()
    write_overlay(folder, {path: "import math\n\ndef f():\n    return 2\n"})
    code = compile(path.read_text(), str(path), "exec")
    other = tmp_path / "other.py"
    assert Overlay(folder).code(str(other), code) is code
    module = types.ModuleType("program")
    exec(Overlay(folder).code(str(path), code), module.__dict__)
    assert module.f() == 2
    assert inspect.getsource(module.f) == "def f():\n    return 2\n"
    assert path.read_text() == "def f():\n    return 1\n"
