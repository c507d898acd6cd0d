"""What findings cost is scaled by what their places took, not that of a fixed case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from overhead_lint.dynamic.place_times import place_time
from overhead_lint.measure.evidence import Basis, Evidence, Observed
from overhead_lint.measure.trace import Span, Trace
from overhead_lint.rule import Finding, Heat, Warmth
from overhead_lint.rule import Span as Place
from overhead_lint.syntax.source import Source

from .run_cases import evidence, run

SMALL = """\
import torch
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(30):
    model(torch.randn(2, 8)).square().mean().backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    with torch.no_grad():
        for p in model.parameters():
            p.add_(p.grad, alpha=-1e-3)
    optimizer.step()
    optimizer.zero_grad()
"""


def test_one_small_layer_is_not_charged_for_a_hundred(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "train.py").write_text(SMALL)
    done = run(tmp_path, "train.py")
    assert "~ estimates, by place" in done.stderr and "Together about" in done.stderr
    found = [one for one in evidence(tmp_path)["findings"] if one["executions"]]
    assert {one["code"] for one in found} >= {"OVH607", "OVH802"}
    assert {one["basis"] for one in found if one["code"] in ("OVH607", "OVH802")} == {"place"}
    assert sum(one["share"] or 0 for one in found) < 0.25  # by the rules' cases alone it was twice the step


@pytest.mark.parametrize(
    ("column", "end", "share", "basis"),
    [(5, 9, 0.3, Basis.PLACE), (1, 2, 0.5, Basis.LINE)],
)
def test_a_call_has_its_own_time_and_others_their_lines(
    tmp_path: Path, column: int, end: int, share: float, basis: Basis
) -> None:
    path = Path(tmp_path, "a.py").resolve()
    path.write_text("x = f(0)\n")
    spans = (
        Span(0, 500, -1, 0, "python", "outer", str(path), 1),
        Span(0, 200, 0, 0, "python", "A.f", str(path), 1),
        Span(50, 50, 1, 0, "python", "A.f", str(path), 1),
        Span(300, 100, 0, 0, "python", "f", str(path), 1),
        Span(600, 300, -1, 0, "python", "f", str(path), 2),
    )
    place = Place(1, column, 1, end)
    finding = Finding(path, place, "OVH101", "test", "test", Warmth(Heat.COLD, ""))
    assert place_time(Trace(1, 1000, spans), finding, Source.read(path)) == (share, basis)


def test_a_saving_is_scaled_by_the_place_and_never_more_than_the_time() -> None:
    one = Observed("a.py", 1, "OVH101", "n", "f", "t", 0, "m", "step", "", 10, 10, 4e-6, 1e-6)
    assert one.saving_seconds == pytest.approx(3e-6)
    place = replace(one, place_seconds=8e-6, basis="place")
    assert place.saving_seconds == pytest.approx(6e-6)
    assert replace(place, basis="line").saving_seconds == pytest.approx(3e-6)
    assert replace(place, basis="line", place_seconds=2e-6).saving_seconds == pytest.approx(1.5e-6)
    whole = Evidence(("a.py",), 0, 1e-5)
    assert whole.share(one) is None and replace(whole, seconds=1e-4).share(one) == pytest.approx(0.3)
