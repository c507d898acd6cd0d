"""Verdicts as annotations and as a step summary of GitHub Actions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_overhead.failure_message import quantity

if TYPE_CHECKING:
    from pytest_overhead.session import Result, Session

__all__ = ["append_summary", "error_commands"]


def error_commands(session: Session) -> list[str]:
    """A workflow command for each budget that was not kept, at the line of its test."""
    lines = []
    for test, result in sorted(session.results.items()):
        if result.verdict:
            path, line = result.place
            text = _escaped(f"{test}: {result.message}")
            where = f"file={_escaped(path, ':,')},line={line},title={result.verdict}"
            lines.append(f"::error {where}::{text}")
    return lines


def _escaped(text: str, also: str = "") -> str:
    for character in "%\r\n" + also:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def append_summary(session: Session, environment: Mapping[str, str]) -> None:
    """Append a table of the measured tests to the step summary, where GitHub names a file for it.

    Raises:
        OSError: the file cannot be written to.
    """
    path = environment.get("GITHUB_STEP_SUMMARY")
    measured = {test: result for test, result in session.results.items() if result.values or result.verdict}
    if not path or not measured:
        return
    metrics = sorted({metric for result in measured.values() for metric in result.values})
    rows = [["test", *metrics, "budget"], ["---", *["---:"] * len(metrics), "---"]]
    rows += [_row(test, result, metrics) for test, result in sorted(measured.items())]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    with Path(path).open("a", encoding="utf-8") as stream:
        stream.write(f"### Host overhead\n\n{table}\n")


def _row(test: str, result: Result, metrics: list[str]) -> list[str]:
    cells = [quantity(m, result.values[m]) if m in result.values else "" for m in metrics]
    ended = result.verdict or ("kept" if result.passed else "")
    return ["`" + test.replace("|", "\\|") + "`", *cells, ended]
