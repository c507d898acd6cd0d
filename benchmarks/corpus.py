"""Lints pinned wheels of well-known PyTorch packages and says what was found.

    python benchmarks/corpus.py                          table: files, lines, seconds, findings by rule
    python benchmarks/corpus.py --sample OVH404 --seed 1 up to 20 findings with their source, to read by hand
    python benchmarks/corpus.py --write                  rewrites evaluation/corpus.md

The wheels are downloaded once, with their hashes checked, and unpacked outside the repository.
Their code is read, never imported.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from corpus_files import CorpusError, download, requirements, unpack
from corpus_page import load_readings, page
from corpus_run import excerpt, lint, sample, table

from overhead_lint.engine import packs

EVALUATION = Path(__file__).parent.parent / "evaluation"
FIXES = "## Fixed as a whole"


def cache_folder() -> Path:
    """Where wheels are kept unless ``--dir`` says otherwise."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "overhead-lint" / "corpus"


def run(arguments: argparse.Namespace) -> None:
    """Do what the command line asks for.

    Raises:
        CorpusError: a package cannot be had or linted, or a reading matches no finding.
    """
    packages = requirements()
    names = [package.name for package in packages]
    for name in arguments.package or ():
        if name not in names:
            raise CorpusError(f"{name}: not in the corpus ({', '.join(names)})")
    if arguments.write and arguments.package:
        raise CorpusError("--write needs the whole corpus, leave --package out")
    wheels = arguments.dir / "wheels"
    download(wheels)
    runs = [
        lint(package, unpack(package, wheels, arguments.dir / "src"))
        for package in packages
        if not arguments.package or package.name in arguments.package
    ]
    for one in runs:
        for line in one.unchecked:
            print(f"{one.package.name}: {line}", file=sys.stderr)
    if arguments.sample:
        folders = {one.package.name: one.folder for one in runs}
        chosen = sample(runs, arguments.sample, arguments.seed)
        if not chosen:
            raise CorpusError(f"{arguments.sample}: no findings")
        for found in chosen:
            print(excerpt(folders[found.package], found), end="\n\n")
        return
    print(table(runs))
    if arguments.write:
        readings = load_readings(EVALUATION / "corpus_readings.toml")
        rules = {loaded.rule.code: loaded.rule.name for loaded in packs.load() if not loaded.rule.preview}
        text = page(runs, readings, table(runs, "github"), rules)
        write(EVALUATION / "corpus.md", text)


def write(path: Path, text: str) -> None:
    """Replace the part of the page that comes from this program; what fix_corpus.py writes below it stays."""
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    _, heading, fixes = before.partition(f"\n{FIXES}")
    path.write_text(text + heading + fixes, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 2 when the corpus cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument("--package", action="append", metavar="NAME", help="only this package (repeatable)")
    parser.add_argument("--sample", metavar="RULE", help="print up to 20 findings with their source")
    parser.add_argument("--seed", type=int, default=0, help="which sample (default 0)")
    parser.add_argument("--write", action="store_true", help="rewrite evaluation/corpus.md")
    try:
        run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"corpus: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
