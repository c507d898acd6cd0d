"""Verdicts as annotations and as a step summary of GitHub Actions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_overhead.quantities import quantity

if TYPE_CHECKING:
    from pytest_overhead.session import Result, Session

__all__ = ["append_summary", "error_commands"]


def error_commands(session: Session) -> list[str]:
    """A workflow command for each budget that was not kept, at the line that is to blame.

    That is the line of the test where none of the project is known for a fault.
    """
    lines = []
    for test, result in sorted(session.results.items()):
        if result.verdict:
            blamed = {(str(fault.get("path", "")), fault.get("line", 0)) for fault in result.faults}
            places = [place if place[0] else result.place for place in sorted(blamed) or [("", 0)]]
            text = f"{test}: {result.message}"
            lines += [_command(*place, result.verdict, text) for place in dict.fromkeys(places)]
    return lines


def _command(path: str, line: object, title: str, text: str) -> str:
    where = f"file={_escaped(path, ':,')},line={line},title={title}"
    return f"::error {where}::{_escaped(text)}"


def _escaped(text: str, also: str = "") -> str:
    for character in "%\r\n" + also:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def append_summary(session: Session, environment: Mapping[str, str], changed: str = "") -> None:
    """Append a table of the measured tests to the step summary, where GitHub names a file for it.

    Args:
        session: the session.
        environment: the process's.
        changed: what differs from a report of before, in Markdown, which then stands first.

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
        stream.write(f"{changed}\n" if changed else "")
        stream.write(f"### Host overhead\n\n{table}\n")


def _row(test: str, result: Result, metrics: list[str]) -> list[str]:
    cells = [quantity(m, result.values[m]) if m in result.values else "" for m in metrics]
    ended = result.verdict or ("kept" if result.passed else "")
    return ["`" + test.replace("|", "\\|") + "`", *cells, ended]
