"""``overhead-lint [check] PATH...``: lint, and fix when asked to."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint import __version__, files, output, packs
from overhead_lint.config import Settings
from overhead_lint.engine import Linter
from overhead_lint.rule import Finding, Heat
from overhead_lint.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0 clean, 1 findings left, 2 wrong use or a file that could not be checked.
    """
    options = _parser().parse_args(arguments)
    settings = Settings(
        select=_codes(options.select) or ("ALL",),
        ignore=_codes(options.ignore),
        min_heat=Heat[options.min_heat.upper()],
    )
    try:
        rules = packs.select(packs.load(), settings.select, settings.ignore)
    except (packs.PackError, packs.UnknownCode) as error:
        print(f"overhead-lint: {error}", file=sys.stderr)
        return 2
    linter = Linter(rules, settings)
    findings: list[Finding] = []
    sources: dict[Path, Source] = {}
    errors = 0
    for target in files.collect(Path(path) for path in options.paths):
        try:
            if isinstance(target, files.PathError):
                raise target
            source = Source.read(target.path)
            found = linter.lint(source, cold=target.cold)
        except (SourceError, files.PathError) as error:
            errors += 1
            print(error, file=sys.stderr)
            continue
        if found:
            findings.extend(found)
            sources[source.path] = source
    report = output.Report(findings, sources, errors=errors)
    sys.stdout.write(output.render(options.output_format, report))
    return 2 if errors else 1 if findings else 0


def _codes(entries: Sequence[str]) -> tuple[str, ...]:
    return tuple(code.strip() for entry in entries for code in entry.split(",") if code.strip())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="overhead-lint",
        description="Find CPU overhead in PyTorch code.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="file or folder to check")
    parser.add_argument("--select", action="append", default=[], metavar="CODES")
    parser.add_argument("--ignore", action="append", default=[], metavar="CODES")
    parser.add_argument("--output-format", choices=["concise"], default="concise")
    parser.add_argument("--min-heat", choices=["presumed", "step", "loop"], default="step")
    parser.add_argument("--version", action="version", version=f"overhead-lint {__version__}")
    return parser
