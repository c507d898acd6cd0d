"""Which line in a library the time of a program's line goes to: nothing counts twice or is lost."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import overhead_lint.dynamic.trace
from overhead_lint.dynamic.report import render
from overhead_lint.dynamic.trace import StepTrace
from overhead_lint.measure.evidence import Evidence, read, write
from overhead_lint.measure.library_time import LibraryPlace, averages
from overhead_lint.measure.time_profile import TimeProfile, profile
from overhead_lint.measure.trace import Trace

torch = pytest.importorskip("torch")

from overhead_lint.dynamic.library_lines import library_lines  # noqa: E402

INSTALLED = "/x/lib/python3.11/site-packages"


def found(*calls: tuple[int, int, str, str, str], lines: list[tuple[int, int, int]]) -> dict[str, Any]:
    return {"calls": list(calls), "lines": lines}


MAIN = (-1, 0, "/w/train.py", "<module>", "user")
TRAINER = (0, 9, f"{INSTALLED}/fitter/loop.py", "Loop.run", "user")


def test_a_trainer_is_the_library_of_the_line_that_calls_it() -> None:
    own = (1, 40, "/w/model.py", "Net.training_step", "user")
    times = library_lines(found(MAIN, TRAINER, own, lines=[(0, 9, 5), (1, 40, 20), (2, 3, 100)]))
    assert times == {
        LibraryPlace("/w/train.py", 9, "", 0, ""): 5,
        LibraryPlace("/w/train.py", 9, f"{INSTALLED}/fitter/loop.py", 40, "Loop.run"): 20,
        LibraryPlace("/w/model.py", 3, "", 0, ""): 100,
    }


def test_what_records_a_step_has_no_line_in_it() -> None:
    ours = (0, 9, overhead_lint.dynamic.trace.__file__, "StepTrace.begin", "user")
    times = library_lines(found(MAIN, ours, lines=[(1, 82, 7), (0, 9, 5)]))
    assert times == {LibraryPlace("/w/train.py", 9, "", 0, ""): 12}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/torch/_ops.py", "OpOverloadPacket.__call__"),
        ("/torch/nn/modules/module.py", "Module._call_impl"),
        ("/torch/nn/modules/module.py", "_call_impl"),  # as Python 3.10 has it
    ],
)
def test_what_only_hands_on_is_not_named_where_something_else_runs(path: str, name: str) -> None:
    shard = (
        0,
        9,
        f"{INSTALLED}/torch/distributed/fsdp/_param_group.py",
        "FSDPParamGroup.unshard",
        "internal",
    )
    hands_on = (1, 70, INSTALLED + path, name, "internal")
    times = library_lines(found(MAIN, shard, hands_on, lines=[(2, 1, 7)]))
    assert [(place.library_line, place.function) for place in times] == [(70, "FSDPParamGroup.unshard")]
    alone = library_lines(found(MAIN, (0, 9, *hands_on[2:]), lines=[(1, 1, 7)]))
    assert [place.function for place in alone] == [name]


def test_the_standard_library_is_named_where_the_program_calls_it_and_no_other_does() -> None:
    standard = json.__file__
    called = (0, 9, standard, "dumps", "internal")
    assert [one.function for one in library_lines(found(MAIN, called, lines=[(1, 1, 7)]))] == ["dumps"]
    through = (1, 40, standard, "dumps", "internal")
    times = library_lines(found(MAIN, TRAINER, through, lines=[(2, 1, 7)]))
    assert [(one.library_line, one.function) for one in times] == [(40, "Loop.run")]


def test_a_program_that_is_installed_has_lines_of_its_own() -> None:
    whole = (-1, 0, f"{INSTALLED}/app/main.py", "main", "user")
    torchs = (0, 12, f"{INSTALLED}/torch/optim/sgd.py", "sgd", "internal")
    assert library_lines(found(whole, torchs, lines=[(1, 5, 7), (-1, 0, 2)])) == {
        LibraryPlace(f"{INSTALLED}/app/main.py", 12, f"{INSTALLED}/torch/optim/sgd.py", 5, "sgd"): 7,
        LibraryPlace("", 0, "", 0, ""): 2,
    }


def recorded(work: Any) -> TimeProfile:
    step = StepTrace()
    assert step.begin(1), step.unavailable
    work()
    step.end()
    times = step.host_time()
    assert times is not None
    return times


def line_of(text: str) -> int:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == text)


def test_a_step_of_an_optimizer_is_spent_in_its_own_module() -> None:
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    calls = Counter[str]()

    def train() -> None:
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()
        sorted([2, 1], key=lambda number: calls.update("n") or number)

    train()
    times = recorded(train)
    assert sum(one.seconds for one in times.inside) == pytest.approx(times.seconds)
    of_step = [one for one in times.inside if one.line == line_of("optimizer.step()")]
    assert {one.path for one in of_step} == {__file__}
    modules = {Path(one.library_path).name for one in of_step}
    assert "adam.py" in modules
    adam = [one for one in of_step if one.function.endswith("_single_tensor_adam")]
    source = Path(adam[0].library_path).read_text(encoding="utf-8").splitlines()
    assert any("addcdiv_(" in source[one.library_line - 1] for one in adam)
    backward = [
        one for one in times.inside if one.line == line_of("model(torch.ones(2, 4)).sum().backward()")
    ]
    assert any("run_backward" in one.function for one in backward)


def test_calls_that_end_by_exceptions_leave_the_time_where_it_was() -> None:
    def broken(depth: int) -> None:
        if depth:
            broken(depth - 1)
        raise ValueError("broken")

    def work() -> None:
        for _ in range(3):
            with pytest.raises(ValueError, match="broken"):
                broken(2)
        torch.ones(2).add(1)

    times = recorded(work)
    assert sum(one.seconds for one in times.inside) == pytest.approx(times.seconds)
    assert any(one.line == line_of("torch.ones(2).add(1)") and not one.library_path for one in times.inside)


STEP = Trace(1, 100, ())


def place(line: int, library_line: int) -> LibraryPlace:
    path = f"{INSTALLED}/torch/optim/adam.py" if library_line else ""
    return LibraryPlace("/w/train.py", line, path, library_line, "adam" if library_line else "")


def test_the_report_shows_shares_that_add_up(tmp_path: Path) -> None:
    inside = [Counter({place(7, number): 3 for number in range(30)} | {place(8, 0): 10})]
    evidence = Evidence(("a.py",), 0, 1.0, host_time=profile([STEP], inside))
    rows = render(evidence).partition("line that runs")[2].splitlines()[2:]
    shares = [float(row.partition(" %")[0].split()[-1]) for row in rows if " %" in row]
    assert sum(shares) == pytest.approx(100) and shares[0] == 10
    assert any("torch/optim/adam.py:3 (adam)" in row and INSTALLED not in row for row in rows)
    assert rows[-1].startswith("and 21 more pairs in the evidence file")
    file = tmp_path / "overhead.json"
    write(file, evidence)
    assert read(file) == evidence
    assert json.loads(file.read_text())["host_time"]["inside"][0]["line"] == 8


def test_steps_that_took_long_are_left_out_here_too() -> None:
    long = Trace(3, 900, ())
    inside = [Counter({place(7, 0): 100}), Counter({place(7, 0): 900}), Counter({place(7, 0): 100})]
    times = profile([STEP, long, STEP], inside)
    assert times is not None and times.inside == averages([inside[0], inside[2]])
    assert times.inside[0].seconds == pytest.approx(100e-9)
