"""``python -m overhead_lint``: the same as the console script."""

from overhead_lint.cli.main import console

console()
