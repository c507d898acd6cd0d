"""Lists what the rules say: each message, help and fix of the examples on their pages, to be read as a whole.

python benchmarks/messages.py            all rules
python benchmarks/messages.py OVH404     those of some codes
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.engine.pages import Page
from overhead_lint.rule import Heat
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError


class Said(NamedTuple):
    """What a rule says of one place."""

    code: str
    message: str
    help: str
    fix: str


def said_by(loaded: packs.LoadedRule) -> Iterator[Said]:
    """What a rule says of the examples on its page, each text once."""
    if loaded.page is None:
        return
    linter = Linter([loaded.rule], Settings(min_heat=Heat.PRESUMED, preview=True))
    seen = set()
    for heading in Page.read(loaded.page).sections:
        code = Page.read(loaded.page).code(heading)
        try:
            found = linter.lint(Source.from_bytes(Path("model.py"), code.encode()))
        except SourceError:
            continue  # no Python, or a part of some
        for finding in found:
            fix = finding.fix.message if finding.fix is not None else ""
            said = Said(finding.code, finding.message, finding.help, fix)
            if said not in seen:
                seen.add(said)
                yield said


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("codes", nargs="*", metavar="CODE", help="rules (default: all)")
    wanted = parser.parse_args(argv).codes
    for loaded in packs.load():
        if wanted and loaded.rule.code not in wanted:
            continue
        print(f"{loaded.rule.code} {loaded.rule.name}: {loaded.rule.summary}")
        for said in said_by(loaded):
            print(f"  message: {said.message}")
            print(f"     help: {said.help}")
            if said.fix:
                print(f"      fix: {said.fix}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
