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
    """A workflow command for each line that is to blame for a budget that was not kept.

    It says what that line did, and nothing of other lines. What no line of the project is known for stands
    at the line of the test.
    """
    lines = []
    for test, result in sorted(session.results.items()):
        if result.verdict:
            told = _by_place(result) or {result.place: [result.message]}
            for place, messages in told.items():
                lines.append(_command(*place, result.verdict, f"{test}: {'; '.join(messages)}"))
    return lines


def _by_place(result: Result) -> dict[tuple[str, int], list[str]]:
    """What each line is to blame for, in the order of lines."""
    told: dict[tuple[str, int], list[str]] = {}
    for fault in result.faults:
        path, line, message = fault.get("path"), fault.get("line"), fault.get("message")
        place = (path, line) if isinstance(path, str) and isinstance(line, int) else result.place
        told.setdefault(place, []).append(str(message))
    return {place: told[place] for place in sorted(told)}


def _command(path: str, line: int, title: str, text: str) -> str:
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
