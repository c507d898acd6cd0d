"""Linter and fixer on random Python: neither crashes, and all that must hold of a fixed file holds.

The examples are the same in each run. For new ones, and more of them::

    OVERHEAD_FUZZ=5000 python -m pytest tests/fixes/test_fuzz.py
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from fix_checks import Recorder, problems
from hypothesis import HealthCheck, event, given, settings

from overhead_lint.config.run_settings import Settings
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing.fixer import fix_file
from overhead_lint.rule import Finding, Heat
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError

from .python_sources import modules

EXAMPLES = int(os.environ.get("OVERHEAD_FUZZ", "0"))
RULES = packs.select(packs.load(), ("ALL",), (), preview=True)
LINTER = Linter(RULES, Settings(min_heat=Heat.PRESUMED, preview=True))

fuzzed = settings(
    derandomize=not EXAMPLES,
    max_examples=EXAMPLES or 100,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class Remembering:
    """Lints each text once: safe fixes, all fixes and the checks of both come by the same ones."""

    def __init__(self) -> None:
        self._found: dict[bytes, list[Finding]] = {}

    def __call__(self, source: Source) -> list[Finding]:
        if source.data not in self._found:
            self._found[source.data] = LINTER.lint(source)
        return self._found[source.data]


def source_of(data: bytes) -> Source | None:
    """The file, or None if it is no Python: then the linter must say so, and nothing else."""
    try:
        source = Source.from_bytes(Path("/nowhere/model.py"), data)
        LINTER.lint(source, parse_anyway=True)
    except SourceError as error:
        assert "syntax error" in error.message
        return None
    return source


@fuzzed
@given(modules())
def test_whatever_is_fixed_parses_settles_and_keeps_the_rest(data: bytes) -> None:
    source = source_of(data)
    event("python" if source else "no python")
    lint = Remembering()
    for unsafe in (False, True) if source else ():
        assert source is not None
        recorder = Recorder(lint)
        result = fix_file(source, recorder, unsafe=unsafe)
        event(f"unsafe={unsafe} changed={result.changed}")
        fix = partial(fix_file, lint=lint, unsafe=unsafe)
        if result.changed:
            assert list(problems(result, recorder.rounds, fix, unsafe=unsafe)) == []
