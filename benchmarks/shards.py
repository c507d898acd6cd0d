"""Times shards of a run beside the whole run, and the cache that they share, in docs/performance.md.

    python benchmarks/shards.py [FOLDER...]     on folders of Python files (default: packages of the corpus)
    python benchmarks/shards.py --write         rewrites the section of docs/performance.md

Each shard stands for a machine: it has a copy of the cache of its own, or none. What counts is the slowest
of them. Figures are CPU seconds of one process, as ratios to the whole run of the same round; reports of all
shards are merged in each round, and must be the report of the whole run.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from compiled_form import copied, installed, started
from corpus import cache_folder
from corpus_files import REQUIREMENTS, CorpusError, download, requirements, unpack
from lint_runs import size, timed
from page_sections import with_section
from tabulate import tabulate

PAGE: Final = Path(__file__).parent.parent / "docs" / "performance.md"
SECTION: Final = "shards"
_PACKAGES: Final = ("accelerate", "litgpt")
_SHARDS: Final = (1, 2, 4)
_TEXT: Final = """\
## Several machines

Written by `python benchmarks/shards.py --write` on {date}, Python {python}: CPU seconds of the slowest
shard as a ratio to those of a whole run with an empty cache. Each is one process, and the median of {rounds}
{noun}, on {names} ({megabytes:.1f} MB of source). In each round the merged report was that of the whole run.

{table}

With an empty cache each shard reads all files for the graph, and only the rules are split. Where the cache
has the graph, a shard looks into its own files alone. Where it has the findings, too, as those of the commit
before, one machine is enough.

The cache of this project takes {cache:.1f} MB, {ratio:.2f} times its source; packed by gzip {packed:.1f} MB.
"""


class Round(NamedTuple):
    """What one round took: CPU seconds of the slowest shard by their number.

    Attributes:
        whole: seconds of a run over all files, with an empty cache.
        cold: of shards with an empty cache.
        with_graph: of shards with a cache that holds the graph.
        warm: of shards with a cache that holds all.
    """

    whole: float
    cold: Mapping[int, float]
    with_graph: Mapping[int, float]
    warm: Mapping[int, float]


class Bench(NamedTuple):
    """What is run, and over what.

    Attributes:
        command: the linter's, without arguments.
        project: a project to check.
        work: a folder for caches and reports.
    """

    command: Sequence[str]
    project: Path
    work: Path


def check(bench: Bench, cache: Path, report: Path, *more: str) -> float:
    """Run the linter over the project, or one file of it; gives CPU seconds."""
    options = ["-q", "-j", "1", "--cache-dir", str(cache), "--output-format", "json", "-o", str(report)]
    return timed([*bench.command, *options, *more], bench.project).cpu


def slowest(bench: Bench, shards: int, cache: Path | None, whole: Path) -> float:
    """Run all shards, each with a copy of a cache; gives CPU seconds of the slowest.

    Raises:
        CorpusError: their merged report is not that of the whole run.
    """
    taken, reports = [], []
    for number in range(1, shards + 1):
        own, report = bench.work / "own-cache", bench.work / f"{number}.json"
        if cache is not None:
            shutil.copytree(cache, own)
        taken.append(check(bench, own, report, "--shard", f"{number}/{shards}", "."))
        shutil.rmtree(own)
        reports.append(str(report))
    merged = bench.work / "merged.json"
    command = [*bench.command, "merge-reports", "--shards", str(shards), "-o", str(merged), *reports]
    timed(command, bench.project)
    if merged.read_bytes() != whole.read_bytes():
        raise CorpusError(f"{shards} shards report something else than one run")
    return max(taken)


def one_round(bench: Bench) -> Round:
    """Measure all that is compared, once."""
    work = bench.work
    full, graph, whole = work / "full", work / "graph", work / "whole.json"
    for cache in (full, graph):
        shutil.rmtree(cache, ignore_errors=True)
    taken = check(bench, full, whole, ".")
    # A run over one file looks at the others as far as the graph needs it.
    check(bench, graph, work / "one.json", "overhead_lint_benchmark.py")
    found = [
        {shards: slowest(bench, shards, cache, whole) for shards in _SHARDS} for cache in (None, graph, full)
    ]
    return Round(taken, *found)


def packed_size(folder: Path, work: Path) -> float:
    """Megabytes of a folder as a compressed archive."""
    archive = work / "cache.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(folder, "cache")
    return archive.stat().st_size / 1e6


def table(rounds: Sequence[Round]) -> str:
    """The ratios as a Markdown table."""
    whats = {
        "cold": "empty cache",
        "with_graph": "the graph in the cache",
        "warm": "all in the cache",
    }
    rows = [
        (
            what,
            *(
                f"{statistics.median(getattr(one, name)[shards] / one.whole for one in rounds):.2f}"
                for shards in _SHARDS
            ),
        )
        for name, what in whats.items()
    ]
    headers = ("", *(f"{shards} shard{'s' if shards > 1 else ''}" for shards in _SHARDS))
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True, stralign="right")


def section(folders: Sequence[Path], rounds: int) -> str:
    """Measure, and give the section of the page.

    Raises:
        CorpusError: a run failed, or shards report something else than one run.
    """
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as temporary:
        work, project = Path(temporary), Path(temporary) / "project"
        for folder in folders:
            shutil.copytree(
                folder, project / folder.name, ignore=shutil.ignore_patterns(".overhead-lint-cache")
            )
        (project / "overhead-lint.toml").touch()
        (project / "overhead_lint_benchmark.py").touch()
        site = installed(copied(work / "forms"), work / "python", "")  # a checkout may change meanwhile
        bench = Bench(started(site), project, work)
        found = [one_round(bench) for _ in range(rounds)]
        cache = sum(path.stat().st_size for path in (work / "full").iterdir()) / 1e6
        return _TEXT.format(
            date=time.strftime("%Y-%m-%d"),
            python=platform.python_version(),
            rounds=rounds,
            noun="round" if rounds == 1 else "rounds",
            names=", ".join(folder.name for folder in folders),
            megabytes=size(project),
            table=table(found),
            cache=cache,
            ratio=cache / size(project),
            packed=packed_size(work / "full", work),
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when something cannot be had or measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels are kept")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="rewrite the section of docs/performance.md")
    arguments = parser.parse_args(argv)
    try:
        folders = arguments.folders
        if not folders:
            download(arguments.dir / "wheels")
            wanted = [one for one in requirements(REQUIREMENTS) if one.name in _PACKAGES]
            folders = [unpack(one, arguments.dir / "wheels", arguments.dir / "src") for one in wanted]
        text = section(folders, arguments.rounds)
    except (CorpusError, OSError) as error:
        print(f"shards: {error}", file=sys.stderr)
        return 2
    print(text)
    if arguments.write:
        PAGE.write_text(with_section(PAGE.read_text(encoding="utf-8"), SECTION, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
