"""Changes conditions of sources, one at a time, and tells which changes no test notices.

    python benchmarks/mutants.py rules/streams/*.py                    with the tests that name a rule's code
    python benchmarks/mutants.py --tests tests/fixes --count 50 overhead_lint/edits/*.py

Sources are changed in a copy, never where they lie. In a change a part of ``and`` or ``or`` is left out,
what an ``if`` asks for is turned around or never so, or ``<`` becomes ``<=``. One that survives is a
condition that no test needs: the test is missing, or the condition is in vain. Some mean the same as before,
which only people can tell. Tests run in processes that are forked when torch is loaded: not on Windows. Exit
status 2: wrong use, or tests that fail without a change.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

__all__ = ["Mutant", "mutants"]

ROOT = Path(__file__).parent.parent
LONGEST = 120
"""Seconds for the tests of one change: where they take longer, they hang by it."""
_BORDERS: dict[type[ast.cmpop], tuple[bytes, bytes]] = {
    ast.Lt: (b"<", b"<="),
    ast.LtE: (b"<=", b"<"),
    ast.Gt: (b">", b">="),
    ast.GtE: (b">=", b">"),
}
_CODE = re.compile(r'code="(OVH\d+)"')
_LOADED_ONCE = ("hypothesis", "libcst", "torch", "torch._dynamo")
"""What many tests take long to import."""


class Mutant(NamedTuple):
    """A change of a source: what lies between two places becomes something else.

    Attributes:
        line: where it is.
        what: the change in words.
        start: where what is changed begins, in bytes.
        end: where it ends.
        new: what takes its place.
    """

    line: int
    what: str
    start: int
    end: int
    new: bytes

    def applied(self, data: bytes) -> bytes:
        """The source with the change."""
        return data[: self.start] + self.new + data[self.end :]


def mutants(data: bytes) -> Iterator[Mutant]:
    """The changes of conditions in the functions of a source that leave it a source.

    Args:
        data: the source, in UTF-8.
    """
    starts = [0, *itertools.accumulate(map(len, data.splitlines(keepends=True)))]
    tree = ast.parse(data)
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for node in dict.fromkeys(part for function in functions for part in ast.walk(function)):
        for mutant in _of(node, data, starts):
            try:
                ast.parse(mutant.applied(data))
            except SyntaxError:  # a comparison of one line that goes on without its parentheses
                continue
            yield mutant


def _of(node: ast.AST, data: bytes, starts: Sequence[int]) -> Iterator[Mutant]:
    """The changes of one node."""
    if isinstance(node, ast.BoolOp):
        neutral = b"True" if isinstance(node.op, ast.And) else b"False"
        for value in node.values:
            start, end = _span(value, starts)
            yield Mutant(value.lineno, f"without {ast.unparse(value)}", start, end, neutral)
    elif isinstance(node, (ast.If, ast.IfExp)):
        start, end = _span(node.test, starts)
        what = ast.unparse(node.test)
        if not isinstance(node.test, ast.BoolOp):
            yield Mutant(node.lineno, f"not {what}", start, end, b"(not (" + data[start:end] + b"))")
        if isinstance(node, ast.If):
            yield Mutant(node.lineno, f"never {what}", start, end, b"False")
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _BORDERS:
        old, new = _BORDERS[type(node.ops[0])]
        start, end = _span(node.left, starts)[1], _span(node.comparators[0], starts)[0]
        if data[start:end].strip() == old:
            what = f"{new.decode()} in {ast.unparse(node)}"
            yield Mutant(node.lineno, what, start, end, b" " + new + b" ")


def _span(node: ast.expr, starts: Sequence[int]) -> tuple[int, int]:
    """Where an expression begins and ends, in bytes."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _copied(work: Path) -> Path:
    """A copy of the files of this checkout, in which the rules are found where the package has them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, os.fsdecode(listed).split("\0")):
        target = work / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    (work / "overhead_lint" / "rules").symlink_to(work / "rules")
    return work


def _tests_of(source: str, chosen: Sequence[str], copy: Path) -> tuple[tuple[str, ...], ...]:
    """Arguments of pytest, one run after the other, for the tests of a source.

    Those that are chosen; or of a rule those in files that name its code, then those that have it for an
    argument, as the ones of its page do.
    """
    if chosen:
        return (tuple(chosen),)
    code = _CODE.search(source)
    if code is None:
        return (("tests/rules",),)
    files = sorted((copy / "tests" / "rules").glob("test_*.py"))
    naming = tuple(str(path) for path in files if code[1] in path.read_text(encoding="utf-8"))
    every = ("tests/rules", "-k", code[1])
    return (naming, every) if naming else (every,)


def _ended(runs: Sequence[Sequence[str]], copy: Path) -> int:
    """The exit status of the first run of tests in the copy that fails, or 0."""
    return next(filter(None, (_status(tests, copy) for tests in runs)), 0)


def _status(tests: Sequence[str], copy: Path) -> int:
    """The exit status of tests in the copy; of those that take too long, the alarm's as a negative number."""
    child = os.fork()
    if not child:
        os.chdir(copy)
        sys.path[:0] = [str(copy)]
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        signal.alarm(LONGEST)
        try:
            options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "--rootdir", str(copy)]
            os._exit(pytest.main([*options, *tests]))
        except BaseException:
            os._exit(pytest.ExitCode.INTERNAL_ERROR)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run(arguments: argparse.Namespace) -> None:
    """Try the changes, and print what becomes of each.

    Raises:
        ValueError: a file that is none of this checkout's, or tests that do not pass as things are.
    """
    found = []
    for path in arguments.files:
        name = path.resolve().relative_to(ROOT.resolve())
        found += [(name, mutant) for mutant in mutants(path.read_bytes())]
    random.Random(arguments.seed).shuffle(found)
    for module in _LOADED_ONCE:
        importlib.import_module(module)
    gc.freeze()
    counts = dict.fromkeys(("killed", "hangs", "SURVIVES"), 0)
    passing = set()
    with tempfile.TemporaryDirectory() as work:
        copy = _copied(Path(work))
        for name, mutant in found[: arguments.count]:
            data = (copy / name).read_bytes()
            runs = _tests_of(data.decode(), arguments.tests, copy)
            if runs not in passing:
                if _ended(runs, copy):
                    raise ValueError(f"{' '.join(runs[0])}: these tests do not pass without a change")
                passing.add(runs)
            (copy / name).write_bytes(mutant.applied(data))
            status = _ended(runs, copy)
            (copy / name).write_bytes(data)
            became = "SURVIVES" if not status else "hangs" if status == -signal.SIGALRM else "killed"
            counts[became] += 1
            print(f"{became:8}  {name}:{mutant.line}  {mutant.what}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns:
        The exit status: 0, or 2 for wrong use.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="sources to change conditions of")
    parser.add_argument("--tests", nargs="+", default=(), metavar="PATH", help="the tests (default: by code)")
    parser.add_argument("--count", type=int, default=50, help="how many changes to try (default 50)")
    parser.add_argument("--seed", type=int, default=0, help="which of them (default 0)")
    try:
        run(parser.parse_args(argv))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
