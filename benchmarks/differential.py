"""Differential tests of the linter: what it finds and what its core answers, held to a recording.

    python benchmarks/differential.py findings --record FILE CORPUS...   record all findings with their fixes
    python benchmarks/differential.py findings --against FILE            tell what is different now
    python benchmarks/differential.py findings --against FILE --note step2.jsonl
                                                        and keep what nobody has read, to be read
    python benchmarks/differential.py mark step2.jsonl right --reason WHY --code OVH404
    python benchmarks/differential.py answers --record FILE CORPUS...    the same of questions to the core
    python benchmarks/differential.py answers --against FILE

CORPUS is a folder of packages. ``--wild`` adds the packages of `benchmarks/wild.py`, ``--mirrors`` the
commits of `evaluation/commits`. ``--sample`` takes the smallest packages and one commit a repository. With a
recording and no CORPUS, what it holds is looked at where it lay.

The exit status is 1 if there are differences that nobody has read, or more that were found wrong than right,
and 2 if something cannot be had.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import differential_answers
import differential_findings
from corpus import cache_folder
from corpus_files import CorpusError
from differential_linter import ROOT, Linter, copied
from differential_records import (
    READ,
    VERDICTS,
    Difference,
    File,
    Recorded,
    Recording,
    kept,
    mark,
    note,
    recorded,
    write,
)
from differential_subjects import Subject, commits, digest, packages, sampled, wild_packages
from wild import sets


class Kind(NamedTuple):
    """What is compared.

    Attributes:
        look: gives what there is of a project, by the linter, its folder, the paths in it, the recording that
            it is to be compared with, and its name.
        differences: tells what is different of a project.
    """

    look: Callable[[Linter, Path, Sequence[str], Recording | None, str], list[File]]
    differences: Callable[[str, Sequence[File], Sequence[File]], Iterator[Difference]]


KINDS: Mapping[str, Kind] = {
    "findings": Kind(differential_findings.look, differential_findings.differences),
    "answers": Kind(differential_answers.look, differential_answers.differences),
}


def subjects_of(arguments: argparse.Namespace, recording: Recording | None) -> list[Subject]:
    """The projects to look at, in the order of their names.

    Raises:
        CorpusError: they cannot be had, or there are none.
    """
    found = packages(arguments.corpus)
    if arguments.wild is not None:
        found += wild_packages(arguments.wild or sets(), arguments.dir)
    if arguments.mirrors is not None:
        there, missing = commits(arguments.mirrors)
        if missing:
            print(f"left out, no mirror: {', '.join(missing)}", file=sys.stderr)
        found += there
    if recording is not None and not found:
        found = [Subject(name, Path(folder)) for name, folder in recording.subjects.items() if folder]
        left = len(recording.subjects) - len(found)
        if left:
            print(f"left out, {left} commits: say where the --mirrors are", file=sys.stderr)
    if arguments.package:
        found = [one for one in found if one.name in arguments.package]
    if arguments.sample:
        found = sampled(found)
    if recording is not None:
        unknown = [one.name for one in found if one.name not in recording.subjects]
        if unknown:
            print(f"left out, not in {recording.path}: {', '.join(unknown)}", file=sys.stderr)
        found = [one for one in found if one.name in recording.subjects]
    names = Counter(one.name for one in found)
    if twice := [name for name, count in names.items() if count > 1]:
        raise CorpusError(f"two projects are called {twice[0]}")
    if not found:
        raise CorpusError("nothing to look at: name a folder of packages, --wild or --mirrors")
    return sorted(found)


def looked_at(
    kind: Kind, linter: Linter, subjects: Sequence[Subject], jobs: int, recording: Recording | None
) -> Iterator[Recorded]:
    """What there is of each project, in their order; the largest are begun first.

    Raises:
        CorpusError: the linter failed on one.
    """

    def one(subject: Subject) -> Recorded:
        with subject.laid_out() as folder:
            sys.stderr.write(f"{subject.name}: begun\n")
            files = kind.look(linter, folder, subject.paths, recording, subject.name)
            return Recorded(subject.name, subject.tree[1] if subject.tree else digest(folder), files)

    with ThreadPoolExecutor(jobs) as pool:
        largest = sorted(subjects, key=lambda subject: -subject.megabytes)
        runs = {subject.name: pool.submit(one, subject) for subject in largest}
        try:
            for subject in subjects:
                yield runs.pop(subject.name).result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def compared(kind: Kind, recording: Recording, now: Iterator[Recorded]) -> Iterator[Difference]:
    """What is different from a recording.

    Raises:
        CorpusError: the sources of a project are not those that were recorded.
    """
    before = recording.projects()
    for project in now:
        old = next(one for one in before if one.subject == project.subject)
        if old.digest != project.digest:
            raise CorpusError(f"{project.subject}: its sources are not those of {recording.path}")
        yield from kind.differences(project.subject, old.files, project.files)


def show(found: Sequence[Difference], most: int) -> int:
    """Print differences, what was read after what was not.

    Returns:
        the exit status.
    """
    read = kept()
    verdicts = [read.get(one.id, {}).get("verdict", "") for one in found]
    for verdict in ("", *VERDICTS):
        of = [one for one, its in zip(found, verdicts, strict=True) if its == verdict]
        for one in of[:most]:
            print(f"{verdict or 'unread':7} {one}")
        if len(of) > most:
            print(f"{verdict or 'unread':7} ... and {len(of) - most} more (--most)")
    for name, counts in (
        ("by code", Counter(one.code for one in found)),
        ("by change", Counter(one.change for one in found)),
    ):
        print(f"{name}: {', '.join(f'{key} {count}' for key, count in counts.most_common()) or 'none'}")
    counts = Counter(verdicts)
    told = ", ".join(f"{counts[verdict]} {verdict or 'unread'}" for verdict in ("", *VERDICTS))
    print(f"{len(found)} differences: {told}")
    return 1 if counts[""] or counts["wrong"] > counts["right"] else 0


def run(arguments: argparse.Namespace) -> int:
    """Do what the command line asks for; the exit status.

    Raises:
        CorpusError: something cannot be had.
    """
    if arguments.command == "mark":
        filters = {key: getattr(arguments, key) for key in ("code", "subject", "path", "what", "parts")}
        count = mark(
            READ / arguments.file,
            arguments.verdict,
            arguments.reason,
            arguments.ids,
            filters,
            arguments.again,
        )
        print(f"{count} marked")
        return 0 if count else 2
    kind = KINDS[arguments.command]
    recording = recorded(arguments.against, arguments.command) if arguments.against else None
    subjects = subjects_of(arguments, recording)
    with copied(arguments.linter) as linter:
        print(f"linter: {linter.version}", file=sys.stderr)
        now = looked_at(kind, linter, subjects, arguments.jobs, recording)
        if recording is None:
            folders = {one.name: str(one.folder or "") for one in subjects}
            write(arguments.record, arguments.command, linter.version, folders, now)
            return 0
        print(f"recorded with: {recording.linter}", file=sys.stderr)
        found = sorted(compared(kind, recording, now), key=lambda one: (-one.weight, one[:6]))
    if arguments.note:
        read = kept()
        unread = [one for one in found if not read.get(one.id, {}).get("verdict")]
        print(f"{note(READ / arguments.note, unread)} noted in {READ / arguments.note}", file=sys.stderr)
    return show(found, arguments.most)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    whole = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = whole.add_subparsers(dest="command", required=True)
    for name in KINDS:
        one = commands.add_parser(name, help=f"record {name}, or compare them")
        one.add_argument("corpus", nargs="*", type=Path, metavar="CORPUS", help="folder of packages")
        what = one.add_mutually_exclusive_group(required=True)
        what.add_argument("--record", type=Path, metavar="FILE", help="write a recording")
        what.add_argument("--against", type=Path, metavar="FILE", help="compare with a recording")
        one.add_argument("--wild", nargs="*", choices=sets(), metavar="SET", help="and these sets, or all")
        one.add_argument("--mirrors", type=Path, help="and commits of the repositories that lie there")
        one.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels are kept")
        one.add_argument("--package", action="append", metavar="NAME", help="only this (repeatable)")
        one.add_argument("--sample", action="store_true", help="a sample that takes some minutes")
        one.add_argument("--jobs", type=int, default=2, help="projects at the same time (default 2)")
        one.add_argument(
            "--linter", type=Path, default=ROOT, metavar="CHECKOUT", help="that of another checkout"
        )
        one.add_argument("--note", metavar="NAME.jsonl", help="keep what is unread in this file")
        one.add_argument("--most", type=int, default=200, help="differences to print (default 200)")
    one = commands.add_parser("mark", help="give kept differences a verdict")
    one.add_argument("file", metavar="NAME.jsonl", help=f"file in {READ}")
    one.add_argument("verdict", choices=VERDICTS)
    one.add_argument("ids", nargs="*", metavar="ID", help="which; else all that the patterns fit")
    one.add_argument("--reason", required=True, help="why")
    one.add_argument("--again", action="store_true", help="those that have a verdict, too")
    for key in ("code", "subject", "path", "what"):
        one.add_argument(f"--{key}", metavar="PATTERN", help=f"those whose {key} fits")
    one.add_argument("--parts", metavar="PARTS", help="those that changed in just these: heat,reason")
    return whole


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; see the top for the exit status."""
    try:
        return run(parser().parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"differential: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
