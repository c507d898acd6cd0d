"""Whether the test suites of others end alike after fixes.

    python benchmarks/fixed_suites.py FOLDER [--fix FOLDER]... [--unsafe] -- PYTEST OPTIONS AND TESTS

Two copies of a project are made. In one of them every safe fix is applied, with --unsafe all fixes, in every
function however cold it is. With --fix only what lies in these folders of the project is fixed, so that its
tests stay as they are. Then the tests run in both. What is printed are the fixes by rule, how many of the
changed files the tests ran, the outcomes, and each test that ended otherwise. Ends with 1 where one did.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from fix_corpus import everywhere

from overhead_lint.discovery import files
from overhead_lint.fixing.fixer import FixResult, fix_file
from overhead_lint.fixing.trial import Outcome, TrialError, tried
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

_PLAIN: Final = ("-q", "-p", "no:overhead", "-p", "no:cacheprovider")


def fixed(folders: Iterable[Path], *, unsafe: bool) -> list[FixResult]:
    """Return what fixing the files of some folders gives, of those that are changed."""
    lint = everywhere()
    results = []
    for target in files.collect(list(folders)):
        if isinstance(target, files.PathError):
            raise SystemExit(f"fixed_suites: {target}")
        try:
            result = fix_file(Source.read(target.path), lint, unsafe=unsafe)
        except SourceError:
            continue  # test data that is broken on purpose
        if result.changed:
            results.append(result)
    return results


def counted(outcome: Outcome) -> str:
    """Return how many tests had which result."""
    return ", ".join(f"{count} {name}" for name, count in Counter(outcome.tests.values()).most_common())


def differing(before: Outcome, after: Outcome) -> list[str]:
    """Return the tests that ended otherwise, with how."""
    names = sorted(before.tests.keys() | after.tests.keys())
    return [
        f"{name}: {before.tests.get(name, 'not run')} -> {after.tests.get(name, 'not run')}"
        for name in names
        if before.tests.get(name) != after.tests.get(name)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fix", action="append", type=Path, metavar="FOLDER")
    parser.add_argument("--unsafe", action="store_true")
    given = list(sys.argv[1:] if arguments is None else arguments)
    cut = given.index("--") if "--" in given else len(given)
    found = parser.parse_args(given[:cut])
    root = Path(os.path.realpath(found.folder))
    results = fixed([root / one for one in found.fix or ["."]], unsafe=found.unsafe)
    codes = Counter(finding.code for result in results for finding in result.applied)
    print(
        f"{codes.total()} fixes in {len(results)} files:",
        *(f"{code} {codes[code]}" for code in sorted(codes)),
    )
    changes = {result.before.path: result.before.encode(result.after_text) for result in results}
    os.environ.update(OMP_NUM_THREADS="1", PYTHONHASHSEED="0")  # sums of threads are added in any order
    os.chdir(root)
    command = shlex.join([sys.executable, "-m", "pytest", *_PLAIN, *given[cut + 1 :]])
    try:
        trial = tried(command, changes, root, runs=0)
    except TrialError as error:
        print(f"fixed_suites: {error}", file=sys.stderr)
        return 2
    print(
        f"{len(trial.ran)} of them run by the tests; "
        f"before: {counted(trial.before)}; after: {counted(trial.after)}"
    )
    for line in differing(trial.before, trial.after):
        print(line)
    if not trial.is_equal:
        print(*trial.after.last_lines, sep="\n", file=sys.stderr)
    return 0 if trial.is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
