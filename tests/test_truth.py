"""What the linter says of a package, beside what a program showed of it on the simulated device."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
import truth
from truth_places import Package

from overhead_lint.rule import Heat
from overhead_lint.simulated import simulated_cuda

if TYPE_CHECKING:
    from pathlib import Path

    from truth_run import Noted

LIBRARY = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.limit = limit

    def forward(self, x):
        y = self.layer(x)
        if y.sum() > self.limit:
            y = y * 2
        z = torch.zeros(3)
        z += len(
            y.nonzero()
        )
        return y + helper(y)


def helper(a):
    for_each = getattr(a, "tolist")
    for_each()
    if a.dim() > 9:
        return a.sum().item()
    return a


def train(loader):
    net = Net(0.5).to("cuda")
    for x in loader:
        loss = net(x.to("cuda", non_blocking=True)).sum()
        loss.backward()
"""
PROGRAM = """\
import torch, library
library.train([torch.ones(2, 4) for _ in range(3)])
"""


@pytest.fixture(scope="module", autouse=True)
def device() -> None:
    """What the programs run on; where it cannot be had, its error says so, and tests are skipped."""
    with simulated_cuda():
        pass


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("truth") / "library"
    folder.mkdir()
    (folder / "__init__.py").write_text(LIBRARY, encoding="utf-8")
    (folder.parent / "program.py").write_text(PROGRAM, encoding="utf-8")
    (folder.parent / "failing.py").write_text(f"{PROGRAM}raise ValueError('late')\n", encoding="utf-8")
    return folder.resolve()


@pytest.fixture(scope="module")
def noted(library: Path) -> Noted:
    found = truth.noted_of(["program.py"], Package(library, Heat.COLD), 1, library.parent)
    assert not found.error
    return found


def line_of(text: str) -> int:
    return next(line for line, one in enumerate(LIBRARY.splitlines(), 1) if text in one)


def test_findings_and_lines_that_waited_are_put_beside_each_other(library: Path, noted: Noted) -> None:
    path = str(library / "__init__.py")
    hot = truth.Truth(Package(library), noted)
    judged = {one.finding.span.line: one for one in hot.judged}
    assert judged[line_of("if y.sum()")].waits == judged[line_of("if y.sum()")].executions == 3
    assert line_of("a.sum().item()") not in judged  # never ran
    waited = {one.line: one for one in hot.waited}
    assert waited[line_of("y.nonzero()")].codes == {"OVH409"}  # of the same statement
    assert waited[line_of("for_each()")].codes == frozenset()
    assert waited[line_of("for_each()")].heat >= Heat.STEP
    assert {one.path for one in hot.waited} == {path}
    shown = truth.readings(hot, hot, library, 3)
    assert f"__init__.py:{line_of('for_each()')} loop helper" in shown or "step helper" in shown


def test_shares_are_by_rule_and_by_operator(library: Path, noted: Noted) -> None:
    hot, anywhere = Package(library), Package(library, Heat.COLD)
    shown = truth.shares(truth.Truth(hot, noted), truth.Truth(anywhere, noted))
    assert "| OVH404 | 1 | 1 | 1.00 | 1 | 1 | 1.00 |" in shown
    assert "| nonzero | 1 | 1 | 1.00 | 1 | 1 | 1.00 |" in shown
    assert "Lines that waited, by heat: cold 1, presumed 0, request 0, step 3, loop 0" in shown


def test_lines_that_waited_often_are_counted_whatever_heat_they_have(library: Path, noted: Noted) -> None:
    hot = truth.Truth(Package(library), noted)
    anywhere = truth.Truth(Package(library, Heat.COLD), noted)
    assert truth.often(hot, anywhere, 3).startswith(
        "Lines that waited 3 times or more: 3, found by default 2 (0.67); of the others, found at any heat 0"
    )
    assert truth.often(hot, anywhere, 4).startswith(
        "Lines that waited 4 times or more: 0, found by default 0;"
    )
    shown = truth.readings(hot, anywhere, library, 3)
    missed = shown.partition("== hot: findings")[0]
    assert f":{line_of('for_each()')} " in missed and "3 times: not found" in missed
    assert f":{line_of('if y.sum()')} " not in missed


def test_notes_of_runs_add_up(noted: Noted) -> None:
    again: Noted = pickle.loads(pickle.dumps(noted))
    place = next(place for place, line in noted.lines.items() if line.waits)
    before = noted.lines[place].waits
    noted.add(again)
    assert noted.lines[place].waits == 2 * before


def test_a_program_that_fails_is_told_with_what_it_showed_before(
    library: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = truth.noted_of(["failing.py"], Package(library, Heat.COLD), 1, library.parent)
    assert found.status == 1
    assert any(line.waits for line in found.lines.values())
    assert "ValueError: late" in capfd.readouterr().err


def test_a_job_that_cannot_start_says_so(library: Path) -> None:
    with pytest.raises(SystemExit, match="nothing was noted"):
        truth.noted_of(["none.py"], Package(library, Heat.COLD), 1, library.parent)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["package"], "nothing to score: name a program with --run"),
        (["package", "--notes", "none"], "nothing to score: "),
        (["package", "--notes", "no_notes"], "no_notes: cannot be read: "),
        (["package", "--run", "x.py", "--cwd", "none"], "--cwd none: no such folder"),
        (["package", "--run", "x.py", "--readings", "none/x"], "none/x: cannot be written"),
        (["./none", "--run", "x.py"], "./none: no such folder"),
        (["no_such_package", "--run", "x.py"], "no_such_package: no such package"),
    ],
)
def test_wrong_use_is_told_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package").mkdir()
    (tmp_path / "no_notes").write_text("nothing")
    monkeypatch.setattr("sys.argv", ["truth.py", *arguments])
    with pytest.raises(SystemExit) as refused:
        truth.main()
    assert str(refused.value).startswith(complaint)
