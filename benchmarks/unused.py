"""Tells what of the linter no package of a corpus needs: lines that never run, answers that are always empty.

    python3.12 benchmarks/unused.py --run run.jsonl FOLDER...             lints folders, adds a record of each
    python3.12 benchmarks/unused.py --read run.jsonl                      table: file, lines, those never run
    python3.12 benchmarks/unused.py --read run.jsonl --places             each range of lines, each function
    python3.12 benchmarks/unused.py --read run.jsonl --places --most 1    also what one folder alone needs

Each folder is linted as one project, with all rules, from presumed heat on, and without a cache. A function
gives nothing where all its calls gave an empty answer (None, False, an empty container, an iterator without a
value), or all of them True: with that answer in its place nothing would change. What such a place is for has
to be read. An error path or a guarantee that a page gives stays, although no package needs it.

It needs Python 3.12 or later, which tells of the first time that a line runs, and of no further one.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

from differential_linter import CHECK, ROOT, copied
from tabulate import tabulate

LOOKED_AT: Final = (
    *(f"overhead_lint/{part}" for part in ("analysis", "cache", "engine", "project", "workspace")),
    "rules",
)
"""Folders to tell of where nothing else is asked for."""
_CHILD: Final = "--child"
_CONTAINERS: Final = frozenset({bytes, dict, frozenset, list, set, str, tuple})


class Counts(NamedTuple):
    """In how many folders something happened, by file and line."""

    run: Counter[tuple[str, int]]
    found: Counter[tuple[str, int]]
    """Functions, by their first line, that gave something that is not empty."""
    empty: Counter[tuple[str, int]]
    """Functions that gave an empty answer."""
    true: Counter[tuple[str, int]]
    """Functions that gave True."""


class Place(NamedTuple):
    """Lines that hardly any folder needs."""

    first: int
    last: int
    what: str
    """The function, where it was never called or found nothing; else an empty text."""


class Unused(NamedTuple):
    """What hardly any folder needs of a file."""

    path: str
    lines: int
    """With statements."""
    never: int
    """How many of these hardly ran."""
    places: tuple[Place, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--run", type=Path, metavar="FILE")
    parser.add_argument("--read", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--under", nargs="+", default=LOOKED_AT, help="folders of the checkout to tell of")
    parser.add_argument("--places", action="store_true", help="tell each place")
    parser.add_argument("--most", type=int, default=0, help="how many folders may need it")
    options = parser.parse_args(arguments)
    if options.run:
        _run(options.run, options.folders)
    if options.read:
        counts = _counted(options.read)
        found = list(_unused(options.under, counts, options.most))
        found.sort(key=lambda file: (-file.never, file.path))
        if options.places:
            for file in found:
                for place in file.places:
                    print(f"{file.path}:{place.first}-{place.last} {place.what}".rstrip())
        rows = [(file.path, file.lines, file.never) for file in found]
        rows.append(("all", sum(file.lines for file in found), sum(file.never for file in found)))
        print(tabulate(rows, headers=["file", "lines", "never run"]))
    return 0


def _run(out: Path, folders: Sequence[Path]) -> None:
    with copied(ROOT) as linter:
        command = [sys.executable, __file__, _CHILD, str(linter.site), str(out), *map(os.fspath, folders)]
        subprocess.run(command, env=linter.environment, check=True)


class _Watch:
    """Notes what runs of the modules below a folder."""

    def __init__(self, site: Path) -> None:
        self._inside = os.fspath(site) + os.sep
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self._noted: dict[str, set[tuple[str, int]]] = {kind: set() for kind in Counts._fields}
        events = self._monitoring.events
        self._tool = self._monitoring.COVERAGE_ID
        self._monitoring.use_tool_id(self._tool, "unused")
        self._monitoring.register_callback(self._tool, events.LINE, self._line)
        self._monitoring.register_callback(self._tool, events.PY_RETURN, self._given)
        self._monitoring.register_callback(self._tool, events.PY_YIELD, self._yielded)
        self._monitoring.set_events(self._tool, events.LINE | events.PY_RETURN | events.PY_YIELD)

    def taken(self) -> dict[str, list[tuple[str, int]]]:
        """What was noted since the last time, by the path in a checkout and the line."""
        taken = {kind: sorted(map(self._placed, noted)) for kind, noted in self._noted.items()}
        for noted in self._noted.values():
            noted.clear()
        self._monitoring.restart_events()
        return taken

    def _placed(self, place: tuple[str, int]) -> tuple[str, int]:
        path = place[0][len(self._inside) :].replace(os.sep, "/")
        return path.replace("overhead_lint/rules/", "rules/"), place[1]

    def _line(self, code: CodeType, number: int) -> Any:
        if code.co_filename.startswith(self._inside):
            self._noted["run"].add((code.co_filename, number))
        return self._monitoring.DISABLE

    def _given(self, code: CodeType, _at: int, value: object) -> Any:
        if not code.co_filename.startswith(self._inside):
            return self._monitoring.DISABLE
        place = code.co_filename, code.co_firstlineno
        if value is True:
            self._noted["true"].add(place)
            return None
        if value is None or value is False or (type(value) in _CONTAINERS and not value):
            self._noted["empty"].add(place)
            return None
        self._noted["found"].add(place)
        return self._monitoring.DISABLE

    def _yielded(self, code: CodeType, _at: int, _value: object) -> Any:
        if code.co_filename.startswith(self._inside):
            self._noted["found"].add((code.co_filename, code.co_firstlineno))
        return self._monitoring.DISABLE


def _child(site: Path, out: Path, folders: Sequence[str]) -> None:
    """Lint all folders in this process, and add what ran to a file."""
    watch = _Watch(site)
    from overhead_lint.cli.main import main as check  # noqa: PLC0415, RUF100 (only now its lines are noted)

    for folder in folders:
        said = io.StringIO()
        silent = contextlib.redirect_stdout(said), contextlib.redirect_stderr(said)
        with silent[0], silent[1], contextlib.suppress(SystemExit):
            check([*CHECK, "--output-format", "json", folder])
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"folder": folder, **watch.taken()}) + "\n")


def _counted(records: Sequence[Path]) -> Counts:
    counts = Counts(Counter(), Counter(), Counter(), Counter())
    for record in records:
        with record.open(encoding="utf-8") as lines:
            for line in lines:
                for kind, places in json.loads(line).items():
                    if kind != "folder":
                        getattr(counts, kind).update((path, number) for path, number in places)
    return counts


def _unused(under: Sequence[str], counts: Counts, most: int) -> Iterator[Unused]:
    for folder in under:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            tree = ast.parse(path.read_bytes())
            code = compile(tree, name, "exec", dont_inherit=True)
            lines = set(_lines(code))
            never = {line for line in lines if counts.run[name, line] <= most}
            functions = list(_functions(code, frozenset(_answering(tree)), counts, most))
            told = {line for place in functions for line in range(place.first, place.last + 1)}
            places = (*functions, *_ranges(never - told))
            if places:
                yield Unused(name, len(lines), len(never), tuple(sorted(places)))


def _lines(code: CodeType) -> Iterator[int]:
    """Lines of all statements, those of functions inside as well."""
    yield from (line for _, _, line in code.co_lines() if line)
    for inner in _inner(code):
        yield from _lines(inner)


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))


def _answering(tree: ast.Module) -> Iterator[int]:
    """The first lines of functions that are there for an answer."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if not (isinstance(node.returns, ast.Constant) and node.returns.value is None):
            yield min(part.lineno for part in (node, *node.decorator_list))


def _functions(code: CodeType, answering: frozenset[int], counts: Counts, most: int) -> Iterator[Place]:
    """Functions that were hardly called, or found hardly anything; not those inside one of them."""
    for inner in _inner(code):
        key = inner.co_filename, inner.co_firstlineno
        own = {line for _, _, line in inner.co_lines() if line} - {inner.co_firstlineno}
        is_function = bool(inner.co_flags & 0x2) and not inner.co_name.startswith("<")
        is_answer = is_function and inner.co_firstlineno in answering
        what = ""
        if is_function and own and all(counts.run[inner.co_filename, line] <= most for line in own):
            what = "never called"
        elif is_answer and counts.empty[key] and counts.found[key] + counts.true[key] <= most:
            what = "gives nothing"
        elif is_answer and counts.true[key] and counts.found[key] + counts.empty[key] <= most:
            what = "always true"
        if what:
            yield Place(inner.co_firstlineno, max(_lines(inner)), f"{inner.co_name}: {what}")
        else:
            yield from _functions(inner, answering, counts, most)


def _ranges(lines: set[int]) -> Iterator[Place]:
    for _, group in groupby(enumerate(sorted(lines)), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in group]
        yield Place(numbers[0], numbers[-1], "")


if __name__ == "__main__":
    if sys.argv[1:2] == [_CHILD]:
        _child(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
    else:
        sys.exit(main())
