"""Writes evaluation/corpus.md from a run over the corpus and from the findings that were read by hand."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus_files import CorpusError
from tabulate import tabulate

if TYPE_CHECKING:
    from corpus_run import Found, PackageRun

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Reading", "load_readings", "page"]

VERDICTS = ("right", "wrong")
EXPLAINED = 2

INTRODUCTION = """# What the linter says about code that nobody here wrote

Written by `python benchmarks/corpus.py --write`; do not edit. The wheels are pinned with their hashes in
`evaluation/corpus.txt`. CPU seconds are those of one cold command line a package, start-up included,
on the machine that wrote this page; everything else is the same on every machine.
Findings that are told as one count once.
"""
READ_BY_HAND = """## Read by hand

For each rule up to 20 findings were drawn with `--sample RULE --seed N`, read in their source, and judged.
*Right* means: the pattern is there, the place runs as often as the finding says, and the advice would help.
The verdicts and reasons are in `evaluation/corpus_readings.toml`.
"""


class Reading(NamedTuple):
    """The verdict on one finding."""

    rule: str
    package: str
    path: str
    line: int
    verdict: str
    reason: str


def load_readings(path: Path) -> list[Reading]:
    """The readings of a TOML file with one ``[[reading]]`` table each; none if there is no file.

    Raises:
        CorpusError: not TOML, or a reading lacks a key, has another key, or an unknown verdict.
    """
    if not path.exists():
        return []
    try:
        tables: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8")).get("reading", [])
    except tomllib.TOMLDecodeError as error:
        raise CorpusError(f"{path}: {error}") from error
    readings = []
    for number, entry in enumerate(tables, 1):
        if set(entry) != set(Reading._fields):
            raise CorpusError(f"{path}: reading {number}: expected the keys {', '.join(Reading._fields)}")
        reading = Reading(**entry)
        if reading.verdict not in VERDICTS:
            raise CorpusError(f"{path}: reading {number}: verdict {reading.verdict!r} is not right or wrong")
        readings.append(reading)
    return readings


def page(
    runs: Sequence[PackageRun],
    readings: Sequence[Reading],
    findings_table: str,
    rules: Mapping[str, str],
) -> str:
    """The text of evaluation/corpus.md.

    Args:
        runs: the whole corpus.
        readings: what was read by hand.
        findings_table: files, lines, seconds and findings by rule, in Markdown.
        rules: name by code of all rules, also of those that found nothing.

    Raises:
        CorpusError: a reading stands for no finding of these runs, so it is out of date.
    """
    findings = [found for one in runs for found in one.findings]
    places = {
        (found.code, found.package, found.path, line)
        for found in findings
        for line in (found.line, *found.also)
    }
    stale = [reading for reading in readings if tuple(reading[:4]) not in places]
    if stale:
        listed = "".join(f"\n  {one.rule} {one.package} {one.path}:{one.line}" for one in stale)
        raise CorpusError(f"{len(stale)} readings match no finding any more:{listed}")
    unchecked = sum(len(one.unchecked) for one in runs)
    parts = [INTRODUCTION, findings_table, f"\nFiles that could not be checked: {unchecked}.\n"]
    parts += [READ_BY_HAND, _shares(findings, readings, rules), ""]
    folders = {one.package.name: one.folder for one in runs}
    for rule in sorted({reading.rule for reading in readings}):
        parts.append(f"### {rule} {rules[rule]}\n")
        for verdict in VERDICTS:
            chosen = [one for one in readings if one.rule == rule and one.verdict == verdict][:EXPLAINED]
            parts += [_explained(one, folders[one.package]) for one in chosen]
    return "\n".join(parts).rstrip() + "\n"


def _shares(findings: Sequence[Found], readings: Sequence[Reading], rules: Mapping[str, str]) -> str:
    rows = []
    for code, name in sorted(rules.items()):
        found = sum(one.code == code for one in findings)
        read = [one for one in readings if one.rule == code]
        right = sum(one.verdict == "right" for one in read)
        share = f"{right / len(read):.0%}" if read else "not read" if found else "nothing found"
        rows.append([f"{code} {name}", found, len(read), right, share])
    return tabulate(rows, headers=["rule", "findings", "read", "right", "share"], tablefmt="github")


def _explained(reading: Reading, folder: Path) -> str:
    source = (folder / reading.path).read_text(encoding="utf-8", errors="replace").splitlines()
    line = source[reading.line - 1].strip()
    return (
        f"**{reading.verdict}** {reading.package} `{reading.path}:{reading.line}`\n\n"
        f"```python\n{line}\n```\n\n{reading.reason}\n"
    )
