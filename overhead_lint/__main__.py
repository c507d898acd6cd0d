"""Where a process begins: ``python -m overhead_lint``, and the console script."""

from __future__ import annotations

import gc
import sys

from overhead_lint.support import first_folder

__all__ = ["console"]


def console() -> None:
    """Run the command line, and end the process; Ctrl-C is one line also while modules are imported."""
    gc.disable()  # modules that are imported are no garbage; `main.console` has it looked for again
    try:
        from overhead_lint.cli import main
    except KeyboardInterrupt:
        print("overhead-lint: interrupted", file=sys.stderr)
        sys.exit(130)
    main.console()


if __name__ == "__main__":
    first_folder.look_there_last()
    console()
