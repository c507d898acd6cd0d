"""Whether the host waits again soon behind a place, so that a wait there costs what the other one would."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Condition, Direction
from overhead_lint.analysis.effects.lookup import TENSOR, names_where
from overhead_lint.analysis.graph.guards import guards_within
from overhead_lint.analysis.ir.records import NONE

if TYPE_CHECKING:
    from collections.abc import Collection

    from overhead_lint.analysis.effects.effect import Effect
    from overhead_lint.project.facts import FileFacts

__all__ = ["waits_again"]

_ASKING_ARGUMENTS: Final = ("if_given", "if_on_host", "if_integer", "if_equal", "if_mask")
"""Conditions that what is told nothing does not meet."""


def waits_again(node: ast.AST, facts: FileFacts, mended: Collection[ast.AST] = ()) -> bool:
    """Return whether a method that waits for the device runs behind a place, whatever happens in between.

    It runs in the same rounds of the same loop, in no branch that the place is not in, and is known by its
    name, told nothing: ``x.item()``.

    Args:
        node: the place.
        facts: the file.
        mended: calls that the fix of a wait at the place takes away as well, by reading all at once.
    """
    by_name = facts.call_index.by_name
    calls = [
        call for name in _waiting() for call in by_name.get(name, ()) if _is_bare(call) and call not in mended
    ]
    if not calls:
        return False
    point = facts.flow.point
    home, block, at = point(node)
    record = facts.flow.names.functions[home]
    guards = {NONE, *guards_within(facts.flow.names.flow(home), block, NONE)}
    loops = record.block_loop
    for call in calls:
        where, its_block, its = point(call)
        is_behind = where == home and its > at and loops[its_block] == loops[block]
        if is_behind and record.block_guard[its_block] in guards:
            return True
    return False


def _is_bare(call: ast.Call) -> bool:
    return call.func.__class__ is ast.Attribute and not (call.args or call.keywords)


@cache
def _waiting() -> frozenset[str]:
    """Methods of tensors that wait where they are told nothing, by our tables."""
    return names_where(TENSOR.name, _waits)


def _waits(effect: Effect) -> bool:
    whens = [wait.when for wait in effect.waits]
    whens += [copy.when for copy in effect.copies if copy.waits and copy.direction is Direction.TO_HOST]
    return any(map(_is_met, whens))


def _is_met(when: Condition) -> bool:
    return not any(getattr(when, name) for name in _ASKING_ARGUMENTS)
