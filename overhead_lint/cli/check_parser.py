"""What ``overhead-lint check`` takes on its command line, and its help."""

from __future__ import annotations

import argparse
import os
import re
import sys
from functools import cache
from pathlib import Path

from overhead_lint import __version__
from overhead_lint.cli import baseline, evidence, ranking, report
from overhead_lint.cli.parser import Parser, whole_number
from overhead_lint.config.setting_keys import HEATS, KEYS
from overhead_lint.discovery.shards import Shard
from overhead_lint.support.interleaved import LEAST_RUNS

__all__ = ["check_parser", "fix_report_parser"]

_EXAMPLES = """\
commands:
  overhead-lint [check] [PATH...] lint, the default
  overhead-lint rule CODE         what a rule sees, why it costs, how it is fixed
  overhead-lint rule --list       all rules (--all: all pages; --api NAME: those that tell of an API)
  overhead-lint fix-report        describe fixes, as Markdown for a pull request
  overhead-lint run SCRIPT        run a program, and say what its findings cost
  overhead-lint compile-sites     what a project compiles, and how many guards each call evaluates
  overhead-lint guards report     what the guards of a script's compiled code cost
  overhead-lint bench [CODES]     time what the rules find against what they propose, here
  overhead-lint native build      compile the native core ahead of time (native info: its state)
  overhead-lint report A.json     show reports of `pytest --overhead-report` as one HTML page
  overhead-lint server            serve an editor (language server)
  overhead-lint clean [PATH]      remove what runs keep for later ones
  overhead-lint completions SHELL a script that completes commands, options and rules
  overhead-lint vendor PATH       copy the runtime APIs that fixes use into a package
  overhead-lint merge-reports A B make one report of those that several shards wrote
  overhead-lint merge-budget      merge versions of overhead-budget.toml, as a merge driver of git

examples:
  overhead-lint src/                                    show what costs host time
  overhead-lint --diff src/                             show what the safe fixes would change
  overhead-lint --fix src/                              apply the safe fixes
  overhead-lint --fix --unsafe-fixes train.py           apply the others too, then look at them
  overhead-lint --fix --verify "pytest -q" src/         apply them if the tests end as before, in a copy
  overhead-lint --select OVH1,OVH404 --ignore OVH105 .  choose rules by code or prefix
  overhead-lint --tier stall src/                       only what makes the CPU wait for the GPU
  overhead-lint --evidence overhead.json src/           most expensive first, as a run measured it
  overhead-lint --fix - --stdin-filename a.py < a.py    fix standard input: its text goes to stdout
  overhead-lint --min-heat presumed src/                report tensor work without a known caller too
  overhead-lint --watch src/                            check again whenever a file is saved

silence a finding with a comment on its line:  # noqa: OVH101   or   # overhead: ignore[OVH101]
exit status: 0 clean, 1 findings left, 2 wrong use or a file that could not be checked
"""


_DESCRIBING = """\
examples:
  overhead-lint fix-report --select OVH403 src/           what the safe fixes of a rule would change
  overhead-lint fix-report --fix --unsafe-fixes --verify "pytest -q" -o body.md src/
                                                          fix, check that the tests end alike, and describe

exit status: 0 described, 1 the command of --verify ended otherwise, 2 wrong use or an unreadable file
"""


def check_parser() -> argparse.ArgumentParser:
    """What takes the command line of ``overhead-lint check`` apart."""
    return _prepared(
        _Parser(
            prog="overhead-lint",
            usage="overhead-lint [check] [options] [PATH...]",
            description="Find CPU overhead in PyTorch code, and fix it.",
            epilog=_EXAMPLES,
            formatter_class=_Formatter,
            allow_abbrev=False,
        )
    )


def fix_report_parser() -> argparse.ArgumentParser:
    """What takes the command line of ``overhead-lint fix-report`` apart: it has the options of a check."""
    return _prepared(
        _Parser(
            prog="overhead-lint fix-report",
            usage="overhead-lint fix-report [options] [PATH...]",
            description="Describe fixes, as Markdown for a pull request; --fix applies them, too.",
            epilog=_DESCRIBING,
            formatter_class=_Formatter,
            allow_abbrev=False,
        )
    )


def _prepared(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """A parser with all options of a check."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="file or folder to check (default: .), or - for standard input",
    )
    parser.add_argument(
        "--stdin-filename", metavar="FILE", help="what to call standard input, and where to look for settings"
    )
    _add_rules(parser)
    _add_settings(parser)
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out files and folders that fit, besides what the settings exclude",
    )
    parser.add_argument(
        "--force-exclude", action="store_true", help="leave out what is excluded, also if it is named"
    )
    parser.add_argument("--show-files", action="store_true", help="list the files that would be checked")
    parser.add_argument("--watch", action="store_true", help="check again when a file changes, until Ctrl-C")
    _add_speed(parser)
    _add_fixes(parser)
    ranking.add_arguments(parser)
    report.add_arguments(parser)
    baseline.add_arguments(parser)
    evidence.add_arguments(parser)
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    return parser


def _add_rules(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group("what to look for")
    for option, what in (
        ("--select", "codes, prefixes such as OVH4, names, or ALL (default: ALL)"),
        ("--extend-select", "the same, besides what the settings select"),
        ("--ignore", "codes, prefixes, names or ALL to leave out"),
    ):
        rules.add_argument(option, action="append", default=[], metavar="CODES", help=what)
    rules.add_argument(
        "--per-file-ignores",
        action="append",
        default=[],
        metavar="PATTERN:CODES",
        help="leave out rules in the files that fit, besides what the settings leave out",
    )
    rules.add_argument(
        "--target-torch", metavar="VERSION", help="the oldest torch that the code runs with, as in 2.4"
    )
    rules.add_argument("--preview", action="store_true", help="run the rules that are off by default, too")
    rules.add_argument(
        "--min-heat",
        choices=HEATS,
        help="least heat to report, for rules that need heat (default: step)",
    )
    rules.add_argument(
        "--no-project", action="store_true", help="judge each file by itself, not by its callers elsewhere"
    )
    rules.add_argument(
        "--explain-heat",
        type=_place,
        metavar="FILE:LINE",
        help="tell why that place is as hot as it is, call by call, in place of a check",
    )


def _add_settings(parser: argparse.ArgumentParser) -> None:
    where = parser.add_argument_group("settings").add_mutually_exclusive_group()
    where.add_argument(
        "--config", type=Path, metavar="FILE", help="settings file (default: the nearest upward)"
    )
    where.add_argument("--isolated", action="store_true", help="read no settings file")
    parser.add_argument(
        "--show-settings", action="store_true", help="show the settings, and where each comes from"
    )


def _add_speed(parser: argparse.ArgumentParser) -> None:
    speed = parser.add_argument_group("speed")
    kept = speed.add_mutually_exclusive_group()
    kept.add_argument("--no-cache", action="store_true", help="neither use nor keep results of earlier runs")
    kept.add_argument(
        "--cache-dir", type=Path, metavar="FOLDER", help="where results are kept (default: in the project)"
    )
    speed.add_argument(
        "-j",
        "--jobs",
        type=whole_number("a number of processes", 1),
        metavar="N",
        help="processes to use (default: one a processor)",
    )
    speed.add_argument(
        "--shard", type=_shard, metavar="K/N", help="check the K-th of N shares of the files (merge-reports)"
    )


def _add_fixes(parser: argparse.ArgumentParser) -> None:
    fixes = parser.add_argument_group("what to fix")
    which = fixes.add_mutually_exclusive_group()
    which.add_argument("--fix", action="store_true", help="apply safe fixes")
    fixes.add_argument(
        "--fix-only", action="store_true", help="apply fixes, and neither report what is left nor fail for it"
    )
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change, write nothing")
    which.add_argument(
        "--add-ignore",
        nargs="?",
        const="",
        metavar="REASON",
        help="silence today's findings with comments, which may give a reason",
    )
    fixes.add_argument(
        "--verify",
        metavar="COMMAND",
        help="with --fix: run it in a copy with fixes and without, and write them only if it ends alike",
    )
    fixes.add_argument(
        "--verify-runs",
        type=whole_number("a number of runs"),
        default=LEAST_RUNS,
        metavar="N",
        help="timed runs each way of --verify, 0 for none (default: %(default)s)",
    )
    fixes.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: unsafe fixes, too; alone: list what they are for",
    )
    for option, what in (
        ("--fixable", "codes, prefixes, names or ALL: the rules whose fixes are shown and applied"),
        ("--unfixable", "the same: those whose fixes are not"),
    ):
        fixes.add_argument(option, action="append", default=[], metavar="CODES", help=what)


class _Parser(Parser):
    """A parser that knows what stands in settings files only."""

    def _hint(self, option: str) -> str:
        if option.removeprefix("--") in KEYS:
            return "it is a setting, for overhead-lint.toml or pyproject.toml"
        return super()._hint(option)


def _place(text: str) -> tuple[Path, int, int]:
    """The value of ``--explain-heat``; a column behind the line, as in findings, is left out."""
    match = re.fullmatch(r"(.+?):(?:cell (\d+):)?(\d+)(?::\d+)?:?", text, re.DOTALL)
    if match is None or int(match[3]) == 0:
        raise argparse.ArgumentTypeError(f"a place such as train.py:88 or train.ipynb:cell 4:3, not {text!r}")
    return Path(match[1]), int(match[3]), int(match[2] or 0)


def _shard(text: str) -> Shard:
    """The value of ``--shard``."""
    try:
        return Shard.parse(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a share of the files such as 2/4, not {text!r}") from None


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Told the width of the terminal: argparse would import modules to find it out, for every option."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


@cache
def _columns() -> int:
    """Columns of the terminal, as `shutil.get_terminal_size` has them."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # no terminal
        return 80


class _Version(argparse.Action):
    """Shows the version, and whether the linter is compiled."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: object, option: str | None = None
    ) -> None:
        from overhead_lint.support.compiled_form import is_compiled  # costs start-up

        form = " (compiled)" if is_compiled() else ""
        parser._print_message(f"overhead-lint {__version__}{form}\n", sys.stdout)
        parser.exit()
