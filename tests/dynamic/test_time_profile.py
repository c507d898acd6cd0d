"""Where the host time of a step goes: each moment once, over several steps, in shares that add up."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from overhead_lint.dynamic.report import render
from overhead_lint.measure import time_profile
from overhead_lint.measure.evidence import Evidence, read, write
from overhead_lint.measure.time_profile import profile, shares
from overhead_lint.measure.trace import Span, Trace


def step(length: int, *spans: Span) -> Trace:
    return Trace(1, length, spans)


def span(start: int, length: int, kind: str, line: int, parent: int = -1) -> Span:
    return Span(start, length, parent, 0, kind, "f", "a.py" if line else "", line)


STEP = step(1000, span(0, 600, "python", 3), span(100, 200, "operator", 4, 0), span(700, 300, "wait", 5))
SLOWER = step(1200, span(0, 800, "python", 3), span(100, 200, "operator", 4, 0), span(900, 300, "wait", 5))


def test_each_moment_counts_once_and_is_an_average_of_steps() -> None:
    found = profile([STEP, SLOWER])
    assert found is not None and found.steps == 2
    assert found.seconds == pytest.approx(1100e-9)
    assert found.kinds == pytest.approx({"python": 600e-9, "wait": 300e-9, "operator": 200e-9})
    assert sum(found.kinds.values()) == pytest.approx(found.seconds)
    assert sum(one.seconds for one in found.lines) == pytest.approx(found.seconds)
    assert {one.line: one.kinds.get("operator") for one in found.lines if "operator" in one.kinds} == {
        4: pytest.approx(200e-9)
    }


def test_a_step_in_which_the_machine_was_busy_is_left_out() -> None:
    held_up = step(900_000, span(0, 890_000, "backward", 9))
    found = profile([STEP, held_up, SLOWER])
    assert found is not None and found.steps == 2 and "backward" not in found.kinds


def test_time_without_a_line_is_not_explained() -> None:
    found = profile([step(100, span(0, 100, "backward", 0))])
    assert found is not None and found.explained == 0
    found = profile([step(100, span(0, 60, "operator", 4), span(60, 40, "backward", 0))])
    assert found is not None and found.explained == pytest.approx(0.6)


def test_shares_add_up_to_a_hundred() -> None:
    draw = random.Random(3)
    for size in (1, 2, 3, 7, 40):
        found = shares([draw.random() ** 4 for _ in range(size)])
        assert sum(round(10 * one) for one in found) == 1000
    assert shares([1, 1, 1]) == [33.4, 33.3, 33.3]
    assert shares([0, 0]) == [0, 0]


def test_the_report_ends_with_kinds_and_lines(tmp_path: Path) -> None:
    many = [span(10 * number, 10, "operator", number + 1) for number in range(30)]
    evidence = Evidence(("a.py",), 0, 1.0, host_time=profile([step(300, *many)]))
    text = render(evidence)
    assert "where the host time goes: 1 recorded step, " in text
    assert "100.0% of it at lines of the program" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["all", "300", "ns", "100.0", "%"] in rows
    assert any(row[:3] == ["and", "20", "more"] for row in rows)
    parts = [float(row[-3]) for row in rows if row[-2:-1] == ["%"]]
    assert sum(parts) + float(next(row for row in rows if row[:2] == ["and", "20"])[-2]) == pytest.approx(100)
    file = tmp_path / "overhead.json"
    write(file, evidence)
    assert read(file) == evidence
    assert json.loads(file.read_text())["host_time"]["explained"] == pytest.approx(1)


def test_guards_are_a_part_of_compiled_code() -> None:
    compiled = (
        {
            "file": "a.py",
            "line": 1,
            "function": "f",
            "calls_per_step": 2,
            "guards": 3,
            "hot_seconds": 1e-8,
            "cold_seconds": 1e-7,
        },
    )
    host_time = profile([step(1000, span(0, 1000, "compiled", 1))])
    text = render(Evidence(("a.py",), 0, 1.0, compiled=compiled, host_time=host_time))
    assert "- of this guards, timed by themselves 20 ns" in " ".join(text.split())


def test_an_unknown_kind_of_time_is_damage() -> None:
    with pytest.raises(ValueError, match="no kind of time"):
        time_profile.parse({"steps": 1, "seconds": 1.0, "kinds": {"magic": 1.0}, "lines": []})
