"""Records what the core of the linter answers about a project, and tells what it answers otherwise."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from corpus_files import CorpusError
from differential_linter import CHECK, Linter
from differential_records import Difference, File, Recording

__all__ = ["differences", "look"]

_ASKING: Final = Path(__file__).with_name("differential_asking.py")
_FUNCTION: Final = "heat of function"


def look(
    linter: Linter, folder: Path, paths: Sequence[str], recording: Recording | None, subject: str
) -> list[File]:
    """What the core answers about it: to what is asked while it is linted, or was when it was recorded.

    Raises:
        CorpusError: it failed.
    """
    known = str(recording.path.absolute()) if recording is not None else ""
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as work:
        out = Path(work) / "answers.jsonl"
        command = [sys.executable, str(_ASKING), str(out), known, subject, *CHECK]
        command += ["--output-format", "concise", "--output-file", str(Path(work) / "findings.txt"), *paths]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env=linter.environment
        )
        if done.returncode:
            said = done.stderr.strip().splitlines() or ["no reason given"]
            raise CorpusError(f"{subject}: exit {done.returncode}: {said[-1]}")
        for line in done.stderr.splitlines():
            if line.startswith("not there any more"):
                print(f"{subject}: {line}", file=sys.stderr)
        with out.open(encoding="utf-8") as file:
            return sorted(map(json.loads, file), key=lambda one: str(one["path"]))


def differences(subject: str, before: Sequence[File], now: Sequence[File]) -> Iterator[Difference]:
    """What is answered otherwise about a project."""
    old, new = ({one["path"]: one for one in files} for files in (before, now))
    for path in sorted(old.keys() | new.keys()):
        were, are = old.get(path, {}), new.get(path, {})
        for question, rows in were.get("answers", {}).items():
            answers = {tuple(row[:5]): row[7] for row in are.get("answers", {}).get(question, ())}
            for row in rows:
                line, column, *_, node, by_rules, by_core, answer = row
                told = answers.get(tuple(row[:5]), "no such file")
                if told != answer:
                    yield Difference(
                        "changed",
                        *(subject, path, line, column, question),
                        _parts(question, answer, told),
                        node,
                        by_rules + by_core,
                    )
        yield from _of_functions(subject, path, were.get("functions", {}), are.get("functions", {}))


def _parts(question: str, before: str, now: str) -> dict[str, tuple[Any, Any]]:
    """What changed; heat and the reason for it apart."""
    if question != "warmth":
        return {"answer": (before, now)}
    old, new = before.partition(": "), now.partition(": ")
    return {name: (old[at], new[at]) for name, at in (("heat", 0), ("reason", 2)) if old[at] != new[at]}


def _of_functions(
    subject: str, path: str, before: Mapping[str, Sequence[Any]], now: Mapping[str, Sequence[Any]]
) -> Iterator[Difference]:
    for name in sorted(before.keys() | now.keys()):
        line, column, *_ = before.get(name) or now[name]
        place = (subject, path, line, column, _FUNCTION)
        if name not in now:
            yield Difference("gone", *place, {}, f"{name} {before[name][2]}")
        elif name not in before:
            yield Difference("new", *place, {}, f"{name} {now[name][2]}")
        else:
            told = (("heat", 2), ("reason", 3))
            parts = {key: (before[name][at], now[name][at]) for key, at in told}
            if parts := {key: pair for key, pair in parts.items() if pair[0] != pair[1]}:
                yield Difference("changed", *place, parts, name)
