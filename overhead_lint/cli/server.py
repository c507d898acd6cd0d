"""``overhead-lint server``: the language server, over standard input and output."""

from __future__ import annotations

import argparse
import importlib.util
import signal
import sys
from collections.abc import Sequence

from overhead_lint.cli.parser import Parser

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Serve until the client says exit.

    Returns:
        0, or 1 if the client had not asked for a shutdown, as the protocol has it; 2 for wrong use.
    """
    _parser().parse_args(arguments)
    if importlib.util.find_spec("pygls") is None:
        print('overhead-lint: server needs pygls: pip install "overhead-lint[lsp]"', file=sys.stderr)
        return 2
    from overhead_lint.server.app import make_server

    # The thread that waits for the editor's next message would not hear of Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    server = make_server()
    server.start_io()
    return server.status


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint server",
        description="Serve an editor over standard input and output, by the Language Server Protocol.",
        epilog="Findings as diagnostics, fixes as quick fixes and as source.fixAll.overheadLint, rule pages "
        "on hover. initializationOptions: project (true or false) says whether heat comes from the "
        "whole project of a file.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--stdio", action="store_true", help="as without it; some editors give it to every server"
    )
    return parser
