"""The options of the command line and the ini file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

__all__ = ["SESSION_OPTIONS", "add_options"]

SESSION_OPTIONS = ("budget", "update", "tighten", "strict", "report", "from", "times", "numbers", "against")
"""Those that concern the session as a whole, without ``overhead_``."""


def add_options(parser: pytest.Parser) -> None:
    """Add the options of the command line and of the ini file."""
    _add_settings(parser)
    group = parser.getgroup("overhead", "host overhead of PyTorch code")
    group.addoption(
        "--overhead-budget",
        action="store_true",
        help="enforce overhead-budget.toml; without that file, measure all tests and enforce nothing",
    )
    group.addoption(
        "--overhead-update",
        action="count",
        default=0,
        help="write the counts of tests that pass into overhead-budget.toml, and guard snapshots that "
        "differ; under CI only if given twice",
    )
    group.addoption(
        "--overhead-tighten",
        action="count",
        default=0,
        help="enforce overhead-budget.toml, and lower its counts to what was measured; likewise under CI",
    )
    group.addoption(
        "--overhead-from",
        metavar="PATH",
        help="with --overhead-update: run no test, and take the counts of those collected from PATH, which "
        "is written by `overhead-lint run --pytest`",
    )
    group.addoption(
        "--overhead-strict",
        action="store_true",
        help="fail tests that have guards, events or waits and no budget on any of them",
    )
    group.addoption(
        "--overhead-report",
        metavar="PATH",
        help="write all numbers and lines to PATH.json, or as PATH.html; with --overhead-against what "
        "changed, as a comment, to PATH.md",
    )
    group.addoption(
        "--overhead-against",
        metavar="OLD.json",
        help="show which counts differ from this report of --overhead-report, and the lines that did it",
    )
    # Of `overhead-lint run --pytest`: a report beside the one that the user asks for.
    group.addoption("--overhead-numbers", metavar="PATH", help=argparse.SUPPRESS)
    group.addoption(
        "--overhead-device",
        choices=("auto", "simulated", "real"),
        default="auto",
        help="the cuda device of tests: `simulated` gives all tests a simulated one, `real` insists on a "
        "GPU, `auto` (default) gives the fixture simulated_cuda a GPU, and without one a simulated device",
    )
    group.addoption(
        "--overhead-times",
        action="store_true",
        help="with --overhead-update: write times, too, with a margin and for this class of machines",
    )


def _add_settings(parser: pytest.Parser) -> None:
    """Add those of the ini file."""
    parser.addini(
        "overhead_budget_defaults",
        "limits for all tests, one a line (guards <= 40), where neither marker nor file sets that metric",
        type="linelist",
        default=[],
    )
    parser.addini(
        "overhead_rank_timeout",
        "seconds that a rank waits for the others at the end of a test (default 300)",
        default="300",
    )
    parser.addini(
        "overhead_gate_times",
        "let times over their limits fail tests; without, they warn",
        type="bool",
        default=False,
    )
    parser.addini(
        "overhead_gate_foreign",
        "let counts of the file fail tests with another torch or Python than it was recorded with, too; "
        "without, they warn",
        type="bool",
        default=False,
    )
    parser.addini(
        "overhead_machine",
        "name of the class of machines that times are kept for (default: the processor's name and cores); "
        "the environment variable OVERHEAD_MACHINE wins",
        type="string",
        default="",
    )
