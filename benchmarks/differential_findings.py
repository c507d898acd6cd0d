"""Records what the linter finds in a project, with the text of all fixes, and tells what is different."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from corpus_files import CorpusError
from differential_linter import CHECK, Linter
from differential_records import Difference, File, Recording

__all__ = ["differences", "look"]

_PARTS: Final = {"name": "name", "heat": "heat", "why": "reason", "message": "message", "also": "also"}
_ENDS: Final = ("end_line", "end_column")


def look(linter: Linter, folder: Path, paths: Sequence[str], _: Recording | None, subject: str) -> list[File]:
    """What the linter finds in a project, cold, in a process of its own.

    Raises:
        CorpusError: it did not answer with JSON.
    """
    command = [sys.executable, "-m", "overhead_lint", *CHECK, "--output-format", "json"]
    done = subprocess.run(
        [*command, *paths], cwd=folder, capture_output=True, text=True, check=False, env=linter.environment
    )
    try:
        answer: list[dict[str, Any]] = json.loads(done.stdout)
    except ValueError as error:
        said = done.stderr.strip().splitlines() or [""]
        raise CorpusError(f"{subject}: exit {done.returncode}, no JSON: {said[-1]}") from error
    files: dict[str, File] = {}
    for finding in answer:
        path = Path(finding.pop("path")).as_posix()
        files.setdefault(path, {"path": path, "findings": []})["findings"].append(finding)
    said = sorted(filter(None, map(str.strip, done.stderr.splitlines())))
    errors: list[File] = [{"path": "", "findings": [], "said": said}] if said else []
    return [*errors, *sorted(files.values(), key=lambda one: str(one["path"]))]


def differences(subject: str, before: Sequence[File], now: Sequence[File]) -> Iterator[Difference]:
    """What is different of the findings in a project."""
    old, new = ({one["path"]: one for one in files} for files in (before, now))
    for path in sorted(old.keys() | new.keys()):
        were, are = (_by_place(files.get(path, {})) for files in (old, new))
        for key in sorted(were.keys() | are.keys()):
            line, column, code, _ = key
            place = (subject, path, line, column, code)
            if key not in are:
                yield Difference("gone", *place, {}, _told(were[key]))
            elif key not in were:
                yield Difference("new", *place, {}, _told(are[key]))
            elif parts := _changed(were[key], are[key]):
                yield Difference("changed", *place, parts, _told(are[key]))
        said = [set(files.get(path, {}).get("said", ())) for files in (old, new)]
        for what, lines in (("gone", said[0] - said[1]), ("new", said[1] - said[0])):
            for line in sorted(lines):
                yield Difference(what, subject, path, 0, 0, "stderr", {}, line)


def _by_place(file: File) -> dict[tuple[int, int, str, int], dict[str, Any]]:
    """Findings by line, column, code and number, where a rule finds more than one thing at a place."""
    found: dict[tuple[int, int, str, int], dict[str, Any]] = {}
    for one in file.get("findings", ()):
        number = 0
        while (key := (one["line"], one["column"], one["code"], number)) in found:
            number += 1
        found[key] = one
    return found


def _told(finding: dict[str, Any]) -> str:
    fix = finding["fix"]
    told = f", {fix['applicability']} fix" if fix else ""
    return f"{finding['heat']}{told}: {finding['message']} ({finding['why']})"


def _changed(before: dict[str, Any], now: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The parts of a finding that are not as they were."""
    parts = {name: (before[key], now[key]) for key, name in _PARTS.items() if before[key] != now[key]}
    if _end(before) != _end(now):
        parts["end"] = (_end(before), _end(now))
    old, new = before["fix"] or {}, now["fix"] or {}
    for key, name in (("applicability", "applicability"), ("message", "fix message"), ("edits", "fix")):
        if old.get(key) != new.get(key):
            parts[name] = (old.get(key), new.get(key))
    return parts


def _end(finding: dict[str, Any]) -> str:
    return ":".join(str(finding[key]) for key in _ENDS)
