"""What the differential tests keep: recordings, and the differences that somebody has read.

A recording is a gzipped file of JSON objects, one a line. The first says what was recorded, and each other
one what was found in one file; so a large recording is read a project at a time.
"""

from __future__ import annotations

import fnmatch
import gzip
import hashlib
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from corpus_files import CorpusError

__all__ = [
    "READ",
    "VERDICTS",
    "Difference",
    "File",
    "Recorded",
    "Recording",
    "kept",
    "mark",
    "note",
    "recorded",
    "write",
]

READ: Final = Path(__file__).parent / "differences"
"""Where differences are kept that were read, in files of JSON objects, one a line."""
VERDICTS: Final = ("right", "wrong", "neutral")
_SCHEMA: Final = 1
_KEYS: Final = ("subject", "digest")
_WORD: Final = 14
_SHOWN: Final = 300

File = dict[str, Any]
"""What was recorded of one file: its path, and what was found in it."""


class Recorded(NamedTuple):
    """What was recorded of one project.

    Attributes:
        subject: what it is called.
        digest: of its sources.
        files: what was found, a file each; "" is the path of what belongs to none.
    """

    subject: str
    digest: str
    files: Sequence[File]


class Recording(NamedTuple):
    """A recording that is there.

    Attributes:
        path: where it lies.
        linter: which linter it was made with.
        subjects: what it has, and how to get at each again: a folder, or nothing.
    """

    path: Path
    linter: str
    subjects: Mapping[str, str]

    def projects(self) -> Iterator[Recorded]:
        """What was recorded, a project at a time, in the order of their names."""
        lines = map(json.loads, itertools.islice(_lines(self.path), 1, None))
        for (subject, digest), files in itertools.groupby(lines, lambda one: (one["subject"], one["digest"])):
            told = [{key: value for key, value in one.items() if key not in _KEYS} for one in files]
            yield Recorded(subject, digest, [one for one in told if one])


class Difference(NamedTuple):
    """Something that is not as it was.

    Attributes:
        what: ``gone``, ``new`` or ``changed``.
        subject: the project.
        path: the file in it.
        line: where, from 1.
        column: where, from 1.
        code: of the rule, or the question.
        parts: what of it changed, by name: before, and now.
        shown: what it was, or is, in words.
        weight: how often it was asked for, or 1.
    """

    what: str
    subject: str
    path: str
    line: int
    column: int
    code: str
    parts: Mapping[str, tuple[Any, Any]]
    shown: str
    weight: int = 1

    @property
    def id(self) -> str:
        """A short digest: the same difference has the same in each run, however often it was asked for."""
        told = [*self[:6], sorted(self.parts.items()), self.shown]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]

    @property
    def change(self) -> str:
        """What changed, and into what where that is a word, for counting."""
        told = []
        for name, (before, now) in self.parts.items():
            is_short = all(isinstance(one, str) and len(one) <= _WORD for one in (before, now))
            told.append(f"{name} {before} -> {now}" if is_short else name)
        return f"{self.what} {', '.join(told)}".strip()

    def __str__(self) -> str:
        place = f"{self.subject} {self.path}:{self.line}:{self.column} {self.code}"
        changes = "; ".join(
            f"{name}: {_short(before)} -> {_short(now)}" for name, (before, now) in self.parts.items()
        )
        return f"{self.id} {self.what:7} {place} {changes or self.shown}"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file


def write(
    path: Path, what: str, linter: str, subjects: Mapping[str, str], projects: Iterable[Recorded]
) -> None:
    """Write a recording; it is there when it is whole.

    Args:
        path: where.
        what: ``findings`` or ``answers``.
        linter: the version of the linter that it is made with.
        subjects: what it has, and the folder of each.
        projects: what was found, in the order of their names.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with gzip.open(aside, "wt", encoding="utf-8", compresslevel=6) as file:
            head = {"schema": _SCHEMA, "what": what, "linter": linter, "subjects": subjects}
            print(json.dumps(head), file=file)
            for project in projects:
                key = {"subject": project.subject, "digest": project.digest}
                for one in project.files or ({},):
                    print(json.dumps({**key, **one}, ensure_ascii=False), file=file)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def recorded(path: Path, what: str) -> Recording:
    """A recording that was written before.

    Raises:
        CorpusError: it is none, or of something else.
    """
    try:
        head = json.loads(next(_lines(path), "{}"))
    except (OSError, EOFError, ValueError) as error:
        raise CorpusError(f"{path}: no recording: {error}") from error
    if not isinstance(head, dict) or (head.get("schema"), head.get("what")) != (_SCHEMA, what):
        raise CorpusError(f"{path}: no recording of {what}")
    return Recording(path, head["linter"], head["subjects"])


def kept(folder: Path = READ) -> dict[str, dict[str, Any]]:
    """The differences that are kept, by their digests; a verdict is "" where nobody has read one.

    Raises:
        CorpusError: a line that is none, or a verdict that is none.
    """
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for row in _rows(path):
            known = found.get(row["id"])
            if known is None or not known["verdict"]:
                found[row["id"]] = row
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            known = row["verdict"] in ("", *VERDICTS) and isinstance(row["id"], str)
        except (ValueError, KeyError, TypeError) as error:
            raise CorpusError(f"{path}:{number}: no difference") from error
        if not known:
            raise CorpusError(f"{path}:{number}: the verdict is none of {', '.join(VERDICTS)}")
        rows.append(row)
    return rows


def note(path: Path, differences: Iterable[Difference]) -> int:
    """Add differences to a file, for somebody to read; those that are kept anywhere are left out.

    Returns:
        how many were added.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    known, added = kept(path.parent), 0
    with path.open("a", encoding="utf-8") as file:
        for one in differences:
            if one.id in known:
                continue
            row: dict[str, Any] = {"id": one.id, "what": one.what, "subject": one.subject, "path": one.path}
            row |= {"line": one.line, "code": one.code, "parts": list(one.parts)}
            row |= {"shown": str(one), "verdict": "", "reason": ""}
            print(json.dumps(row, ensure_ascii=False), file=file)
            added += 1
    return added


def mark(
    path: Path, verdict: str, reason: str, ids: Sequence[str], filters: Mapping[str, str | None], again: bool
) -> int:
    """Give rows of a file a verdict.

    Args:
        path: the file.
        verdict: which.
        reason: why.
        ids: rows by their digests; all that the filters let through where there are none.
        filters: patterns, as a shell has them, for values of rows by name; None lets all through.
        again: take rows that have a verdict, too.

    Returns:
        how many rows were marked.

    Raises:
        CorpusError: the file is not there, or holds something else.
    """
    if not path.is_file():
        raise CorpusError(f"{path}: no such file")
    rows, marked = _rows(path), 0
    for row in rows:
        if (row["verdict"] and not again) or (ids and row["id"] not in ids):
            continue
        if all(pattern is None or _fits(row.get(key), pattern) for key, pattern in filters.items()):
            row["verdict"], row["reason"] = verdict, reason
            marked += 1
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    aside.replace(path)
    return marked


def _fits(value: object, pattern: str) -> bool:
    """Whether a value fits a pattern; of the parts that changed all there are."""
    if isinstance(value, list):
        return ",".join(value) == pattern
    return fnmatch.fnmatchcase(str(value), pattern)
