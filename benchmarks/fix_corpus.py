"""Applies every fix to real packages, in memory, and checks what comes out: safe fixes, then all of them.

    python benchmarks/fix_corpus.py                      the pinned packages of corpus.py
    python benchmarks/fix_corpus.py FOLDER...            folders of Python files, such as an installed torch
    python benchmarks/fix_corpus.py --mirrors FOLDER     the newest commits of bare repositories in a folder
    python benchmarks/fix_corpus.py --show OVH302 ...    also print up to 20 diffs with fixes of a rule
    python benchmarks/fix_corpus.py --write ...          also put the tables into evaluation/corpus.md

All rules run, those that are off by default too, in every function however cold it is. A violation is
what must never happen: a crash, a result that does not parse or compile, a second run that changes
something, a finding that was fixed and is still there, two findings made of one, a line changed that
belongs to no edited statement, a comment lost in a safe fix, other line ends, indentation or encoding, a
complaint of pyflakes' rules (by ruff) that the file did not have before, or a file that ruff format left
alone before, and not once it is fixed and laid out as `--fix` does. A failure is a fix that was refused,
with the reason. Nothing is written to the packages.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path

from corpus import EVALUATION, cache_folder
from corpus_files import CorpusError, download, requirements, unpack
from fix_checks import Recorder, Round, complaints, problems
from fix_format import layout_problems
from tabulate import tabulate

from overhead_lint import _version
from overhead_lint.config.run_settings import Settings
from overhead_lint.discovery import files
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import Failure, FixResult, Lint, diff, fix_file
from overhead_lint.rule import Finding, Heat
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

SHOWN = 20
_TABLES = re.compile(r"(<!-- fix_corpus -->\n).*?(<!-- /fix_corpus -->)", re.DOTALL)


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


def everywhere() -> Lint:
    """Lints with all rules: in functions whatever their heat, at the top level of files as they are.

    The checks fix a file again and again by turns, so what was found in the last texts of it is kept.
    """
    rules = packs.select(packs.load(), ("ALL",), (), preview=True)
    linter = Linter(rules, Settings(min_heat=Heat.COLD, preview=True))
    anywhere = {rule.code for rule in rules if rule.heat is Heat.COLD}

    @lru_cache(maxsize=32)
    def found_in(path: Path, data: bytes) -> list[Finding]:
        source = Source.from_bytes(path, data)
        return [
            found
            for found in linter.lint(source)
            if found.code in anywhere
            or found.warmth.heat > Heat.COLD
            or (found.standing is not None and found.standing.function)
        ]

    return lambda source: found_in(source.path, source.data)


def fix_folder(name: str, folder: Path, lint: Lint) -> dict[bool, Tally]:
    """Fix all files of a folder in memory, with safe fixes (False) and with all (True); check each result."""
    tallies = {False: Tally(name), True: Tally(name)}
    for target in files.collect([folder]):
        if isinstance(target, files.PathError):
            raise CorpusError(str(target))
        for tally in tallies.values():
            tally.files += 1
        try:
            source = Source.read(target.path)
            found = lint(source)
        except SourceError:
            continue  # test data that is broken on purpose
        for unsafe, tally in tallies.items():
            try:
                _fix(source, found, lint, tally, unsafe=unsafe)
            except Exception:  # a crash of any kind is what this program looks for
                tally.violations.append(f"{target.path}: crash\n{traceback.format_exc()}")
    for tally in tallies.values():
        tally.violations += complaints(tally.changed)
    return tallies


def _fix(source: Source, found: list[Finding], lint: Lint, tally: Tally, *, unsafe: bool) -> None:
    recorder = Recorder(lint)
    recorder.rounds.append(Round(source, found))
    result = fix_file(source, recorder, unsafe=unsafe, found=found)
    tally.failures += result.failures
    if not result.changed:
        return
    tally.changed.append(result)
    fix = partial(fix_file, lint=lint, unsafe=unsafe)
    lines = [*problems(result, recorder.rounds, fix, unsafe=unsafe), *layout_problems(result, fix)]
    tally.violations += (f"{source.path}: {line}" for line in lines)


def table(tallies: Sequence[Tally], style: str = "simple") -> str:
    """One row a package: files, changed files, fixes, failures, violations; the last one is their sum."""
    counts = [[t.files, len(t.changed), t.fixes.total(), len(t.failures), len(t.violations)] for t in tallies]
    rows = [[tally.name, *row] for tally, row in zip(tallies, counts, strict=True)]
    rows.append(["all", *(sum(column) for column in zip(*counts, strict=True))])
    headers = ["package", "files", "changed", "fixes", "refused", "violations"]
    return tabulate(rows, headers=headers, tablefmt=style)


def by_rule(safe: Sequence[Tally], both: Sequence[Tally], style: str = "simple") -> str:
    """One row a rule: fixes with safe ones alone, and with all."""
    first, second = (sum((tally.fixes for tally in side), Counter[str]()) for side in (safe, both))
    rows = [[code, first[code], second[code]] for code in sorted(first | second)]
    return tabulate(rows, headers=["rule", "safe fixes", "safe and unsafe"], tablefmt=style)


def _folders(arguments: argparse.Namespace, scratch: Path) -> Iterator[tuple[str, Path]]:
    if arguments.mirrors:
        for git in sorted(arguments.mirrors.glob("*/repo")):
            name = git.parent.name.replace("+", "/")
            if not arguments.only or name.rpartition("/")[2] in arguments.only:
                yield _laid_out(name, git, scratch)
        return
    if arguments.folders:
        for folder in arguments.folders:
            if not folder.is_dir():
                raise CorpusError(f"{folder}: no such folder")
            yield folder.name, folder
        return
    download(arguments.dir / "wheels")
    for package in requirements():
        folder = unpack(package, arguments.dir / "wheels", arguments.dir / "src")
        yield f"{package.name} {package.version}", folder


def _laid_out(name: str, git: Path, scratch: Path) -> tuple[str, Path]:
    """The Python files of the newest commit of a bare repository as a folder, and what to call it."""
    commit = _git(git, "rev-parse", "--short=9", "HEAD").decode().strip()
    entries = [entry.partition("\t") for entry in _git(git, "ls-tree", "-rz", "HEAD").decode().split("\0")]
    wanted = [
        (head.split()[2], path) for head, _, path in entries if path.endswith(".py") and head[:3] == "100"
    ]
    answer = BytesIO(_git(git, "cat-file", "--batch", text="".join(f"{blob}\n" for blob, _ in wanted)))
    for _, path in wanted:
        header = answer.readline().split()
        if header[1] == b"missing":
            continue
        target = scratch / name.replace("/", "+") / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(answer.read(int(header[2])))
        answer.read(1)
    return f"{name} {commit}", scratch / name.replace("/", "+")


def _git(folder: Path, *arguments: str, text: str = "") -> bytes:
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, check=False, input=text.encode())
    if done.returncode:
        raise CorpusError(f"{folder}: git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def run(arguments: argparse.Namespace) -> bool:
    """Fix everything and print what came out; says whether there was no violation."""
    lint = everywhere()
    tallies: dict[bool, list[Tally]] = {False: [], True: []}
    with tempfile.TemporaryDirectory(prefix="fix-corpus-") as scratch:
        for name, folder in _folders(arguments, Path(scratch)):
            for unsafe, tally in fix_folder(name, folder, lint).items():
                tallies[unsafe].append(tally)
                _print_tally(tally, "safe and unsafe" if unsafe else "safe")
    safe, both = tallies[False], tallies[True]
    if arguments.show:
        results = [r for t in both for r in t.changed if any(f.code == arguments.show for f in r.applied)]
        for result in results[:SHOWN]:
            print(diff(result.before, result.after_text))
    print(f"\nSafe fixes:\n\n{table(safe)}\n\nAll fixes:\n\n{table(both)}\n\n{by_rule(safe, both)}\n")
    reasons = Counter(f"{f.finding.code}: {f.reason}" for t in both for f in t.failures)
    for reason, count in reasons.most_common():
        print(f"{count:5d} refused, {reason}")
    if arguments.write:
        _write(safe, both)
    return not any(tally.violations for tally in (*safe, *both))


def _print_tally(tally: Tally, kind: str) -> None:
    counts = f"{tally.files} files, {len(tally.changed)} changed, {tally.fixes.total()} fixes"
    print(f"{tally.name}, {kind}: {counts}, {len(tally.violations)} violations", flush=True)
    for violation in tally.violations:
        print(f"VIOLATION {violation}", flush=True)


def _write(safe: Sequence[Tally], both: Sequence[Tally]) -> None:
    """Put the tables between their marks in evaluation/corpus.md."""
    path = EVALUATION / "corpus.md"
    version = f"overhead-lint {_version.__version__}, Python {sys.version.split()[0]}, {date.today()}"
    parts = [version + ".", "Safe fixes alone:", table(safe, "github"), "Safe and unsafe ones:"]
    parts += [table(both, "github"), "By rule:", by_rule(safe, both, "github")]
    body = "\n\n".join(parts)
    text, count = _TABLES.subn(
        lambda match: f"{match[1]}{body}\n{match[2]}", path.read_text(encoding="utf-8")
    )
    if not count:
        raise CorpusError(f"{path}: has no place for the tables (<!-- fix_corpus -->)")
    path.write_text(text, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; 1 if there were violations, 2 if the packages cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument(
        "--mirrors", type=Path, metavar="FOLDER", help="holds bare repositories owner+name/repo"
    )
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="of the mirrors, only this repository"
    )
    parser.add_argument("--show", metavar="RULE", help="print diffs with fixes of this rule")
    parser.add_argument("--write", action="store_true", help="put the tables into evaluation/corpus.md")
    try:
        return 0 if run(parser.parse_args(argv)) else 1
    except CorpusError as error:
        print(f"fix_corpus: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
