"""Writes the table of what an execution of each rule's pattern costs, which ships with the linter.

    overhead-lint bench --output-format json > bench.json
    python benchmarks/rule_costs.py bench.json      rewrites overhead_lint/report/reference_costs.py

A rule with several timing cases gets the median of what they save.
"""

from __future__ import annotations

import argparse
import json
import pprint
import sys
from collections.abc import Sequence
from pathlib import Path

from overhead_lint.measure.rule_costs import seconds_by_rule

TABLE = Path(__file__).parents[1] / "overhead_lint" / "report" / "reference_costs.py"
TEXT = '''"""What an execution of each rule's pattern costs; written by benchmarks/rule_costs.py."""

from __future__ import annotations

from typing import Final

__all__ = ["MACHINE", "SECONDS"]

MACHINE: Final = {machine!r}
SECONDS: Final[dict[str, float]] = {seconds}
'''


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("bench", type=Path, help="what `overhead-lint bench --output-format json` printed")
    timed = json.loads(parser.parse_args(argv).bench.read_text(encoding="utf-8"))
    seconds = seconds_by_rule(timed["cases"])
    shown = pprint.pformat({code: float(f"{value:.3g}") for code, value in sorted(seconds.items())}, width=60)
    TABLE.write_text(TEXT.format(machine=timed["machine"], seconds=shown), encoding="utf-8")
    print(f"{TABLE}: {len(seconds)} rules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
