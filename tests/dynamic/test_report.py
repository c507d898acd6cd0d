"""The report for people, and the codes of what was measured."""

from __future__ import annotations

from pathlib import Path

from overhead_lint.dynamic.assemble import _causes
from overhead_lint.dynamic.report import render
from overhead_lint.measure.evidence import Cause, Evidence
from overhead_lint.probes import api


def test_lines_that_are_not_shown_are_counted() -> None:
    causes = tuple(Cause("stream_sync", "OVH404", "a.py", line, "forward", 1) for line in range(1, 9))
    text = render(Evidence(("a.py",), 0, 1.0, metrics={"stream_sync": 8}, causes=causes))
    assert "and 5 more lines in the evidence file" in text
    assert "more in the evidence" not in render(Evidence(("a.py",), 0, 1.0, causes=causes[:3]))


def test_a_copy_and_the_wait_for_it_have_one_code(tmp_path: Path) -> None:
    here = api.Cause(1, str(tmp_path / "a.py"), 3, "forward")
    elsewhere = api.Cause(1, str(tmp_path / "a.py"), 4, "forward")
    by_metric = {"stream_sync": (here,), "copies_d2h": (here, elsewhere), "copies_h2d": (here,)}
    codes = {(one.metric, one.line): one.code for one in _causes(by_metric, (), tmp_path)}
    waited = codes["stream_sync", 3]
    assert waited == codes["copies_d2h", 3] == codes["copies_h2d", 3] == "OVH404"
