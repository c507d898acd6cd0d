"""The budget file: read with line numbers in its errors, written atomically, one metric a line."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from overhead_lint.support import atomic
from overhead_lint.support.existence import is_gone, why_endless
from pytest_overhead.bad_file import BadFile
from pytest_overhead.budgets import Exactly, Multiple, parse_keyed, parse_limit
from pytest_overhead.comments import NO_COMMENTS, Comments, collect
from pytest_overhead.limit_keys import KINDS, flattened, metric_of, overlay, split

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["SCHEMA", "BudgetFile", "read", "unparametrized", "write"]

SCHEMA = 1
_HEADER = (
    "# Budgets of `pytest --overhead-budget`. `pytest --overhead-update` writes this file; edit it freely."
)
_PLACE = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True)
class BudgetFile:
    """What the file holds."""

    tests: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Limits by key (see `pytest_overhead.limit_keys`), by node id, id without parameters, or pattern."""
    fingerprint: Mapping[str, str] = field(default_factory=dict)
    """What they were measured with: torch, python, device."""

    def limits_of(self, test: str) -> dict[str, float]:
        """Limits of a test: its own, and for the rest those that it shares with others."""
        return overlay(self.shared_limits(test), self.tests.get(test, {}))

    def shared_limits(self, test: str) -> dict[str, float]:
        """Limits of the id without parameters, and for the rest of matching patterns, the longest first."""
        limits: dict[str, float] = {}
        for pattern, matches in self._patterns:
            if matches.fullmatch(test):
                limits = overlay(limits, self.tests[pattern])
        if unparametrized(test) != test:
            limits = overlay(limits, self.tests.get(unparametrized(test), {}))
        return limits

    def entries_of(self, test: str) -> set[str]:
        """The entries that hold for a test."""
        names = {test, unparametrized(test)} & self.tests.keys()
        return names | {pattern for pattern, matches in self._patterns if matches.fullmatch(test)}

    def has_tests_in(self, folder: str) -> bool:
        """Whether an entry is, or may match, a test in a folder below; ``/`` parts its name."""
        start = f"{folder}/"
        return any(
            name.startswith(start) or (_is_pattern(name) and start.startswith(name.partition("*")[0]))
            for name in self.tests
        )

    def without_tests(self, collected: AbstractSet[str], root: Path) -> list[str]:
        """The entries of tests that are not there any more; patterns are passed over.

        Args:
            collected: all tests of the files that were looked into.
            root: the folder that ids of tests begin at.
        """
        found = set().union(*map(self.entries_of, collected))
        looked_into = {test.partition("::")[0] for test in collected}
        return [
            entry
            for entry in sorted(self.tests.keys() - found)
            if not _is_pattern(entry)
            and ((path := entry.partition("::")[0]) in looked_into or is_gone(root / path))
        ]

    @functools.cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        """Entries with ``*``, the shortest first, so that longer ones overrule them."""
        found = sorted((name for name in self.tests if _is_pattern(name)), key=lambda name: (len(name), name))
        return [(name, re.compile(".*".join(map(re.escape, name.split("*"))), re.DOTALL)) for name in found]


def _is_pattern(entry: str) -> bool:
    """Whether an entry stands for several tests: a ``*`` in parameters is a part of their id."""
    return "*" in unparametrized(entry)


def unparametrized(test: str) -> str:
    """``a.py::test[3]`` without ``[3]``."""
    return test.partition("[")[0]


def read(path: Path) -> BudgetFile | None:
    """The file's content, or None when there is no such file.

    Raises:
        BadFile: no TOML, a newer schema, an unknown key or metric, a limit that makes no sense.
    """
    if why := why_endless(path):
        raise BadFile(f"{path}: cannot be read: {why}")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        if path.is_symlink():  # somebody has budgets, which nothing may pass without
            raise BadFile(f"{path}: cannot be read: is a link to a file that is not there") from None
        return None
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path}: cannot be read: is not UTF-8") from None
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        what = _PLACE.sub("", str(error)).strip()
        raise _bad(
            path, line, f"no TOML: {what}", "mend the line, or restore the file from version control"
        ) from None
    except (RecursionError, ValueError):  # nested too deeply; a number of more digits than Python converts
        raise BadFile(
            f"{path}: nested too deeply, or with a number too long, to be read; "
            "restore the file from version control"
        ) from None
    return _checked(path, text, content)


def _checked(path: Path, text: str, content: Mapping[str, Any]) -> BudgetFile:
    schema = content.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise _bad(
            path,
            _line_of(text, "schema"),
            "no valid `schema`",
            f"write `schema = {SCHEMA}` in the first line",
        )
    if schema > SCHEMA:
        cure = "upgrade overhead-lint, or remove the file and write it anew with --overhead-update"
        raise _bad(path, _line_of(text, "schema"), f"schema {schema} is newer than {SCHEMA}", cure)
    for key in content.keys() - {"schema", "fingerprint", "tests"}:
        raise _bad(
            path, _line_of(text, key), f"unknown key {key!r}", 'remove it; limits go under [tests."..."]'
        )
    fingerprint, tests = content.get("fingerprint", {}), content.get("tests", {})
    for name, table in (("fingerprint", fingerprint), ("tests", tests)):
        if not isinstance(table, dict):
            raise _bad(path, _line_of(text, name), f"{name!r} is no table", f"write [{name}]")
    for key, value in fingerprint.items():
        if not isinstance(value, str):  # what agrees with nothing would have every count warn only
            cure = f'write it in quotes, as in {key} = "{value}", or remove it'
            raise _bad(path, _line_of(text, key), f"{key}={value!r} of the fingerprint is no text", cure)
    for kind in filter(None, fingerprint.get("device", "").split("+")):
        if kind not in KINDS:  # on which no test runs, so every count would warn only
            cure = f"write {', '.join(KINDS)}, or several of them joined by +"
            raise _bad(path, _line_of(text, "device"), f"device {kind!r} is no kind of device", cure)
    for test, table in tests.items():
        if not isinstance(table, dict):
            cure = f"write [tests.{_quoted(test)}] and below it a line for each limit"
            raise _bad(path, _line_of(text, test), f"{test!r} is no table", cure)
    limits = {test: _limits(path, text, test, table) for test, table in tests.items()}
    return BudgetFile(limits, dict(fingerprint))


def _limits(path: Path, text: str, test: str, table: Mapping[str, object]) -> dict[str, float]:
    limits = {}
    for name, entry in table.items():
        metric = name
        try:
            for key, value in flattened({name: entry}).items():
                metric = metric_of(key)
                limits[key] = parse_keyed(key, value)
        except ValueError as error:
            line = _line_of(text, metric, after=test)
            raise _bad(path, line, str(error), f"correct the limit of {test}") from None
    return limits


def _bad(path: Path, line: int, what: str, cure: str) -> BadFile:
    return BadFile(f"{path}:{line}: {what}; {cure}")


def _line_of(text: str, key: str, *, after: str = "") -> int:
    """The line that sets `key`, below the one that names `after`; 1 when it cannot be told."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if after and _quoted(after)[1:-1] in line), 0)
    setting = re.compile(
        rf"""\s*(\[\s*)?([\w"'-]+\s*\.\s*)*["']?{re.escape(_quoted(key)[1:-1])}(?=["'\]\s=.]|$)"""
    )
    found = (number for number, line in enumerate(lines[start:], start + 1) if setting.match(line))
    return next(found, start + 1)


def write(path: Path, content: BudgetFile) -> None:
    """Write the file: sorted, through a temporary file and a rename; comments, mode and links are kept.

    Raises:
        OSError: the folder cannot be written to; the old file is untouched.
    """
    try:
        before = path.read_text(encoding="utf-8-sig").replace(f"{_HEADER}\n", "")
        comments, spelled = collect(before), tomllib.loads(before).get("tests", {})
    except (FileNotFoundError, RecursionError, ValueError):  # not there, or none that can be read
        comments, spelled = NO_COMMENTS, {}
    lines = [f"{_HEADER}\n", *(f"{line}\n" for line in comments.top)]
    lines += [comments.line(("schema",), f"schema = {SCHEMA}"), "\n"]
    lines.append(comments.line(("fingerprint",), "[fingerprint]"))
    for key, value in sorted(content.fingerprint.items()):
        lines.append(comments.line(("fingerprint", key), f"{key} = {_quoted(value)}"))
    for test, limits in sorted(content.tests.items()):
        lines += ["\n", comments.line(("tests", test), f"[tests.{_quoted(test)}]")]
        lines += _limit_lines(test, limits, comments, flattened(spelled.get(test, {})))
    lines += ["\n" * bool(comments.end), *(f"{line}\n" for line in comments.end)]
    atomic.write(path, "".join(lines).encode())


def _limit_lines(
    test: str, limits: Mapping[str, float], comments: Comments, spelled: Mapping[str, object]
) -> Iterator[str]:
    """A line for each limit of a test: those for all devices, then those for one kind of them."""
    begun = {""}
    for key, limit in sorted(limits.items(), key=lambda item: (split(item[0])[0], item[0])):
        kind, metric = split(key)
        if kind not in begun:  # the header of a table becomes a part of each line
            begun.add(kind)
            header = ("tests", test, *kind.split("."))
            beside = [comments.beside[header]] if header in comments.beside else []
            yield from (f"{comment}\n" for comment in [*comments.above.get(header, ()), *beside])
        text = _spelling(metric, limit, spelled.get(key))
        yield comments.line(("tests", test, *key.split(".")), f"{key} = {text}")


def _spelling(metric: str, limit: float, before: object) -> str:
    """A limit as the file spells it: text such as ``"5 us"`` stays while its value does."""
    if isinstance(before, str) and _same(parse_limit(metric, before), limit):
        return _quoted(before)
    if isinstance(limit, Multiple):
        return f'"{limit:g}x"'
    return f'"== {int(limit)}"' if isinstance(limit, Exactly) else repr(limit)


def _same(one: float, other: float) -> bool:
    return one == other and type(one) is type(other)


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's, but for the one control character that JSON leaves alone.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
