"""``overhead-lint native build|info``: compiles the native core ahead of time, and tells its state."""

from __future__ import annotations

import argparse
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from overhead_lint.cli import streams
from overhead_lint.cli.parser import Parser
from overhead_lint.errors import Complaint
from overhead_lint.native.build import build, cache_root, first_error, library, log_file
from overhead_lint.native.extension import Extension, all_packaged
from overhead_lint.native.prebuilt import DISTRIBUTION, advice, prebuilt
from overhead_lint.native.toolchain import CannotCompile, NativeUnavailable, Toolchain, find_toolchain

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0, or 2 for a part that cannot be built.

    Raises:
        Complaint: no part of the name, or none can be built here.
    """
    found = _parser().parse_args(arguments)
    extensions = _named(found.names)
    shipped = {one: made for one in extensions if (made := prebuilt(one)) is not None}
    for extension, made in shipped.items():
        print(f"{extension.name}: comes with {DISTRIBUTION}, {made}")
    others = [extension for extension in extensions if extension not in shipped]
    if not others:
        return 0
    try:
        toolchain = find_toolchain()
    except NativeUnavailable as error:
        why = f"{error.why}{advice()}" if isinstance(error, CannotCompile) else error.why
        if found.action == "info":
            print(f"not available: {why}")
            return 0
        raise Complaint(why) from error
    try:
        return _info(others, toolchain) if found.action == "info" else _build(others, toolchain)
    except NativeUnavailable as error:  # no directory for compiled files
        raise Complaint(error.why) from error


def _named(names: Sequence[str]) -> tuple[Extension, ...]:
    known = {extension.name: extension for extension in all_packaged()}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise Complaint(f"no native part is called {unknown[0]}; there are {', '.join(known)}")
    return tuple(known[name] for name in names) or tuple(known.values())


def _build(extensions: Sequence[Extension], toolchain: Toolchain) -> int:
    failed = False
    for extension in extensions:
        there = library(extension, toolchain).is_file()
        try:
            made = build(extension)
        except NativeUnavailable as error:
            streams.complain(error.why)
            failed = True
            continue
        print(f"{extension.name}: {'was built already' if there else 'built'}, {made}")
    return 2 if failed else 0


def _info(extensions: Sequence[Extension], toolchain: Toolchain) -> int:
    print(f"cache     {cache_root()}")
    print(f"compiler  {' '.join(toolchain.compiler)}: {toolchain.version}")
    print(f"torch     {toolchain.torch}")
    print(f"python    {sysconfig.get_config_var('SOABI') or sys.version}")
    for extension in extensions:
        made = library(extension, toolchain)
        print(f"\n{extension.name}: {_state(made)}")
        print(f"  key      {made.parent.name.rpartition('-')[2]}")
        print(f"  library  {made}")
        print(f"  sources  {extension.directory}: {', '.join(path.name for path in extension.sources())}")
    return 0


def _state(made: Path) -> str:
    if made.is_file():
        return "built"
    try:
        told = log_file(made).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "not built"
    return f"failed: {first_error(told.partition(chr(10))[2])} (log: {log_file(made)})"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint native",
        description="The native core: C++ compiled for the installed torch, on first use or now.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION", dest="action")
    for action, told in (
        ("build", "compile what is not compiled yet"),
        ("info", "tell sources, compiler, cache and state"),
    ):
        added = actions.add_parser(action, help=told, description=told.capitalize() + ".", allow_abbrev=False)
        added.add_argument(
            "names", nargs="*", metavar="NAME", help="parts, such as counters; all if none is given"
        )
    return parser
