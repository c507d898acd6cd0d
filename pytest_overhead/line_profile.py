"""The file beside the budget file: the source lines that made each of its counts, one a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from overhead_lint.probes.counted_lines import CountedLine
from overhead_lint.support import atomic
from overhead_lint.support.existence import why_endless
from overhead_lint.support.versioned_json import exactly
from pytest_overhead.bad_file import BadFile

__all__ = ["LineProfile", "as_text", "is_profile", "path_beside", "read", "write"]

SCHEMA: Final = 1
_SIGN: Final = "lines_of"
_CURE: Final = "remove the file, and write it anew with --overhead-update"


@dataclass(frozen=True)
class LineProfile:
    """Lines by test, and by key of the budget file (see `pytest_overhead.limit_keys`)."""

    tests: Mapping[str, Mapping[str, tuple[CountedLine, ...]]] = field(default_factory=dict)

    def lines_of(self, test: str, key: str) -> tuple[CountedLine, ...]:
        """Return the lines that made a count; none where they were not recorded."""
        return self.tests.get(test, {}).get(key, ())


def path_beside(budgets: Path) -> Path:
    """Return where the lines of a budget file are: ``overhead-budget.lines.jsonl``."""
    return budgets.with_suffix(".lines.jsonl")


def is_profile(data: bytes) -> bool:
    """Whether a file's content begins as that of a profile does."""
    return data.startswith(b'{"' + _SIGN.encode())


def read(path: Path) -> LineProfile:
    """Return the file's content; an empty one where there is no such file.

    Raises:
        BadFile: it cannot be read, or a line of it makes no sense.
    """
    if why := why_endless(path):
        raise BadFile(f"{path}: cannot be read: {why}")
    try:
        lines = path.read_bytes().decode().splitlines()
    except FileNotFoundError:
        return LineProfile()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path}: is not UTF-8; {_CURE}") from None
    return _parsed(path, lines)


def _parsed(path: Path, lines: list[str]) -> LineProfile:
    tests: dict[str, dict[str, tuple[CountedLine, ...]]] = {}
    for number, text in enumerate(lines, 1):
        try:
            entry = json.loads(text)
            if number == 1:
                schema = exactly(int, entry["schema"])
                if schema > SCHEMA:
                    raise BadFile(f"{path}: schema {schema} is newer than {SCHEMA}; upgrade overhead-lint")
                continue
            keys = tests.setdefault(exactly(str, entry["test"]), {})
            key = exactly(str, entry["key"])
            keys[key] = (*keys.get(key, ()), _line(entry))
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            if isinstance(error, BadFile):
                raise
            raise BadFile(f"{path}:{number}: no line of a profile; {_CURE}") from None
    return LineProfile(tests)


def _line(entry: Mapping[str, Any]) -> CountedLine:
    operators = tuple((name, exactly(int, amount)) for name, amount in entry.get("operators", {}).items())
    path, text, label = (exactly(str, entry[key]) for key in ("path", "text", "label"))
    return CountedLine(path, text, label, exactly(int, entry["amount"]), operators=operators)


def write(path: Path, profile: LineProfile) -> None:
    """Write the file, sorted, in one step.

    Raises:
        OSError: the folder cannot be written to; the old file is untouched.
    """
    atomic.write(path, as_text(profile).encode())


def as_text(profile: LineProfile) -> str:
    """Return what a file with this content holds: the same text for the same lines."""
    head = json.dumps({_SIGN: "overhead-budget.toml", "schema": SCHEMA})
    return "".join(f"{line}\n" for line in (head, *_entries(profile)))


def _entries(profile: LineProfile) -> Iterator[str]:
    for test, keys in sorted(profile.tests.items()):
        for key, lines in sorted(keys.items()):
            for line in sorted(lines):
                entry: dict[str, object] = {"test": test, "key": key, "path": line.path, "text": line.text}
                entry |= {"label": line.label, "amount": line.amount}
                if line.operators:
                    entry["operators"] = dict(line.operators)
                yield json.dumps(entry, ensure_ascii=False)
