"""Times the linter on the corpus, beside other linters, and writes docs/performance.md.

    python benchmarks/lint.py                     the table (downloads the corpus and the other tools once)
    python benchmarks/lint.py --package litgpt    on some packages only (default: three of them)
    python benchmarks/lint.py --large             and on all of the corpus with transformers (10 minutes more)
    python benchmarks/lint.py --compiled          and with the compiled form, if it can be built here
    python benchmarks/lint.py --large --write     rewrites docs/performance.md
    python benchmarks/lint.py --bars [FOLDER...]  a cold run beside Python's parser, mypy and ty
    python benchmarks/lint.py --bars --write      rewrites that section of docs/performance.md

The linter is measured as users have it: built as a wheel, and installed in an environment of its own.
Figures are CPU seconds of the process and its children, the least of some runs, and the peak memory of
the largest of them. Tools that take many minutes for the whole corpus run on a sample, litgpt.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from call_edits import places, redirect
from compiled_form import Forms, cold, copied, installed, ours, started
from corpus import cache_folder
from corpus_files import REQUIREMENTS, CorpusError, download, requirements, unpack
from lint_bars import measured
from lint_bars import section as bars_section
from lint_page import COMPILED_FORM, PYTHON_FORM, page, table
from lint_runs import Row, change, chosen, least, parser, peers, ruff, size
from page_sections import kept_sections, with_section

DOCS = Path(__file__).parent.parent / "docs"
PACKAGES = ("accelerate", "litgpt", "pytorch-lightning")
LARGEST = "transformers"
MORE = REQUIREMENTS.with_name("names.txt")
SAMPLE = "litgpt"
SCALED = "litgpt"
_CONCISE = ("--output-format", "concise")


def small(
    folders: dict[str, Path], work: Path, tools: Path, repeat: int, site: Path, compiled: Path | None
) -> Iterator[Row]:
    """Measurements on a few packages, of both forms if the compiled one is given, and the other tools."""
    yield Row("overhead-lint --help", 0, least(repeat, [*started(site), "--help"], work))
    yield from project(folders, work / "corpus", tools, repeat, site)
    if compiled is not None:
        yield from _both(Forms(site, compiled), work / "corpus", repeat)
    yield from _scaled(folders.get(SCALED), work, site)
    sample = folders.get(SAMPLE)
    if sample is not None:
        yield from _slow(sample, tools, site)


def project(folders: dict[str, Path], whole: Path, tools: Path, repeat: int, site: Path) -> Iterator[Row]:
    """Measurements on a project that is made of packages, with what is installed in a folder."""
    run = partial(ours, site)
    for name, folder in folders.items():
        shutil.copytree(folder, whole / name)
    (whole / "pyproject.toml").touch()  # marks the root of the project for runs that are given files
    megabytes = size(whole)
    yield Row("Ruff, PERF and B, one thread, no cache", megabytes, least(repeat, ruff(tools), whole))
    yield Row(
        "Python's parser alone, no garbage collector", megabytes, least(min(repeat, 3), parser(), whole)
    )
    cold = least(1, run("-j", "1", *_CONCISE), whole)
    yield Row("overhead-lint, cold, empty cache, one process", megabytes, cold)
    with tempfile.TemporaryDirectory() as cache:
        shared = least(1, run("-j", "2", "--cache-dir", cache, *_CONCISE), whole)
    yield Row("overhead-lint, cold, empty cache, two more processes that read files", megabytes, shared)
    yield Row("overhead-lint, warm", megabytes, least(3 * repeat, run(*_CONCISE), whole))
    files = chosen(whole)
    edited = least(repeat, run(*_CONCISE), whole, lambda: change(files))
    yield Row(f"overhead-lint, {len(files)} files changed", megabytes, edited)
    for count, what in ((1, "a new function in each"), (2, "new functions in each, one calling the other")):
        grown = least(1, run(*_CONCISE), whole, partial(change, files, functions=count))
        yield Row(f"overhead-lint, {len(files)} files changed, {what}", megabytes, grown)
    found = places(whole, len(files))
    for some in (found[:1], found):
        called = least(repeat, run(*_CONCISE), whole, partial(redirect, some))
        shown = "1 file" if len(some) == 1 else f"{len(some)} files"
        yield Row(f"overhead-lint, {shown} changed, other functions called", megabytes, called)
    given = [path.relative_to(whole) for path in files]
    hooked = least(repeat, run(paths=given), whole, lambda: change(files))
    yield Row(f"overhead-lint, the {len(files)} changed files given", megabytes, hooked)
    fixed = least(repeat, run("--diff", paths=given), whole, lambda: change(files))
    yield Row(f"overhead-lint --diff, the {len(files)} changed files given", megabytes, fixed)


def _both(forms: Forms, project: Path, repeat: int) -> Iterator[Row]:
    """Both forms of the linter, in turns: one run of each, then the next."""
    found = {PYTHON_FORM: least(1, cold(forms.python, *_CONCISE), project)}
    found[COMPILED_FORM] = least(1, cold(forms.compiled, *_CONCISE), project)
    for _ in range(repeat - 1):
        for what, site in ((PYTHON_FORM, forms.python), (COMPILED_FORM, forms.compiled)):
            found[what] = min(found[what], least(1, cold(site, *_CONCISE), project))
    for what, run in found.items():
        yield Row(what, size(project), run)


def _compiled(site: Path, whole: Path, repeat: int) -> Iterator[Row]:
    """The compiled form on a project: a cold run, and what is run every day."""
    megabytes, files = size(whole), chosen(whole)
    with tempfile.TemporaryDirectory() as cache:  # that of the other form is of no use to it
        run = partial(ours, site, "--cache-dir", cache)
        cold = least(1, run("-j", "1", *_CONCISE), whole)
        yield Row("compiled, cold, empty cache, one process", megabytes, cold)
        yield Row("compiled, warm", megabytes, least(3 * repeat, run(*_CONCISE), whole))
        edited = least(repeat, run(*_CONCISE), whole, lambda: change(files))
        yield Row(f"compiled, {len(files)} files changed", megabytes, edited)
        given = [path.relative_to(whole) for path in files]
        hooked = least(repeat, run(paths=given), whole, lambda: change(files))
        yield Row(f"compiled, the {len(files)} changed files given", megabytes, hooked)


def _scaled(folder: Path | None, work: Path, site: Path) -> Iterator[Row]:
    """One package once, twice and four times."""
    if folder is None:
        return
    for times in (1, 2, 4):
        target = work / f"scaled{times}"
        for number in range(times):
            shutil.copytree(folder, target / f"copy{number}")
        run = least(1, ours(site, "--no-cache", "-j", "1", *_CONCISE), target)
        yield Row(f"overhead-lint, cold, {SCALED} {times} times", size(target), run)


def _slow(sample: Path, tools: Path, site: Path) -> Iterator[Row]:
    """The tools that take too long for the whole corpus, and ours beside them."""
    megabytes = size(sample)
    yield Row(f"Ruff, PERF and B, {SAMPLE}", megabytes, least(5, ruff(tools), sample))
    cold = ours(site, "--no-cache", "-j", "1", *_CONCISE)
    yield Row(f"overhead-lint, cold, {SAMPLE}", megabytes, least(3, cold, sample))
    flake8 = [str(tools / "flake8"), "--isolated", "--select", "F", "-j", "1", "-q", "."]
    yield Row(f"flake8, F, {SAMPLE}", megabytes, least(1, flake8, sample))
    fixit = [str(tools / "fixit"), "--rules", "fixit.rules.use_fstring", "lint", "."]
    yield Row(f"Fixit, one rule, {SAMPLE}", megabytes, least(1, fixit, sample))
    perflint = [str(tools / "pylint"), "--load-plugins=perflint", "--disable=all", "-j", "1"]
    perflint += [
        "--enable=loop-invariant-statement,use-tuple-over-list,unnecessary-list-cast",
        "--recursive=y",
    ]
    yield Row(
        f"pylint with perflint, {SAMPLE}", megabytes, least(1, [*perflint, "."], sample, status=range(32))
    )


def _printed(rows: Iterator[Row]) -> list[Row]:
    """Measure, and say as it goes what was measured."""
    found = []
    for row in rows:
        print(f"{row.what}: {row.run.cpu:.2f} s CPU, {row.run.memory:.0f} MB", file=sys.stderr, flush=True)
        found.append(row)
    return found


def _unpacked(folder: Path, wanted: Callable[[str], bool], file: Path = REQUIREMENTS) -> dict[str, Path]:
    """The folders of some packages that a requirements file names."""
    return {
        package.name: unpack(package, folder / "wheels", folder / "src")
        for package in requirements(file)
        if wanted(package.name)
    }


def _compiled_form(tree: Path, work: Path) -> Path | None:
    """Where the compiled form of a checkout is installed; None, and why, if it cannot be built."""
    try:
        return installed(tree, work, "1")
    except CorpusError as error:
        print(f"the compiled form cannot be built: {error}", file=sys.stderr)
        return None


def show_bars(arguments: argparse.Namespace) -> None:
    """Print, and write if that is asked for, the ratios of a cold run to other tools.

    They are measured on folders that are given, or packages of the corpus.

    Raises:
        CorpusError: there is no such folder, or something cannot be had or measured.
    """
    folders = {folder.absolute().name: folder for folder in arguments.bars}
    if not folders:
        download(arguments.dir / "wheels")
        names = arguments.package or PACKAGES
        folders = _unpacked(arguments.dir, lambda name: name in names)
    for folder in folders.values():
        if not folder.is_dir() or not size(folder):
            raise CorpusError(f"{folder}: no folder with Python files")
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as work:
        tree = copied(Path(work) / "forms")
        site = installed(tree, Path(work) / "python", "")
        compiled = _compiled_form(tree, Path(work) / "compiled") if arguments.compiled else None
        forms = Forms(site, compiled) if compiled is not None else site
        found = measured(folders, forms, arguments.dir / "tools" / "bin", arguments.repeat)
    text = bars_section(folders, found, arguments.repeat)
    print(text)
    if arguments.write:
        path = DOCS / "performance.md"
        page_before = path.read_text(encoding="utf-8")
        path.write_text(with_section(page_before, "bars", text), encoding="utf-8")


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        CorpusError: the corpus or a tool cannot be had, or a command failed.
    """
    if arguments.bars is not None:
        show_bars(arguments)
        return
    download(arguments.dir / "wheels")
    packages = arguments.package or PACKAGES
    folders = _unpacked(arguments.dir, lambda name: name in packages)
    everything: dict[str, Path] = {}
    if arguments.large:
        download(arguments.dir / "wheels", MORE)
        everything = _unpacked(arguments.dir, lambda _: True)
        everything |= _unpacked(arguments.dir, lambda name: name == LARGEST, MORE)
    tools = peers(arguments.dir / "tools")
    with tempfile.TemporaryDirectory(prefix="overhead-lint-") as work:
        tree = copied(Path(work) / "forms")
        site = installed(tree, Path(work) / "python", "")
        compiled = None
        if arguments.compiled or arguments.write:
            compiled = _compiled_form(tree, Path(work) / "compiled")
        found = _printed(small(folders, Path(work), tools, arguments.repeat, site, compiled))
        whole = Path(work) / "large"
        large = _printed(project(everything, whole, tools, arguments.repeat, site)) if everything else []
        if everything and compiled is not None:
            large += _printed(_compiled(compiled, whole, arguments.repeat))
    print(table(found))
    if large:
        print(f"\n{table(large)}")
    if arguments.write:
        text = page(found, large, folders, everything.values(), arguments.repeat)
        path = DOCS / "performance.md"
        text += kept_sections(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when something cannot be had or measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and tools are kept")
    parser.add_argument("--package", action="append", metavar="NAME", help="only this package (repeatable)")
    parser.add_argument("--large", action="store_true", help=f"measure all packages with {LARGEST}, too")
    parser.add_argument("--compiled", action="store_true", help="build and measure the compiled form, too")
    parser.add_argument("--repeat", type=int, default=5, help="runs of the quick commands (default 5)")
    parser.add_argument(
        "--bars", nargs="*", type=Path, metavar="FOLDER", help="only compare cold runs with other tools"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="rewrite docs/performance.md, all of it with --large, or the section of --bars",
    )
    arguments = parser.parse_args(argv)
    if arguments.write and not arguments.large and arguments.bars is None:
        parser.error("--write needs --large, or --bars for its section alone: the page tells of both")
    try:
        run(arguments)
    except (CorpusError, OSError) as error:
        print(f"lint: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
