"""Attributes that ``__init__`` sets by one another are asked a bounded number of times for their defaults."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from overhead_lint.analysis.options.defaults import Defaults
from overhead_lint.cli.main import main

if TYPE_CHECKING:
    import pytest


def _set_by_one_another(count: int) -> str:
    """Return a class of which each attribute depends on all others."""
    names = [f"self.a{number}" for number in range(count)]
    lines = ["class Config:", "    def __init__(self, deep=False):"]
    for name in names:
        tests = " or ".join(f"{other} == 'x'" for other in names if other != name)
        lines += [
            f"        if {tests}:",
            f"            {name} = deep",
            "        else:",
            f"            {name} = 'x'",
        ]
    lines += ["    def forward(self, x):", "        return x if self.a0 == 'x' else x + 1", ""]
    return "\n".join(lines)


def test_no_question_is_asked_once_for_each_way_through_attributes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Each way through them is a question of its own otherwise: 2.5 million for five.
    asked, worked_out = 0, Defaults._worked_out

    def counted(self: Defaults, *site: Any) -> Any:
        nonlocal asked
        asked += 1
        return worked_out(self, *site)

    monkeypatch.setattr(Defaults, "_worked_out", counted)
    (tmp_path / "config.py").write_text(_set_by_one_another(5))
    assert main(["check", "--no-cache", "-j1", str(tmp_path)]) == 0
    capsys.readouterr()
    assert 0 < asked < 50_000
