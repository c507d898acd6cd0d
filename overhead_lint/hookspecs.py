"""Hooks for third parties, found through the entry-point group ``overhead_lint``.

A rule pack is a distribution that declares::

    [project.entry-points.overhead_lint]
    mypack = "mypack.overhead"

and whose module implements some of the hooks below with `hookimpl`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from overhead_lint.rule import Rule

__all__ = ["PROJECT", "hookimpl", "hookspec"]

PROJECT = "overhead_lint"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def overhead_lint_rules() -> Iterable[Rule]:
    """Rules to add. Each needs a code that no other rule has."""
    raise AssertionError("a hook specification is never called")


@hookspec
def overhead_lint_effects() -> Iterable[Path]:
    """Tables of effects to add, as TOML files: what APIs do that overhead-lint's own tables do not know."""
    raise AssertionError("a hook specification is never called")
