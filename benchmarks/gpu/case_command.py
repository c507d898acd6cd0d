"""Runs `overhead-lint` out of a checkout that is not installed, as on a machine without a network.

python benchmarks/gpu/case_command.py bench OVH101
"""

from __future__ import annotations

import importlib.util
import sys

from case_study import HERE

import overhead_lint


def main() -> int:
    """Run the command line."""
    if importlib.util.find_spec("overhead_lint.rules") is None:
        overhead_lint.__path__.append(str(HERE.parents[1]))  # rules/ lies there; an install puts it below
    from overhead_lint.cli.main import main as run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
