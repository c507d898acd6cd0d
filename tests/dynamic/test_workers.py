"""What children write is counted once, whenever they end and whatever number the system gives them."""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from overhead_lint.dynamic.workers import Workers
from overhead_lint.rule import Finding, Heat, Span, Warmth

if TYPE_CHECKING:
    from overhead_lint.dynamic.counting import Counter

FOUND = Finding(Path("a.py"), Span(1, 1, 1, 2), "OVH101", "", "", Warmth(Heat.COLD, ""))


def counted(executions: int) -> Counter:
    return cast("Counter", types.SimpleNamespace(findings=[FOUND], counts=lambda: [executions]))


def child(folder: Path, executions: int) -> Callable[[], object]:
    """Begin what multiprocessing runs in a child process, here in this one.

    Args:
        folder: of the run.
        executions: of the one counted place.

    Returns:
        What ends the child as one that is not killed.
    """
    ends: list[Callable[[], object]] = []

    def finalize(
        _: None, call: Callable[..., object], *, kwargs: dict[str, object], exitpriority: int
    ) -> None:
        ends.append(lambda: call(**kwargs))

    module = types.ModuleType("multiprocessing.util")
    vars(module).update(Finalize=finalize, register_after_fork=lambda *arguments: None)
    Workers(counted(executions), folder).watch(module, here=True)
    return ends[0]


def gathered(folder: Path) -> tuple[list[int], int]:
    executions, unfinished = Workers(counted(0), folder).gather()
    return list(executions.values()), unfinished


def test_children_are_counted_whole_and_those_that_were_killed_as_far_as_they_wrote(tmp_path: Path) -> None:
    ended, _killed = child(tmp_path, 8), child(tmp_path, 5)
    ended()
    assert gathered(tmp_path) == ([13], 1)


@pytest.mark.parametrize("step", ["rename", "replace", "unlink"])
def test_a_child_that_is_killed_while_it_ends_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    end, seen, original = child(tmp_path, 8), [], getattr(os, step)

    def look(*arguments: object, **options: object) -> None:
        original(*arguments, **options)
        seen.append(gathered(tmp_path)[0])

    monkeypatch.setattr(os, step, look)
    end()
    monkeypatch.undo()
    assert [*seen, gathered(tmp_path)[0]] == [[8]] * (len(seen) + 1)
