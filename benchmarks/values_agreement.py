"""Compares what values of the records say of expressions with what the linter answered when it was recorded.

    python benchmarks/values_agreement.py ANSWERS [--package NAME...] [--show OLD NEW [--most N]]

ANSWERS is a recording of `differential.py answers`. Each question for a kind in it is put to
`overhead_lint.analysis.values`, and the pairs of answers are counted. --show prints the places of one pair.
--check-order solves once more in another order, and says how many values differ.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from overhead_lint.analysis.ir.builder import Trace
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.values.lattice import (
    ARRAY,
    DEVICES,
    FUNCTION,
    HOST,
    KINDS,
    MODULE,
    NONE_TYPE,
    NUMBERS,
    TENSOR,
    UNKNOWN,
    Value,
    names_of,
)
from overhead_lint.analysis.values.library import is_known_package
from overhead_lint.analysis.values.project import Values, solve
from overhead_lint.analysis.values.symbols import Api, Body

if TYPE_CHECKING:
    from overhead_lint.analysis.ir.records import FileIR

_KIND: Final = "kind"
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Module)


class Question(NamedTuple):
    """A question for a kind, and what was answered.

    Attributes:
        path: the file, as it was linted.
        place: line, column, end and class of the node.
        asked: how often it was asked.
        answer: the kind.
    """

    path: str
    place: tuple[int, int, int, int, str]
    asked: int
    answer: str


class Read(NamedTuple):
    """A file that was read.

    Attributes:
        tree: what it says.
        record: its operations.
        trace: where its nodes went among them.
    """

    tree: ast.Module
    record: FileIR
    trace: Trace


def questions(recording: Path, package: str) -> Iterator[Question]:
    """Yield the questions for kinds that were recorded of a package."""
    with gzip.open(recording, "rt", encoding="utf-8") as file:
        for line in file:
            told = json.loads(line)
            if told.get("subject") == package and "path" in told:
                for row in told["answers"].get(_KIND, ()):
                    yield Question(told["path"], tuple(row[:5]), row[5] + row[6], row[7])


def subjects(recording: Path) -> Mapping[str, str]:
    """Return the folders of the packages that were recorded, by name."""
    with gzip.open(recording, "rt", encoding="utf-8") as file:
        found: Mapping[str, str] = json.loads(next(file))["subjects"]
        return found


def read(folder: Path) -> tuple[dict[str, Read], dict[str, str], set[str]]:
    """Return the files below a folder by module, the modules by path from there, and which are packages."""
    files, modules, packages = {}, {}, set()
    for path in sorted(folder.rglob("*.py")):
        parts = list(path.relative_to(folder).with_suffix("").parts)
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        if not name:
            continue
        trace = Trace()
        files[name] = Read(tree, lower(tree, trace), trace)
        modules[path.relative_to(folder).as_posix()] = name
        if is_package:
            packages.add(name)
    return files, modules, packages


def kind_of(value: Value) -> str:
    """Return the name of the kind that the linter would say a value is of."""
    bits = value.bits
    kinds = bits & KINDS & ~NONE_TYPE
    if not kinds:
        return "OBJECT" if bits & NONE_TYPE else "BOTTOM"
    if kinds & UNKNOWN:
        return "UNKNOWN"
    if kinds == TENSOR:
        return "HOST_TENSOR" if bits & DEVICES == HOST else "TENSOR"
    for kind, name in ((MODULE, "MODULE"), (ARRAY, "ARRAY")):
        if kinds == kind:
            return name
    if kinds & ~NUMBERS == 0:
        return "NUMBER"
    if kinds & (TENSOR | MODULE | ARRAY | NUMBERS):
        return "UNKNOWN"
    return "UNKNOWN" if kinds == FUNCTION and _is_foreign(value) else "OBJECT"


def _is_foreign(value: Value) -> bool:
    """Whether it is a name of a library of which nobody knows what it is."""
    return any(isinstance(one, Api) and not is_known_package(one.path) for one in value.references)


class Asking:
    """Puts questions about one file to the values of its project.

    Args:
        file: the file.
        name: its module.
        values: the project's.
    """

    def __init__(self, file: Read, name: str, values: Values) -> None:
        self._file, self._values, self._name = file, values, name
        self._nodes: dict[tuple[int, int, int, int, str], ast.AST] = {}
        self._parents: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(file.tree):
            end = getattr(node, "end_lineno", 0) or 0, getattr(node, "end_col_offset", 0) or 0
            start = getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1
            self._nodes.setdefault((*start, *end, type(node).__name__), node)
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node

    def value(self, place: tuple[int, int, int, int, str]) -> tuple[Value, Body] | None:
        """Return the value at a place, and the body that it stands in; None where nothing was lowered."""
        node = self._nodes.get(place)
        at = self._file.trace.values.get(node) if node is not None else None
        if node is None or at is None:
            return None
        block = None
        inside, around = node, self._parents.get(node)
        while around is not None and not (isinstance(around, _SCOPES) and self._is_body(around, inside)):
            if block is None:
                block = self._file.trace.blocks.get(inside)
            inside, around = around, self._parents.get(around)
        if block is None:
            block = self._file.trace.blocks.get(inside)
        body = self._values.body(self._name, self._file.trace.functions[around or self._file.tree])
        return self._values.value(body, at, block), body

    @staticmethod
    def _is_body(scope: ast.AST, inside: ast.AST) -> bool:
        """Whether a node is evaluated in the scope that its parent opens, and not around it."""
        held: Any = getattr(scope, "body", None)
        return inside in held if isinstance(held, list) else inside is held or isinstance(scope, ast.Module)


def compare(
    recording: Path, package: str, folder: Path, arguments: argparse.Namespace
) -> Counter[tuple[str, str]]:
    """Count the pairs of answers of a package, and print what was asked for."""
    files, modules, packages = read(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*.py")) / 1e6
    began = time.process_time()
    values = solve({name: one.record for name, one in files.items()}, packages)
    took = time.process_time() - began
    asking: dict[str, Asking] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for one in questions(recording, package):
        name = modules.get(one.path)
        if name is None:
            continue
        if name not in asking:
            asking[name] = Asking(files[name], name, values)
        found = asking[name].value(one.place)
        told = kind_of(found[0]) if found is not None else "NOT LOWERED"
        counts[one.answer, told] += 1
        if arguments.show == [one.answer, told] and counts[one.answer, told] <= arguments.most:
            text = (folder / one.path).read_text(encoding="utf-8", errors="replace").splitlines()
            line, column, end_line, end, _ = one.place
            shown = (
                text[line - 1]
                .encode()[column - 1 : end if end_line == line else None]
                .decode(errors="replace")
            )
            held = names_of(found[0].bits & KINDS) if found is not None else ""
            print(f"{package}/{one.path}:{line}:{column}: {shown[:70]}  {held}")
    print(f"{package}: {took / size:.2f} CPU s/MB ({size:.1f} MB)", end="")
    if arguments.check_order:
        print(f", {_differing(files, packages, values)} values hang on the order", end="")
    print()
    return counts


def _differing(files: Mapping[str, Read], packages: set[str], values: Values) -> int:
    generator = random.Random(1)
    other = solve(
        {name: one.record for name, one in files.items()},
        packages,
        order=lambda batch: generator.sample(batch, len(batch)),
    )
    return sum(
        (one.bits, [each.order for each in one.references])
        != (two.bits, [each.order for each in two.references])
        for first, second in zip(values.bodies(), other.bodies(), strict=True)
        for one, two in zip(first.values, second.values, strict=True)
    )


def main(given: Sequence[str] | None = None) -> int:
    """Run the command line, and return its status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("answers", type=Path)
    parser.add_argument("--package", action="append", default=[])
    parser.add_argument("--show", nargs=2, metavar=("OLD", "NEW"), default=[])
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--check-order", action="store_true")
    arguments = parser.parse_args(given)
    try:
        known = subjects(arguments.answers)
    except (OSError, ValueError, KeyError) as error:
        print(f"{arguments.answers}: no recording of answers: {error}", file=sys.stderr)
        return 2
    total: Counter[tuple[str, str]] = Counter()
    for package in arguments.package or sorted(known):
        if package not in known:
            print(f"not recorded: {package}", file=sys.stderr)
            return 2
        total += compare(arguments.answers, package, Path(known[package]), arguments)
    agreed = sum(count for (old, new), count in total.items() if old == new)
    print(f"{agreed} of {sum(total.values())} answers are the same")
    for (old, new), count in total.most_common():
        print(f"{count:8}  {old:12} {new}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
