"""Applies every fix, the unsafe ones too, to real packages, in memory, and checks what comes out.

    python benchmarks/fix_corpus.py                      the pinned packages of corpus.py
    python benchmarks/fix_corpus.py FOLDER...            folders of Python files, such as an installed torch
    python benchmarks/fix_corpus.py --show OVH302 ...    also print up to 20 diffs with fixes of a rule

A violation is what must never happen: a crash, a result that does not parse or compile, a second run
that changes something, or a complaint of pyflakes' rules (by ruff) that the file did not have before.
A failure is a fix that was refused, with the reason. Nothing is written to the packages.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corpus import cache_folder
from corpus_files import CorpusError, download, requirements, unpack
from tabulate import tabulate

from overhead_lint import files, packs
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.fixer import Failure, FixResult, diff, fix_file
from overhead_lint.rule import Heat
from overhead_lint.source import Source, SourceError

SHOWN = 20


@dataclass
class Tally:
    """What fixing one package gave."""

    name: str
    files: int = 0
    changed: list[FixResult] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    @property
    def fixes(self) -> Counter[str]:
        """Applied fixes by rule."""
        return Counter(finding.code for result in self.changed for finding in result.applied)


def fix_folder(name: str, folder: Path, linter: Linter) -> Tally:
    """Fix all files of a folder in memory and check each result."""
    tally = Tally(name)
    for target in files.collect([folder]):
        if isinstance(target, files.PathError):
            raise CorpusError(str(target))
        tally.files += 1
        try:
            source = Source.read(target.path)
            linter.lint(source)
        except SourceError:
            continue  # test data that is broken on purpose
        try:
            _fix(source, linter, tally)
        except Exception:  # a crash of any kind is what this program looks for
            tally.violations.append(f"{target.path}: crash\n{traceback.format_exc()}")
    tally.violations += _complaints(tally.changed)
    return tally


def _fix(source: Source, linter: Linter, tally: Tally) -> None:
    result = fix_file(source, linter.lint, unsafe=True)
    tally.failures += result.failures
    if not result.changed:
        return
    tally.changed.append(result)
    after = Source.from_bytes(source.path, source.encode(result.after_text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(after.text, str(source.path), "exec", dont_inherit=True)
    again = fix_file(after, linter.lint, unsafe=True)
    if again.changed:
        tally.violations.append(f"{source.path}: a second run changes it\n{diff(after, again.after_text)}")


def _complaints(results: Sequence[FixResult]) -> Iterator[str]:
    """What ruff's pyflakes rules say of the fixed files, and did not say before."""
    with tempfile.TemporaryDirectory() as name:
        sides = {side: Path(name) / side for side in ("before", "after")}
        for side in sides.values():
            side.mkdir()
        for i, result in enumerate(results):
            (sides["before"] / f"{i}.py").write_bytes(result.before.data)
            (sides["after"] / f"{i}.py").write_bytes(result.before.encode(result.after_text))
        before, after = (_ruff(side) for side in sides.values())
    for (i, code, message), count in (after - before).items():
        yield f"{results[i].before.path}: {code} {message} ({count} more)"


def _ruff(folder: Path) -> Counter[tuple[int, str, str]]:
    """Complaints by number of file, code and message; lines are left out, since they move."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F,E9"]
    done = subprocess.run(
        [*command, "--output-format", "json", str(folder)], capture_output=True, text=True, check=False
    )
    return Counter(
        (
            int(Path(one["filename"]).stem),
            one["code"] or "syntax",
            re.sub(r"from line \d+", "from above", one["message"]),
        )
        for one in json.loads(done.stdout)
    )


def table(tallies: Sequence[Tally]) -> str:
    """One row a package: files, changed files, fixes by rule, failures, violations."""
    codes = sorted({code for tally in tallies for code in tally.fixes})
    counts = [
        [t.files, len(t.changed), *(t.fixes[code] for code in codes), len(t.failures), len(t.violations)]
        for t in tallies
    ]
    rows = [[tally.name, *row] for tally, row in zip(tallies, counts, strict=True)]
    rows.append(["all", *(sum(column) for column in zip(*counts, strict=True))])
    return tabulate(rows, headers=["package", "files", "changed", *codes, "failures", "violations"])


def _folders(arguments: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    if arguments.folders:
        for folder in arguments.folders:
            if not folder.is_dir():
                raise CorpusError(f"{folder}: no such folder")
            yield folder.name, folder
        return
    download(arguments.dir / "wheels")
    for package in requirements():
        yield package.name, unpack(package, arguments.dir / "wheels", arguments.dir / "src")


def run(arguments: argparse.Namespace) -> bool:
    """Fix everything and print what came out; says whether there was no violation."""
    linter = Linter(packs.select(packs.load(), ("ALL",), ()), Settings(min_heat=Heat.PRESUMED))
    tallies = [fix_folder(name, folder, linter) for name, folder in _folders(arguments)]
    if arguments.show:
        results = [r for t in tallies for r in t.changed if any(f.code == arguments.show for f in r.applied)]
        for result in results[:SHOWN]:
            print(diff(result.before, result.after_text))
    print(table(tallies))
    reasons = Counter(f"{f.finding.code}: {f.reason}" for t in tallies for f in t.failures)
    for reason, count in reasons.most_common():
        print(f"{count:5d} refused, {reason}")
    violations = [violation for tally in tallies for violation in tally.violations]
    for violation in violations:
        print(f"VIOLATION {violation}")
    return not violations


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; 1 if there were violations, 2 if the packages cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument("--show", metavar="RULE", help="print diffs with fixes of this rule")
    try:
        return 0 if run(parser.parse_args(argv)) else 1
    except CorpusError as error:
        print(f"fix_corpus: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
